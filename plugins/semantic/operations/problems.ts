/** Mistakes of one body, told together: those of its shape, and those of the names in what has the right shape. */
import { z } from 'zod';
import { userOf } from '../../../router/caller.ts';
import type { OperationContext } from '../../../router/declaration.ts';
import { toServiceError } from '../../../router/error-shape.ts';
import { NotFoundError, type Problem, ValidationError } from '../../../router/errors.ts';
import { formatPath, type RequestPath } from '../../../router/path.ts';
import { type ShapeIssue, validParts } from '../../query-surface/index.ts';
import type { Catalogs } from '../catalog.ts';
import { applyAccessPolicy } from '../query/access-policy.ts';
import { problemsOfWays } from '../query/planner.ts';
import { resolve } from '../query/resolve/resolve.ts';
import { SemanticQueryRequest } from '../schemas.ts';

const SHOWN = ['rows', 'columns', 'values'];

/**
 * Passes the result of an operation on. Where its input has the wrong shape, the mistakes in names of the other parts
 * are told behind those of the shape.
 *
 * @throws ValidationError with all of them
 */
export async function withNameProblems<Result extends { readonly ok: boolean; readonly error?: { cause?: unknown } }>(
  result: Result,
  rawInput: () => Promise<unknown>,
  catalogs: Catalogs,
  ctx: OperationContext,
): Promise<Result> {
  const cause = result.ok ? undefined : result.error?.cause;
  if (!(cause instanceof z.core.$ZodError)) return result;
  const shape = toServiceError(cause);
  // Sorts are looked up among what is shown: where a part of that is missing, nobody can say that they are wrong.
  const isShownWhole = cause.issues.every(({ path }) => !SHOWN.includes(String(path[0])));
  const issues: readonly ShapeIssue[] = isShownWhole ? cause.issues : [...cause.issues, { path: ['sorts'] }];
  const sound = validParts(SemanticQueryRequest, await rawInput(), issues);
  if (!(shape instanceof ValidationError) || sound === undefined) return result;
  const told = new Set(shape.problems.map(({ path }) => formatPath(path)));
  const lacksMetrics = cause.issues.some(({ path }) => path[0] === 'values');
  const names = (await nameProblems(sound.request, catalogs, ctx, lacksMetrics))
    .filter(({ path }) => !isEmptiness(path))
    .map((problem) => ({ ...problem, path: sound.placeOf(problem.path) }))
    .filter(({ path }) => !told.has(formatPath(path)));
  const [first, ...others] = [...shape.problems, ...names];
  if (first === undefined || names.length === 0) return result;
  throw new ValidationError([first, ...others], shape.moreProblems);
}

async function nameProblems(
  request: SemanticQueryRequest,
  catalogs: Catalogs,
  ctx: OperationContext,
  lacksMetrics: boolean,
): Promise<readonly Problem[]> {
  try {
    const { model, warehouse } = await catalogs.find(request.connection, request.model, userOf(ctx));
    const visible = applyAccessPolicy(userOf(ctx), model);
    const found = resolve(request, visible, { holds: warehouse.dialect.holds, lacksMetrics });
    return lacksMetrics && found.values.length === 0 ? [] : problemsOfWays(found, visible);
  } catch (error) {
    if (error instanceof ValidationError) return error.problems;
    if (error instanceof NotFoundError) return [];
    throw error;
  }
}

/** What remains may be empty only because the rest was taken out. */
function isEmptiness(path: RequestPath): boolean {
  return path.length === 1 && path[0] === 'values';
}
