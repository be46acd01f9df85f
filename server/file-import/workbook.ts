/** Reads the sheets of an Excel workbook as CSV files, so that their values are typed like other files' text. */
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import readWorkbook from 'read-excel-file/node';
import type { FirstRow } from '../../router/capabilities/file-import.ts';
import { RefusedFile } from './content-check.ts';
import { firstRow, SHOWN_ROWS } from './csv-source.ts';
import { findHeader } from './delimiter.ts';
import { measureWorkbook } from './workbook-size.ts';

/** A sheet with a table. */
export interface Sheet {
  readonly name: string;
  /** The CSV file with its rows, from the header on. */
  readonly path: string;
  /** The row of the header, from 1. */
  readonly headerRow: number;
  readonly firstRows: readonly FirstRow[];
  readonly rowCount: number;
}

/** Maximum size of a workbook. It is read into memory, where it takes several times the size of its XML. */
const MAX_UNPACKED_BYTES = 400_000_000;

/**
 * Writes each sheet with a table to a CSV file `${scratch}-NUMBER.csv`.
 *
 * @param headerRowOf the selected row of a sheet's header; `undefined` to detect it
 * @throws RefusedFile where the workbook cannot be read, decompresses to too much, or has no table
 */
export async function readSheets(
  path: string,
  scratch: string,
  headerRowOf: (sheet: string) => number | undefined,
): Promise<readonly Sheet[]> {
  const workbook = await openWorkbook(path);
  const sheets: Sheet[] = [];
  for (const [index, { sheet, data }] of workbook.entries()) {
    const rows = data.map((row) => row.map(cellText));
    const chosen = headerRowOf(sheet);
    const header = chosen === undefined ? findHeader(rows.slice(0, 200)) : Math.max(0, chosen - 1);
    const table = rows.slice(header).filter((row) => row.some((cell) => cell.trim() !== ''));
    const width = Math.max(0, ...table.slice(0, 1).map(filledWidth));
    if (table.length < 2 || width === 0) continue;
    const file = `${scratch}-${index}.csv`;
    await pipeline(Readable.from(csvLines(table, width)), createWriteStream(file));
    sheets.push({
      name: sheet,
      path: file,
      headerRow: header + 1,
      firstRows: rows
        .slice(0, SHOWN_ROWS)
        .flatMap((row, at) => (row.some((cell) => cell.trim() !== '') ? [firstRow(at + 1, row)] : [])),
      rowCount: table.length - 1,
    });
  }
  if (sheets.length === 0)
    throw new RefusedFile('No sheet of the workbook has a table: a row of names with rows below it.');
  return sheets;
}

async function openWorkbook(path: string) {
  try {
    const { bytes, farCell } = await measureWorkbook(path, MAX_UNPACKED_BYTES);
    if (bytes > MAX_UNPACKED_BYTES)
      throw new RefusedFile('The workbook unpacks to more than 400 MB. Save its sheets as CSV files.');
    // The reader makes an array of the whole grid.
    if (farCell !== undefined)
      throw new RefusedFile(
        `A sheet has cells far from its table, up to ${farCell}. Delete the rows and columns between them, or save the table as a CSV file.`,
      );
    return await readWorkbook(path);
  } catch (error) {
    if (error instanceof RefusedFile) throw error;
    throw new RefusedFile('The workbook cannot be read: it is broken, or protected by a password.', { cause: error });
  }
}

/** Returns the number of cells of a row up to its last cell with a text. */
function filledWidth(row: readonly string[]): number {
  return row.findLastIndex((cell) => cell.trim() !== '') + 1;
}

/** Number of digits in Excel's calculations. */
const DIGITS = 15;

function cellText(cell: unknown): string {
  if (cell === null || cell === undefined) return '';
  if (typeof cell === 'number') return String(Number(cell.toPrecision(DIGITS)));
  if (typeof cell === 'boolean') return String(cell);
  if (!(cell instanceof Date)) return String(cell);
  if (Number.isNaN(cell.getTime())) return '';
  // Excel stores dates as days; times are fractions, which are rounded to whole seconds.
  const text = new Date(Math.round(cell.getTime() / 1_000) * 1_000).toISOString();
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text.slice(0, 19).replace('T', ' ');
}

function* csvLines(rows: readonly (readonly string[])[], width: number): Generator<string> {
  for (const row of rows) {
    const cells = Array.from({ length: width }, (_, index) => `"${(row[index] ?? '').replaceAll('"', '""')}"`);
    yield `${cells.join(',')}\n`;
  }
}
