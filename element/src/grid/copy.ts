import type { Answer } from '../api/parse-answer.ts';
import type { Formats } from '../formats.ts';
import type { TableState } from '../state/table-state.ts';

/** Returns the active cell or the marked range as text: tabs between cells, lines between rows. */
export function clipboardText(answer: Answer, { active, anchor, order }: TableState, formats: Formats): string {
  const other = anchor ?? active;
  const [firstColumn, lastColumn] = [active.column, other.column].sort((a, b) => a - b);
  const [firstRow, lastRow] = [active.row, other.row].sort((a, b) => a - b);
  const lines: string[] = [];
  for (let row = firstRow ?? 0; row <= (lastRow ?? -1); row += 1) {
    const cells = answer.rows[order?.[row] ?? row];
    const line: string[] = [];
    for (let column = firstColumn ?? 0; column <= (lastColumn ?? -1); column += 1) {
      const cell = cells?.[column];
      const text =
        row < 0
          ? answer.columns[column]?.label
          : cell?.text === undefined
            ? ''
            : formats.cell(cell, answer.columns[column]);
      // A tab or a line break within a cell would split it when it is pasted.
      line.push((text ?? '').replace(/[\t\r\n]+/g, ' '));
    }
    lines.push(line.join('\t'));
  }
  return lines.join('\n');
}
