import type { Dialect } from '../../../../router/capabilities/dialect.ts';
import type { Scalar } from '../../../../router/capabilities/scalar.ts';
import { bind, joinSql, type Sql, sql, writeSql } from '../../../query-surface/index.ts';
import { sameName } from '../../schema/mdx-name.ts';
import type * as model from '../../schema/model.ts';
import { type Level, type Member, NAME_OF_NULL } from '../metadata/member.ts';
import { anyOf, NO_ROW } from './clauses.ts';
import type { MemberColumns } from './member-statement.ts';
import { isOneOf, memberKeys } from './tuple-conditions.ts';

/** Conditions that read some members of a large level. */

/** Returns the condition for rows with any of the given compound keys. A key has a part for each of the levels. */
export function anyKeysCondition(
  levels: readonly Level[],
  keys: readonly (readonly Scalar[])[],
  of: MemberColumns,
): readonly Sql[] {
  const columns = levels.flatMap(({ model: level }) => (level === undefined ? [] : [of.key(level)]));
  const place = columns.length - 1;
  const last = columns[place];
  if (last === undefined) return [];
  const groups = new Map<string, { readonly prefix: readonly Scalar[]; readonly last: Set<Scalar> }>();
  for (const key of keys) {
    const prefix = key.slice(0, place);
    const text = JSON.stringify(prefix.map((part) => [part === null, String(part)]));
    const group = groups.get(text);
    if (group === undefined) groups.set(text, { prefix, last: new Set([key[place] ?? null]) });
    else group.last.add(key[place] ?? null);
  }
  const typeAt = (at: number) => levels[at]?.keyType ?? 'other';
  const alternatives = [...groups.values()].map((group) =>
    joinSql(
      [
        ...group.prefix.map((key, at) => isOneOf(columns[at] ?? '', [key], typeAt(at))),
        isOneOf(last, [...group.last], typeAt(place)),
      ],
      ' AND ',
    ),
  );
  if (alternatives.length === 0) return [NO_ROW];
  return alternatives.length === 1 ? alternatives : [anyOf(alternatives)];
}

/**
 * Returns the condition for rows below any of the members, which must be of one level. Without members, there is no
 * condition.
 */
export function belowAnyCondition(parents: readonly Member[], of: MemberColumns): readonly Sql[] {
  const [first] = parents;
  return first === undefined ? [] : anyKeysCondition(first.level.keyLevels, parents.map(memberKeys), of);
}

/**
 * Returns the condition for rows whose name equals the text in any letter case, or whose key is written as the text.
 * The text `#null` also matches rows without a name or key.
 */
export function isCalledCondition(
  level: model.Level,
  by: 'name' | 'key',
  text: string,
  dialect: Dialect,
  of: MemberColumns,
): Sql {
  const column = by === 'name' ? of.name(level) : of.key(level);
  const written = dialect.castToText(column);
  const value = { type: 'text', value: text } as const;
  // Texts that contain each other are equal. Every dialect has this comparison that ignores letter case.
  const is =
    by === 'key'
      ? sql`${written} = ${bind(value)}`
      : writeSql(({ placeholder }) => {
          const contains = dialect.containsIgnoringCase(written, placeholder(value));
          return `(${contains} AND ${dialect.containsIgnoringCase(placeholder(value), written)})`;
        });
  return sameName(text, NAME_OF_NULL) ? sql`(${is} OR ${column} IS NULL)` : is;
}

/**
 * Returns the condition for rows whose name or caption contains the text in any letter case. Rows without a name or
 * caption match as `#null`.
 */
export function containsTextCondition(level: model.Level, text: string, dialect: Dialect, of: MemberColumns): Sql {
  const columns = [...new Set([of.name(level), of.caption(level)])];
  const hasNull = NAME_OF_NULL.includes(text.toLowerCase());
  const contains = (column: string) => {
    const is = writeSql(({ placeholder }) =>
      dialect.containsIgnoringCase(dialect.castToText(column), placeholder({ type: 'text', value: text })),
    );
    return hasNull ? sql`${is} OR ${column} IS NULL` : is;
  };
  return sql`(${joinSql(columns.map(contains), ' OR ')})`;
}
