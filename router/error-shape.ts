import type { TRPCErrorShape } from '@trpc/server';
import { TRPCError } from '@trpc/server';
import { z } from 'zod';
import { InternalError, NotFoundError, type Problem, ServiceError, ValidationError } from './errors.ts';

/** Any thrown value as the typed error it stands for. What is not a `ServiceError` is a bug and shows nothing of itself. */
export function toServiceError(thrown: unknown): ServiceError {
  if (thrown instanceof ServiceError) return thrown;
  if (thrown instanceof z.core.$ZodError) return fromZod(thrown);
  if (thrown instanceof TRPCError) {
    if (thrown.cause !== undefined && thrown.code !== 'NOT_FOUND' && isInputError(thrown))
      return toServiceError(thrown.cause);
    if (thrown.code === 'NOT_FOUND') return new NotFoundError('There is no such operation.');
    if (thrown.cause instanceof ServiceError) return thrown.cause;
  }
  return new InternalError('Something went wrong on our side; it has been logged.', { cause: thrown });
}

/** An output that fails its schema is our bug, though tRPC wraps the same zod error: only input errors are the caller's. */
function isInputError(error: TRPCError): boolean {
  return error.code === 'BAD_REQUEST' || error.cause instanceof ServiceError;
}

/** A path as callers read it: `rows[1].field`. */
export function fieldPath(path: readonly PropertyKey[]): string {
  let text = '';
  for (const part of path) {
    if (typeof part === 'number') text += `[${part}]`;
    else text += text === '' ? String(part) : `.${String(part)}`;
  }
  return text;
}

function fromZod(error: z.core.$ZodError): ValidationError {
  const problems = error.issues.flatMap(problemsOf);
  const [first, ...others] = problems;
  if (first === undefined) throw new InternalError('a schema refused a value without an issue', { cause: error });
  return new ValidationError([first, ...others]);
}

function problemsOf(issue: z.core.$ZodIssue): Problem[] {
  const field = fieldPath(issue.path);
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => ({
        field: fieldPath([...issue.path, key]),
        message: `There is no member "${key}" here.`,
      }));
    case 'invalid_value':
      return [{ field, message: issue.message, available: issue.values.map(String) }];
    case 'invalid_union':
      return nearestBranch(issue);
    default:
      return [{ field, message: issue.message }];
  }
}

/** Of the branches of a union, the one that fits best speaks: its problems are what the caller most likely has to mend. */
function nearestBranch(issue: z.core.$ZodIssueInvalidUnion): Problem[] {
  const [nearest] = issue.errors.toSorted((left, right) => depth(right) - depth(left) || left.length - right.length);
  if (nearest === undefined || nearest.length === 0) return [{ field: fieldPath(issue.path), message: issue.message }];
  return nearest.flatMap((inner) => problemsOf({ ...inner, path: [...issue.path, ...inner.path] }));
}

/** How far into the value a branch came before it failed. */
function depth(issues: readonly z.core.$ZodIssue[]): number {
  return Math.max(0, ...issues.map((issue) => issue.path.length));
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
