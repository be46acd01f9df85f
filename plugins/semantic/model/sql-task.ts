/** The SQL of a document as one task for the SQL parser, which may be done in another thread. */
import { cooperativeMap, cooperativeYield } from '../../../router/cooperative-yield.ts';
import { loadSqlLibrary } from '../../query-surface/index.ts';
import { ExpressionError, isQuery, type ParsedExpression, parseExpression } from './parse-sql-expression.ts';

/** An expression, and the dialects that it is written in and translated into. */
export interface ExpressionText {
  readonly text: string;
  readonly from: string;
  readonly to: string;
}

export interface SqlTask {
  readonly expressions: readonly ExpressionText[];
  /** Sources that are not the name of a table. */
  readonly sources: readonly { readonly text: string; readonly dialect: string }[];
}

/** An expression that was parsed, or what is wrong with it. Errors lose their class between threads, so that mistakes are data. */
export type ParseOutcome = ParsedExpression | { readonly refused: string };

export interface SqlResult {
  /** In the order of the task. */
  readonly expressions: readonly ParseOutcome[];
  /** Whether each source is exactly one query that reads. */
  readonly sources: readonly boolean[];
  /** Set where the document cannot be read in time. */
  readonly problem?: string | undefined;
}

/** Does a task in this thread. Yields to the event loop between texts, because the parser takes a millisecond for each. */
export async function readSql({ expressions, sources }: SqlTask): Promise<SqlResult> {
  if (expressions.length + sources.length === 0) return { expressions: [], sources: [] };
  await loadSqlLibrary();
  const yieldTurn = cooperativeYield();
  return {
    expressions: await cooperativeMap(expressions, yieldTurn, outcomeOf, 1),
    sources: await cooperativeMap(sources, yieldTurn, ({ text, dialect }) => isQuery(text, dialect), 1),
  };
}

function outcomeOf({ text, from, to }: ExpressionText): ParseOutcome {
  try {
    return parseExpression(text, from, to);
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error;
    return { refused: error.message };
  }
}
