import { accountErrorFormat, type ErrorFormat } from '../../router/error-body.ts';
import { EmptyProposalError, InvalidProposalError, TracedBudgetError } from './propose/errors.ts';

/** Formats `{error, message}` with the further fields of an error: trace, place, candidates, budget. */
export const inferenceErrorFormat: ErrorFormat = (error) => ({
  ...('traceId' in error && typeof error.traceId === 'string' ? { traceId: error.traceId } : {}),
  ...accountErrorFormat(error),
  ...(error instanceof InvalidProposalError || error instanceof EmptyProposalError || error instanceof TracedBudgetError
    ? { kind: error.code?.toUpperCase() }
    : {}),
  ...(error instanceof TracedBudgetError
    ? {
        current_spend_usd: error.spentUsd,
        budget_usd: error.budgetUsd,
        reset_at: new Date(error.resetAtMillis).toISOString(),
      }
    : {}),
});
