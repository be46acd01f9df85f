/** The result of a conversion, and the helpers that both converters write it with. */
import type { OsiModel } from '../semantic/index.ts';

/** An element that a conversion leaves out or changes, or a mistake in its input. */
export interface ConversionProblem {
  readonly severity: 'error' | 'warning';
  /** The input file, as the caller named it. */
  readonly file: string;
  readonly line: number | undefined;
  readonly message: string;
}

export interface Conversion {
  /** Absent when a problem is an error. */
  readonly model: OsiModel | undefined;
  /** In the order of the files and of their lines. */
  readonly problems: readonly ConversionProblem[];
}

/** Leaves out members that are `undefined` or an empty list. */
export function present<Shape extends object>(shape: Shape): { [Key in keyof Shape]: Exclude<Shape[Key], undefined> } {
  const given = Object.entries(shape).filter(
    ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
  );
  return Object.fromEntries(given) as { [Key in keyof Shape]: Exclude<Shape[Key], undefined> };
}
