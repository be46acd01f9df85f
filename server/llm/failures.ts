import { CancelledError, type ServiceError, UpstreamError } from '../../router/errors.ts';

/** What the SDKs' errors have in common. */
interface ProviderError {
  readonly status?: number | undefined;
}

/** Turns what a provider's SDK throws into an error whose words can be shown; the provider's own stay in the log. */
export function toServiceError(error: unknown, { signal }: { readonly signal: AbortSignal }): ServiceError {
  if (signal.aborted) {
    return isTimeout(signal.reason)
      ? new UpstreamError('The language model did not answer in time. Ask again, or ask something smaller.', {
          cause: error,
        })
      : new CancelledError('The question was cancelled.', { cause: error });
  }
  const { status } = (error ?? {}) as ProviderError;
  return new UpstreamError(`${reason(status)} Ask again later, or tell the administrator.`, { cause: error });
}

export function declined(why: string | undefined): UpstreamError {
  return new UpstreamError('The language model declined to answer this question. Put it in other words.', {
    cause: why,
  });
}

function reason(status: number | undefined): string {
  if (status === undefined) return 'The language model cannot be reached.';
  if (status === 401 || status === 403) return 'The language model does not accept the API key of this service.';
  if (status === 404) return 'The language model of the settings does not exist.';
  if (status === 429) return 'The language model has no capacity left for this service.';
  if (status === 400 || status === 413 || status === 422) return 'The language model did not accept the question.';
  return 'The language model failed.';
}

function isTimeout(reason: unknown): boolean {
  return reason instanceof Error && reason.name === 'TimeoutError';
}
