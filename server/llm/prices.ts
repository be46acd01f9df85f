/** Prices of tokens. They are estimates for budgets and for `usage`; the provider's invoice decides. */

import type { LlmProvider } from '../config/llm-providers.ts';

/** Prices in US dollars per million tokens. */
export interface Price {
  readonly input: number;
  /** For tokens read from the provider's prompt cache. */
  readonly cachedInput: number;
  /** For tokens written to the provider's prompt cache; equals `input` where the provider does not charge for it. */
  readonly cacheWrite: number;
  readonly output: number;
}

const anthropic = (input: number, output: number): Price => ({
  input,
  cachedInput: input / 10,
  cacheWrite: input * 1.25,
  output,
});
const openai = (input: number, cachedInput: number, output: number): Price => ({
  input,
  cachedInput,
  cacheWrite: input,
  output,
});

/** List prices of 2026-03-21, from the providers' public price pages, by model without the date at the end of its name. */
export const PRICES = {
  anthropic: {
    'claude-haiku-4-5': anthropic(1, 5),
    'claude-sonnet-4-5': anthropic(3, 15),
    'claude-sonnet-4-6': anthropic(3, 15),
    'claude-opus-4-5': anthropic(5, 25),
    'claude-opus-4-6': anthropic(5, 25),
  },
  openai: {
    'gpt-4.1-mini': openai(0.4, 0.1, 1.6),
    'gpt-4.1': openai(2, 0.5, 8),
    'gpt-5-nano': openai(0.05, 0.005, 0.4),
    'gpt-5-mini': openai(0.25, 0.025, 2),
    'gpt-5': openai(1.25, 0.125, 10),
    'gpt-5.2': openai(1.75, 0.175, 14),
  },
} as const satisfies Record<LlmProvider, Record<string, Price>>;

/** The default model. */
export const DEFAULT_MODEL: Readonly<Record<LlmProvider, string>> = {
  anthropic: 'claude-sonnet-4-6',
  openai: 'gpt-5-mini',
};

/** Returns the price of a model; for an unlisted model the highest price of its provider, with `isExact: false`. */
export function priceOf(provider: LlmProvider, model: string): { readonly price: Price; readonly isExact: boolean } {
  const prices: Readonly<Record<string, Price>> = PRICES[provider];
  const name = model.replace(/-(\d{8}|\d{4}-\d{2}-\d{2})$/, '');
  const price = Object.hasOwn(prices, name) ? prices[name] : undefined;
  if (price !== undefined) return { price, isExact: true };
  const dearest = Object.values(prices).reduce((most, each) => (each.output > most.output ? each : most));
  return { price: dearest, isExact: false };
}

export interface TokenCounts {
  /** Tokens that were neither read from nor written to the prompt cache. */
  readonly input: number;
  readonly cachedInput: number;
  readonly cacheWrite: number;
  readonly output: number;
}

/** Returns the cost in US dollars. */
export function costOf(price: Price, tokens: TokenCounts): number {
  return (
    (tokens.input * price.input +
      tokens.cachedInput * price.cachedInput +
      tokens.cacheWrite * price.cacheWrite +
      tokens.output * price.output) /
    1_000_000
  );
}
