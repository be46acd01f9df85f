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
  if (!host.select({ tile: panel.tile, row, column: key, record })) return;
  panel.table.selected = row;
  host.requestUpdate();
}
