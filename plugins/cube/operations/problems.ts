/** Mistakes of one body, told together: those of its shape, and those of the names in what has the right shape. */
import { z } from 'zod';
import { userOf } from '../../../router/caller.ts';
import type { OperationContext } from '../../../router/declaration.ts';
import { toServiceError } from '../../../router/error-shape.ts';
import { type Problem, ServiceError, ValidationError } from '../../../router/errors.ts';
import { formatPath, type RequestPath } from '../../../router/path.ts';
import { type ShapeIssue, validParts } from '../../query-surface/index.ts';
import { prepare } from '../query/pipeline.ts';
import { CubeQueryRequest, CubeReference } from '../schemas.ts';
import type { Dependencies } from './dependencies.ts';

const Members = z.record(z.string(), z.unknown());

interface Step<Result> {
  readonly ctx: OperationContext;
  readonly next: () => Promise<Result>;
  readonly getRawInput: () => Promise<unknown>;
}

/**
 * Runs an operation. Where its input has the wrong shape, the mistakes in names of the other parts are told behind those
 * of the shape.
 *
 * @param root member of the input that holds the query; without it the input is the query
 * @throws ValidationError with all of them
 */
export async function withNameProblems<Result extends { readonly ok: boolean; readonly error?: { cause?: unknown } }>(
  { ctx, next, getRawInput }: Step<Result>,
  parts: Dependencies,
  root?: string,
): Promise<Result> {
  const result = await next();
  const cause = result.ok ? undefined : result.error?.cause;
  if (!(cause instanceof z.core.$ZodError)) return result;
  const shape = toServiceError(cause);
  if (!(shape instanceof ValidationError)) return result;
  const input = await getRawInput();
  const body = root === undefined ? input : Members.safeParse(input).data?.[root];
  const issues =
    root === undefined
      ? cause.issues
      : cause.issues.filter(({ path }) => path[0] === root).map(({ path }) => ({ path: path.slice(1) }));
  const told = new Set(shape.problems.map(({ path }) => formatPath(path)));
  const names = (await nameProblems(body, issues, parts, ctx, root)).filter(({ path }) => !told.has(formatPath(path)));
  const [first, ...others] = [...shape.problems, ...names];
  if (first === undefined || names.length === 0) return result;
  throw new ValidationError([first, ...others], shape.moreProblems);
}

async function nameProblems(
  body: unknown,
  issues: readonly ShapeIssue[],
  parts: Dependencies,
  ctx: OperationContext,
  root: string | undefined,
): Promise<readonly Problem[]> {
  const at = (path: RequestPath) => (root === undefined ? path : [root, ...path]);
  const reference = CubeReference.safeParse(Members.safeParse(body).data?.cube);
  if (!reference.success) return [];
  try {
    const target = await parts.catalogs.find(reference.data, userOf(ctx), at(['cube']));
    const standIn = [{ name: target.view.defaultMeasure }];
    const sound = validParts(CubeQueryRequest, body, issues, { measures: standIn });
    if (sound === undefined) return [];
    const isWhole = (list: string) => issues.every(({ path }) => path[0] !== list);
    const problems = await problemsOf(prepare(sound.request, target, parts));
    return problems
      .filter(({ path }) => path.length > 1 || path[0] !== 'filters' || (isWhole('filters') && isWhole('measures')))
      .map((problem) => ({ ...problem, path: at(sound.placeOf(problem.path)) }));
  } catch (error) {
    // What is known to be wrong is told, whatever else could not be looked at.
    if (error instanceof ServiceError) return [];
    throw error;
  }
}

async function problemsOf(work: Promise<unknown>): Promise<readonly Problem[]> {
  try {
    await work;
    return [];
  } catch (error) {
    if (error instanceof ValidationError) return error.problems;
    throw error;
  }
}
