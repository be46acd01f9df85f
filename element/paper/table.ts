/** Tables on paper. */
import type { Content, ContentTable, TableCell } from 'pdfmake/interfaces';
import { isNumeric } from '../src/api/columns.ts';
import type { Answer } from '../src/api/parse-answer.ts';
import type { Formats } from '../src/formats.ts';
import { LINE, MUTED } from './theme.ts';

/** Height of a row with one line of text, in points. */
export const ROW_HEIGHT = 14.5;
/** Rows and cells of one table at most: a document of hundreds of pages is for nobody. */
const MAX_PAPER_ROWS = 1_000;
const MAX_PAPER_CELLS = 20_000;
const MAX_CELL_LENGTH = 300;

/** Returns the number of rows of an answer that a document shows. */
export function paperRows(answer: Answer): number {
  const most = Math.min(MAX_PAPER_ROWS, Math.ceil(MAX_PAPER_CELLS / Math.max(1, answer.columns.length)));
  return Math.min(answer.rows.length, most);
}

/** Writes some rows of an answer. The head is repeated on each page. */
export function tableContent(answer: Answer, formats: Formats, from: number, to: number): ContentTable {
  const { columns, rows } = answer;
  const head = columns.map(
    (column): TableCell => ({ text: column.label, bold: true, ...(isNumeric(column) ? { alignment: 'right' } : {}) }),
  );
  const body = rows.slice(from, to).map((row) =>
    row.map((cell, position): TableCell => {
      const column = columns[position];
      const text = formats.cell(cell, column).slice(0, MAX_CELL_LENGTH);
      const isNumber = column !== undefined && isNumeric(column);
      return {
        text,
        ...(isNumber ? { alignment: 'right' } : {}),
        ...(isNumber && text.length < 24 ? { noWrap: true } : {}),
      };
    }),
  );
  const widths = columns.map((column) => (isNumeric(column) || columns.length > 6 ? 'auto' : '*'));
  return {
    table: { headerRows: 1, dontBreakRows: true, widths, body: [head, ...body] },
    fontSize: columns.length > 10 ? 6.5 : 8,
    layout: {
      hLineWidth: (line) => (line === 0 ? 0 : line === 1 ? 0.8 : 0.3),
      vLineWidth: () => 0,
      hLineColor: (line) => (line === 1 ? MUTED : LINE),
      paddingLeft: (at) => (at === 0 ? 0 : 4),
      paddingRight: () => 4,
      paddingTop: () => 2,
      paddingBottom: () => 2,
    },
  };
}

/** Says that a document has not all rows; empty where it has. */
export function moreRows(answer: Answer, shown: number, formats: Formats): Content[] {
  if (shown >= answer.rows.length && !answer.truncated) return [];
  const text = formats.say('Only the first {0}', formats.say('{0} rows', formats.number(shown)));
  return [{ text, color: MUTED, fontSize: 7.5, margin: [0, 3, 0, 0] }];
}
