import type { TenantId } from './identity.ts';

/**
 * A large language model that must call one of the offered tools: structured output, never free text. Its costs are recorded per tenant, and no call
 * starts that could exceed the tenant's budget.
 */

/** The purpose of a call; each purpose has its own budget and period. */
export const LLM_PURPOSES = {
  ask: { period: 'day' },
  propose: { period: 'month' },
} as const satisfies Record<string, { readonly period: 'day' | 'month' }>;
export type LlmPurpose = keyof typeof LLM_PURPOSES;

/** A function that the model may call. */
export interface LlmTool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of an object. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
}

/** A call that the model has made. */
export interface LlmCall {
  readonly id: string;
  readonly tool: string;
  /** The arguments; `undefined` where the model wrote no readable JSON. */
  readonly input: unknown;
}

export type LlmMessage =
  | { readonly role: 'user' | 'assistant'; readonly text: string }
  | { readonly role: 'assistant'; readonly call: LlmCall }
  /** The result of a call; `isError` when the model must correct and repeat it. */
  | { readonly role: 'tool'; readonly callId: string; readonly text: string; readonly isError: boolean };

export interface LlmRequest {
  readonly tenant: TenantId;
  readonly purpose: LlmPurpose;
  /** Parts of the system prompt, the constant parts first: the provider caches the prefix up to the last constant part. */
  readonly system: readonly { readonly text: string; readonly isStable: boolean }[];
  readonly messages: readonly LlmMessage[];
  /** The model must call one of these, exactly once. */
  readonly tools: readonly [LlmTool, ...LlmTool[]];
  readonly maxOutputTokens: number;
  readonly signal?: AbortSignal | undefined;
  /** Receives the number of characters so far; the answer is then streamed. */
  readonly onProgress?: ((characters: number) => void) | undefined;
}

export interface LlmUsage {
  readonly model: string;
  /** All input tokens, including tokens read from the provider's cache. */
  readonly inputTokens: number;
  readonly cachedInputTokens: number;
  readonly outputTokens: number;
  readonly estimatedCostUsd: number;
  /** False for a model without a known price; the price is then that of the provider's most expensive model. */
  readonly isPricingExact: boolean;
}

export interface LlmAnswer {
  /** `undefined` where the model answered without calling a tool. */
  readonly call: LlmCall | undefined;
  /** The whole answer as text, for callers that store it. */
  readonly text: string;
  readonly usage: LlmUsage;
}

/** The spend of a tenant in the current period. */
export interface LlmBudget {
  /** `undefined` where there is no ceiling. */
  readonly budgetUsd: number | undefined;
  /** Spent amount, plus the maximum cost of running calls. */
  readonly spentUsd: number;
  /** Start of the next period, in epoch milliseconds. */
  readonly resetAtMillis: number;
}

export interface Llm {
  readonly provider: string;
  readonly model: string;
  /**
   * Makes one call.
   *
   * @throws BudgetExceededError when it could exceed the tenant's budget
   * @throws UpstreamError when the provider cannot be reached, refuses, or takes too long, after retries
   * @throws CancelledError when `signal` is aborted
   */
  call(request: LlmRequest): Promise<LlmAnswer>;
  budget(tenant: TenantId, purpose: LlmPurpose): Promise<LlmBudget>;
}
