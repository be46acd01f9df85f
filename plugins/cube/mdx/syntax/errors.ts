import { ValidationError } from '../../../../router/errors.ts';
import type { RequestPath } from '../../../../router/path.ts';
import { short } from '../../../../router/short.ts';

/** A place in MDX text, both 1-based. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

export const START: Position = Object.freeze({ line: 1, column: 1 });

/** The query is wrong: it cannot be parsed, a name is unknown, or a function does not take these arguments. */
export class MdxError extends ValidationError {
  position: Position | undefined;

  constructor(message: string, position?: Position, available?: readonly string[], path: RequestPath = ['mdx']) {
    super([{ path, message, available }]);
    this.position = position;
  }
}

/** Returns the error of a text that is no MDX. */
export function syntaxError(position: Position, token: string, hint?: string): MdxError {
  const where = `Syntax error at line ${position.line}, column ${position.column}`;
  return new MdxError(`${where}, token '${short(token)}'${hint === undefined ? '' : `: ${hint}`}`, position);
}

/** The query is right and evaluating it failed: in a cell it becomes that cell's value, on an axis it fails the query. */
export class MdxEvaluationError extends MdxError {}

/** A limit of the engine (depth, cells, time) was reached. Always fails the whole query. */
export class MdxLimitError extends MdxError {}

/** Runs a function; an `MdxError` without a place in the text gets this place. */
export function withPosition<T>(position: Position, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof MdxError) error.position ??= position;
    throw error;
  }
}

/** A formula of the schema is wrong, whatever the query. */
export class MdxSchemaError extends MdxError {
  /** Line of the schema's text. */
  readonly line: number;
  /** Message of the mistake, for the formula alone. */
  readonly reason: string;

  constructor(what: string, line: number, error: MdxError) {
    super(`In ${what} of the schema, line ${line}: ${error.message}`, undefined, error.available);
    // A formula that uses a wrong one is right.
    this.line = error instanceof MdxSchemaError ? error.line : line + (error.position?.line ?? 1) - 1;
    this.reason = error instanceof MdxSchemaError ? error.reason : error.message;
  }
}

/** Runs a function about a formula of the schema: a mistake in it is reported as the schema's, without a place in the query. */
export function inSchemaFormula<T>(what: string, line: number, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof MdxError) || error instanceof MdxLimitError) throw error;
    throw new MdxSchemaError(what, line, error);
  }
}
