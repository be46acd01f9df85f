/** Reports all mistakes of a body together: mistakes of shape, and unknown names in its valid parts. */
import { z } from 'zod';
import { type Problem, ValidationError } from '../../router/errors.ts';
import { formatPath } from '../../router/path.ts';
import { toServiceError } from '../../router/to-service-error.ts';
import type { ShapeIssue } from './valid-parts.ts';

/** A step of an operation, before its input is checked. */
interface Step<Result> {
  readonly next: () => Promise<Result>;
  readonly getRawInput: () => Promise<unknown>;
}

/** Returns the problems of the names in a body with some invalid parts. */
export type NameCheck = (body: unknown, issues: readonly ShapeIssue[]) => Promise<readonly Problem[]>;

const Members = z.record(z.string(), z.unknown());

/**
 * Runs an operation. If its input has the wrong shape, the error lists the mistakes in the shape first, then the mistakes in
 * the names of the other parts.
 *
 * @param root member of the input that contains the query; without it the input is the query
 * @throws ValidationError with all of them
 */
export async function withNameProblems<Result extends { readonly ok: boolean; readonly error?: { cause?: unknown } }>(
  { next, getRawInput }: Step<Result>,
  check: NameCheck,
  root?: string,
): Promise<Result> {
  const result = await next();
  const cause = result.ok ? undefined : result.error?.cause;
  if (!(cause instanceof z.core.$ZodError)) return result;
  const shape = toServiceError(cause);
  if (!(shape instanceof ValidationError)) return result;
  const nameProblems = await problemsIn(await getRawInput(), cause.issues, check, root);
  const shapePlaces = new Set(shape.problems.map(({ path }) => formatPath(path)));
  const names = nameProblems.filter(({ path }) => !shapePlaces.has(formatPath(path)));
  const [first, ...others] = [...shape.problems, ...names];
  if (first === undefined || names.length === 0) return result;
  throw new ValidationError([first, ...others], shape.moreProblems);
}

async function problemsIn(
  input: unknown,
  issues: readonly ShapeIssue[],
  check: NameCheck,
  root: string | undefined,
): Promise<readonly Problem[]> {
  if (root === undefined) return check(input, issues);
  const issuesWithin = issues.filter(({ path }) => path[0] === root).map(({ path }) => ({ path: path.slice(1) }));
  const problems = await check(Members.safeParse(input).data?.[root], issuesWithin);
  return problems.map(({ path, ...problem }) => ({ path: [root, ...path], ...problem }));
}
