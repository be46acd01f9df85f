import type { Dimension, Hierarchy, Level } from '../metadata/member.ts';

/** The type of an expression's value, as far as the compiler can determine it. */

export type ScalarKind = 'numeric' | 'string' | 'logical' | 'datetime' | 'value';

export interface MemberType {
  readonly kind: 'member';
  /** `undefined` if only evaluation can determine it, as for `StrToMember`. */
  readonly hierarchy: Hierarchy | undefined;
  readonly level?: Level | undefined;
}
export interface TupleType {
  readonly kind: 'tuple';
  readonly members: readonly MemberType[];
}
export interface SetType {
  readonly kind: 'set';
  /**
   * The types of the tuples' members, one for a set of members. `undefined` for a set that fits everywhere, such as
   * `{}`.
   */
  readonly element: readonly MemberType[] | undefined;
}
export type Type =
  | MemberType
  | TupleType
  | SetType
  | { readonly kind: 'level'; readonly hierarchy: Hierarchy | undefined; readonly level?: Level | undefined }
  | { readonly kind: 'hierarchy'; readonly hierarchy: Hierarchy | undefined }
  | { readonly kind: 'dimension'; readonly dimension: Dimension | undefined }
  /** With `isInteger`, the value is always whole. Without a format of its own, it is shown without decimals. */
  | { readonly kind: ScalarKind; readonly isInteger?: boolean }
  | { readonly kind: 'null' }
  | { readonly kind: 'empty' }
  | { readonly kind: 'symbol'; readonly name: string };

export type Kind = Type['kind'];

const NAMES: Readonly<Record<Kind, string>> = {
  member: '<Member>',
  tuple: '<Tuple>',
  set: '<Set>',
  level: '<Level>',
  hierarchy: '<Hierarchy>',
  dimension: '<Dimension>',
  numeric: '<Numeric Expression>',
  string: '<String>',
  logical: '<Logical Expression>',
  datetime: '<DateTime>',
  value: '<Value>',
  null: '<Null>',
  empty: '<Empty>',
  symbol: '<Symbol>',
};

/** Returns the type as error messages write it. */
export function typeName(type: Type): string {
  return type.kind === 'symbol' ? type.name : NAMES[type.kind];
}

export const NUMERIC: Type = { kind: 'numeric' };
export const INTEGER: Type = { kind: 'numeric', isInteger: true };
export const STRING: Type = { kind: 'string' };
export const LOGICAL: Type = { kind: 'logical' };
export const DATETIME: Type = { kind: 'datetime' };
export const VALUE: Type = { kind: 'value' };

/** Returns whether an expression returns a value. */
export function isScalar(type: Type): type is { readonly kind: ScalarKind } {
  return ['numeric', 'string', 'logical', 'datetime', 'value'].includes(type.kind);
}

/**
 * Returns the types of the members that an expression returns; `undefined` if it returns no members, or if they are
 * unknown.
 */
export function elementOf(type: Type): readonly MemberType[] | undefined {
  switch (type.kind) {
    case 'member':
      return [type];
    case 'tuple':
      return type.members;
    case 'set':
      return type.element;
    case 'hierarchy':
      return [{ kind: 'member', hierarchy: type.hierarchy }];
    case 'level':
      return [{ kind: 'member', hierarchy: type.hierarchy }];
    case 'dimension':
      return [{ kind: 'member', hierarchy: type.dimension?.mainHierarchy }];
    default:
      return undefined;
  }
}

/** Returns the hierarchy of the members that an expression returns, if there is just one and it is known. */
export function hierarchyOf(type: Type): Hierarchy | undefined {
  const element = elementOf(type);
  return element?.length === 1 ? element[0]?.hierarchy : undefined;
}

/** Returns whether sets of these elements can be combined. */
export function sameElements(
  left: readonly MemberType[] | undefined,
  right: readonly MemberType[] | undefined,
): boolean {
  if (left === undefined || right === undefined) return true;
  return (
    left.length === right.length &&
    left.every(({ hierarchy }, index) => {
      const other = right[index]?.hierarchy;
      return hierarchy === undefined || other === undefined || hierarchy === other;
    })
  );
}
