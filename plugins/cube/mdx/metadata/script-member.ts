import type { ScriptValue } from '../../scripts/script.ts';
import { ExactDecimal } from './exact-numbers.ts';
import type { Member } from './member.ts';
import type { Value } from './value.ts';

/** Returns a member as scripts see it, with its ancestors. */
export function scriptMember(member: Member | undefined): ScriptValue {
  if (member === undefined || member.isNull) return null;
  const { name, uniqueName, caption, kind, order, level, hierarchy, treeParent } = member;
  return {
    name,
    uniqueName,
    caption,
    kind,
    ordinal: order,
    level: { name: level.name, uniqueName: level.uniqueName, depth: level.depth },
    hierarchy: { name: hierarchy.name, uniqueName: hierarchy.uniqueName },
    dimension: { name: hierarchy.dimension.name, uniqueName: hierarchy.dimension.uniqueName },
    properties: Object.fromEntries([...member.properties].map(([of, value]) => [of, scriptValue(value)])),
    parent: scriptMember(treeParent),
  };
}

/**
 * Returns a value as scripts see it. A date becomes its ISO text, and a number that no double represents becomes its
 * digits.
 */
export function scriptValue(value: Value): ScriptValue {
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  if (value instanceof ExactDecimal) return value.decimal;
  return value instanceof Date ? value.toISOString() : value;
}
