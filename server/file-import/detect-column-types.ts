/** Detects the types of a source's text columns: guessed from the first rows, verified on all rows. */
import { z } from 'zod';
import type {
  ColumnChoice,
  ColumnReading,
  ImportedColumn,
  ReadingFinding,
} from '../../router/capabilities/file-import.ts';
import {
  bestOf,
  cellOf,
  type Fit,
  firstFit,
  fitting,
  readable,
  Shape,
  shapeSql,
  type TextSource,
} from './candidate-fits.ts';
import {
  Losses,
  lossesSql,
  lossFindings,
  otherValuesFinding,
  placeholderOf,
  severalUnitsFinding,
  type ValueSource,
  valuesMadeEmptyFinding,
} from './column-findings.ts';
import { looksLikeMonth } from './named-months.ts';
import { RowCount, readRows } from './read-rows.ts';
import { literal, quoteName } from './sql-text.ts';
import {
  type Candidate,
  candidates,
  DAY_FIRST_DATES,
  type DecimalShape,
  isCurrency,
  MONTH_FIRST_DATES,
  presentText,
  unitSql,
} from './type-candidates.ts';

/** The type of a column: the SQL of its values, and its description. */
export interface TypedColumn {
  readonly sql: string;
  readonly description: Omit<ImportedColumn, 'isText'>;
  readonly findings: readonly ReadingFinding[];
  /** A column that is made beside it: the unit of each number. */
  readonly beside?: { readonly name: string; readonly sql: string } | undefined;
}

const GUESS_ROWS = 2_000;
/** Number of columns that one statement verifies. */
const COLUMNS_OF_A_STATEMENT = 50;
/** Share of values that must fit a type for the others to be reported as exceptions. */
const NEARLY_ALL = 0.9;

/** Returns the types of the columns, in their order. */
export async function typeTextColumns(source: TextSource): Promise<readonly TypedColumn[]> {
  if (source.columns.length === 0) return [];
  const cells = await firstCells(source);
  const all = candidates(await dateOrder(source, cells), source.hasSemicolons);
  const typed = new Map<string, TypedColumn>();
  for (const column of source.columns) {
    const kind = chosenReading(source.choices.get(column));
    if (kind === 'text') typed.set(column, asText(source, column));
    else if (kind !== undefined) typed.set(column, await readAs(source, column, kind, all.flat()));
  }
  const guesses = await guess(
    { ...source, columns: source.columns.filter((column) => !typed.has(column)) },
    all,
    cells,
  );
  for (let start = 0; start < guesses.length; start += COLUMNS_OF_A_STATEMENT)
    await verify(source, guesses.slice(start, start + COLUMNS_OF_A_STATEMENT), typed);
  for (const { column, plausible } of guesses) {
    if (!typed.has(column)) typed.set(column, await secondGuess(source, column, plausible));
  }
  return source.columns.map((column) => typed.get(column) ?? asText(source, column));
}

/** Returns what a choice wants a column to be read as; `undefined` where it is to be detected. */
function chosenReading(choice: ColumnChoice | undefined): ColumnReading | undefined {
  if (choice === undefined || choice.readAs !== undefined) return choice?.readAs;
  if (choice.unit !== undefined || choice.splitUnit === true) return 'number';
  return choice.shortYears === 'empty' ? 'date' : undefined;
}

interface Guess {
  readonly column: string;
  /** Candidates that no value rules out. */
  readonly plausible: readonly (readonly Candidate[])[];
  readonly candidate: Candidate | undefined;
}

/** Reads the cells of the first rows, column by column, without missing values. */
async function firstCells({ connection, from, columns }: TextSource): Promise<ReadonlyMap<string, readonly string[]>> {
  const read = await connection.runAndReadAll(
    `SELECT ${columns.map(quoteName).join(', ')} FROM ${from} LIMIT ${GUESS_ROWS}`,
  );
  const cells = read.getColumnsObjectJS();
  return new Map(
    columns.map((column) => [column, (cells[column] ?? []).map(presentText).filter((cell) => cell !== undefined)]),
  );
}

const LOOKS_NUMERIC =
  /^[^\p{L}]*\d[^\p{L}]*$|^[-+\d.,' \u00a0\u202f]+\s?[\p{L}°²³/.]{1,6}$|^\p{Lu}{3}\s?[-+\d.,' \u00a0]+$|^[-+\d.,' \u00a0]+\s?\p{Lu}{3}$|^[-+]?[\d.]+[eE][-+]?\d+$/u;
const LOOKS_DATED = /^(?=.*\d)[\p{L}\d.,:/+\- ]{6,35}$/u;

/** Returns whether nearly all values look like the candidate's, so that DuckDB should check it; true without values. */
function isPlausible({ kind }: Candidate, cells: readonly string[]): boolean {
  return cells.filter(LOOKS_LIKE[kind]).length >= NEARLY_ALL * cells.length;
}

const LOOKS_LIKE: Readonly<Record<Candidate['kind'], (cell: string) => boolean>> = {
  boolean: (cell) => /^(true|false)$/i.test(cell),
  date: (cell) => LOOKS_DATED.test(cell) && (/\d\D+\w+\D+\d/.test(cell) || looksLikeMonth(cell)),
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
    // For a column without a value in the first rows, every candidate is plausible.
    const plausible = all.map((group) => group.filter((candidate) => isPlausible(candidate, values)));
    guesses.push({ column, plausible, candidate: (await firstFit(source, column, plausible, GUESS_ROWS))?.candidate });
  }
  return guesses;
}

const Verified = z.object({
  present: RowCount,
  fitted: RowCount,
  shape: Shape.nullable(),
  leastUnit: z.string().nullable(),
  greatestUnit: z.string().nullable(),
  ...Losses.shape,
});

/** Verifies guesses on all rows in one pass; confirmed guesses become types. */
async function verify(source: TextSource, guesses: readonly Guess[], typed: Map<string, TypedColumn>): Promise<void> {
  const guessed = guesses.flatMap(({ column, candidate }) => (candidate === undefined ? [] : [{ column, candidate }]));
  if (guessed.length === 0) return;
  // A separate layer reads each value once: DuckDB keeps the vectors of every expression of a layer.
  const cells = guessed.map(
    ({ column }, index) => `${cellOf(source, column)} AS v${index}, ${placeholderOf(column)} AS p${index}`,
  );
  const read = guessed.map(
    ({ candidate }, index) => `v${index}, p${index}, ${readable(candidate, `v${index}`)} AS r${index}`,
  );
  const selected = guessed.map(({ candidate }, index) => {
    const unit = mayHaveUnit(candidate) ? `nullif(${unitSql(`v${index}`)}, '')` : 'NULL';
    return `struct_pack(
      present := count(v${index}),
      fitted := count(r${index}),
      shape := ${shapeSql(candidate, `r${index}`)},
      leastUnit := min(${unit}),
      greatestUnit := max(${unit}),
      ${lossesSql(candidate, `v${index}`, `p${index}`)}) AS c${index}`;
  });
  const [row] = await readRows(
    source.connection,
    `SELECT ${selected.join(', ')} FROM (SELECT ${read.join(', ')} FROM (SELECT ${cells.join(', ')} FROM ${source.from}))`,
    z.record(z.string(), Verified),
  );
  for (const [index, { column, candidate }] of guessed.entries()) {
    const counted = row?.[`c${index}`];
    if (counted === undefined || counted.present === 0 || counted.fitted !== counted.present) continue;
    // Amounts in several units are no one number.
    if (counted.leastUnit !== counted.greatestUnit) continue;
    const unit = counted.leastUnit ?? undefined;
    const findings = await lossFindings(valueSource(source, column), counted.present, unit, counted);
    typed.set(column, typedBy(source, column, candidate, counted.shape, unit, findings));
  }
}

function mayHaveUnit(candidate: Candidate): boolean {
  return candidate.kind === 'number' && candidate.mayHaveUnit;
}

/** The notation of numbers without known digits: they become a DOUBLE. */
const UNKNOWN_SHAPE: DecimalShape = { before: 0, after: 0, hasExponent: true };

function typedBy(
  source: TextSource,
  column: string,
  candidate: Candidate,
  shape: DecimalShape | null,
  unit: string | undefined,
  findings: readonly ReadingFinding[],
): TypedColumn {
  return {
    sql: convertSql(candidate, cellOf(source, column), shape),
    description: {
      name: column,
      notes: candidate.note === undefined ? [] : [candidate.note],
      ...(unit === undefined ? {} : { unit }),
    },
    findings,
  };
}

function convertSql(candidate: Candidate, cell: string, shape: DecimalShape | null): string {
  return candidate.kind === 'number' ? candidate.convert(cell, shape ?? UNKNOWN_SHAPE) : candidate.convert(cell);
}

function valueSource(source: TextSource, column: string): ValueSource {
  const { connection, from, choices } = source;
  return {
    connection,
    from,
    column,
    cell: cellOf(source, column),
    emptyValues: choices.get(column)?.emptyValues ?? [],
  };
}

/** Types a column with misleading first rows, or with no fitting type: tries every plausible candidate on all rows. */
async function secondGuess(
  source: TextSource,
  column: string,
  plausible: readonly (readonly Candidate[])[],
): Promise<TypedColumn> {
  const candidates = plausible.flat();
  if (candidates.length === 0) return asText(source, column);
  const fits = await fitting(source, column, candidates, undefined);
  if ((fits[0]?.values ?? 0) === 0) return asText(source, column);
  const fit = fits.find(({ misfits, candidate }) => misfits === 0 && !mayHaveUnit(candidate));
  if (fit !== undefined) return verifiedBy(source, column, fit, undefined);
  const best = bestOf(fits);
  if (best.misfits > (1 - NEARLY_ALL) * best.values) return asText(source, column);
  const values = valueSource(source, column);
  if (best.misfits > 0) {
    const misfits = { count: best.misfits, of: best.values, kind: best.candidate.kind };
    return asText(source, column, await otherValuesFinding(values, misfits, readable(best.candidate, 'v')));
  }
  const units = await unitsOf(source, column);
  if (units.length > 1) return asText(source, column, severalUnitsFinding(column, units));
  return verifiedBy(source, column, best, units[0]?.text);
}

/** Types a column by a candidate that fits every value. */
async function verifiedBy(
  source: TextSource,
  column: string,
  { candidate, shape, values }: Fit,
  unit: string | undefined,
): Promise<TypedColumn> {
  const [row] = await readRows(
    source.connection,
    `SELECT struct_pack(${lossesSql(candidate, 'v', 'p')}) AS losses
     FROM (SELECT ${cellOf(source, column)} AS v, ${placeholderOf(column)} AS p FROM ${source.from})`,
    z.object({ losses: Losses }),
  );
  const findings = row === undefined ? [] : await lossFindings(valueSource(source, column), values, unit, row.losses);
  return typedBy(source, column, candidate, shape, unit, findings);
}

/** Reads a column as somebody has chosen; values that cannot be read so become empty. */
async function readAs(
  source: TextSource,
  column: string,
  kind: Exclude<ColumnReading, 'text'>,
  all: readonly Candidate[],
): Promise<TypedColumn> {
  const choice = source.choices.get(column);
  const fits = await fitting(
    source,
    column,
    all.filter(
      (candidate) =>
        candidate.kind === kind &&
        !(choice?.shortYears === 'empty' && candidate.kind === 'date' && candidate.hasShortYears),
    ),
    undefined,
  );
  const best = bestOf(fits);
  const units = mayHaveUnit(best.candidate) ? await unitsOf(source, column) : [];
  const [unit] = units;
  const isSplit = choice?.splitUnit === true && unit !== undefined;
  if (units.length > 1 && choice?.unit === undefined && !isSplit)
    return asText(source, column, severalUnitsFinding(column, units));
  const cell = cellOf(source, column);
  const kept = choice?.unit === undefined || isSplit ? undefined : choice.unit;
  const valueSql = (text: string): string => {
    const value = convertSql(best.candidate, text, best.shape);
    return kept === undefined ? value : `CASE WHEN ${unitSql(text)} IN ('', ${literal(kept)}) THEN ${value} END`;
  };
  const isMoney = units.every(({ text }) => isCurrency(text));
  return {
    sql: valueSql(cell),
    description: {
      name: column,
      notes: best.candidate.note === undefined ? [] : [best.candidate.note],
      ...(isSplit || (kept ?? unit?.text) === undefined ? {} : { unit: kept ?? unit?.text }),
    },
    findings: await valuesMadeEmptyFinding(valueSource(source, column), valueSql('v'), best.values),
    ...(isSplit
      ? {
          beside: {
            name: freeName(`${column}_${isMoney ? 'currency' : 'unit'}`, source.columns),
            sql: `nullif(${unitSql(cell)}, '')`,
          },
        }
      : {}),
  };
}

function freeName(name: string, taken: readonly string[]): string {
  const names = new Set(taken.map((each) => each.toLowerCase()));
  let free = name;
  for (let number = 2; names.has(free.toLowerCase()); number++) free = `${name}_${number}`;
  return free;
}

/** Counts the units beside the numbers of a column, the most frequent first. */
async function unitsOf(source: TextSource, column: string) {
  return readRows(
    source.connection,
    `SELECT ${unitSql('v')} AS text, count(*) AS count FROM (SELECT ${cellOf(source, column)} AS v FROM ${source.from})
     WHERE v IS NOT NULL GROUP BY 1 HAVING text <> '' ORDER BY count DESC, text`,
    z.object({ text: z.string(), count: RowCount }),
  );
}

function asText({ choices }: TextSource, column: string, ...findings: readonly ReadingFinding[]): TypedColumn {
  const empty = choices.get(column)?.emptyValues ?? [];
  const cell = quoteName(column);
  const isEmpty =
    empty.length === 0 ? '' : `CASE WHEN trim(${cell}) IN (${empty.map(literal).join(', ')}) THEN NULL ELSE `;
  return {
    sql: `${isEmpty}nullif(${cell}, '')${isEmpty === '' ? '' : ' END'}`,
    description: { name: column, notes: [] },
    findings,
  };
}

/** Decides the order of day and month where both are possible: by another column of the file, else by the separators. */
async function dateOrder(
  source: TextSource,
  cells: ReadonlyMap<string, readonly string[]>,
): Promise<'day-first' | 'month-first'> {
  for (const [column, values] of cells) {
    if (values.length === 0 || !values.every((cell) => /^\d{1,2}[/-]\d{1,2}[/-]\d{4}/.test(cell))) continue;
    const dates = `(SELECT split_part(trim(${quoteName(column)}), ' ', 1) AS ${quoteName(column)} FROM ${source.from})`;
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
