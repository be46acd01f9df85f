import type { TRPCErrorShape } from '@trpc/server';
import { TRPCError } from '@trpc/server';
import { z } from 'zod';
import { diskFull, isDiskFull } from './disk-full.ts';
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
import { nearestFirst } from './nearest-names.ts';
import { formatPath, type RequestPath } from './path.ts';
import { isMissing, legalMembersOf } from './schema-messages.ts';
import { short } from './short.ts';

/**
 * Converts any thrown value to a typed error. A value that is not a `ServiceError` is a bug; the caller sees none of
 * its details.
 */
export function toServiceError(thrown: unknown): ServiceError {
  const error = translated(thrown);
  return error.kind === 'INTERNAL' && isDiskFull(error) ? diskFull(error) : error;
}

function translated(thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  if (thrown instanceof z.core.$ZodError) return fromZod(thrown);
  if (thrown instanceof TRPCError) {
    if (thrown.cause instanceof ServiceError) return thrown.cause;
    // An output that fails its schema is a bug here, though tRPC wraps the same zod error: only input errors are the caller's.
    if (thrown.code === 'BAD_REQUEST' && thrown.cause instanceof z.core.$ZodError) return fromZod(thrown.cause);
    return transportError(thrown) ?? internal(thrown);
  }
  return internal(thrown);
}

/**
 * Explains a wrong call of the typed client that reached no operation. tRPC's own message may repeat the sender's
 * text.
 */
function transportError(error: TRPCError): ServiceError | undefined {
  const details = { cause: error };
  switch (error.code) {
    case 'NOT_FOUND':
      return new NotFoundError('There is no such operation.');
    case 'PARSE_ERROR':
    case 'BAD_REQUEST':
      return new MalformedBodyError(
        `This is not a call of the typed client: its input is not JSON, or it batches more than ${MAX_BATCH_CALLS} calls.`,
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
  const problems = error.issues.flatMap(findingsOf).map(({ problem }) => problem);
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

/** A problem, and whether its candidates are values: the values of other branches of a union are legal at the same place. */
interface Finding {
  readonly problem: Problem;
  readonly ofValue: boolean;
}

function findingsOf(issue: z.core.$ZodIssue): readonly Finding[] {
  const { path, message } = issue;
  switch (issue.code) {
    case 'unrecognized_keys': {
      const legal = legalMembersOf(issue);
      // A request may have thousands; an answer reports no more.
      return issue.keys.slice(0, MAX_PROBLEMS).map((key) => {
        const message = `There is no member "${short(key)}" here.`;
        const problem = { path: [...path, key], message: message, available: nearestFirst(key, legal) };
        return { problem, ofValue: false };
      });
    }
    case 'invalid_value':
      return [ofValue(path, message, issue.values)];
    case 'invalid_union':
      // Where one member distinguishes the branches, its values are the candidates.
      return !('options' in issue) || issue.options === undefined
        ? nearestBranch(issue)
        : [ofValue(path, message, issue.options)];
    default:
      return [{ problem: { path, message }, ofValue: false }];
  }
}

function ofValue(path: RequestPath, message: string, legal: readonly unknown[]): Finding {
  return { problem: { path, message, available: legal.map(String) }, ofValue: true };
}

/** Reports the problems of the best fitting branch of a union, which the caller most likely meant. */
function nearestBranch(issue: z.core.$ZodIssueInvalidUnion): readonly Finding[] {
  // If branches only lack members, the first one is used: the number of missing members does not show the caller's intent.
  const [nearest] = issue.errors.toSorted(
    (left, right) => depth(right) - depth(left) || wrong(left).length - wrong(right).length,
  );
  if (nearest === undefined || nearest.length === 0)
    return [{ problem: { path: issue.path, message: issue.message }, ofValue: false }];
  const findings = (branch: readonly z.core.$ZodIssue[]) =>
    branch.flatMap((inner) => findingsOf({ ...inner, path: [...issue.path, ...inner.path] }));
  const all = issue.errors.flatMap(findings).filter((other) => other.ofValue);
  // Values that another branch takes at the same place are legal too.
  return findings(nearest).map((finding) => {
    if (!finding.ofValue) return finding;
    const { problem } = finding;
    const place = formatPath(problem.path);
    const available = all.flatMap((other) =>
      formatPath(other.problem.path) === place ? (other.problem.available ?? []) : [],
    );
    const legal = [...new Set([...(problem.available ?? []), ...available])];
    return { problem: { ...problem, message: `Use one of: ${legal.join(', ')}.`, available: legal }, ofValue: true };
  });
}

/** Returns the depth at which a branch failed; an absent member adds no depth. */
function depth(issues: readonly z.core.$ZodIssue[]): number {
  return issues.reduce(
    (deepest, issue) => Math.max(deepest, isMissing(issue) ? issue.path.length - 1 : issue.path.length),
    0,
  );
}

function wrong(issues: readonly z.core.$ZodIssue[]): readonly z.core.$ZodIssue[] {
  return issues.filter((issue) => !isMissing(issue));
}

/** Returns the error data for tRPC's own clients: the kind, the place and the candidates, in `data`. */
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
