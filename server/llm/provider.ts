import { z } from 'zod';
import type { LlmCall, LlmRequest } from '../../router/capabilities/llm.ts';
import type { TokenCounts } from './prices.ts';

/** One provider's protocol. What goes wrong is thrown as `CancelledError` or `UpstreamError`. */
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
  /** As the provider names the model that answered. */
  readonly model: string;
  readonly tokens: TokenCounts;
}

export interface AdapterOptions {
  readonly apiKey: string;
  /** The provider's own address when absent. */
  readonly endpoint: string | undefined;
  /** Of one attempt. */
  readonly timeoutMs: number;
  /** After 408, 409, 429, 5xx and lost connections, with back-off or as long as `Retry-After` says. */
  readonly maxRetries: number;
}

/** A count of tokens in a provider's answer, which is money: nothing else than a count is booked. */
export const Tokens = z.int().min(0);
