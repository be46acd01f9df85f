import type { Panel } from '../state/panel.ts';
import type { Host } from '../types.ts';

/** Chooses a row of what a panel shows, and marks it unless the host page does not want that. */
export function selectRow(host: Host, panel: Panel, row: number, column: number | undefined): void {
  const answer = panel.answer;
  const cells = answer?.rows[row];
  if (answer === undefined || cells === undefined) return;
  // A period goes out as its value, which filters take, and not as it is called.
  const record = Object.fromEntries(
    answer.columns.map(({ key, labels }, index) => [key, cells[index]?.[labels ? 'exact' : 'text'] ?? null]),
  );
  const key = column === undefined ? undefined : answer.columns[column]?.key;
  if (!host.select({ tile: panel.tile, row, column: key, record })) return;
  panel.table.selected = row;
  host.requestUpdate();
}
