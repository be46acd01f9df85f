import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { CancelledError, type ServiceError, UpstreamError } from '../../router/errors.ts';
import { isDeeperThan } from '../../router/json.ts';
import { MAX_JSON_DEPTH } from '../../router/limits.ts';
import { isRecord } from '../../router/record.ts';

/** The common members of the SDKs' errors. */
interface ProviderError {
  readonly status?: number | undefined;
}

/**
 * Turns an error of a provider's SDK into an error with a message that may be shown; only the log has the provider's
 * text.
 */
export function toServiceError(error: unknown, { signal }: { readonly signal: AbortSignal }): ServiceError {
  if (signal.aborted) {
    return isTimeout(signal.reason)
      ? new UpstreamError('The language model did not answer in time. Ask again, or ask something smaller.', {
          cause: error,
        })
      : new CancelledError('The question was cancelled.', { cause: error });
  }
  const { status } = (error ?? {}) as ProviderError;
  if (status !== undefined) return failure(status, error);
  if (isUnreadable(error)) return noAnswer(undefined, error);
  return failure(isReported(error) ? UNKNOWN_FAILURE : undefined, error);
}

/** Returns whether the SDK received an answer that it could not read. */
function isUnreadable(error: unknown): boolean {
  const isApiError = error instanceof OpenAI.APIError || error instanceof Anthropic.APIError;
  const isSdkError = error instanceof OpenAI.OpenAIError || error instanceof Anthropic.AnthropicError;
  return error instanceof SyntaxError || (isSdkError && !isApiError);
}

/** Returns whether the provider reported a failure in the middle of a started answer. */
function isReported(error: unknown): boolean {
  return (
    (error instanceof OpenAI.APIError && !(error instanceof OpenAI.APIConnectionError)) ||
    (error instanceof Anthropic.APIError && !(error instanceof Anthropic.APIConnectionError))
  );
}

function failure(status: number | undefined, cause: unknown): UpstreamError {
  return new UpstreamError(`${reason(status)} Ask again later, or tell the administrator.`, { cause });
}

/** A provider's 200 that is no answer of its protocol, such as an error or a proxy's page. Its text is not shown. */
export function noAnswer(answer: unknown, cause: unknown): UpstreamError {
  return isRecord(answer) && isRecord(answer.error)
    ? failure(typeof answer.error.code === 'number' ? answer.error.code : UNKNOWN_FAILURE, cause)
    : new UpstreamError(
        'The language model did not answer in its protocol: a proxy or another service may be at its address. Ask again later, or tell the administrator.',
        { cause },
      );
}

const UNKNOWN_FAILURE = 500;

/** Returns the arguments of a call; `undefined` when they nest deeper than any request may. */
export function boundedInput(input: unknown): unknown {
  return isDeeperThan(input, MAX_JSON_DEPTH) ? undefined : input;
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
