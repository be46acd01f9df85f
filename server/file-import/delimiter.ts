/** Finds the delimiter of a CSV file and the line of its header. Pure. */

const DELIMITERS = [',', ';', '\t', '|'] as const;
/** Number of records that are read. */
const RECORDS = 200;
/** Minimum share of the records with the usual number of values, where the first record is the header. */
const CONSISTENT = 0.6;
/** The same where lines above the header are skipped, as text with commas in most lines looks like a table, too. */
const CONSISTENT_BELOW_TITLES = 0.9;
/** Records among which the header is looked for. */
const HEADER_RECORDS = 20;

/** A record of a CSV file. */
export interface CsvRecord {
  /** The line where it begins, from 1. */
  readonly line: number;
  readonly values: readonly string[];
}

export interface CsvLayout {
  readonly delimiter: string;
  /** The line of the first record of the table, from 1. */
  readonly headerLine: number;
}

/**
 * Returns the delimiter that separates most records below the header into equally many values, more than one, and the
 * line of the header; `undefined` where no delimiter does. Of two delimiters, the one with fewer records above the
 * header wins, then the one that more records agree on, then the one that gives more values. (DuckDB's own detection takes the decimal commas of a file with semicolons for
 * delimiters.)
 *
 * @param isWhole whether the text ends where the file does; else its last record may be cut
 */
export function detectLayout(text: string, isWhole: boolean): CsvLayout | undefined {
  const layouts = DELIMITERS.flatMap((delimiter) => {
    const records = firstRecords(text, delimiter, RECORDS);
    if (!isWhole) records.pop();
    const header = findHeader(records.map(({ values }) => values));
    const table = records.slice(header);
    const width = usualWidth(table.map(({ values }) => values));
    if (width < 2) return [];
    const agreeing = table.filter(({ values }) => values.length === width).length / table.length;
    return [{ delimiter, header, headerLine: records[header]?.line ?? 1, width, agreeing }];
  }).filter(({ header, agreeing }) => agreeing >= (header === 0 ? CONSISTENT : CONSISTENT_BELOW_TITLES));
  layouts.sort(
    (left, right) => left.header - right.header || right.agreeing - left.agreeing || right.width - left.width,
  );
  return layouts[0];
}

/**
 * Returns the position of the first row that fills at least half of the table's columns: titles and blank rows stand
 * above it. 0 where there is no such row among the first ones.
 */
export function findHeader(rows: readonly (readonly string[])[]): number {
  const width = usualWidth(rows);
  const header = rows
    .slice(0, HEADER_RECORDS)
    .findIndex((values) => values.filter((value) => value.trim() !== '').length >= Math.max(2, width / 2));
  return Math.max(0, header);
}

/** Returns the number of values that most rows have; of two equally frequent numbers the greater. */
function usualWidth(rows: readonly (readonly string[])[]): number {
  const counts = new Map<number, number>();
  for (const { length } of rows) counts.set(length, (counts.get(length) ?? 0) + 1);
  let usual = 0;
  for (const [width, count] of counts) {
    const best = counts.get(usual) ?? 0;
    if (count > best || (count === best && width > usual)) usual = width;
  }
  return usual;
}

/** Returns the maximum number of values of a text's first record, for any delimiter. */
export function mostValuesOfFirstRecord(text: string): number {
  return Math.max(...DELIMITERS.map((delimiter) => firstRecords(text, delimiter, 1)[0]?.values.length ?? 0));
}

/** Reads the first records of a text; blank lines are none. */
export function firstRecords(text: string, delimiter: string, limit: number): CsvRecord[] {
  const records: CsvRecord[] = [];
  let values: string[] = [];
  let value = '';
  let line = 1;
  let startLine = 1;
  let isQuoted = false;
  const endRecord = (): void => {
    values.push(value);
    if (values.length > 1 || value.trim() !== '') records.push({ line: startLine, values });
    values = [];
    value = '';
  };
  for (let at = 0; at < text.length && records.length < limit; at++) {
    const character = text[at] ?? '';
    if (character === '\n') line++;
    if (isQuoted) {
      if (character !== '"') value += character;
      else if (text[at + 1] === '"') {
        value += '"';
        at++;
      } else isQuoted = false;
    } else if (character === '"' && value.trim() === '') {
      isQuoted = true;
      value = '';
    } else if (character === delimiter) {
      values.push(value);
      value = '';
    } else if (character === '\n') {
      endRecord();
      startLine = line;
    } else if (character !== '\r') value += character;
  }
  if (records.length < limit && (value !== '' || values.length > 0)) endRecord();
  return records;
}
