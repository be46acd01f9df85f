/** What a regular expression is, in the syntax of java.util.regex, before it is matched. */

/** Whether a code point is one of a class. */
export type CodePoints = (code: number) => boolean;

/** Whether something holds at a place of a text, between two code points. */
export type Assertion = (text: readonly number[], at: number) => boolean;

export type Pattern =
  | { readonly kind: 'one'; readonly of: CodePoints }
  | { readonly kind: 'sequence'; readonly items: readonly Pattern[] }
  | { readonly kind: 'choice'; readonly branches: readonly Pattern[] }
  | {
      readonly kind: 'repeat';
      readonly body: Pattern;
      readonly min: number;
      readonly max: number;
      readonly isLazy: boolean;
    }
  /** Once it has matched it is not gone back into: `(?>X)` and `X*+`. */
  | { readonly kind: 'atomic'; readonly body: Pattern }
  | { readonly kind: 'look'; readonly body: Pattern; readonly isBehind: boolean; readonly isNegative: boolean }
  | { readonly kind: 'assert'; readonly holds: Assertion };

/** Characters of a pattern at most. */
export const MAX_PATTERN_LENGTH = 1_000;
/** Instructions of a compiled pattern at most: `(a{100}){100}` is 10,000. */
export const MAX_INSTRUCTIONS = 5_000;
/** Steps of a match at most. A match takes no more than the instructions times the characters, if it looks nowhere else. */
export const MAX_STEPS = 200_000;

/** A text that is no pattern, or one that cannot be matched in bounded time. */
export class PatternError extends Error {}
