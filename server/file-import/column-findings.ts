/** Reports losses and ambiguous readings when a text column becomes numbers, dates or truth values. */
import type { DuckDBConnection } from '@duckdb/node-api';
import { z } from 'zod';
import type {
  ColumnChoice,
  CountedText,
  ReadingFinding,
  ReadingRepair,
} from '../../router/capabilities/file-import.ts';
import { countRows, RowCount, readRows } from './read-rows.ts';
import { literal, quoteName } from './sql-text.ts';
import { type Candidate, placeholderSql, shortYearSql, unitSql } from './type-candidates.ts';

/** The values of a text column. */
export interface ValueSource {
  readonly connection: DuckDBConnection;
  /** SQL of a FROM item. */
  readonly from: string;
  readonly column: string;
  /** SQL of a cell, NULL for a missing value. */
  readonly cell: string;
  /** Texts that the user has chosen to mean a missing value. */
  readonly emptyValues: readonly string[];
}

/** Number of texts that a finding lists. */
const LISTED = 20;
const LISTED_LENGTH = 80;

const Counted = z.object({ text: z.string(), count: RowCount });

/** Names for one value and for several values of a kind. */
const CALLED: Readonly<Record<Candidate['kind'], string>> = {
  boolean: 'true or false',
  date: 'dates',
  number: 'numbers',
};

function columnRepair(label: string, choice: ColumnChoice): ReadingRepair {
  return { label, choices: { columns: [choice] } };
}

const keepAsText = (column: string): ReadingRepair => columnRepair('Keep as text', { name: column, readAs: 'text' });

/** Lists texts with their counts for a sentence: `k.A. (4), unbekannt (1)`. */
function listTexts(values: readonly CountedText[]): string {
  const [first = [], rest] = [values.slice(0, 3), values.length - 3];
  const listed = first.map(({ text, count }) => `${text.slice(0, LISTED_LENGTH)} (${count})`).join(', ');
  return rest > 0 ? `${listed} and ${rest} more` : listed;
}

/** Returns the most frequent texts for which `condition` on `v` is true. */
async function textsWhere({ connection, from, cell }: ValueSource, condition: string): Promise<readonly CountedText[]> {
  return readRows(
    connection,
    `SELECT v AS text, count(*) AS count FROM (SELECT ${cell} AS v FROM ${from})
     WHERE v IS NOT NULL AND ${condition} GROUP BY v ORDER BY count DESC, text LIMIT ${LISTED + 1}`,
    Counted,
  );
}

/** Reports the few values that keep a column from having a type. */
export async function otherValuesFinding(
  source: ValueSource,
  { count, of, kind }: { readonly count: number; readonly of: number; readonly kind: Candidate['kind'] },
  readable: string,
): Promise<ReadingFinding> {
  const { column } = source;
  const values = await textsWhere(source, `(${readable}) IS NULL`);
  const isComplete = values.length <= LISTED;
  const listed = values.slice(0, LISTED);
  return {
    kind: 'other_values',
    column,
    count,
    of,
    message: `${count} of ${of} values of ${column} are not ${CALLED[kind]}: ${listTexts(values)}. The column is kept as text.`,
    values: listed,
    repairs: [
      columnRepair(
        count === 1 ? 'Treat this value as empty' : 'Treat these values as empty',
        isComplete
          ? { name: column, emptyValues: [...source.emptyValues, ...listed.map(({ text }) => text)] }
          : { name: column, readAs: kind },
      ),
      keepAsText(column),
    ],
  };
}

/** Reports the values that the selected reading leaves out. */
export async function valuesMadeEmptyFinding(
  source: ValueSource,
  value: string,
  of: number,
): Promise<readonly ReadingFinding[]> {
  const { connection, from, cell, column } = source;
  const count = await countRows(
    connection,
    `(SELECT ${cell} AS v FROM ${from}) WHERE v IS NOT NULL AND (${value}) IS NULL`,
  );
  if (count === 0) return chosenEmptyFinding(source);
  const values = await textsWhere(source, `(${value}) IS NULL`);
  return [
    ...(await chosenEmptyFinding(source)),
    {
      kind: 'values_made_empty',
      column,
      count,
      of,
      message: `${count} of ${of} values of ${column} are empty now: ${listTexts(values)}.`,
      values: values.slice(0, LISTED),
      repairs: [keepAsText(column)],
    },
  ];
}

/** Reports the values that the user has chosen to be missing. */
async function chosenEmptyFinding({
  connection,
  from,
  column,
  emptyValues,
}: ValueSource): Promise<readonly ReadingFinding[]> {
  if (emptyValues.length === 0) return [];
  const text = `trim(${quoteName(column)})`;
  const values = await readRows(
    connection,
    `SELECT ${text} AS text, count(*) AS count FROM ${from}
     WHERE ${text} IN (${emptyValues.map(literal).join(', ')}) GROUP BY 1 ORDER BY count DESC, text`,
    Counted,
  );
  const count = values.reduce((sum, each) => sum + each.count, 0);
  if (count === 0) return [];
  return [
    {
      kind: 'values_made_empty',
      column,
      count,
      of: await countRows(connection, from),
      message: `${count} values of ${column} are treated as empty: ${listTexts(values)}.`,
      values: values.slice(0, LISTED),
      repairs: [keepAsText(column)],
    },
  ];
}

/** Reports numbers in several units, which have no sum. */
export function severalUnitsFinding(column: string, units: readonly CountedText[]): ReadingFinding {
  const of = units.reduce((sum, { count }) => sum + count, 0);
  return {
    kind: 'several_units',
    column,
    count: units.length,
    of,
    message: `${column} has numbers in ${units.length} units: ${listTexts(units)}. They are not added up, and the column is kept as text.`,
    values: units.slice(0, LISTED),
    repairs: [
      columnRepair('Put the unit into a separate column', { name: column, splitUnit: true }),
      ...units
        .slice(0, 3)
        .map(({ text, count }) =>
          columnRepair(`Only ${text}: ${of - count} others become empty`, { name: column, unit: text }),
        ),
    ],
  };
}

/** Counts of the decisions that a type makes by itself. */
export const Losses = z.object({
  /** Words and signs for a missing value, with their numbers of cells. */
  placeholders: RowCount,
  texts: z.array(z.string()).nullable(),
  /** Numbers without a unit. */
  bare: RowCount,
  /** Dates with two-digit years. */
  short: RowCount,
});
export type Losses = z.infer<typeof Losses>;

/** Writes SQL of a cell's word or sign for a missing value, NULL without one. */
export function placeholderOf(column: string): string {
  return `CASE WHEN ${placeholderSql(quoteName(column))} THEN trim(${quoteName(column)}) END`;
}

/** Writes the SQL members of `Losses` for a column with the cells `value` and the words `placeholder`. */
export function lossesSql(candidate: Candidate, value: string, placeholder: string): string {
  const isUnited = candidate.kind === 'number' && candidate.mayHaveUnit;
  const hasShortYears = candidate.kind === 'date' && candidate.hasShortYears;
  return `placeholders := count(${placeholder}),
    texts := list(DISTINCT ${placeholder}) FILTER (WHERE ${placeholder} IS NOT NULL),
    bare := ${isUnited ? `count(*) FILTER (WHERE ${value} IS NOT NULL AND ${unitSql(value)} = '')` : '0'},
    short := ${hasShortYears ? `count(*) FILTER (WHERE ${shortYearSql(value)})` : '0'}`;
}

/** Reports the decisions that a type with all values makes by itself. */
export async function lossFindings(
  source: ValueSource,
  present: number,
  unit: string | undefined,
  { placeholders, texts, bare, short }: Losses,
): Promise<readonly ReadingFinding[]> {
  const { column } = source;
  const words = (texts ?? []).toSorted();
  return [
    ...(await chosenEmptyFinding(source)),
    ...(placeholders === 0
      ? []
      : [
          {
            kind: 'placeholders' as const,
            column,
            count: placeholders,
            of: present + placeholders,
            message: `${placeholders} ${placeholders === 1 ? 'value' : 'values'} of ${column} (${words.join(', ')}) ${placeholders === 1 ? 'means' : 'mean'} that there is no value: empty.`,
            repairs: [keepAsText(column)],
          },
        ]),
    ...(bare === 0 || unit === undefined
      ? []
      : [
          {
            kind: 'some_units' as const,
            column,
            count: bare,
            of: present,
            message: `${unit} stands beside ${present - bare} of ${present} numbers of ${column}. The other ${bare} are read as ${unit}, too.`,
            repairs: [keepAsText(column)],
          },
        ]),
    ...(short === 0
      ? []
      : [
          {
            kind: 'short_years' as const,
            column,
            count: short,
            of: present,
            message: `${short} of ${present} dates of ${column} have two digits of the year: 69 to 99 are read as 1969 to 1999, 00 to 68 as 2000 to 2068.`,
            repairs: [columnRepair('Make them empty', { name: column, shortYears: 'empty' }), keepAsText(column)],
          },
        ]),
  ];
}
