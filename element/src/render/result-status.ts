import { html, nothing, type TemplateResult } from 'lit';
import type { Answer } from '../api/parse-answer.ts';
import type { Formats } from '../formats.ts';

/** Describes how far to trust a result: whether rows are missing, values are hidden, and how old it is. */
export interface ResultStatusOptions {
  readonly stale: boolean;
  /** Whether the view shows rows that a reader can count. */
  readonly rows: boolean;
  readonly sorted: boolean;
}

/** Renders the line below a result: missing data, number of rows, age. */
export function resultStatus(
  answer: Answer,
  formats: Formats,
  { stale, rows, sorted }: ResultStatusOptions,
): TemplateResult {
  const count = rows && !answer.truncated ? html`<span>${rowCountText(answer.rows.length, formats)}</span>` : nothing;
  return statusLine([...statusBadges(answer, formats, stale, sorted), count, asOf(answer, formats)]);
}

/** Renders only the missing data of a tile. The age of all tiles is shown once, below the dashboard. */
export function tileStatus(answer: Answer, formats: Formats, stale: boolean): TemplateResult | typeof nothing {
  const missing = statusBadges(answer, formats, stale, false);
  return missing.length > 0 ? statusLine(missing) : nothing;
}

/** Renders when an answer was computed; nothing where the server does not report it. */
export function asOf(answer: Pick<Answer, 'computedAt' | 'cached'>, formats: Formats): TemplateResult | typeof nothing {
  const { computedAt, cached } = answer;
  if (Number.isNaN(computedAt.getTime())) return nothing;
  const written = formats.date(computedAt, { dateStyle: 'medium', timeStyle: 'short' });
  const [before, after] = formats.say(cached ? 'As of {0}, cached' : 'As of {0}', '\n').split('\n');
  return html`<span>${before}<time datetime=${computedAt.toISOString()}>${written}</time>${after}</span>`;
}

/** Renders the line below a result. */
export function statusLine(parts: readonly (TemplateResult | typeof nothing)[]): TemplateResult {
  return html`<div class="status-line" part="meta">${parts}</div>`;
}

/** Renders one badge for missing data, with the reason where there is one. */
export function statusBadge(text: string, why?: string): TemplateResult {
  return html`<span class="status-badge" part="gap" title=${why ?? nothing}>${text}</span>`;
}

/** Writes a number of rows. */
export function rowCountText(count: number, formats: Formats): string {
  return count === 1 ? formats.say('1 row') : formats.say('{0} rows', formats.number(count));
}

function statusBadges(answer: Answer, formats: Formats, stale: boolean, sorted: boolean): readonly TemplateResult[] {
  const { truncated, partial, suppressed, rows } = answer;
  const hidden = suppressed?.count ?? 0;
  const badge = (isShown: boolean, text: string, count = 0, why?: string): readonly TemplateResult[] =>
    isShown ? [statusBadge(formats.say(text, rowCountText(count, formats)), why)] : [];
  return [
    ...badge(stale, 'Could not be refreshed'),
    ...badge(partial, 'Some of the data is missing'),
    ...badge(truncated, `Only the first {0}${sorted ? '; sorting covers these rows' : ''}`, rows.length),
    ...badge(hidden > 0, '{0} with hidden values', hidden, suppressed?.reason),
  ];
}
