import type { Calc } from '../compile/calc.ts';
import { elementOf, hierarchyOf, type MemberType, type SetType } from '../compile/expression-types.ts';
import { MdxError } from '../syntax/errors.ts';

/** Returns whether an argument is present, and not omitted as in `F(a, , b)`. */
export function isSupplied(arg: Calc | undefined): arg is Calc {
  return arg !== undefined && arg.type.kind !== 'empty';
}

/** Returns the argument; `undefined` if it was omitted. */
export function suppliedArg(arg: Calc | undefined): Calc | undefined {
  return isSupplied(arg) ? arg : undefined;
}

/** Returns the name of a symbol argument in capitals. */
export function symbolOf(arg: Calc | undefined): string | undefined {
  return arg?.type.kind === 'symbol' ? arg.type.name : undefined;
}

/** Returns the type of sets with the elements of an argument. */
export function setTypeOf(arg: Calc): SetType {
  return { kind: 'set', element: elementOf(arg.type) };
}

/** Returns the type of sets of members of a type. */
export function setOfMembers(type: MemberType | undefined): SetType {
  return { kind: 'set', element: type === undefined ? undefined : [{ kind: 'member', hierarchy: type.hierarchy }] };
}

/** Returns the type of the members that an argument returns. */
export function memberTypeOf(arg: Calc | undefined): MemberType {
  const element = arg === undefined ? undefined : elementOf(arg.type);
  return element?.[0] ?? { kind: 'member', hierarchy: undefined };
}

/**
 * Checks that a level or member argument has the same hierarchy as another member argument.
 *
 * @throws MdxError if both hierarchies are known and differ
 */
export function requireSameHierarchy(name: string, by: Calc, member: Calc): void {
  const [otherHierarchy, memberHierarchy] = [hierarchyOf(by.type), memberTypeOf(member).hierarchy];
  if (memberHierarchy === undefined || otherHierarchy === undefined || memberHierarchy === otherHierarchy) return;
  throw new MdxError(
    `The <${by.kind}> and <member> arguments to ${name} must be from the same hierarchy. ` +
      `The ${by.kind} was from '${otherHierarchy.uniqueName}' but the member was from '${memberHierarchy.uniqueName}'.`,
  );
}
