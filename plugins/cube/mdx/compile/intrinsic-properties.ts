import type { Evaluator } from '../evaluate/evaluator.ts';
import type { Member } from '../metadata/member.ts';
import { levelNumber, MEMBER_TYPES } from '../metadata/member-codes.ts';
import { childrenOf, parentOf } from '../metadata/navigate.ts';
import type { Value } from '../metadata/value.ts';

/** Properties that all members have, whatever their levels declare: `MEMBER_KEY`, `PARENT_UNIQUE_NAME`, … */

type Read = (member: Member, evaluator: Evaluator) => Value;

/** Returns a member's key in its own type. A member without a key column returns its name. */
function keyValueOf({ key, kind, name }: Member): Value {
  return key ?? (kind === 'stored' ? null : name);
}

function ofParent(member: Member, read: (parent: Member) => Value, ifNone: Value): Value {
  const parent = parentOf(member);
  return parent.isNull ? ifNone : read(parent);
}

/** Reads a property from the formula of a calculated member, or else from the schema. */
function declared(name: string, read: Read): Read {
  return (member, evaluator) => member.calculation?.property(name, evaluator) ?? read(member, evaluator);
}

const nothing: Read = () => null;

const INTRINSIC: Readonly<Record<string, Read>> = {
  NAME: ({ name }) => name,
  CAPTION: ({ caption }) => caption,
  KEY: ({ key, name }) => key ?? name,
  KEY0: ({ key, name }) => key ?? name,
  ID: ({ key, name }) => key ?? name,
  UNIQUE_NAME: ({ uniqueName }) => uniqueName,
  MEMBER_NAME: ({ name }) => name,
  MEMBER_CAPTION: ({ caption }) => caption,
  MEMBER_UNIQUE_NAME: ({ uniqueName }) => uniqueName,
  MEMBER_KEY: ({ key, name }) => key ?? name,
  MEMBER_VALUE: keyValueOf,
  MEMBER_TYPE: ({ kind }) => MEMBER_TYPES[kind],
  MEMBER_ORDINAL: ({ order }) => order,
  MEMBER_GUID: nothing,
  DESCRIPTION: declared('DESCRIPTION', ({ measure }) => measure?.description ?? null),
  VISIBLE: ({ measure }) => measure?.visible ?? true,
  LEVEL_UNIQUE_NAME: ({ level }) => level.uniqueName,
  LEVEL_NUMBER: levelNumber,
  HIERARCHY_UNIQUE_NAME: ({ hierarchy }) => hierarchy.uniqueName,
  DIMENSION_UNIQUE_NAME: ({ hierarchy }) => hierarchy.dimension.uniqueName,
  PARENT_UNIQUE_NAME: (member) => ofParent(member, ({ uniqueName }) => uniqueName, null),
  PARENT_LEVEL: (member) => ofParent(member, levelNumber, 0),
  PARENT_COUNT: (member) => ofParent(member, () => 1, 0),
  CHILDREN_CARDINALITY: (member) => childrenOf(member).length,
  SKIPPED_LEVELS: (member) =>
    ofParent(member, (parent) => Math.max(levelNumber(member) - levelNumber(parent) - 1, 0), 0),
  IS_DATAMEMBER: ({ kind }) => kind === 'data',
  IS_PLACEHOLDERMEMBER: () => false,
  CUSTOM_ROLLUP: nothing,
  CUSTOM_ROLLUP_PROPERTIES: nothing,
  UNARY_OPERATOR: nothing,
  DEPTH: ({ depth }) => depth,
  CATALOG_NAME: (_, { cube }) => cube.schema.name,
  SCHEMA_NAME: (_, { cube }) => cube.schema.name,
  CUBE_NAME: (_, { cube }) => cube.name,
};

export const INTRINSIC_NAMES: readonly string[] = Object.keys(INTRINSIC);

export function isIntrinsic(name: string): boolean {
  return Object.hasOwn(INTRINSIC, name.toUpperCase());
}

/** Returns a property that every member has, by its name in any letter case; `undefined` for another name. */
export function intrinsicProperty(name: string, member: Member, evaluator: Evaluator): Value | undefined {
  return isIntrinsic(name) ? INTRINSIC[name.toUpperCase()]?.(member, evaluator) : undefined;
}
