const SYMBOLS: readonly (readonly [unit: string, pattern: RegExp])[] = [
  ['USD', /\$|\bUSD\b/],
  ['GBP', /£|\bGBP\b/],
  ['EUR', /€|\bEUR\b/],
  ['JPY', /[¥￥]|\bJPY\b/],
  ['%', /[%％]/],
];

/** Most numbers have no unit, which one test shows. */
const ANY_SYMBOL = new RegExp(SYMBOLS.map(([, { source }]) => source).join('|'));

/** Returns the unit in a formatted number; `null` if there is none. */
export function shownUnit(formatted: string): string | null {
  if (!ANY_SYMBOL.test(formatted)) return null;
  return SYMBOLS.find(([, pattern]) => pattern.test(formatted))?.[0] ?? null;
}
