import type { Cell } from '../api/parse-answer.ts';
import type { Panel } from '../state/panel.ts';
import type { Host } from '../types.ts';

/** Selects a row of a panel, and marks it unless the host page cancels the event. */
export function selectRow(host: Host, panel: Panel, row: number, column: number | undefined): void {
  const answer = panel.answer;
  const cells = answer?.rows[row];
  if (answer === undefined || cells === undefined) return;
  // A period is sent as its value, which filters accept, and not as its label.
  const record = Object.fromEntries(
    answer.columns.map(({ key, labels }, index) => [key, cells[index]?.[labels ? 'exact' : 'text'] ?? null]),
  );
  const key = column === undefined ? undefined : answer.columns[column]?.key;
  const values = Object.fromEntries(answer.columns.map((each, index) => [each.key, rawValue(cells[index])]));
  if (!host.select({ tile: panel.tile, row, column: key, record, values })) return;
  panel.table.selected = row;
  host.requestUpdate();
}

/** Returns the value of a cell as the server sent it: a number, or a text where it is none. Hidden values are null. */
export function rawValue(cell: Cell | undefined): string | number | null {
  if (!cell || cell.suppressed) return null;
  return cell.exact ?? cell.number ?? cell.text ?? null;
}
