/** Finds the types of the text columns of a source: guessed from its first rows, verified on all of them. */
import type { DuckDBConnection } from '@duckdb/node-api';
import { z } from 'zod';
import type { ImportedColumn } from '../../router/capabilities/file-import.ts';
import { RowCount, readRows } from './read-rows.ts';
import {
  type Candidate,
  candidates,
  cellSql,
  DAY_FIRST_DATES,
  type DecimalShape,
  MONTH_FIRST_DATES,
  presentText,
  unitSql,
} from './type-candidates.ts';

/** The type of a column: the SQL of its values, and its description. */
export interface TypedColumn {
  readonly sql: string;
  readonly description: ImportedColumn;
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
/** Share of values that must fit a type for the others to be reported as exceptions. */
const NEARLY_ALL = 0.9;

const name = (column: string): string => `"${column.replaceAll('"', '""')}"`;

/** Returns the types of the columns, in their order. */
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
  /** Candidates that some values do not rule out. */
  readonly plausible: readonly (readonly Candidate[])[];
  readonly candidate: Candidate | undefined;
}

/** Reads the cells of the first rows, column by column, without those that stand for a missing value. */
async function firstCells({ connection, from, columns }: TextSource): Promise<ReadonlyMap<string, readonly string[]>> {
  const read = await connection.runAndReadAll(
    `SELECT ${columns.map(name).join(', ')} FROM ${from} LIMIT ${GUESS_ROWS}`,
  );
  const cells = read.getColumnsObjectJS();
  return new Map(
    columns.map((column) => [column, (cells[column] ?? []).map(presentText).filter((cell) => cell !== undefined)]),
  );
}

const LOOKS_NUMERIC =
  /^[^\p{L}]*\d[^\p{L}]*$|^\p{Lu}{3}\s?[-+\d.,' \u00a0]+$|^[-+\d.,' \u00a0]+\s?\p{Lu}{3}$|^[-+]?[\d.]+[eE][-+]?\d+$/u;
const LOOKS_DATED = /^(?=.*\d)[\p{L}\d.,:/+\- ]{6,35}$/u;

/** Returns whether nearly all values look like the candidate's, so that it is worth asking DuckDB; true of no values. */
function isPlausible({ kind }: Candidate, cells: readonly string[]): boolean {
  return cells.filter(LOOKS_LIKE[kind]).length >= NEARLY_ALL * cells.length;
}

const LOOKS_LIKE: Readonly<Record<Candidate['kind'], (cell: string) => boolean>> = {
  boolean: (cell) => /^(true|false)$/i.test(cell),
  date: (cell) => LOOKS_DATED.test(cell) && /\d\D+\w+\D+\d/.test(cell),
  number: (cell) => LOOKS_NUMERIC.test(cell),
};

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
  readonly shape: DecimalShape | null;
}

const Shape = z.object({ before: RowCount, after: RowCount, hasExponent: z.boolean() });

/** Writes SQL of the digits of a column of plain numbers; NULL for other candidates. */
function shapeSql({ kind }: Candidate, number: string): string {
  if (kind !== 'number') return 'NULL';
  return `struct_pack(
    before := coalesce(max(length(regexp_extract(${number}, '^[-+]?(\\d*)', 1))), 0),
    after := coalesce(max(length(regexp_extract(${number}, '\\.(\\d*)', 1))), 0),
    hasExponent := coalesce(bool_or(regexp_matches(${number}, '[eE]')), false))`;
}

const Fitted = z.object({ fitted: RowCount, shape: Shape.nullable() });

/** Counts for each candidate how many values of a column it cannot read. */
async function fitting(
  { connection, from }: TextSource,
  column: string,
  candidates: readonly Candidate[],
  rows: number | undefined,
): Promise<readonly Fit[]> {
  const read = candidates.map((candidate, index) => `${readable(candidate, 'v')} AS r${index}`);
  const selected = candidates.map(
    (candidate, index) =>
      `struct_pack(fitted := count(r${index}), shape := ${shapeSql(candidate, `r${index}`)}) AS c${index}`,
  );
  const limit = rows === undefined ? '' : ` LIMIT ${rows}`;
  const cells = `SELECT ${cellSql(name(column))} AS v FROM ${from}${limit}`;
  const [row] = await readRows(
    connection,
    `SELECT count(v) AS present, ${selected.join(', ')} FROM (SELECT v, ${read.join(', ')} FROM (${cells}))`,
    z.object({ present: RowCount }).catchall(Fitted),
  );
  return candidates.flatMap((candidate, index) => {
    const counted = row?.[`c${index}`];
    if (row === undefined || counted === undefined) return [];
    return [{ candidate, values: row.present, misfits: row.present - counted.fitted, shape: counted.shape }];
  });
}

/** Writes SQL that is NULL where a candidate cannot read the text. */
function readable(candidate: Candidate, text: string): string {
  return candidate.kind === 'number' ? candidate.plainNumber(text) : candidate.convert(text);
}

const Verified = z.object({
  present: RowCount,
  fitted: RowCount,
  shape: Shape.nullable(),
  leastUnit: z.string().nullable(),
  greatestUnit: z.string().nullable(),
});

/** Verifies guesses on all rows in one pass; those that hold become types. */
async function verify(
  { connection, from }: TextSource,
  guesses: readonly Guess[],
  typed: Map<string, TypedColumn>,
): Promise<void> {
  const guessed = guesses.flatMap(({ column, candidate }) => (candidate === undefined ? [] : [{ column, candidate }]));
  if (guessed.length === 0) return;
  // A separate layer reads each value once: DuckDB keeps the vectors of every expression of a layer.
  const cells = guessed.map(({ column }, index) => `${cellSql(name(column))} AS v${index}`);
  const read = guessed.map(({ candidate }, index) => `v${index}, ${readable(candidate, `v${index}`)} AS r${index}`);
  const selected = guessed.map(({ candidate }, index) => {
    const unit = mayHaveUnit(candidate) ? unitSql(`v${index}`) : undefined;
    return `struct_pack(
      present := count(v${index}),
      fitted := count(r${index}),
      shape := ${shapeSql(candidate, `r${index}`)},
      leastUnit := ${unit === undefined ? 'NULL' : `min(${unit})`},
      greatestUnit := ${unit === undefined ? 'NULL' : `max(${unit})`}) AS c${index}`;
  });
  const [row] = await readRows(
    connection,
    `SELECT ${selected.join(', ')} FROM (SELECT ${read.join(', ')} FROM (SELECT ${cells.join(', ')} FROM ${from}))`,
    z.record(z.string(), Verified),
  );
  for (const [index, { column, candidate }] of guessed.entries()) {
    const counted = row?.[`c${index}`];
    if (counted === undefined || counted.present === 0 || counted.fitted !== counted.present) continue;
    // Amounts of several currencies are no one number.
    if (counted.leastUnit !== counted.greatestUnit) continue;
    typed.set(column, typedBy(column, candidate, counted.shape, counted.leastUnit || undefined));
  }
}

function mayHaveUnit(candidate: Candidate): boolean {
  return candidate.kind === 'number' && candidate.mayHaveUnit;
}

/** The shape of numbers of which no digits are known: they become a DOUBLE. */
const UNKNOWN_SHAPE: DecimalShape = { before: 0, after: 0, hasExponent: true };

function typedBy(
  column: string,
  candidate: Candidate,
  shape: DecimalShape | null,
  unit: string | undefined,
): TypedColumn {
  const cell = cellSql(name(column));
  return {
    sql: candidate.kind === 'number' ? candidate.convert(cell, shape ?? UNKNOWN_SHAPE) : candidate.convert(cell),
    description: {
      name: column,
      notes: candidate.note === undefined ? [] : [candidate.note],
      ...(unit === undefined ? {} : { unit }),
    },
  };
}

/** Types a column with misleading first rows, or with no fitting type: tries every plausible candidate on all rows. */
async function secondGuess(
  source: TextSource,
  column: string,
  plausible: readonly (readonly Candidate[])[],
): Promise<TypedColumn> {
  const candidates = plausible.flat();
  if (candidates.length === 0) return asText(column);
  const fits = await fitting(source, column, candidates, undefined);
  if ((fits[0]?.values ?? 0) === 0) return asText(column);
  const fit = fits.find(({ misfits, candidate }) => misfits === 0 && !mayHaveUnit(candidate));
  if (fit !== undefined) return typedBy(column, fit.candidate, fit.shape, undefined);
  const best = fits.reduce((least, each) => (each.misfits < least.misfits ? each : least));
  if (best.misfits === 0) return asText(column, ...(await unitNotes(source, column)));
  if (best.misfits > (1 - NEARLY_ALL) * best.values) return asText(column);
  return asText(column, `${best.misfits} of ${best.values} values are ${MISFITS[best.candidate.kind]}: kept as text`);
}

/** What values are not that a candidate cannot read. */
const MISFITS: Readonly<Record<Candidate['kind'], string>> = {
  boolean: 'neither true nor false',
  date: 'no dates',
  number: 'no numbers',
};

/** Notes why numbers of which each can be read have no type: the units beside them differ. */
async function unitNotes({ connection, from }: TextSource, column: string): Promise<readonly string[]> {
  const cells = `SELECT ${cellSql(name(column))} AS v FROM ${from}`;
  const rows = await readRows(
    connection,
    `SELECT ${unitSql('v')} AS unit, count(*) AS present FROM (${cells}) WHERE v IS NOT NULL GROUP BY unit ORDER BY unit`,
    z.object({ unit: z.string(), present: RowCount }),
  );
  const units = rows.map(({ unit }) => unit).filter((unit) => unit !== '');
  const bare = rows.find(({ unit }) => unit === '');
  if (units.length === 0) return [];
  if (units.length > 1) return [`the values have several units (${units.join(', ')}): kept as text`];
  return bare === undefined
    ? []
    : [`${units[0] ?? ''} is beside some values, and not beside ${bare.present} others: kept as text`];
}

function asText(column: string, ...notes: readonly string[]): TypedColumn {
  return { sql: `nullif(${name(column)}, '')`, description: { name: column, notes } };
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
