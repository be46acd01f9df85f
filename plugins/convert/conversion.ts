/** The result of a conversion, and helpers of both converters. */
import type { OsiModel } from '../semantic/index.ts';

/** An element that a conversion leaves out or changes, or a mistake in its input. */
export interface ConversionProblem {
  readonly severity: 'error' | 'warning';
  /** The name of the input file. */
  readonly file: string;
  readonly line: number | undefined;
  readonly message: string;
}

export interface Conversion {
  /** `undefined` where a problem is an error. */
  readonly model: OsiModel | undefined;
  /** The problems in the order of the files and of their lines. */
  readonly problems: readonly ConversionProblem[];
}

/** Returns an object without the members that are `undefined` or an empty list. */
export function present<Shape extends object>(shape: Shape): { [Key in keyof Shape]: Exclude<Shape[Key], undefined> } {
  const members = Object.entries(shape).filter(
    ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
  );
  return Object.fromEntries(members) as { [Key in keyof Shape]: Exclude<Shape[Key], undefined> };
}
