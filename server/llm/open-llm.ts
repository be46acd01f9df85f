import type { Clock } from '../../router/capabilities/clock.ts';
import type { Llm, LlmAnswer, LlmRequest } from '../../router/capabilities/llm.ts';
import type { Log } from '../../router/capabilities/log.ts';
import type { Observer } from '../../router/capabilities/observer.ts';
import type { State } from '../../router/capabilities/state.ts';
import { once } from '../../router/once.ts';
import type { LlmProvider } from '../config/llm-providers.ts';
import { costOf, DEFAULT_MODEL, type Price, priceOf } from './prices.ts';
import type { AdapterOptions, Completion, LlmAdapter } from './provider.ts';
import { type Ceilings, type Settlement, SpendLedger } from './spend.ts';

/** Loads the library of a provider, with its first call. */
const ADAPTERS: Readonly<Record<LlmProvider, (options: AdapterOptions) => Promise<LlmAdapter>>> = {
  anthropic: async (options) => (await import('./anthropic.ts')).anthropicAdapter(options),
  openai: async (options) => (await import('./openai.ts')).openaiAdapter(options),
};

/** Environment variables of the providers' API keys, with their SDKs' names. */
export const API_KEY_VARIABLES: Readonly<Record<LlmProvider, string>> = {
  anthropic: 'ANTHROPIC_API_KEY',
  openai: 'OPENAI_API_KEY',
};

export interface LlmOptions {
  readonly provider: LlmProvider;
  readonly apiKey: string;
  /** Default: the provider's default model. */
  readonly model: string | undefined;
  readonly endpoint: string | undefined;
  /** US dollars per million input and output tokens, where the operator overrides the list: 0 for a local model. */
  readonly price: { readonly input: number; readonly output: number } | undefined;
  readonly ceilings: Ceilings;
  /** Time limit of a whole call with its retries. */
  readonly timeoutMs: number;
  readonly state: State;
  readonly clock: Clock;
  readonly log: Log;
  readonly observer?: Observer | undefined;
}

const MAX_RETRIES = 2;

/** A token is rarely shorter than this many bytes, which limits the cost of a call. */
const MIN_BYTES_PER_TOKEN = 2;
const USUAL_BYTES_PER_TOKEN = 4;

export function openLlm(options: LlmOptions): Llm {
  const { provider, apiKey, endpoint, timeoutMs, state, clock, log } = options;
  const model = options.model ?? DEFAULT_MODEL[provider];
  const adapterOf = once(() => ADAPTERS[provider]({ apiKey, endpoint, timeoutMs, maxRetries: MAX_RETRIES }));
  const ledger = new SpendLedger(state, clock, options.ceilings);
  const priceFor = (name: string) => pricing(options, name);

  return {
    provider,
    model,
    budget: (tenant, purpose) => ledger.budget(tenant, purpose),
    call(request) {
      const { tenant, purpose } = request;
      const { observer } = options;
      const activity = { kind: 'llm', provider, model, tenant, purpose } as const;
      return observer === undefined ? call(request) : observer.around(activity, () => call(request));
    },
  };

  async function call(request: LlmRequest): Promise<LlmAnswer> {
    const { tenant, purpose } = request;
    const reservation = await ledger.reserve(tenant, purpose, maxCost(request, priceFor(model).price), 2 * timeoutMs);
    const timeout = AbortSignal.timeout(timeoutMs);
    const signal = request.signal === undefined ? timeout : AbortSignal.any([request.signal, timeout]);
    let completion: Completion;
    try {
      const adapter = await adapterOf();
      completion = await adapter.complete({ ...request, model, signal });
    } catch (error) {
      // An aborted call may be billed for its input; a failed call is not.
      const isGivenUp = signal.aborted;
      await ledger.settle(reservation, isGivenUp ? sentOnly(request, priceFor(model).price) : undefined);
      throw error;
    }
    await ledger.settle(reservation, settlementOf(completion, priceFor(completion.model).price));
    const answer = toAnswer(completion, priceFor(completion.model));
    log.debug({ tenant, purpose, ...answer.usage }, 'asked the language model');
    return answer;
  }
}

function pricing(
  { provider, price }: Pick<LlmOptions, 'provider' | 'price'>,
  model: string,
): { readonly price: Price; readonly isExact: boolean } {
  if (price === undefined) return priceOf(provider, model);
  const { input, output } = price;
  return { price: { input, cachedInput: input, cacheWrite: input, output }, isExact: true };
}

function bytesOf({ system, messages, tools }: LlmRequest): number {
  return Buffer.byteLength(JSON.stringify([system, messages, tools]));
}

function maxCost(request: LlmRequest, price: Price): number {
  const cacheWrite = Math.ceil(bytesOf(request) / MIN_BYTES_PER_TOKEN);
  return costOf(price, { input: 0, cachedInput: 0, cacheWrite, output: request.maxOutputTokens });
}

function sentOnly(request: LlmRequest, price: Price): Settlement {
  const input = Math.ceil(bytesOf(request) / USUAL_BYTES_PER_TOKEN);
  return {
    costUsd: costOf(price, { input, cachedInput: 0, cacheWrite: 0, output: 0 }),
    inputTokens: input,
    outputTokens: 0,
  };
}

function settlementOf({ tokens }: Completion, price: Price): Settlement {
  return { costUsd: costOf(price, tokens), inputTokens: inputOf(tokens), outputTokens: tokens.output };
}

function inputOf({ input, cachedInput, cacheWrite }: Completion['tokens']): number {
  return input + cachedInput + cacheWrite;
}

function toAnswer(
  { call, text, model, tokens }: Completion,
  { price, isExact }: { readonly price: Price; readonly isExact: boolean },
): LlmAnswer {
  return {
    call,
    text,
    usage: {
      model,
      inputTokens: inputOf(tokens),
      cachedInputTokens: tokens.cachedInput,
      outputTokens: tokens.output,
      estimatedCostUsd: costOf(price, tokens),
      isPricingExact: isExact,
    },
  };
}
