import { z } from 'zod';
import type { LlmCall, LlmRequest } from '../../router/capabilities/llm.ts';
import type { TokenCounts } from './prices.ts';

/** One provider's protocol. Failures are thrown as `CancelledError` or `UpstreamError`. */
export interface LlmAdapter {
  complete(request: AdapterRequest): Promise<Completion>;
}

export interface AdapterRequest extends Omit<LlmRequest, 'tenant' | 'purpose'> {
  readonly model: string;
  readonly signal: AbortSignal;
}

export interface Completion {
  readonly call: LlmCall | undefined;
  readonly text: string;
  /** The provider's name of the answering model. */
  readonly model: string;
  readonly tokens: TokenCounts;
}

export interface AdapterOptions {
  readonly apiKey: string;
  /** Default: the provider's own address. */
  readonly endpoint: string | undefined;
  /** Time limit of one attempt. */
  readonly timeoutMs: number;
  /** Number of retries after 408, 409, 429, 5xx and lost connections, with back-off or the time of `Retry-After`. */
  readonly maxRetries: number;
}

/** A count of tokens in a provider's answer. It is money, so only a valid count is booked. */
export const Tokens = z.int().min(0);
