import { ValidationError } from '../../../../router/errors.ts';
import type { RequestPath } from '../../../../router/path.ts';
import { short } from '../../../../router/short.ts';

/** A position in MDX text. Both numbers start at 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

export const START: Position = Object.freeze({ line: 1, column: 1 });

/** A mistake in the query: it cannot be parsed, a name is unknown, or a function does not accept the arguments. */
export class MdxError extends ValidationError {
  position: Position | undefined;

  constructor(message: string, position?: Position, available?: readonly string[], path: RequestPath = ['mdx']) {
    super([{ path, message, available }]);
    this.position = position;
  }
}

/** Returns the error of a text that is not MDX. */
export function syntaxError(position: Position, token: string, hint?: string): MdxError {
  const where = `Syntax error at line ${position.line}, column ${position.column}`;
  return new MdxError(`${where}, token '${short(token)}'${hint === undefined ? '' : `: ${hint}`}`, position);
}

/**
 * The evaluation of a valid query failed. In a cell, the error becomes the cell's value; on an axis, the query fails.
 */
export class MdxEvaluationError extends MdxError {}

/** A limit of the engine (depth, cells, time) was reached. The whole query fails. */
export class MdxLimitError extends MdxError {}

/** Runs a function. Adds a position to an `MdxError` that has none. */
export function withPosition<T>(position: Position, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof MdxError) error.position ??= position;
    throw error;
  }
}

/** A mistake in a formula of the schema, independent of the query. */
export class MdxSchemaError extends MdxError {
  /** The line of the mistake in the schema's text. */
  readonly line: number;
  /** The message without the name of the formula. */
  readonly reason: string;

  constructor(
    message: string,
    {
      line,
      reason,
      available,
    }: { readonly line: number; readonly reason: string; readonly available: readonly string[] | undefined },
  ) {
    super(message, undefined, available);
    this.line = line;
    this.reason = reason;
  }

  /** Makes the error of a formula from the mistake in it. */
  static in(what: string, line: number, error: MdxError): MdxSchemaError {
    const { available } = error;
    const message = `In ${what} of the schema, line ${line}: ${error.message}`;
    // If the error comes from another formula that this one uses, only that other formula is wrong.
    if (error instanceof MdxSchemaError)
      return new MdxSchemaError(message, { line: error.line, reason: error.reason, available });
    return new MdxSchemaError(message, {
      line: line + (error.position?.line ?? 1) - 1,
      reason: error.message,
      available,
    });
  }
}

/**
 * Runs a function for a formula of the schema. Reports a mistake with its line in the schema, instead of a position in
 * the query.
 */
export function inSchemaFormula<T>(what: string, line: number, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof MdxError) || error instanceof MdxLimitError) throw error;
    throw MdxSchemaError.in(what, line, error);
  }
}
