import { ValidationError } from '../../../router/errors.ts';

/** How a locale writes numbers and dates. */
export interface Locale {
  /** The BCP 47 tag. */
  readonly tag: string;
  readonly decimal: string;
  readonly group: string;
  readonly dateSeparator: string;
  readonly timeSeparator: string;
  /** The sign of the region's currency, such as `$`. */
  readonly currency: string;
}

/**
 * Reads a tag such as `en-US`, or `en_US` as schemas write it.
 *
 * @throws ValidationError if the tag is invalid
 */
export function localeOf(written: string): Locale {
  const [tag] = canonical(written);
  if (tag === undefined) throw ValidationError.at(['locale'], `"${written}" is no locale such as en-US.`);
  const number = new Intl.NumberFormat(tag, { useGrouping: 'always' }).formatToParts(1234567.5);
  const date = new Intl.DateTimeFormat(tag, { dateStyle: 'short', timeZone: 'UTC' }).formatToParts(0);
  const time = new Intl.DateTimeFormat(tag, { timeStyle: 'short', timeZone: 'UTC' }).formatToParts(0);
  return {
    tag,
    decimal: partOf(number, 'decimal') ?? '.',
    group: plainSpaces(partOf(number, 'group') ?? ','),
    dateSeparator: partOf(date, 'literal')?.trim() || '/',
    timeSeparator: partOf(time, 'literal')?.trim() || ':',
    currency: currencySign(tag),
  };
}

function canonical(written: string): readonly string[] {
  try {
    return Intl.getCanonicalLocales(written.replaceAll('_', '-'));
  } catch (error) {
    // It throws only for a malformed tag.
    if (error instanceof RangeError) return [];
    throw error;
  }
}

function partOf(parts: readonly { readonly type: string; readonly value: string }[], type: string): string | undefined {
  return parts.find((part) => part.type === type)?.value;
}

/** Replaces the no-break spaces of `Intl`, which look like spaces but differ in comparisons. */
export function plainSpaces(text: string): string {
  return text.replaceAll(/[\u00a0\u202f]/g, ' ');
}

/** ISO 4217 codes by region (ISO 3166), without the euro's regions. */
const CURRENCIES: Readonly<Record<string, string>> = {
  AU: 'AUD',
  BR: 'BRL',
  CA: 'CAD',
  CH: 'CHF',
  CN: 'CNY',
  CZ: 'CZK',
  DK: 'DKK',
  GB: 'GBP',
  HU: 'HUF',
  IL: 'ILS',
  IN: 'INR',
  JP: 'JPY',
  KR: 'KRW',
  MX: 'MXN',
  NO: 'NOK',
  NZ: 'NZD',
  PL: 'PLN',
  RU: 'RUB',
  SE: 'SEK',
  TR: 'TRY',
  UA: 'UAH',
  US: 'USD',
  ZA: 'ZAR',
};
const EURO = 'AT BE BG CY DE EE ES FI FR GR HR IE IT LT LU LV MT NL PT SI SK'.split(' ');

function currencySign(tag: string): string {
  const region = new Intl.Locale(tag).maximize().region ?? 'US';
  const currency = EURO.includes(region) ? 'EUR' : (CURRENCIES[region] ?? 'USD');
  const parts = new Intl.NumberFormat(tag, { style: 'currency', currency, currencyDisplay: 'narrowSymbol' });
  return partOf(parts.formatToParts(1), 'currency') ?? '$';
}
