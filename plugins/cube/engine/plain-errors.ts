/** Errors as plain data, which pass between threads and become errors of the same classes. */
import {
  CancelledError,
  type ErrorDetails,
  ForbiddenError,
  InternalError,
  type Problem,
  RateLimitedError,
  ServiceError,
  TimeoutError,
  UnavailableError,
  ValidationError,
  WarehouseError,
  WarehouseUnreachableError,
} from '../../../router/errors.ts';
import { MdxError, MdxEvaluationError, MdxLimitError, MdxSchemaError } from '../mdx/index.ts';

export type PlainError =
  | { readonly kind: 'mdx'; readonly type: keyof typeof MDX_ERRORS; readonly error: PlainMdxError }
  | { readonly kind: 'schema'; readonly line: number; readonly reason: string; readonly error: PlainMdxError }
  | {
      readonly kind: 'validation';
      readonly problems: readonly [Problem, ...Problem[]];
      readonly more: number;
      readonly code: string | undefined;
    }
  | { readonly kind: 'service'; readonly type: keyof typeof SERVICE_ERRORS; readonly error: PlainServiceError }
  | { readonly kind: 'unavailable'; readonly code: string; readonly error: PlainServiceError }
  | { readonly kind: 'other'; readonly cause: unknown };

interface PlainMdxError {
  readonly message: string;
  readonly position: MdxError['position'];
  readonly available: readonly string[] | undefined;
  readonly path: MdxError['path'];
}

interface PlainServiceError {
  readonly message: string;
  readonly details: ErrorDetails & Pick<CancelledError, 'waitedFor'> & Pick<WarehouseUnreachableError, 'part'>;
}

const MDX_ERRORS = { MdxError, MdxEvaluationError, MdxLimitError };

/** The other errors that a warehouse, a script or the engine throws. `UnavailableError` always has a code. */
const SERVICE_ERRORS = {
  CancelledError,
  ForbiddenError,
  InternalError,
  RateLimitedError,
  TimeoutError,
  WarehouseError,
  WarehouseUnreachableError,
};

/** Returns an error as plain data. */
export function plainError(error: unknown): PlainError {
  if (error instanceof MdxSchemaError)
    return { kind: 'schema', line: error.line, reason: error.reason, error: plainMdxError(error) };
  if (error instanceof MdxError) {
    const type = keysOf(MDX_ERRORS).find((each) => error.constructor === MDX_ERRORS[each]) ?? 'MdxError';
    return { kind: 'mdx', type, error: plainMdxError(error) };
  }
  if (error instanceof ValidationError)
    return { kind: 'validation', problems: error.problems, more: error.moreProblems, code: error.code };
  if (!(error instanceof ServiceError)) return { kind: 'other', cause: plainCause(error) };
  if (error instanceof UnavailableError)
    return { kind: 'unavailable', code: error.code ?? '', error: plainServiceError(error) };
  const type = keysOf(SERVICE_ERRORS).find((each) => error.constructor === SERVICE_ERRORS[each]);
  if (type === undefined) return { kind: 'other', cause: plainCause(error) };
  return { kind: 'service', type, error: plainServiceError(error) };
}

/** Makes an error of the class of the one that became plain data. */
export function errorOf(plain: PlainError): ServiceError {
  switch (plain.kind) {
    case 'mdx':
      return mdxErrorOf(MDX_ERRORS[plain.type], plain.error);
    case 'schema': {
      const { line, reason } = plain;
      const { message, available, position } = plain.error;
      const error = new MdxSchemaError(message, { line, reason, available });
      error.position = position;
      return error;
    }
    case 'validation':
      return new ValidationError(plain.problems, plain.more, plain.code);
    case 'service':
      return new SERVICE_ERRORS[plain.type](plain.error.message, plain.error.details);
    case 'unavailable': {
      const { message, details } = plain.error;
      return new UnavailableError(message, {
        ...details,
        code: plain.code,
        retryAfterSeconds: details.retryAfterSeconds,
      });
    }
    case 'other':
      return new InternalError('The computation of a cube failed.', { cause: plain.cause });
  }
}

function plainMdxError({ message, position, available, path }: MdxError): PlainMdxError {
  return { message, position, available, path };
}

function plainServiceError(error: ServiceError): PlainServiceError {
  const { message, path, available, code, retryAfterSeconds, cause } = error;
  const waitedFor = error instanceof CancelledError ? error.waitedFor : undefined;
  const part = error instanceof WarehouseUnreachableError ? error.part : undefined;
  return { message, details: { path, available, code, retryAfterSeconds, cause: plainCause(cause), waitedFor, part } };
}

function mdxErrorOf(
  type: (typeof MDX_ERRORS)[keyof typeof MDX_ERRORS],
  { message, position, available, path }: PlainMdxError,
): MdxError {
  return new type(message, position, available, path);
}

/** Returns a cause for the log: an error passes between threads with its name, message and stack. */
function plainCause(cause: unknown): unknown {
  if (cause === undefined) return undefined;
  if (!(cause instanceof Error)) return String(cause);
  const plain = new Error(cause.message);
  plain.name = cause.name;
  if (cause.stack !== undefined) plain.stack = cause.stack;
  return plain;
}

function keysOf<Table extends object>(table: Table): readonly (keyof Table & string)[] {
  return Object.keys(table) as (keyof Table & string)[];
}
