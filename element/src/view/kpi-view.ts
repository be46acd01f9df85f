import { html, type TemplateResult } from 'lit';
import { chartColumns } from '../chart/columns.ts';
import { DASH } from '../chart/labels.ts';
import type { Answer } from '../read/answer.ts';
import { empty, failure } from './states.ts';

/** One large number: the first row's value of `measure`, or of the first numeric column when no measure is named. */
export function kpiView(answer: Answer, measure: string | undefined): TemplateResult {
  const position =
    measure === undefined
      ? (chartColumns(answer).series[0] ?? -1)
      : answer.columns.findIndex(({ key }) => key === measure);
  if (position < 0) return failure('This tile is not available.');
  const cell = answer.rows[0]?.[position];
  if (cell === undefined) return empty();
  const text = cell.text ?? DASH;
  const negative = cell.number !== undefined && cell.number < 0;
  // The number shrinks with its length to stay on one line; see `.kpi` in the styles.
  return html`<p class="kpi ${negative ? 'negative' : ''}" part="kpi" .style=${`--characters:${Math.max(4, text.length)}`}>${text}${
    cell.suppressed ? html`<span class="unseen"> (hidden to protect a small group)</span>` : ''
  }</p>`;
}
