const SYMBOLS: readonly (readonly [unit: string, pattern: RegExp])[] = [
  ['USD', /\$|\bUSD\b/],
  ['GBP', /£|\bGBP\b/],
  ['EUR', /€|\bEUR\b/],
  ['JPY', /[¥￥]|\bJPY\b/],
  ['%', /[%％]/],
];

/** Returns the unit in a formatted number; `null` if there is none. */
export function shownUnit(formatted: string): string | null {
  return SYMBOLS.find(([, pattern]) => pattern.test(formatted))?.[0] ?? null;
}
