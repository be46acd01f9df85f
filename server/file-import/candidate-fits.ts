/** Counts how many values of a text column each candidate reads. */
import type { DuckDBConnection } from '@duckdb/node-api';
import { z } from 'zod';
import type { ColumnChoice } from '../../router/capabilities/file-import.ts';
import { RowCount, readRows } from './read-rows.ts';
import { quoteName } from './sql-text.ts';
import { type Candidate, cellSql, type DecimalShape } from './type-candidates.ts';

/** Text columns of a file, with what the user has chosen for them. */
export interface TextSource {
  readonly connection: DuckDBConnection;
  /** SQL of a FROM item. */
  readonly from: string;
  readonly columns: readonly string[];
  /** True where semicolons separate the values. */
  readonly hasSemicolons: boolean;
  /** Choices by the name of the column. */
  readonly choices: ReadonlyMap<string, ColumnChoice>;
}

/** Writes SQL of the cells of a column, without texts that mean a missing value. */
export function cellOf({ choices }: TextSource, column: string): string {
  return cellSql(quoteName(column), choices.get(column)?.emptyValues);
}

/** Returns the first candidate that reads every value. Groups are tried in their order. */
export async function firstFit(
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

export interface Fit {
  readonly candidate: Candidate;
  readonly values: number;
  readonly misfits: number;
  readonly shape: DecimalShape | null;
}

export const Shape = z.object({ before: RowCount, after: RowCount, hasExponent: z.boolean() });

/** Writes SQL of the digits of a column of plain numbers; NULL for other candidates. */
export function shapeSql({ kind }: Candidate, number: string): string {
  if (kind !== 'number') return 'NULL';
  return `struct_pack(
    before := coalesce(max(length(regexp_extract(${number}, '^[-+]?(\\d*)', 1))), 0),
    after := coalesce(max(length(regexp_extract(${number}, '\\.(\\d*)', 1))), 0),
    hasExponent := coalesce(bool_or(regexp_matches(${number}, '[eE]')), false))`;
}

const Fitted = z.object({ fitted: RowCount, shape: Shape.nullable() });

/** Counts for each candidate how many values of a column it cannot read. */
export async function fitting(
  source: TextSource,
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
  const cells = `SELECT ${cellOf(source, column)} AS v FROM ${source.from}${limit}`;
  const [row] = await readRows(
    source.connection,
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
export function readable(candidate: Candidate, text: string): string {
  return candidate.kind === 'number' ? candidate.plainNumber(text) : candidate.convert(text);
}

/** Returns the candidate that reads most values, the first of several. */
export function bestOf(fits: readonly Fit[]): Fit {
  return fits.reduce((least, each) => (each.misfits < least.misfits ? each : least));
}
