import { html, nothing, type TemplateResult } from 'lit';
import { chartColumns, isTime } from '../api/columns.ts';
import type { Answer } from '../api/parse-answer.ts';
import { DASH } from '../formats.ts';
import { formattingPart } from '../render/formatting.ts';
import { failureNotice } from '../render/placeholders.ts';
import type { Panel } from '../state/panel.ts';
import { hiddenNote } from '../table/cell-text.ts';
import type { AnswerViewOptions, Host } from '../types.ts';
import { comparison } from './comparison.ts';

/**
 * Renders one large number: the column `measure`, or the first numeric column. An answer by date shows its latest
 * value, the change from the value before, and a line of all values. Any other answer shows its first row, compared
 * with the column `compare`, with the base of the query's comparison, or with a column named like the measure plus
 * `_previous`. Below it is its target.
 */
export function kpiView(panel: Panel, answer: Answer, host: Host, form: AnswerViewOptions): TemplateResult {
  const { measure, compare } = form;
  const { columns, rows } = answer;
  const position =
    measure === undefined ? (chartColumns(answer).series[0] ?? -1) : columns.findIndex(({ key }) => key === measure);
  if (position < 0) return failureNotice(host.formats.say('This number is not available.'));
  const time = columns.findIndex(isTime);
  const when = (index: number): string => rows[index]?.[time]?.exact ?? '';
  const row = time < 0 ? 0 : rows.reduce((latest, _, index) => (when(index) > when(latest) ? index : latest), 0);
  const cell = rows[row]?.[position];
  const text = cell?.text ?? DASH;
  const negative = (cell?.number ?? 0) < 0;
  const format = formattingPart(panel, answer, form, host)?.number(
    panel,
    answer,
    { row, position },
    form.chart,
    host.formats,
  );
  // A long number shrinks to stay on one line; see `.kpi` in the styles.
  return html`<div class="kpi-box"><p class="kpi ${negative ? 'negative' : ''}" part="kpi" .style=${`--characters:${Math.max(4, text.length)}`}>${text}${hiddenNote(cell, host.formats, 'Hidden to protect a small group')}</p>${columns.length > 1 ? comparison(answer, row, position, { compare, change: format?.change }, host.formats) : nothing}${format?.target ?? nothing}</div>`;
}
