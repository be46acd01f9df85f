import type { SelectedValue } from '../api/filter-state.ts';
import type { Answer } from '../api/parse-answer.ts';
import { DASH, type Formats } from '../formats.ts';

/** Returns the values that a visitor clicked, as the answer shows them: `Region: North, Jan 2025`. */
export function selectionText(
  values: Readonly<Record<string, SelectedValue>>,
  answer: Answer | undefined,
  formats: Formats,
): string {
  return Object.entries(values)
    .map(([field, value]) => {
      const column = answer?.columns.find(({ key }) => key === field);
      const label = column?.labels?.[String(value)];
      const shown = value === null || label === '' ? DASH : typeof label === 'string' ? label : String(value);
      const cell = { text: shown, number: undefined, suppressed: false, exact: String(value) };
      return `${column?.label ?? field}: ${column && value !== null && !column.labels ? formats.cell(cell, column) : shown}`;
    })
    .join(', ');
}
