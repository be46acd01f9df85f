/**
 * Format strings of measures and calculated members: Visual Basic's format language, as MDX uses it, with the
 * separators and names of a locale.
 */
import { LRUCache } from 'lru-cache';
import { DATE_LETTERS, type DateFormat, dateFormat } from './date-format.ts';
import { exactDigitsOf } from './digits.ts';
import { type Locale, localeOf } from './locale.ts';
import { namedFormat, namedWords } from './named.ts';
import { type NumberFormat, numberFormat, wordsFormat } from './number-format.ts';
import { charactersOf, hasAny, sectionsOf } from './section.ts';
import { TEXT_SIGNS, textFormat } from './text-format.ts';

/** A decimal beyond the precision of a double, as digits: `-12.50`. */
export interface ExactDecimal {
  readonly decimal: string;
}

/** The value of a cell. Dates in texts are in ISO form. Only a date format treats a text as a date. */
export type FormatValue = number | bigint | ExactDecimal | string | boolean | Date | null;

/** Formats a value. Null becomes an empty text unless the format has a section for it. */
export type Formatter = (value: FormatValue) => string;

const COMPILED = new LRUCache<string, Formatter>({ max: 1_000 });

/** The last formats of one locale: the cells of a query alternate between few, and a look-up by format alone makes no text. */
const recent = { locale: '', formatters: new Map<string | undefined, Formatter>() };
const MAX_RECENT = 50;

/**
 * Returns the formatter of a format string, for a locale such as `en-US` (`en_US` is accepted). Without a format,
 * numbers have groups and up to three decimals. Every text is a valid format; a malformed one is written unchanged.
 *
 * @throws ValidationError if the locale is invalid
 */
export function formatterFor(format: string | undefined, locale: string): Formatter {
  if (recent.locale !== locale || recent.formatters.size > MAX_RECENT) {
    recent.locale = locale;
    recent.formatters.clear();
  }
  const known = recent.formatters.get(format);
  if (known !== undefined) return known;
  const key = JSON.stringify([locale, format ?? null]);
  const formatter = COMPILED.get(key) ?? compile(format, localeOf(locale));
  COMPILED.set(key, formatter);
  recent.formatters.set(format, formatter);
  return formatter;
}

function compile(written: string | undefined, locale: Locale): Formatter {
  const name = (written ?? '').trim().toLowerCase();
  if (written === undefined || name === '') return plain(GROUPED, locale);
  if (name === 'general number') return plain(GENERAL, locale);
  const words = namedWords(name);
  if (words !== undefined) return ofNumbers(wordsFormat(words));
  const format = namedFormat(name, locale) ?? written;
  const characters = charactersOf(format);
  const sections = sectionsOf(characters);
  if (hasAny(characters, '0#')) return ofNumbers(numberFormat(sections, locale));
  if (hasAny(characters, TEXT_SIGNS)) return ofTexts(sections, locale);
  if (hasAny(characters, DATE_LETTERS)) return ofDates(dateFormat(characters, locale), numberFormat(sections, locale));
  return ofNumbers(numberFormat(sections, locale));
}

/** The patterns without a format, and of `General Number`. */
const GROUPED = '#,##0.###';
const GENERAL = '0.###############';

/**
 * Formats numbers by a pattern, and drops a decimal point without decimals. Other values are unchanged. Numbers are
 * rounded by the exact value of a double, as conformance cases of measures without a format require. A format rounds
 * the written digits.
 */
function plain(pattern: string, locale: Locale): Formatter {
  const format = ofNumbers(numberFormat(sectionsOf(charactersOf(pattern)), locale, exactDigitsOf));
  return (value) => {
    if (typeof value === 'boolean') return String(value);
    const text = format(value);
    return numberOf(value) !== undefined && text.endsWith(locale.decimal) ? text.slice(0, -1) : text;
  };
}

/** Returns a formatter of numbers, which does not change texts and dates. */
function ofNumbers(format: NumberFormat): Formatter {
  return (value) => {
    if (value === null) return format.nothing();
    const number = typeof value === 'boolean' ? Number(value) : numberOf(value);
    return number === undefined ? plainText(value) : format.number(number);
  };
}

/** Returns a formatter with two sections: for all values, and for null and empty texts. */
function ofTexts(sections: ReturnType<typeof sectionsOf>, locale: Locale): Formatter {
  const [all = [], none] = sections;
  const write = textFormat(all);
  const general = plain(GENERAL, locale);
  return (value) => {
    if (value !== null && value !== '') return write(general(value));
    if (none !== undefined) return textFormat(none)('');
    return value === null ? '' : write('');
  };
}

/**
 * Returns a formatter of dates, texts that are dates, and numbers as days from 1899-12-30. Other texts are unchanged.
 */
function ofDates(format: DateFormat, literal: NumberFormat): Formatter {
  return (value) => {
    if (value === null) return literal.nothing();
    const date = dateOf(value);
    return date === undefined ? plainText(value) : format(date);
  };
}

const ISO = /^(?:(\d{4})-(\d\d)-(\d\d))?(?:[T ]?(\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?)?Z?$/;
const FIRST_DAY = Date.UTC(1899, 11, 30);
const DAY = 86_400_000;

function dateOf(value: FormatValue): Date | undefined {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? undefined : value;
  if (typeof value === 'number') {
    const date = new Date(FIRST_DAY + Math.round(value * DAY));
    return Number.isNaN(date.getTime()) ? undefined : date;
  }
  if (typeof value !== 'string') return undefined;
  const parts = value === '' ? null : ISO.exec(value);
  if (parts === null) return undefined;
  const [, year, month, day, hour = '0', minute = '0', second = '0'] = parts;
  // A time without a date is on the first day.
  const start = year === undefined ? FIRST_DAY : Date.UTC(Number(year), Number(month) - 1, Number(day));
  return new Date(start + ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1_000);
}

function numberOf(value: FormatValue): number | bigint | string | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  return typeof value === 'object' && value !== null && 'decimal' in value ? value.decimal : undefined;
}

/** Returns the text of a value that is not a number, unchanged. */
function plainText(value: FormatValue): string {
  if (value === null) return '';
  if (value instanceof Date)
    return value
      .toISOString()
      .replace(/T00:00:00\.000Z$/, '')
      .replace(/\.000Z$/, '');
  return typeof value === 'object' ? value.decimal : String(value);
}
