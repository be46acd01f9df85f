import { html, nothing, type TemplateResult } from 'lit';
import type { Formats } from '../formats.ts';
import type { Answer } from '../read/answer.ts';

/** What a reader must know to trust a result: whether rows are missing, values hidden, and how old it is. */
export interface Honesty {
  readonly stale: boolean;
  /** Whether its rows stand below each other, to be counted. */
  readonly rows: boolean;
  readonly sorted: boolean;
}

export function honesty(answer: Answer, formats: Formats, { stale, rows, sorted }: Honesty): TemplateResult {
  const count = rows && !answer.truncated ? html`<span>${counted(answer.rows.length, formats)}</span>` : nothing;
  return line([...gaps(answer, formats, stale, sorted), count, asOf(answer, formats)]);
}

/** In a tile only what is missing; how old the tiles are stands once under all of them. */
export function tileHonesty(answer: Answer, formats: Formats, stale: boolean): TemplateResult | typeof nothing {
  const missing = gaps(answer, formats, stale, false);
  return missing.length > 0 ? line(missing) : nothing;
}

export function asOf(answer: Pick<Answer, 'computedAt' | 'cached'>, formats: Formats): TemplateResult | typeof nothing {
  const { computedAt, cached } = answer;
  if (Number.isNaN(computedAt.getTime())) return nothing;
  const written = formats.date(computedAt, { dateStyle: 'medium', timeStyle: 'short' });
  return html`<span>As of <time datetime=${computedAt.toISOString()}>${written}</time>${cached ? ', cached' : ''}</span>`;
}

export function line(parts: readonly (TemplateResult | typeof nothing)[]): TemplateResult {
  return html`<div class="honesty" part="meta">${parts}</div>`;
}

export function gap(text: string, why?: string): TemplateResult {
  return html`<span class="gap" part="gap" title=${why ?? nothing}>${text}</span>`;
}

export function counted(count: number, formats: Formats): string {
  return count === 1 ? '1 row' : `${formats.number(count)} rows`;
}

function gaps(answer: Answer, formats: Formats, stale: boolean, sorted: boolean): readonly TemplateResult[] {
  const { truncated, partial, suppressed, rows } = answer;
  const missing: TemplateResult[] = [];
  if (stale) missing.push(gap('Could not be refreshed'));
  if (partial) missing.push(gap('Some of the data is missing'));
  if (truncated)
    missing.push(
      gap(`First ${counted(rows.length, formats)}; there are more${sorted ? ', not sorted with these' : ''}`),
    );
  if (suppressed && suppressed.count > 0)
    missing.push(gap(`${counted(suppressed.count, formats)} with hidden values`, suppressed.reason));
  return missing;
}
