import type { ConnectionPart } from './connection-forms.ts';
import { MAX_PROBLEMS } from './limits.ts';
import { formatPath, type RequestPath } from './path.ts';

/**
 * The typed errors of the product. A caller's mistake or an outside failure is a `ServiceError`; each surface's
 * formatter writes it in that surface's documented envelope. Any other thrown value is a bug of ours: it is logged
 * completely, and answered as `InternalError` without details.
 */

/** The closed set of error kinds. A new kind does not compile until `HTTP_STATUS` maps it. */
export type ErrorKind =
  | 'VALIDATION'
  | 'MALFORMED_BODY'
  | 'UNSUPPORTED_MEDIA_TYPE'
  | 'BODY_TOO_LARGE'
  | 'METHOD_NOT_ALLOWED'
  | 'UNAUTHENTICATED'
  | 'FORBIDDEN'
  | 'CSRF_REJECTED'
  | 'EMBED_INVALID'
  | 'NOT_FOUND'
  | 'CONFLICT'
  | 'RATE_LIMITED'
  | 'WAREHOUSE_ERROR'
  | 'WAREHOUSE_UNREACHABLE'
  | 'UPSTREAM_ERROR'
  | 'TIMEOUT'
  | 'UNAVAILABLE'
  | 'CANCELLED'
  | 'INTERNAL';

export const HTTP_STATUS: Readonly<Record<ErrorKind, number>> = {
  VALIDATION: 400,
  MALFORMED_BODY: 400,
  UNSUPPORTED_MEDIA_TYPE: 415,
  BODY_TOO_LARGE: 413,
  METHOD_NOT_ALLOWED: 405,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  CSRF_REJECTED: 403,
  EMBED_INVALID: 401,
  NOT_FOUND: 404,
  CONFLICT: 409,
  RATE_LIMITED: 429,
  WAREHOUSE_ERROR: 502,
  WAREHOUSE_UNREACHABLE: 502,
  UPSTREAM_ERROR: 502,
  TIMEOUT: 504,
  UNAVAILABLE: 503,
  CANCELLED: 499,
  INTERNAL: 500,
};

export interface ErrorDetails {
  /** The place in the request. */
  readonly path?: RequestPath | undefined;
  /** Every legal candidate of that place, nearest first. */
  readonly available?: readonly string[] | undefined;
  /** The surface's own code where it is finer than the kind, such as `TOKEN_LIMIT`. */
  readonly code?: string | undefined;
  readonly retryAfterSeconds?: number | undefined;
  readonly cause?: unknown;
}

/** Base of all errors that a caller may see. `message` gives the caller the problem and the remedy. */
export abstract class ServiceError extends Error {
  abstract readonly kind: ErrorKind;
  readonly path: RequestPath | undefined;
  readonly available: readonly string[] | undefined;
  readonly code: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.name = new.target.name;
    this.path = details.path;
    this.available = details.available;
    this.code = details.code;
    this.retryAfterSeconds = details.retryAfterSeconds;
  }

  /** Formats the place for error bodies: `rows[1].field`. */
  get field(): string | undefined {
    return this.path === undefined ? undefined : formatPath(this.path);
  }

  get status(): number {
    return HTTP_STATUS[this.kind];
  }
}

/** One mistake in a request. A request may have several; the first one leads the error body. */
export interface Problem {
  /** The place in the request; empty for the whole request. */
  readonly path: RequestPath;
  readonly message: string;
  readonly available?: readonly string[] | undefined;
  /**
   * The message without values and candidates, for callers that may not see data. Set where `message` or `available` contains data. No envelope
   * contains it.
   */
  readonly withoutData?: string | undefined;
}

/**
 * Refuses a wrong request: carries the place, the reason and the candidates. `problems` lists the first `MAX_PROBLEMS`
 * mistakes of one pass, `moreProblems` counts the others.
 */
export class ValidationError extends ServiceError {
  readonly kind = 'VALIDATION';
  readonly problems: readonly [Problem, ...Problem[]];
  readonly moreProblems: number;

  /**
   * @param more number of mistakes besides the given ones
   * @param code of the surface, where it is finer than the kind
   */
  constructor(problems: readonly [Problem, ...Problem[]], more = 0, code?: string) {
    const [first, ...others] = problems;
    super(first.message, { path: first.path, available: first.available, code });
    this.problems = [first, ...others.slice(0, MAX_PROBLEMS - 1)];
    this.moreProblems = problems.length - this.problems.length + more;
  }

  static at(path: RequestPath, message: string, available?: readonly string[]): ValidationError {
    return new ValidationError([{ path, message, available }]);
  }

  /** Returns the same mistakes, each at the place that `move` gives for its own. */
  moved(move: (path: RequestPath) => RequestPath): ValidationError {
    return this.reworded(({ path, ...problem }) => ({ path: move(path), ...problem }));
  }

  /** Returns the same mistakes with messages from `reword`. */
  reworded(reword: (problem: Problem) => Problem): ValidationError {
    const [first, ...others] = this.problems;
    return new ValidationError([reword(first), ...others.map(reword)], this.moreProblems, this.code);
  }

  /** Moves the mistakes of a part to their paths in the whole request, which has the part at `path`. */
  under(path: RequestPath): ValidationError {
    return this.moved((inner) => [...path, ...inner]);
  }
}

/** Works on the part of a request at `path`, and moves its mistakes to their paths in the whole request. */
export async function inPart<Result>(path: RequestPath, work: () => Result | Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ValidationError ? error.under(path) : error;
  }
}

export class MalformedBodyError extends ServiceError {
  readonly kind = 'MALFORMED_BODY';
}
export class UnsupportedMediaTypeError extends ServiceError {
  readonly kind = 'UNSUPPORTED_MEDIA_TYPE';
}
export class BodyTooLargeError extends ServiceError {
  readonly kind = 'BODY_TOO_LARGE';
}
export class MethodNotAllowedError extends ServiceError {
  readonly kind = 'METHOD_NOT_ALLOWED';
}
export class UnauthenticatedError extends ServiceError {
  readonly kind = 'UNAUTHENTICATED';
  constructor(message = 'Sign in, or send an API key or basic credentials.', details?: ErrorDetails) {
    super(message, details);
  }
}
export class ForbiddenError extends ServiceError {
  readonly kind = 'FORBIDDEN';
}
export class CsrfRejectedError extends ServiceError {
  readonly kind = 'CSRF_REJECTED';
  constructor(message = 'Send the value of the cookie XSRF-TOKEN in the header X-XSRF-TOKEN.', details?: ErrorDetails) {
    super(message, details);
  }
}
/** Every failed embed read. It carries nothing, so that all failures look alike. */
export class EmbedInvalidError extends ServiceError {
  readonly kind = 'EMBED_INVALID';
  constructor() {
    super('This embed is not available.');
  }
}
export class NotFoundError extends ServiceError {
  readonly kind = 'NOT_FOUND';
}
export class ConflictError extends ServiceError {
  readonly kind = 'CONFLICT';
}
export class RateLimitedError extends ServiceError {
  readonly kind = 'RATE_LIMITED';
}
/** A call could exceed the tenant's spend limit of the current period. */
export class BudgetExceededError extends RateLimitedError {
  readonly spentUsd: number;
  readonly budgetUsd: number;
  /** Start of the next period, in epoch milliseconds. */
  readonly resetAtMillis: number;

  constructor(
    message: string,
    {
      spentUsd,
      budgetUsd,
      resetAtMillis,
      ...details
    }: ErrorDetails & { readonly spentUsd: number; readonly budgetUsd: number; readonly resetAtMillis: number },
  ) {
    super(message, { code: 'QUOTA_EXCEEDED', ...details });
    this.spentUsd = spentUsd;
    this.budgetUsd = budgetUsd;
    this.resetAtMillis = resetAtMillis;
  }
}
/** The warehouse refused a statement. The engine's text is only in the log (`cause`); the message is safe to show. */
export class WarehouseError extends ServiceError {
  readonly kind = 'WAREHOUSE_ERROR';
}
export class WarehouseUnreachableError extends ServiceError {
  readonly kind = 'WAREHOUSE_UNREACHABLE';
  /** The part of the connection that is wrong, where that is clear. */
  readonly part: ConnectionPart | undefined;

  constructor(message: string, details: ErrorDetails & { readonly part?: ConnectionPart | undefined } = {}) {
    super(message, details);
    this.part = details.part;
  }
}
/** A service that this one depends on, for example an LLM or a payment processor, failed or refused. */
export class UpstreamError extends ServiceError {
  readonly kind = 'UPSTREAM_ERROR';
}
export class TimeoutError extends ServiceError {
  readonly kind = 'TIMEOUT';
}
/** A part of the process cannot answer yet, or not for the moment: the same request may be right a little later. */
export class UnavailableError extends ServiceError {
  readonly kind = 'UNAVAILABLE';
  /** @param details `retryAfterSeconds` is left out where only an administrator can end it */
  constructor(
    message: string,
    details: ErrorDetails & { readonly code: string; readonly retryAfterSeconds: number | undefined },
  ) {
    super(message, details);
  }
}
/** Refuses the use of a part of the product that the settings leave off. The message explains how to turn it on. */
export class NotConfiguredError extends ServiceError {
  readonly kind = 'UNAVAILABLE';
  constructor(message: string, details: ErrorDetails & { readonly code: string }) {
    super(message, details);
  }
}
/**
 * Refuses a question that its model or cube cannot answer. The message is the reason; `available` lists questions that it
 * can answer.
 */
export class OffTopicError extends ServiceError {
  readonly kind = 'VALIDATION';
  constructor(reason: string, suggestions: readonly string[]) {
    super(reason, { code: 'OFF_TOPIC', path: ['question'], available: suggestions });
  }
}
export class CancelledError extends ServiceError {
  readonly kind = 'CANCELLED';
  /** A sentence that describes what the query waited for; `undefined` if it had begun. */
  readonly waitedFor: string | undefined;

  constructor(
    message: string,
    { waitedFor, ...details }: ErrorDetails & { readonly waitedFor?: string | undefined } = {},
  ) {
    super(message, details);
    this.waitedFor = waitedFor;
  }
}
/** A broken invariant: a bug in this product, never the caller's mistake. */
export class InternalError extends ServiceError {
  readonly kind = 'INTERNAL';
}
