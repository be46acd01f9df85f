/** An invalid regular expression, or one that cannot be matched in bounded time. */
export class PatternError extends Error {}

/** A regular expression with syntax that RE2 lacks. The message names the syntax and its replacement. */
export class UnsupportedPatternError extends PatternError {
  constructor(syntax: string, instead: string) {
    super(`${syntax} is not supported; ${instead}`);
  }
}
