import type { Scalar, ScalarType } from '../../../../router/capabilities/scalar.ts';
import { bindUnlessWhole, joinSql, type Sql, type SqlPart, sql, writeSql } from '../../../query-surface/index.ts';
import type { FactGroup } from '../metadata/fact-group.ts';
import type { Level, Member, Tuple, TupleSet } from '../metadata/member.ts';
import { anyOf, NO_ROW } from './clauses.ts';
import type { FactFrom } from './fact-from-clause.ts';
import { isOutside } from './outside-facts.ts';

/**
 * Returns the condition that `column` is one of the keys. It compares by the collation of the column, so it may let
 * more rows pass. A null key becomes IS NULL.
 */
export function isOneOf(column: string, keys: readonly Scalar[], type: ScalarType): Sql {
  const present = keys.filter((key) => key !== null);
  const values = present.map((key) => bindUnlessWhole(type, key));
  const [first, second] = values;
  const list =
    first === undefined
      ? undefined
      : second === undefined
        ? sql`${column} = ${first}`
        : sql`${column} IN (${joinSql(values, ', ')})`;
  if (present.length === keys.length) return list ?? NO_ROW;
  return list === undefined ? sql`${column} IS NULL` : sql`(${list} OR ${column} IS NULL)`;
}

/** Returns the condition that `column` is one of the keys, and compares texts exactly. A null key becomes IS NULL. */
function isExactlyOneOf(
  column: string,
  keys: readonly Scalar[],
  type: ScalarType,
  { exactText }: FactFrom['dialect'],
): Sql {
  const present = keys.filter((key) => key !== null);
  if (exactText === undefined || type !== 'text' || present.length === 0) return isOneOf(column, keys, type);
  const isPresent = writeSql(({ placeholder }) =>
    exactText.isOneOf(column, () => present.map((value) => placeholder({ type, value }))),
  );
  return present.length === keys.length ? isPresent : sql`(${isPresent} OR ${column} IS NULL)`;
}

/** Returns a member's keys, one for each level of `member.level.keyLevels`. */
export function memberKeys(member: Member): readonly Scalar[] {
  const keys: Scalar[] = [];
  let at: Member | undefined = member;
  for (const _ of member.level.keyLevels) {
    keys.unshift(at?.key ?? null);
    at = at?.treeParent;
  }
  return keys;
}

/**
 * Returns the condition for rows in any of the tuples, or `undefined` if a tuple contains all rows. A tuple outside the
 * facts contains no row. In a hierarchy that the facts do not reach, the default member restricts nothing, and neither
 * do other members if the measure group ignores unrelated dimensions.
 */
export function inAnyOf(tuples: TupleSet, from: FactFrom, group: FactGroup): Sql | undefined {
  const groups = new Map<string, { readonly prefix: readonly Member[]; readonly last: Member[] }>();
  for (const tuple of tuples) {
    if (tuple.some((member) => isOutside(member, group))) continue;
    const members = restricting(tuple, group);
    const last = members.at(-1);
    if (last === undefined) return undefined; // This tuple contains all rows.
    const prefix = members.slice(0, -1);
    const key = `${prefix.map(({ id }) => id).join()};${last.hierarchy.ordinal} ${last.level.depth} ${last.kind} ${last.level.keyLevels.length > 1 ? last.treeParent?.id : ''}`;
    const existing = groups.get(key);
    if (existing === undefined) groups.set(key, { prefix, last: [last] });
    else existing.last.push(last);
  }
  const alternatives = [...groups.values()].map(({ prefix, last }) =>
    joinSql([...prefix.map((member) => isMember([member], from)), isMember(last, from)], ' AND '),
  );
  return alternatives.length === 0 ? NO_ROW : anyOf(alternatives);
}

function restricting(tuple: Tuple, group: FactGroup): readonly Member[] {
  return tuple.filter((member) => member.kind !== 'all' && group.reaches(member.hierarchy));
}

/**
 * Returns the condition for members of one level. If keys are unique only among siblings, all members must have the
 * same parent.
 */
function isMember(members: readonly Member[], from: FactFrom): SqlPart {
  const [first] = members;
  if (first === undefined) return NO_ROW;
  const { level, kind } = first;
  if (level.model?.parent?.closure !== undefined && kind !== 'data') {
    const keys = [...new Set(members.map(({ key }) => key ?? null))];
    // A join would count a fact once for each of its ancestors among the members.
    return from.isBelow(level.hierarchy, level.model.parent.closure, (column) => isOneOf(column, keys, level.keyType));
  }
  const columns = from.keys({ level: first.level, data: first.kind === 'data' });
  const levels: readonly Level[] = first.level.keyLevels;
  const conditions = columns.map((column, index) => {
    const keys = [...new Set(members.map((member) => memberKeys(member)[index] ?? null))];
    return isExactlyOneOf(column, keys, levels[index]?.keyType ?? 'other', from.dialect);
  });
  return joinSql(conditions, ' AND ');
}
