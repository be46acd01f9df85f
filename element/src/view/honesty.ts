import { html, nothing, type TemplateResult } from 'lit';
import type { Answer } from '../read/answer.ts';

/** What a reader must know to trust a result: whether rows are missing, values hidden, and how old it is. */
export function honesty(answer: Answer, withRows: boolean): TemplateResult {
  return line([...gaps(answer), withRows && !answer.truncated ? rowCount(answer) : nothing, asOf(answer.computedAt)]);
}

/** In a tile only what is missing; how old the tiles are stands once under all of them. */
export function tileHonesty(answer: Answer): TemplateResult | typeof nothing {
  const missing = gaps(answer);
  return missing.length > 0 ? line(missing) : nothing;
}

export function asOf(date: Date): TemplateResult | typeof nothing {
  if (Number.isNaN(date.getTime())) return nothing;
  const written = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' }).format(date);
  return html`<span>As of <time datetime=${date.toISOString()}>${written}</time></span>`;
}

export function line(parts: readonly (TemplateResult | typeof nothing)[]): TemplateResult {
  return html`<div class="honesty" part="meta">${parts}</div>`;
}

function gaps(answer: Answer): readonly TemplateResult[] {
  const missing: TemplateResult[] = [];
  if (answer.truncated) {
    missing.push(html`<span class="gap">First ${grouped(answer.rows.length)} rows; there are more</span>`);
  }
  const hidden = answer.suppressed;
  if (hidden && hidden.count > 0) {
    const rows = hidden.count === 1 ? '1 row' : `${grouped(hidden.count)} rows`;
    missing.push(html`<span class="gap" title=${hidden.reason}>${rows} with hidden values</span>`);
  }
  return missing;
}

function rowCount(answer: Answer): TemplateResult {
  return html`<span>${answer.rows.length === 1 ? '1 row' : `${grouped(answer.rows.length)} rows`}</span>`;
}

function grouped(count: number): string {
  return new Intl.NumberFormat().format(count);
}
