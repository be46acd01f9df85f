import type { Calc } from '../compile/calc.ts';
import { elementOf, hierarchyOf, type MemberType, type SetType } from '../compile/expression-types.ts';
import { MdxError } from '../syntax/errors.ts';

/** Returns whether an argument is there, and not left out as in `F(a, , b)`. */
export function isSupplied(arg: Calc | undefined): arg is Calc {
  return arg !== undefined && arg.type.kind !== 'empty';
}

/** Returns the argument, or `undefined` where it was left out. */
export function suppliedArg(arg: Calc | undefined): Calc | undefined {
  return isSupplied(arg) ? arg : undefined;
}

/** Returns the word of a symbol argument, in capitals. */
export function symbolOf(arg: Calc | undefined): string | undefined {
  return arg?.type.kind === 'symbol' ? arg.type.name : undefined;
}

/** Returns the type of sets with the elements of this one. */
export function setTypeOf(arg: Calc): SetType {
  return { kind: 'set', element: elementOf(arg.type) };
}

/** Returns the type of sets of such members. */
export function setOfMembers(type: MemberType | undefined): SetType {
  return { kind: 'set', element: type === undefined ? undefined : [{ kind: 'member', hierarchy: type.hierarchy }] };
}

/** Returns the hierarchy of the members an argument yields, where it is known. */
export function memberTypeOf(arg: Calc | undefined): MemberType {
  const element = arg === undefined ? undefined : elementOf(arg.type);
  return element?.[0] ?? { kind: 'member', hierarchy: undefined };
}

/**
 * Checks that what a member is looked for by, a level or another member, is of the hierarchy of the member.
 *
 * @throws MdxError where both hierarchies are known and differ
 */
export function requireSameHierarchy(name: string, by: Calc, member: Calc): void {
  const [wanted, own] = [hierarchyOf(by.type), memberTypeOf(member).hierarchy];
  if (own === undefined || wanted === undefined || own === wanted) return;
  throw new MdxError(
    `The <${by.kind}> and <member> arguments to ${name} must be from the same hierarchy. ` +
      `The ${by.kind} was from '${wanted.uniqueName}' but the member was from '${own.uniqueName}'.`,
  );
}
