import type { Dialect } from '../../../../router/capabilities/dialect.ts';
import type { Scalar } from '../../../../router/capabilities/scalar.ts';
import type { Bindings } from '../../../query-surface/index.ts';
import { sameName } from '../../schema/mdx-name.ts';
import type * as model from '../../schema/model.ts';
import { type Level, type Member, NAME_OF_NULL } from '../metadata/member.ts';
import type { MemberColumns } from './member-statement.ts';
import { isOneOf, keysOf } from './tuple-conditions.ts';

/** Conditions by which some members of a large level are read. */

/** Returns the condition for rows whose keys in these levels are any of the given ones, a key for each level. */
export function anyKeysCondition(
  levels: readonly Level[],
  keys: readonly (readonly Scalar[])[],
  of: MemberColumns,
  bindings: Bindings,
): readonly string[] {
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
    [
      ...group.prefix.map((key, at) => isOneOf(columns[at] ?? '', [key], typeAt(at), bindings)),
      isOneOf(last, [...group.last], typeAt(place), bindings),
    ].join(' AND '),
  );
  if (alternatives.length === 0) return ['1 = 0'];
  return alternatives.length === 1 ? alternatives : [`(${alternatives.map((each) => `(${each})`).join(' OR ')})`];
}

/** Returns the condition for rows below any of these members, which are of one level; no members restrict nothing. */
export function belowAnyCondition(
  parents: readonly Member[],
  of: MemberColumns,
  bindings: Bindings,
): readonly string[] {
  const [first] = parents;
  return first === undefined ? [] : anyKeysCondition(first.level.keyLevels, parents.map(keysOf), of, bindings);
}

/** Returns the condition for rows whose name is the text, letter case ignored, or whose key is written so. `#null` is what has no name or key. */
export function isCalledCondition(
  level: model.Level,
  by: 'name' | 'key',
  text: string,
  dialect: Dialect,
  of: MemberColumns,
  bindings: Bindings,
): string {
  const column = by === 'name' ? of.name(level) : of.key(level);
  const written = dialect.castToText(column);
  const bound = () => bindings.write('text', text);
  // Each contains the other: equal by the rules of the one comparison that every dialect knows letter case in.
  const is =
    by === 'key'
      ? `${written} = ${bound()}`
      : `(${dialect.containsIgnoringCase(written, bound())} AND ${dialect.containsIgnoringCase(bound(), written)})`;
  return sameName(text, NAME_OF_NULL) ? `(${is} OR ${column} IS NULL)` : is;
}

/** Returns the condition for rows whose name or caption contains the text, letter case ignored. `#null` is what has none. */
export function containsTextCondition(
  level: model.Level,
  text: string,
  dialect: Dialect,
  of: MemberColumns,
  bindings: Bindings,
): string {
  const columns = [...new Set([of.name(level), of.caption(level)])];
  const hasNull = NAME_OF_NULL.includes(text.toLowerCase());
  const contains = (column: string) => {
    const is = dialect.containsIgnoringCase(dialect.castToText(column), bindings.write('text', text));
    return hasNull ? `${is} OR ${column} IS NULL` : is;
  };
  return `(${columns.map(contains).join(' OR ')})`;
}
