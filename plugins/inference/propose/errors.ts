import { BudgetExceededError, ServiceError, UpstreamError } from '../../../router/errors.ts';

/** A proposal that can be no cube schema. */
export class InvalidProposalError extends ServiceError {
  readonly kind = 'VALIDATION';
  /** Set for a proposal of the language model. */
  readonly traceId: string | undefined;

  constructor(message: string, traceId?: string) {
    super(message, { code: 'invalid_proposal' });
    this.traceId = traceId;
  }
}

/** The body of `render` has no cube. */
export class EmptyProposalError extends ServiceError {
  readonly kind = 'VALIDATION';
  constructor() {
    super('The body is empty: send the proposal itself.', { code: 'empty_proposal' });
  }
}

/** The language model failed or refused. */
export class TracedUpstreamError extends UpstreamError {
  readonly traceId: string;
  constructor(cause: UpstreamError, traceId: string) {
    super(cause.message, { code: 'upstream_error', cause });
    this.traceId = traceId;
  }
}

/** The month's budget is used up. */
export class TracedBudgetError extends BudgetExceededError {
  readonly traceId: string;
  constructor(cause: BudgetExceededError, traceId: string) {
    const { spentUsd, budgetUsd, resetAtMillis, retryAfterSeconds } = cause;
    super(cause.message, { spentUsd, budgetUsd, resetAtMillis, retryAfterSeconds, code: 'quota_exceeded', cause });
    this.traceId = traceId;
  }
}
