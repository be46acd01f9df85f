import { html, type TemplateResult } from 'lit';
import type { Answer } from '../api/parse-answer.ts';
import type { Formats } from '../formats.ts';
import { MAX_PLAIN_TABLE_ROWS } from '../limits.ts';
import { clip, hiddenNote } from './cell-text.ts';

/** Renders an answer as a table that nobody sees, for screen readers. It knows neither scrolling nor styles, so that charts stay small. */
export function plainTable({ columns, rows }: Answer, formats: Formats, title: string): TemplateResult {
  const shown = rows.slice(0, MAX_PLAIN_TABLE_ROWS);
  const more =
    rows.length > shown.length
      ? ` (${formats.say('the first {0} of {1} rows', formats.number(shown.length), formats.number(rows.length))})`
      : '';
  return html`<table><caption>${title}${more}</caption><thead><tr>${columns.map(
    ({ label }) => html`<th scope="col">${clip(label)}</th>`,
  )}</tr></thead><tbody>${shown.map(
    (row) =>
      html`<tr>${row.map(
        (cell, column) => html`<td>${clip(formats.cell(cell, columns[column]))}${hiddenNote(cell, formats)}</td>`,
      )}</tr>`,
  )}</tbody></table>`;
}
