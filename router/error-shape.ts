import type { TRPCErrorShape } from '@trpc/server';
import { TRPCError } from '@trpc/server';
import { z } from 'zod';
import {
  BodyTooLargeError,
  InternalError,
  MalformedBodyError,
  MethodNotAllowedError,
  NotFoundError,
  type Problem,
  ServiceError,
  UnsupportedMediaTypeError,
  ValidationError,
} from './errors.ts';
import { MAX_BATCH_CALLS, MAX_PROBLEMS } from './limits.ts';
import { formatPath } from './path.ts';
import { short } from './short.ts';

/** Any thrown value as the typed error it stands for. What is not a `ServiceError` is a bug and shows nothing of itself. */
export function toServiceError(thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  if (thrown instanceof z.core.$ZodError) return fromZod(thrown);
  if (thrown instanceof TRPCError) {
    if (thrown.cause instanceof ServiceError) return thrown.cause;
    // An output that fails its schema is our bug, though tRPC wraps the same zod error: only input errors are the caller's.
    if (thrown.code === 'BAD_REQUEST' && thrown.cause instanceof z.core.$ZodError) return fromZod(thrown.cause);
    return transportError(thrown) ?? internal(thrown);
  }
  return internal(thrown);
}

/** What is wrong with a call of the typed client before any operation has seen it. Its own words may repeat the sender's. */
function transportError(error: TRPCError): ServiceError | undefined {
  const details = { cause: error };
  switch (error.code) {
    case 'NOT_FOUND':
      return new NotFoundError('There is no such operation.');
    case 'PARSE_ERROR':
    case 'BAD_REQUEST':
      return new MalformedBodyError(
        `This is no call of the typed client: its input is not JSON, or it batches more than ${MAX_BATCH_CALLS} calls.`,
        details,
      );
    case 'METHOD_NOT_SUPPORTED':
      return new MethodNotAllowedError('Reading operations are called with GET, the others with POST.', details);
    case 'PAYLOAD_TOO_LARGE':
      return new BodyTooLargeError('The body is too large.', details);
    case 'UNSUPPORTED_MEDIA_TYPE':
      return new UnsupportedMediaTypeError('Send the body as Content-Type: application/json.', details);
    default:
      return undefined;
  }
}

function internal(cause: unknown): InternalError {
  return new InternalError('Something went wrong on our side; it has been logged.', { cause });
}

function fromZod(error: z.core.$ZodError): ValidationError {
  const problems = error.issues.flatMap(problemsOf);
  const [first, ...others] = problems;
  if (first === undefined) throw new InternalError('a schema refused a value without an issue', { cause: error });
  const untold = error.issues.map((issue) =>
    issue.code === 'unrecognized_keys' ? Math.max(0, issue.keys.length - MAX_PROBLEMS) : 0,
  );
  return new ValidationError(
    [first, ...others],
    untold.reduce((sum, count) => sum + count, 0),
  );
}

function problemsOf(issue: z.core.$ZodIssue): Problem[] {
  const { path } = issue;
  switch (issue.code) {
    case 'unrecognized_keys':
      // Thousands may be sent; no answer tells of more.
      return issue.keys.slice(0, MAX_PROBLEMS).map((key) => ({
        path: [...issue.path, key],
        message: `There is no member "${short(key)}" here.`,
      }));
    case 'invalid_value':
      return [{ path, message: issue.message, available: issue.values.map(String) }];
    case 'invalid_union':
      // Where one member tells branches apart, its values are what is legal.
      return !('options' in issue) || issue.options === undefined
        ? nearestBranch(issue)
        : [{ path, message: issue.message, available: issue.options.map(String) }];
    default:
      return [{ path, message: issue.message }];
  }
}

/**
 * Of the branches of a union, the one that fits best speaks: its problems are what the caller most likely has to mend.
 * Where a member decides on the branch, its values are the candidates.
 */
function nearestBranch(issue: z.core.$ZodIssueInvalidUnion): Problem[] {
  if ('options' in issue && issue.options !== undefined) {
    return [{ path: issue.path, message: issue.message, available: issue.options.map(String) }];
  }
  const [nearest] = issue.errors.toSorted((left, right) => depth(right) - depth(left) || left.length - right.length);
  if (nearest === undefined || nearest.length === 0) return [{ path: issue.path, message: issue.message }];
  const problems = (branch: readonly z.core.$ZodIssue[]) =>
    branch.flatMap((inner) => problemsOf({ ...inner, path: [...issue.path, ...inner.path] }));
  const all = issue.errors.flatMap(problems);
  // What another branch takes at the same place is as legal.
  return problems(nearest).map((problem) => {
    if (problem.available === undefined) return problem;
    const place = formatPath(problem.path);
    const available = all.flatMap((other) => (formatPath(other.path) === place ? (other.available ?? []) : []));
    const legal = [...new Set([...problem.available, ...available])];
    return { ...problem, message: `Use one of: ${legal.join(', ')}.`, available: legal };
  });
}

/** How far into the value a branch came before it failed. */
function depth(issues: readonly z.core.$ZodIssue[]): number {
  return issues.reduce((deepest, { path }) => Math.max(deepest, path.length), 0);
}

/** What tRPC's own clients see of an error: the kind, the place and the candidates, in `data`. */
export function errorShape<Shape extends TRPCErrorShape>(shape: Shape, error: TRPCError) {
  const service = toServiceError(error);
  return {
    ...shape,
    message: service.message,
    data: {
      kind: service.kind,
      code: service.code,
      field: service.field,
      available: service.available,
      httpStatus: service.status,
    },
  };
}
