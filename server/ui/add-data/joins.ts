/** Joins of two tables that the user adds to what the detectors find. */
import { readList, readObject, readText, readTextOrDefault } from '../api-client/json.ts';
import { msg, str } from '../words/words.ts';
import type { Profile, ProfileTable } from './profile.ts';
import { readingOf } from './reading.ts';

export interface JoinEnd {
  readonly table: string;
  readonly column: string;
}

/** Each row of `from` has at most one row of `to`. */
export interface Join {
  readonly from: JoinEnd;
  readonly to: JoinEnd;
}

export interface JoinProblem {
  readonly message: string;
  /** Whether the table would have one row for each value if the file were read without the repeated ones. */
  readonly isRepeated: boolean;
}

/** Returns why two tables cannot be joined, with the rows that are too many; `undefined` where they can. */
export function findJoinProblem({ tables }: Pick<Profile, 'tables'>, { from, to }: Join): JoinProblem | undefined {
  const [left, right] = [columnAt(tables, from), columnAt(tables, to)];
  if (left === undefined || right === undefined)
    return { message: msg('The table or column is gone.'), isRepeated: false };
  if (from.table === to.table) return { message: msg('Choose columns of two different tables.'), isRepeated: false };
  const [leftType, rightType] = [readingOf(left.column.type), readingOf(right.column.type)];
  if (leftType !== rightType)
    return {
      message: msg(
        str`${from.column} is ${TYPE_WORDS[leftType]()} in ${from.table}, and ${to.column} is ${TYPE_WORDS[rightType]()} in ${to.table}. Choose one type for both in the list of columns.`,
      ),
      isRepeated: false,
    };
  if (right.table.keys.includes(to.column)) return undefined;
  const { distinct, nulls } = right.column;
  const surplus = right.table.rows - nulls - distinct;
  if (surplus > 0)
    return {
      message:
        surplus === 1
          ? msg(
              str`${to.column} is not unique in ${to.table}: 1 row too many. A row of ${from.table} would be counted once for each of them.`,
            )
          : msg(
              str`${to.column} is not unique in ${to.table}: ${surplus} rows too many. A row of ${from.table} would be counted once for each of them.`,
            ),
      isRepeated: true,
    };
  return {
    message:
      nulls === 0
        ? msg(str`${to.column} does not identify the rows of ${to.table}: its values repeat.`)
        : msg(str`${to.column} does not identify the rows of ${to.table}: ${nulls} of them are empty.`),
    isRepeated: false,
  };
}

const TYPE_WORDS = {
  text: () => msg('text'),
  number: () => msg('a number'),
  date: () => msg('a date'),
  boolean: () => msg('yes or no'),
} as const;

function columnAt(tables: readonly ProfileTable[], { table: name, column: of }: JoinEnd) {
  const table = tables.find((each) => each.name === name);
  const column = table?.columns.find((each) => each.name === of);
  return table === undefined || column === undefined ? undefined : { table, column };
}

/** Returns the profile with the joins as declared keys, which a proposal follows. Joins with a problem are left out. */
export function withJoins(profile: Profile, joins: readonly Join[]): Profile {
  const added = joins.filter((join) => findJoinProblem(profile, join) === undefined);
  if (added.length === 0) return profile;
  const schemas = new Map(
    readList(profile.raw.tables, 'tables', (each) => {
      const table = readObject(each, 'a table');
      return [readText(table, 'name'), readTextOrDefault(table, 'schema', '')] as const;
    }),
  );
  const declared = added.map(({ from, to }) => ({
    schema: schemas.get(from.table) ?? '',
    table: from.table,
    columns: [from.column],
    refSchema: schemas.get(to.table) ?? '',
    refTable: to.table,
    refColumns: [to.column],
    coverage: 1,
    declared: true,
  }));
  const references = readList(profile.raw.references ?? [], 'references', (each) => each);
  return { ...profile, raw: { ...profile.raw, references: [...declared, ...references] } };
}

export function isSameJoin(left: Join, right: Join): boolean {
  return JSON.stringify([left.from, left.to]) === JSON.stringify([right.from, right.to]);
}
