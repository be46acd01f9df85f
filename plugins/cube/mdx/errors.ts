import { ValidationError } from '../../../router/errors.ts';

/** A place in MDX text, both 1-based. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

export const START: Position = Object.freeze({ line: 1, column: 1 });

/** The query is wrong: it cannot be parsed, a name is unknown, or a function does not take these arguments. */
export class MdxError extends ValidationError {
  readonly position: Position | undefined;

  constructor(message: string, position?: Position, available?: readonly string[]) {
    super([{ field: 'mdx', message, available }]);
    this.position = position;
  }
}

/** A text that is no MDX. */
export function syntaxError(position: Position, token: string, hint?: string): MdxError {
  const where = `Syntax error at line ${position.line}, column ${position.column}`;
  return new MdxError(`${where}, token '${token}'${hint === undefined ? '' : `: ${hint}`}`, position);
}

/** The query is right and evaluating it failed: in a cell it becomes that cell's value, on an axis it fails the query. */
export class MdxEvaluationError extends MdxError {}

/** A limit of the engine (depth, cells, time) was reached. Always fails the whole query. */
export class MdxLimitError extends MdxError {}
