/** Opens a CSV file as a source of text values: its delimiter, its header, and lines with too few or too many values. */
import { closeSync, openSync, readSync } from 'node:fs';
import type { DuckDBConnection } from '@duckdb/node-api';
import { z } from 'zod';
import type { FirstRow, ReadingFinding, TableChoices } from '../../router/capabilities/file-import.ts';
import { RefusedFile } from './content-check.ts';
import { detectLayout, firstRecords, mostValuesOfFirstRecord } from './delimiter.ts';
import { RowCount, readRows } from './read-rows.ts';
import { literal } from './sql-text.ts';
import { MAX_COLUMNS, tooManyColumns } from './table-limits.ts';

/** A file as a source of rows. */
export interface Source {
  /** SQL of a FROM item. */
  readonly from: string;
  /** True where semicolons separate the values. */
  readonly hasSemicolons: boolean;
  /** The line with the names of the columns, from 1; 0 where the file has none. */
  readonly headerRow?: number | undefined;
  readonly firstRows?: readonly FirstRow[] | undefined;
  readonly findings: readonly ReadingFinding[];
}

const SniffedCsv = z.object({
  Delimiter: z.string(),
  Quote: z.string().nullable(),
  Escape: z.string().nullable(),
  SkipRows: RowCount,
  HasHeader: z.boolean(),
});

const DescribedColumn = z
  .object({ column_name: z.string(), column_type: z.string() })
  .transform(({ column_name: name, column_type: type }) => ({ name, type }));

/** Returns the columns of a query with their types. */
export function describeColumns(connection: DuckDBConnection, sql: string) {
  return readRows(connection, `DESCRIBE ${sql}`, DescribedColumn);
}

const HEAD_BYTES = 262_144;
/** Number of rows, and of their values, among which the user selects the header. */
export const SHOWN_ROWS = 12;
const SHOWN_VALUES = 30;
const SHOWN_LENGTH = 60;

interface CsvForm {
  readonly path: string;
  /** Options of `read_csv` without `columns`. */
  readonly options: readonly string[];
  readonly columns: readonly string[];
  readonly source: Omit<Source, 'from'>;
}

/** Describes a CSV file as a source. All values are read as text, and typed afterwards. */
export async function openCsv(
  connection: DuckDBConnection,
  path: string,
  choices: TableChoices,
  isRagged: boolean,
): Promise<Source> {
  const form = await detectForm(connection, path, choices);
  if (isRagged) return readRagged(connection, form);
  return { ...form.source, from: readCsv(form, []) };
}

function readCsv({ path, options, columns }: CsvForm, extra: readonly string[]): string {
  const typed = `columns = {${columns.map((column) => `${literal(column)}: 'VARCHAR'`).join(', ')}}`;
  return `read_csv(${[literal(path), ...options, typed, ...extra].join(', ')})`;
}

async function detectForm(connection: DuckDBConnection, path: string, choices: TableChoices): Promise<CsvForm> {
  const { text, isWhole } = readHead(path);
  const layout = detectLayout(text, isWhole);
  const { headerRow: chosenRow } = choices;
  const skipped = chosenRow === undefined ? (layout?.headerLine ?? 1) - 1 : Math.max(0, chosenRow - 1);
  const isSkipKnown = layout !== undefined || chosenRow !== undefined;
  const fixedOptions = [
    ...(layout === undefined ? [] : [`delim = ${literal(layout.delimiter)}`]),
    ...(isSkipKnown ? [`skip = ${skipped}`] : []),
    ...(chosenRow === undefined ? [] : [`header = ${chosenRow > 0}`]),
  ];
  const [sniffed] = await despiteRagged(
    (more) =>
      readRows(
        connection,
        `SELECT Delimiter, Quote, Escape, SkipRows, HasHeader
         FROM sniff_csv(${[literal(path), 'sample_size = 20480', ...fixedOptions].join(', ')}${more})`,
        SniffedCsv,
      ),
    layout !== undefined,
  );
  if (sniffed === undefined) throw new Error('sniff_csv has given no row.');
  const delimiter = layout?.delimiter ?? sniffed.Delimiter;
  const skip = isSkipKnown ? skipped : sniffed.SkipRows;
  const hasHeader = chosenRow === undefined ? sniffed.HasHeader : chosenRow > 0;
  const options = [
    `delim = ${literal(delimiter)}`,
    `quote = ${literal(optional(sniffed.Quote) || '"')}`,
    `escape = ${literal(optional(sniffed.Escape) || '"')}`,
    `skip = ${skip}`,
    `header = ${hasHeader}`,
    'all_varchar = true',
    'auto_detect = false',
    "compression = 'none'",
  ];
  const records = firstRecords(text, delimiter, SHOWN_ROWS);
  return {
    path,
    options,
    columns: await columnNames(connection, path, options),
    source: {
      hasSemicolons: delimiter === ';',
      headerRow: hasHeader ? skip + 1 : 0,
      firstRows: records.map(({ line, values }) => firstRow(line, values)),
      findings: skip > 0 && chosenRow === undefined ? [aboveHeader(skip)] : [],
    },
  };
}

/** Shortens a row for display. */
export function firstRow(row: number, values: readonly string[]): FirstRow {
  return { row, values: values.slice(0, SHOWN_VALUES).map((value) => value.slice(0, SHOWN_LENGTH)) };
}

/** Reports lines of titles above the header. */
export function aboveHeader(lines: number): ReadingFinding {
  return {
    kind: 'lines_above_header',
    count: lines,
    of: lines,
    message: `${lines === 1 ? 'The first line is' : `The first ${lines} lines are`} above the header and not in the table.`,
    repairs: [{ label: 'The header is line 1', choices: { headerRow: 1 } }],
  };
}

/** Returns the names of the columns, which the reader needs without detection. DuckDB detects them when everything else is given. */
async function columnNames(
  connection: DuckDBConnection,
  path: string,
  options: readonly string[],
): Promise<readonly string[]> {
  const detecting = options.filter((each) => !each.startsWith('auto_detect'));
  const described = await despiteRagged(
    (more) => describeColumns(connection, `SELECT * FROM read_csv(${literal(path)}, ${detecting.join(', ')}${more})`),
    true,
  );
  return described.map(({ name }) => name.trim() || 'column');
}

/** Detects the format also where rows of different lengths prevent DuckDB from detecting it: those rows are skipped. */
async function despiteRagged<Result>(detect: (more: string) => Promise<Result>, isParted: boolean): Promise<Result> {
  try {
    return await detect('');
  } catch (error) {
    if (!isParted || !(error instanceof Error) || !error.message.includes('Error when sniffing file')) throw error;
    return await detect(', ignore_errors = true');
  }
}

function readHead(path: string): { readonly text: string; readonly isWhole: boolean } {
  const file = openSync(path, 'r');
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    const length = readSync(file, head, 0, HEAD_BYTES, 0);
    const text = head.toString('utf8', 0, length).replace(/^\uFEFF/, '');
    // Checked before the engine detects delimiters and types, which takes seconds of every core for a million columns.
    if (mostValuesOfFirstRecord(text) > MAX_COLUMNS) throw tooManyColumns();
    return { text, isWhole: length < HEAD_BYTES };
  } finally {
    closeSync(file);
  }
}

/** Returns the character; empty where DuckDB writes `(empty)`. */
function optional(character: string | null): string {
  return character === '(empty)' ? '' : (character ?? '');
}

/** Maximum share of lines with too few or too many values; a file with more is not a table of this format. */
const MAX_RAGGED = 0.1;
const MAX_REJECTED = 100_000;
const SHOWN_LINES = 5;

const Rejected = z.object({ kind: z.string(), rejected: RowCount, lines: z.array(z.union([z.bigint(), z.number()])) });

/** Returns whether an error is about lines with too few or too many values. */
export function isAboutRaggedLines(error: unknown): boolean {
  return error instanceof Error && /Expected Number of Columns:\s*\d+\s+Found:\s*\d+/.test(error.message);
}

/**
 * Reads the lines with the header's number of values, and lines with fewer, whose last values are missing. Lines with more values are not read,
 * because their values cannot be assigned to columns.
 *
 * @throws RefusedFile where too many lines have another number of values, or a quote does not end
 */
async function readRagged(connection: DuckDBConnection, form: CsvForm): Promise<Source> {
  const counting = ['ignore_errors = true', 'store_rejects = true', `rejects_limit = ${MAX_REJECTED}`];
  const [{ rowCount } = { rowCount: 0 }] = await readRows(
    connection,
    `SELECT count(*) AS "rowCount" FROM ${readCsv(form, counting)}`,
    z.object({ rowCount: RowCount }),
  );
  const rejected = await readRows(
    connection,
    `SELECT error_type::VARCHAR AS kind, count(*) AS rejected, list(line ORDER BY line)[1:${SHOWN_LINES}] AS lines
     FROM (SELECT DISTINCT line, error_type FROM reject_errors) GROUP BY kind ORDER BY kind`,
    Rejected,
  );
  // The next file has its own temporary tables.
  for (const table of ['reject_errors', 'reject_scans']) await connection.run(`DROP TABLE IF EXISTS ${table}`);
  const ofKind = (kind: string) => rejected.find((each) => each.kind === kind) ?? { kind, rejected: 0, lines: [] };
  const short = ofKind('MISSING COLUMNS');
  const long = ofKind('TOO MANY COLUMNS');
  const all = rowCount + short.rejected + long.rejected;
  const width = form.columns.length;
  if (rejected.some(({ kind }) => kind !== short.kind && kind !== long.kind))
    throw new RefusedFile('A quoted value does not end, or goes on behind its quote.');
  if (short.rejected + long.rejected > MAX_RAGGED * all)
    throw new RefusedFile(
      `${short.rejected + long.rejected} of ${all} lines do not have ${width} values, as the header has (for example ${linesOf([...short.lines, ...long.lines])}).`,
    );
  const padded = ['ignore_errors = true', 'null_padding = true', 'parallel = false'];
  return {
    ...form.source,
    from: readCsv(form, padded),
    findings: [
      ...form.source.findings,
      ...raggedFinding(
        short.rejected,
        all,
        `fewer than ${width} values (${linesOf(short.lines)}): the last ones are empty`,
      ),
      ...raggedFinding(
        long.rejected,
        all,
        `more than ${width} values (${linesOf(long.lines)}) and not in the table: correct the file and add it again`,
      ),
    ],
  };
}

function raggedFinding(count: number, of: number, what: string): readonly ReadingFinding[] {
  if (count === 0) return [];
  const message = `${count} of ${of} lines ${count === 1 ? 'has' : 'have'} ${what}.`;
  return [{ kind: 'ragged_lines', count, of, message, repairs: [] }];
}

function linesOf(lines: readonly (bigint | number)[]): string {
  const sorted = [...lines].map(Number).sort((left, right) => left - right);
  return `${sorted.length === 1 ? 'line' : 'lines'} ${sorted.slice(0, SHOWN_LINES).map(String).join(', ')}`;
}
