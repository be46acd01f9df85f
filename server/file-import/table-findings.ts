/** Reports repeated rows, repeated keys, and rows without a partner in another table. */
import type { DuckDBConnection } from '@duckdb/node-api';
import { z } from 'zod';
import type { ReadingFinding } from '../../router/capabilities/file-import.ts';
import { nameWords } from '../../router/name-words.ts';
import { countRows, RowCount, readRows } from './read-rows.ts';
import { quoteName } from './sql-text.ts';

/** Maximum number of rows of a table for the search for equal rows, which holds every row in memory. */
const MAX_COMPARED_ROWS = 2_000_000;
/** Minimum number of columns of a table from which equal rows count as an accident. */
const MIN_COLUMNS = 3;
/** Maximum share of equal rows that count as an accident. */
const MAX_DUPLICATES = 0.2;

/** Reports the rows of a table that are equal in every column. */
export async function duplicateFinding(
  connection: DuckDBConnection,
  table: string,
  { rowCount, columnCount }: { readonly rowCount: number; readonly columnCount: number },
): Promise<readonly ReadingFinding[]> {
  if (columnCount < MIN_COLUMNS || rowCount > MAX_COMPARED_ROWS) return [];
  const distinct = await countRows(connection, `(SELECT DISTINCT * FROM ${quoteName(table)})`);
  const count = rowCount - distinct;
  if (count === 0 || count > MAX_DUPLICATES * rowCount) return [];
  return [
    {
      kind: 'duplicate_rows',
      count,
      of: rowCount,
      message: `${count} of ${rowCount} rows of ${table} repeat another row in every column. They are kept.`,
      repairs: [{ label: count === 1 ? 'Drop it' : 'Drop them', choices: { duplicates: 'drop' } }],
    },
  ];
}

/** A table of the database with the columns that may refer to another table. */
export interface KeyedTable {
  readonly table: string;
  readonly rowCount: number;
  readonly columns: readonly { readonly name: string; readonly type: string }[];
}

/** Share of the rows with different values from which a column looks like a key. */
const NEARLY_UNIQUE = 0.8;
/** Share of a table's rows with a partner from which a column refers to the other table. */
const MOSTLY_FOUND = 0.5;
/** Different values from which columns of different names that have them in common belong together. */
const MIN_TELLING_VALUES = 10;
/** Maximum number of compared pairs of columns. */
const MAX_PAIRS = 50;

const Compared = z.object({ present: RowCount, distinct: RowCount });
const Matched = z.object({ all: RowCount, matched: RowCount });

/**
 * Reports for each pair of tables with columns of one type, and of equal names or of names that refer to the second table: a column of
 * the second table that repeats although it is nearly a key, and rows of the first table without a row in the second.
 *
 * @returns the findings by table
 */
export async function keyFindings(
  connection: DuckDBConnection,
  tables: readonly KeyedTable[],
): Promise<ReadonlyMap<string, readonly ReadingFinding[]>> {
  const findings = new Map<string, ReadingFinding[]>();
  const add = (table: string, finding: ReadingFinding): void => {
    findings.set(table, [...(findings.get(table) ?? []), finding]);
  };
  const best = new Map<string, ComparedPair>();
  for (const { fact, dimension, name, other, isSame } of pairsOf(tables).slice(0, MAX_PAIRS)) {
    const [compared] = await readRows(
      connection,
      `SELECT count(${quoteName(other)}) AS present, count(DISTINCT ${quoteName(other)}) AS distinct FROM ${quoteName(dimension.table)}`,
      Compared,
    );
    const least = isSame ? 2 : MIN_TELLING_VALUES;
    if (compared === undefined || compared.distinct < NEARLY_UNIQUE * compared.present || compared.distinct < least)
      continue;
    const [values] = await readRows(
      connection,
      `SELECT count(${quoteName(name)}) AS present, count(DISTINCT ${quoteName(name)}) AS distinct FROM ${quoteName(fact.table)}`,
      Compared,
    );
    // Both tables have one row per key: neither column repeats, and neither table has details of the other.
    if (values === undefined || values.distinct === values.present) continue;
    const [match] = await readRows(
      connection,
      `SELECT count(*) AS all, count(*) FILTER (WHERE ${quoteName(name)} IN (SELECT ${quoteName(other)} FROM ${quoteName(dimension.table)})) AS matched FROM ${quoteName(fact.table)}`,
      Matched,
    );
    if (match === undefined || match.matched < MOSTLY_FOUND * match.all) continue;
    const found = { pair: { fact, dimension, name, other, isSame }, compared, match };
    const column = `${fact.table}.${name}`;
    const before = best.get(column);
    if (before === undefined || isBetter(found, before)) best.set(column, found);
  }
  const reported = new Set<string>();
  for (const { pair, compared, match } of best.values()) {
    const { fact, dimension, name, other } = pair;
    const key = `${dimension.table}.${other}`;
    if (compared.distinct < compared.present && !reported.has(key)) {
      reported.add(key);
      add(dimension.table, repeatedKey(dimension.table, other, compared.present - compared.distinct, compared.present));
    }
    if (match.matched < match.all)
      add(fact.table, unmatchedRows(fact.table, name, dimension.table, match.all - match.matched, match.all));
  }
  return findings;
}

interface ComparedPair {
  readonly pair: ColumnPair;
  readonly compared: z.infer<typeof Compared>;
  readonly match: z.infer<typeof Matched>;
}

/** Returns whether a column refers to the one table rather than to the other: lines belong to orders, of which some have a payment. */
function isBetter(one: ComparedPair, other: ComparedPair): boolean {
  const repeats = ({ compared }: ComparedPair): number => compared.present - compared.distinct;
  return (
    one.match.matched - other.match.matched > 0 ||
    (one.match.matched === other.match.matched && repeats(one) < repeats(other))
  );
}

function repeatedKey(table: string, column: string, count: number, of: number): ReadingFinding {
  return {
    kind: 'repeated_key',
    column,
    count,
    of,
    message: `${column} is not unique in ${table}: ${count} ${count === 1 ? 'row' : 'rows'} too many. Without a unique column, the table cannot be joined.`,
    repairs: [{ label: `Keep the first row of each ${column}`, choices: { firstOfEach: column } }],
  };
}

function unmatchedRows(table: string, column: string, other: string, count: number, of: number): ReadingFinding {
  return {
    kind: 'unmatched_rows',
    column,
    count,
    of,
    message: `${count} of ${of} rows of ${table} have no row in ${other} (${column} is empty or unknown there). Answers show them in a group without a name.`,
    repairs: [],
  };
}

interface ColumnPair {
  readonly fact: KeyedTable;
  readonly dimension: KeyedTable;
  readonly name: string;
  readonly other: string;
  /** Whether the names are equal. Otherwise the values must show that one refers to the other. */
  readonly isSame: boolean;
}

/** Pairs columns of equal types: of equal names, without regard to case and underscores, before names that refer to the table. */
function pairsOf(tables: readonly KeyedTable[]): readonly ColumnPair[] {
  const plain = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
  const pairs = tables.flatMap((fact) =>
    tables.flatMap((dimension) => {
      if (fact === dimension) return [];
      return fact.columns.flatMap(({ name, type }) => {
        if (!KEY_TYPE.test(type)) return [];
        const alike = dimension.columns.filter((each) => each.type === type);
        const same = alike.find((each) => plain(each.name) === plain(name));
        const other = same ?? alike.find((each, at) => refersTo(name, dimension.table, each.name, at === 0));
        return other === undefined ? [] : [{ fact, dimension, name, other: other.name, isSame: same !== undefined }];
      });
    }),
  );
  return pairs.toSorted((left, right) => Number(right.isSame) - Number(left.isSame));
}

/** Words of keys, and the shortest beginning that makes two words alike: `kunde` and `kunden`, `cust` and `customers`. */
const KEY_WORD = /^(id|ids|key|code|no|nr|num|number|nummer|kennung|uuid)$/;
const MIN_ALIKE = 4;

/** Returns whether a column's name refers to a key of a table: `kunde` or `kundennummer` to `kunden.nr`, `customer` to `customers.id`. */
function refersTo(name: string, table: string, key: string, isFirst: boolean): boolean {
  const keyWords = nameWords(key);
  if (!isFirst && !keyWords.some((word) => KEY_WORD.test(word)) && !/(nr|id|nummer)$/i.test(key)) return false;
  const subject = [...nameWords(table), ...keyWords].filter((word) => !KEY_WORD.test(word));
  return nameWords(name).some((word) => subject.some((other) => isAlike(word, other)));
}

function isAlike(word: string, other: string): boolean {
  return Math.min(word.length, other.length) >= MIN_ALIKE && word.slice(0, MIN_ALIKE) === other.slice(0, MIN_ALIKE);
}

const KEY_TYPE = /^(VARCHAR|U?(BIG|HUGE|SMALL|TINY)?INT(EGER)?|UUID)$/;
