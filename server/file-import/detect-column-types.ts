/** Finds the types of the text columns of a source: guessed from its first rows, verified on all of them. */
import type { DuckDBConnection } from '@duckdb/node-api';
import type { ImportedColumn } from '../../router/capabilities/file-import.ts';
import {
  BOOLEAN,
  type Candidate,
  candidates,
  cellOf,
  cellSql,
  DAY_FIRST_DATES,
  type DecimalShape,
  MONTH_FIRST_DATES,
  unitSql,
} from './type-candidates.ts';

/** What a column becomes: the SQL of its value, and what is told of it. */
export interface TypedColumn {
  readonly sql: string;
  readonly told: ImportedColumn;
}

export interface TextSource {
  readonly connection: DuckDBConnection;
  /** SQL of a FROM item. */
  readonly from: string;
  readonly columns: readonly string[];
  /** Whether semicolons part the values. */
  readonly hasSemicolons: boolean;
}

const GUESS_ROWS = 2_000;
/** Columns that one statement verifies. */
const COLUMNS_OF_A_STATEMENT = 50;
/** Share of values that must fit a type for the others to be told as exceptions. */
const NEARLY_ALL = 0.9;

const name = (column: string): string => `"${column.replaceAll('"', '""')}"`;

/** Returns what each of the columns becomes, in their order. */
export async function typeTextColumns(source: TextSource): Promise<readonly TypedColumn[]> {
  if (source.columns.length === 0) return [];
  const cells = await firstCells(source);
  const all = candidates(await dateOrder(source, cells), source.hasSemicolons);
  const guesses = await guess(source, all, cells);
  const typed = new Map<string, TypedColumn>();
  for (let start = 0; start < guesses.length; start += COLUMNS_OF_A_STATEMENT)
    await verify(source, guesses.slice(start, start + COLUMNS_OF_A_STATEMENT), typed);
  for (const { column, plausible } of guesses) {
    if (!typed.has(column)) typed.set(column, await secondGuess(source, column, plausible));
  }
  return source.columns.map((column) => typed.get(column) ?? asText(column));
}

interface Guess {
  readonly column: string;
  /** Candidates that a look at some values does not rule out. */
  readonly plausible: readonly (readonly Candidate[])[];
  readonly candidate: Candidate | undefined;
}

async function rowsOf(connection: DuckDBConnection, sql: string): Promise<readonly (readonly unknown[])[]> {
  return (await connection.runAndReadAll(sql)).getRowsJS();
}

/** Reads the cells of the first rows, column by column, without those that say that there is none. */
async function firstCells({ connection, from, columns }: TextSource): Promise<ReadonlyMap<string, readonly string[]>> {
  const rows = await rowsOf(connection, `SELECT ${columns.map(name).join(', ')} FROM ${from} LIMIT ${GUESS_ROWS}`);
  return new Map(
    columns.map((column, index) => [
      column,
      rows.map((row) => cellOf(row[index])).filter((cell) => cell !== undefined),
    ]),
  );
}

const LOOKS_NUMERIC =
  /^[^\p{L}]*\d[^\p{L}]*$|^\p{Lu}{3}\s?[-+\d.,' \u00a0]+$|^[-+\d.,' \u00a0]+\s?\p{Lu}{3}$|^[-+]?[\d.]+[eE][-+]?\d+$/u;
const LOOKS_DATED = /^(?=.*\d)[\p{L}\d.,:/+\- ]{6,35}$/u;

/**
 * Tells whether so many of the values look like the candidate's that it is worth asking DuckDB; of no values,
 * anything.
 */
function isPlausible({ id }: Candidate, cells: readonly string[]): boolean {
  const looks = (cell: string): boolean => {
    if (id === BOOLEAN.id) return /^(true|false)$/i.test(cell);
    if (/first|iso|instant/.test(id)) return LOOKS_DATED.test(cell) && /\d\D+\w+\D+\d/.test(cell);
    return LOOKS_NUMERIC.test(cell);
  };
  return cells.filter(looks).length >= NEARLY_ALL * cells.length;
}

async function guess(
  source: TextSource,
  all: readonly (readonly Candidate[])[],
  cells: ReadonlyMap<string, readonly string[]>,
): Promise<readonly Guess[]> {
  const guesses: Guess[] = [];
  for (const column of source.columns) {
    const values = cells.get(column) ?? [];
    // Of a column without a value among the first rows everything is plausible.
    const plausible = all.map((group) => group.filter((candidate) => isPlausible(candidate, values)));
    guesses.push({ column, plausible, candidate: (await firstFit(source, column, plausible, GUESS_ROWS))?.candidate });
  }
  return guesses;
}

/** Returns the first candidate that reads every value, groups in their order. */
async function firstFit(
  source: TextSource,
  column: string,
  groups: readonly (readonly Candidate[])[],
  rows: number,
): Promise<Fit | undefined> {
  for (const group of groups) {
    const fit =
      group.length === 0
        ? undefined
        : (await fitting(source, column, group, rows)).find(({ misfits }) => misfits === 0);
    if (fit !== undefined) return fit;
  }
  return undefined;
}

interface Fit {
  readonly candidate: Candidate;
  readonly values: number;
  readonly misfits: number;
  readonly shape: DecimalShape | undefined;
}

/** Writes SQL of the digits of the plain numbers of a column. */
function shapeSql(number: string): readonly string[] {
  return [
    `coalesce(max(length(regexp_extract(${number}, '^[-+]?(\\d*)', 1))), 0)`,
    `coalesce(max(length(regexp_extract(${number}, '\\.(\\d*)', 1))), 0)`,
    `coalesce(bool_or(regexp_matches(${number}, '[eE]')), false)`,
  ];
}

const NO_SHAPE = ['NULL', 'NULL', 'NULL'] as const;

function shapeOf(cells: readonly unknown[]): DecimalShape {
  const [before, after, hasExponent] = cells;
  return { before: Number(before), after: Number(after), hasExponent: hasExponent === true };
}

/** Tells of each candidate how many values of a column it cannot read. */
async function fitting(
  { connection, from }: TextSource,
  column: string,
  tried: readonly Candidate[],
  rows: number | undefined,
): Promise<readonly Fit[]> {
  const read = tried.map((candidate, index) => `${readable(candidate, 'v')} AS r${index}`);
  const selected = tried.flatMap((candidate, index) => [
    `count(r${index})`,
    ...(candidate.plainNumber === undefined ? NO_SHAPE : shapeSql(`r${index}`)),
  ]);
  const limit = rows === undefined ? '' : ` LIMIT ${rows}`;
  const cells = `SELECT ${cellSql(name(column))} AS v FROM ${from}${limit}`;
  const [row = []] = await rowsOf(
    connection,
    `SELECT count(v), ${selected.join(', ')} FROM (SELECT v, ${read.join(', ')} FROM (${cells}))`,
  );
  return tried.map((candidate, index) => ({
    candidate,
    values: Number(row[0]),
    misfits: Number(row[0]) - Number(row[1 + 4 * index]),
    shape: candidate.plainNumber === undefined ? undefined : shapeOf(row.slice(2 + 4 * index, 5 + 4 * index)),
  }));
}

/** Writes SQL that is NULL where a candidate cannot read the text. */
function readable(candidate: Candidate, text: string): string {
  return candidate.plainNumber?.(text) ?? candidate.convert(text, undefined);
}

/** Verifies guesses on all rows in one pass; those that hold become types. */
async function verify(
  { connection, from }: TextSource,
  guesses: readonly Guess[],
  typed: Map<string, TypedColumn>,
): Promise<void> {
  const guessed = guesses.flatMap(({ column, candidate }) => (candidate === undefined ? [] : [{ column, candidate }]));
  if (guessed.length === 0) return;
  // Each value is read once, in a layer of its own: DuckDB keeps the vectors of every expression of a layer.
  const cells = guessed.map(({ column }, index) => `${cellSql(name(column))} AS v${index}`);
  const read = guessed.map(({ candidate }, index) => `v${index}, ${readable(candidate, `v${index}`)} AS r${index}`);
  const selected = guessed.flatMap(({ candidate }, index) => [
    `count(v${index})`,
    `count(r${index})`,
    ...(candidate.plainNumber === undefined ? NO_SHAPE : shapeSql(`r${index}`)),
    ...(candidate.mayHaveUnit === true
      ? [`min(${unitSql(`v${index}`)})`, `max(${unitSql(`v${index}`)})`]
      : ['NULL', 'NULL']),
  ]);
  const [row = []] = await rowsOf(
    connection,
    `SELECT ${selected.join(', ')} FROM (SELECT ${read.join(', ')} FROM (SELECT ${cells.join(', ')} FROM ${from}))`,
  );
  for (const [index, { column, candidate }] of guessed.entries()) {
    const [values, fitted, before, after, exponent, least, greatest] = row.slice(7 * index, 7 * index + 7);
    // Amounts of several currencies are no one number.
    if (Number(values) === 0 || fitted !== values || least !== greatest) continue;
    const shape = candidate.plainNumber === undefined ? undefined : shapeOf([before, after, exponent]);
    typed.set(column, typedBy(column, candidate, shape, typeof least === 'string' && least !== '' ? least : undefined));
  }
}

function typedBy(
  column: string,
  candidate: Candidate,
  shape: DecimalShape | undefined,
  unit: string | undefined,
): TypedColumn {
  return {
    sql: candidate.convert(cellSql(name(column)), shape),
    told: {
      name: column,
      notes: candidate.note === undefined ? [] : [candidate.note],
      ...(unit === undefined ? {} : { unit }),
    },
  };
}

/** Types a column whose first rows misled, or that nothing fits: every plausible candidate is tried on all rows. */
async function secondGuess(
  source: TextSource,
  column: string,
  plausible: readonly (readonly Candidate[])[],
): Promise<TypedColumn> {
  const tried = plausible.flat();
  if (tried.length === 0) return asText(column);
  const fits = await fitting(source, column, tried, undefined);
  if ((fits[0]?.values ?? 0) === 0) return asText(column);
  const fit = fits.find(({ misfits, candidate }) => misfits === 0 && !candidate.mayHaveUnit === true);
  if (fit !== undefined) return typedBy(column, fit.candidate, fit.shape, undefined);
  const best = fits.reduce((least, each) => (each.misfits < least.misfits ? each : least));
  if (best.misfits === 0) return asText(column, ...(await unitNotes(source, column)));
  if (best.misfits > (1 - NEARLY_ALL) * best.values) return asText(column);
  return asText(column, `${best.misfits} of ${best.values} values are ${misfitOf(best.candidate)}: kept as text`);
}

function misfitOf({ id, plainNumber }: Candidate): string {
  if (id === BOOLEAN.id) return 'neither true nor false';
  return plainNumber === undefined ? 'no dates' : 'no numbers';
}

/** Tells of numbers that no type was found for although each is one: what stands beside them is not the same everywhere. */
async function unitNotes({ connection, from }: TextSource, column: string): Promise<readonly string[]> {
  const cells = `SELECT ${cellSql(name(column))} AS v FROM ${from}`;
  const rows = await rowsOf(
    connection,
    `SELECT ${unitSql('v')} AS unit, count(*) FROM (${cells}) WHERE v IS NOT NULL GROUP BY unit ORDER BY unit`,
  );
  const units = rows.map(([unit]) => String(unit)).filter((unit) => unit !== '');
  const bare = rows.find(([unit]) => unit === '')?.[1];
  if (units.length === 0) return [];
  if (units.length > 1) return [`the values have several units (${units.join(', ')}): kept as text`];
  return bare === undefined
    ? []
    : [`${units[0] ?? ''} stands beside some values, and not beside ${String(bare)} others: kept as text`];
}

function asText(column: string, ...notes: readonly string[]): TypedColumn {
  return { sql: `nullif(${name(column)}, '')`, told: { name: column, notes } };
}

/**
 * Decides which of day and month comes first where both could: by what another column of the file proves, else by its
 * separators.
 */
async function dateOrder(
  source: TextSource,
  cells: ReadonlyMap<string, readonly string[]>,
): Promise<'day-first' | 'month-first'> {
  for (const [column, values] of cells) {
    if (values.length === 0 || !values.every((cell) => /^\d{1,2}[/-]\d{1,2}[/-]\d{4}/.test(cell))) continue;
    const dates = `(SELECT split_part(trim(${name(column)}), ' ', 1) AS ${name(column)} FROM ${source.from})`;
    const [day, month] = await fitting(
      { ...source, from: dates },
      column,
      [DAY_FIRST_DATES, MONTH_FIRST_DATES],
      undefined,
    );
    if (day === undefined || month === undefined || day.misfits === month.misfits) continue;
    return day.misfits < month.misfits ? 'day-first' : 'month-first';
  }
  return source.hasSemicolons ? 'day-first' : 'month-first';
}
