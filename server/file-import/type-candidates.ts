/**
 * Writes the types of text columns as SQL of DuckDB. Each candidate is an expression that returns the value or NULL. A column gets the first
 * candidate that reads all values of the file: nothing is lost, and the conversion cannot fail.
 */

import { germanDateSql, monthOfYearSql } from './named-months.ts';
import { literal } from './sql-text.ts';

/** A way to read a text column. */
export type Candidate = BooleanCandidate | NumberCandidate | DateCandidate;

interface AnyCandidate {
  /** The note for the column, where the text is not a plain value of the type. */
  readonly note?: string;
}

interface BooleanCandidate extends AnyCandidate {
  readonly kind: 'boolean';
  /** Writes SQL of the converted value, NULL for a text that does not convert. */
  convert(text: string): string;
}

/** A way to read dates, timestamps or instants. */
interface DateCandidate extends AnyCandidate {
  readonly kind: 'date';
  /** Reads dates with two digits of the year. */
  readonly hasShortYears: boolean;
  /** Writes SQL of the converted value, NULL for a text that does not convert. */
  convert(text: string): string;
}

interface NumberCandidate extends AnyCandidate {
  readonly kind: 'number';
  /** True where a currency or a percent sign may be beside the numbers. */
  readonly mayHaveUnit: boolean;
  /** Writes SQL of the converted value, NULL for a text that does not convert; the digits of the column decide its type. */
  convert(text: string, shape: DecimalShape): string;
  /** Writes SQL of the number as plain text. */
  plainNumber(text: string): string;
}

/** Digits of the column's longest numbers. */
export interface DecimalShape {
  readonly before: number;
  readonly after: number;
  readonly hasExponent: boolean;
}

const matches = (text: string, pattern: string): string => `regexp_full_match(${text}, ${literal(pattern)})`;

const MAX_EXACT_DIGITS = 18;
const SIGN = '[-+]?';
/** Not `007`: leading zeros are part of a code. */
const WHOLE = '(0|[1-9]\\d*)';

/** Texts for a missing value in a typed column, with surrounding white space. */
const MISSING = '\\s*(null|NULL|\\\\N|NA|N/A|n/a|#N/A|NaN|nan|-)?\\s*';

/**
 * Writes SQL of a cell without surrounding white space, NULL for a missing value. One pattern, not a list: DuckDB
 * keeps a vector for each entry of a list, for each of a thousand columns.
 *
 * @param emptyValues more texts that mean a missing value
 */
export function cellSql(column: string, emptyValues: readonly string[] = []): string {
  const more = emptyValues.length === 0 ? '' : ` OR trim(${column}) IN (${emptyValues.map(literal).join(', ')})`;
  return `CASE WHEN ${matches(column, MISSING)}${more} THEN NULL ELSE trim(${column}) END`;
}

/** Writes SQL that is true of a cell with a word or a sign for a missing value, and false of an empty cell. */
export function placeholderSql(column: string): string {
  return `(${matches(column, MISSING)} AND trim(${column}) <> '')`;
}

/** Returns a read value without surrounding white space; `undefined` for a missing value. */
export function presentText(value: unknown): string | undefined {
  return typeof value !== 'string' || MISSING_CELL.test(value) ? undefined : value.trim();
}

const MISSING_CELL = new RegExp(`^${MISSING}$`);

/** Currencies beside numbers, by their codes; the sign of a currency means the same as its code. */
const CURRENCIES: Readonly<Record<string, { readonly sign?: string }>> = {
  EUR: { sign: '€' },
  USD: { sign: '$' },
  GBP: { sign: '£' },
  JPY: { sign: '¥' },
  INR: { sign: '₹' },
  CHF: {},
  CAD: {},
  AUD: {},
  CNY: {},
  SEK: {},
  NOK: {},
  DKK: {},
  PLN: {},
  CZK: {},
  BRL: {},
};
/** Codes with their signs, where a currency has one. */
const SIGNS = Object.entries(CURRENCIES).flatMap(([code, { sign }]) => (sign === undefined ? [] : [{ code, sign }]));
const CURRENCY_TEXTS: ReadonlySet<string> = new Set([...SIGNS.map(({ sign }) => sign), ...Object.keys(CURRENCIES)]);

/** Returns whether a unit of `unitSql` is a currency: its sign, or its code where it has no sign. */
export function isCurrency(unit: string): boolean {
  return CURRENCY_TEXTS.has(unit);
}

/** A pattern of the units that may stand before a number, too. */
const AROUND = [...CURRENCY_TEXTS, '%'].map((text) => text.replace('$', '\\$')).join('|');
/** Units of measure, which stand behind a number only. */
const MEASURES =
  'kWh|MWh|kg|km/h|km|cm|mm|m²|m2|m³|m3|ml|mg|°C|°F|lbs?|oz|Stück|Stk\\.?|St\\.?|pcs\\.?|Std\\.?|hrs?|min|Tage?|days?|[ghltm]';
/** Writes SQL of the unit of a cell, empty where it has none: the sign of a currency where it has one. */
export function unitSql(text: string): string {
  const unit = `coalesce(nullif(regexp_extract(${text}, ${literal(`(${AROUND})`)}, 1), ''), regexp_extract(${text}, ${literal(`[\\d.,]\\s?(${MEASURES})$`)}, 1))`;
  const signs = SIGNS.map(({ code, sign }) => `WHEN ${literal(code)} THEN ${literal(sign)}`);
  return `(CASE ${unit} ${signs.join(' ')} ELSE ${unit} END)`;
}
/** Writes SQL of a number with its minus in front, where accountants write parentheses or a trailing minus: `(5.00)`, `5.00-`. */
const withLeadingMinus = (text: string): string =>
  `regexp_replace(regexp_replace(${text}, '^\\(\\s*(.*\\d.*?)\\s*\\)$', '-\\1'), '^(.*\\d.*?)\\s?-$', '-\\1')`;
const ACCOUNTED = 'negative numbers in parentheses or with the minus behind';
const withoutUnit = (text: string): string =>
  `regexp_replace(regexp_replace(${text}, ${literal(`^([-+]?)\\s?(?:${AROUND})\\s?`)}, '\\1'), ${literal(`\\s?(?:${AROUND}|${MEASURES})$`)}, '')`;

/** The notation around the digits of a number. */
type Notation = 'plain' | 'unit' | 'accounting';

const bareNumber: Readonly<Record<Notation, (text: string) => string>> = {
  plain: (text) => text,
  unit: withoutUnit,
  accounting: (text) => withoutUnit(withLeadingMinus(text)),
};

interface NumberStyle {
  readonly id: string;
  readonly note?: string;
  readonly pattern: string;
  plain(text: string): string;
}

const GROUP_SPACE = "[\u00a0\u202f ']";
const STYLES: readonly NumberStyle[] = [
  {
    id: 'point',
    pattern: `${SIGN}(${WHOLE}(\\.\\d*)?|\\.\\d+)([eE][-+]?\\d{1,3})?`,
    plain: (text) => text,
  },
  {
    id: 'comma',
    note: 'decimal comma',
    pattern: `${SIGN}(${WHOLE}|[1-9]\\d{0,2}(\\.\\d{3})+)(,\\d*)?`,
    plain: (text) => `replace(replace(${text}, '.', ''), ',', '.')`,
  },
  {
    id: 'grouped',
    note: 'thousands separated by commas',
    pattern: `${SIGN}(${WHOLE}|[1-9]\\d{0,2}(,\\d{3})+)(\\.\\d*)?`,
    plain: (text) => `replace(${text}, ',', '')`,
  },
  {
    id: 'spaced-point',
    note: 'thousands separated by spaces',
    pattern: `${SIGN}(${WHOLE}|[1-9]\\d{0,2}(${GROUP_SPACE}\\d{3})+)(\\.\\d*)?`,
    plain: (text) => `regexp_replace(${text}, ${literal(GROUP_SPACE)}, '', 'g')`,
  },
  {
    id: 'spaced-comma',
    note: 'decimal comma, thousands separated by spaces',
    pattern: `${SIGN}(${WHOLE}|[1-9]\\d{0,2}(${GROUP_SPACE}\\d{3})+)(,\\d*)?`,
    plain: (text) => `replace(regexp_replace(${text}, ${literal(GROUP_SPACE)}, '', 'g'), ',', '.')`,
  },
];

function numeric({ note: styled, pattern, plain }: NumberStyle, notation: Notation): NumberCandidate {
  const bare = bareNumber[notation];
  const notes = [...(styled === undefined ? [] : [styled]), ...(notation === 'accounting' ? [ACCOUNTED] : [])];
  const note = notes.length === 0 ? undefined : notes.join(', ');
  const number = (text: string): string => `CASE WHEN ${matches(bare(text), pattern)} THEN ${plain(bare(text))} END`;
  return {
    kind: 'number',
    mayHaveUnit: notation !== 'plain',
    ...(note === undefined ? {} : { note }),
    plainNumber: number,
    convert(text, shape) {
      const digits = Math.max(1, shape.before) + shape.after;
      if (shape.hasExponent || digits > MAX_EXACT_DIGITS) return `TRY_CAST(${number(text)} AS DOUBLE)`;
      if (shape.after === 0) return `TRY_CAST(rtrim(${number(text)}, '.') AS BIGINT)`;
      // Space for larger values in a later version of the file.
      return `TRY_CAST(${number(text)} AS DECIMAL(${MAX_EXACT_DIGITS}, ${shape.after}))`;
    },
  };
}

const YEAR_FIRST = ['%Y-%m-%d', '%Y/%m/%d', '%Y.%m.%d'];
const NAMED = ['%d %b %Y', '%d-%b-%Y', '%b %d, %Y', '%B %d, %Y', '%d %B %Y', '%b %d %Y'];
/** With dots the day always comes first. */
const CLEAR = [...YEAR_FIRST, '%d.%m.%Y', ...NAMED];
const DAY_FIRST = [...CLEAR, '%d/%m/%Y', '%d-%m-%Y'];
const MONTH_FIRST = [...CLEAR, '%m/%d/%Y', '%m-%d-%Y'];
const SHORT = (formats: readonly string[]) =>
  formats.filter((each) => each.endsWith('%Y')).map((each) => each.replace('%Y', '%y'));
const TIMES = ['%H:%M:%S', '%H:%M', '%H:%M:%S.%f', '%I:%M %p', '%I:%M:%S %p'];
const withTimes = (formats: readonly string[]) => [
  ...formats.flatMap((date) => TIMES.map((time) => `${date} ${time}`)),
  ...formats
    .filter((each) => each.startsWith('%Y-'))
    .flatMap((date) => TIMES.slice(0, 3).map((time) => `${date}T${time}`)),
  ...formats,
];

/**
 * Writes SQL that parses a date. DuckDB reads `24` as the year 24, too: where four digits are meant, there must be
 * four.
 */
function parsed(text: string, formats: readonly string[]): string {
  const value = `try_strptime(${text}, ${formats.length === 1 ? literal(formats[0] ?? '') : `[${formats.map(literal).join(', ')}]`})`;
  if (formats.some((format) => format.includes('%y'))) return value;
  return `CASE WHEN regexp_matches(${text}, '(^|\\D)[12]\\d{3}(\\D|$)') THEN ${value} END`;
}

const instant = (text: string): string =>
  `CASE WHEN ${matches(text, '\\d{4}-\\d\\d-\\d\\d[ T]\\d\\d:\\d\\d(:\\d\\d(\\.\\d+)?)?\\s?(Z|UTC|[-+]\\d\\d(:?\\d\\d)?)')} THEN TRY_CAST(${text} AS TIMESTAMPTZ) AT TIME ZONE 'UTC' END`;

function dates(formats: readonly string[], note?: string): DateCandidate {
  return {
    kind: 'date',
    hasShortYears: false,
    ...(note === undefined ? {} : { note }),
    convert: (text) => `CAST(${parsed(text, formats)} AS DATE)`,
  };
}

/** Reads dates of which some, or all, have two digits of the year. */
function datesWithShortYears(formats: readonly string[]): DateCandidate {
  const short = SHORT(formats);
  return {
    kind: 'date',
    hasShortYears: true,
    note: 'dates with two digits of the year',
    convert: (text) => `CAST(coalesce(${parsed(text, formats)}, ${parsed(text, short)}) AS DATE)`,
  };
}

/** Writes SQL that is true of a date without four digits of the year. */
export function shortYearSql(text: string): string {
  return `NOT regexp_matches(${text}, '(^|\\D)[12]\\d{3}(\\D|$)')`;
}

export const DAY_FIRST_DATES = dates(DAY_FIRST, 'dates with the day before the month');
export const MONTH_FIRST_DATES = dates(MONTH_FIRST, 'dates with the month before the day');
const BOOLEAN: BooleanCandidate = {
  kind: 'boolean',
  convert: (text) => `CASE WHEN lower(${text}) IN ('true', 'false') THEN lower(${text}) = 'true' END`,
};

/**
 * Lists every way to read a column, the plainest first, in groups of which a later one is tried only where no earlier
 * one fits. `order` decides for dates that can be read both ways.
 */
export function candidates(
  order: 'day-first' | 'month-first',
  hasSemicolons: boolean,
): readonly (readonly Candidate[])[] {
  const styles = STYLES.toSorted((left, right) => rank(left, hasSemicolons) - rank(right, hasSemicolons));
  const orders = [
    [DAY_FIRST_DATES, DAY_FIRST, 'dates with the day before the month'],
    [MONTH_FIRST_DATES, MONTH_FIRST, 'dates with the month before the day'],
  ] as const;
  const dated = order === 'day-first' ? orders : [orders[1], orders[0]];
  const isoTimestamp: DateCandidate = {
    kind: 'date',
    hasShortYears: false,
    convert: (text) => `CASE WHEN ${matches(text, ISO_TIMESTAMP)} THEN TRY_CAST(${text} AS TIMESTAMP) END`,
  };
  return [
    [BOOLEAN, ...styles.map((style) => numeric(style, 'plain'))],
    [
      dates(['%Y-%m-%d']),
      // One format is read several times as fast as a list of them.
      ...dated.flatMap(([, formats, note]) =>
        formats
          .filter((each) => NUMERIC_DATE.test(each))
          .map((each) => dates([each], CLEAR.includes(each) ? orders[0][2] : note)),
      ),
      isoTimestamp,
    ],
    [dates(CLEAR, 'dates written in several ways'), ...dated.map(([date]) => date)],
    NAMED_MONTHS.map(({ note, convert }) => ({
      kind: 'date' as const,
      hasShortYears: false,
      note,
      convert: (text: string) => convert(text, 'full'),
    })),
    [
      ...dated.map(([, formats]) => datesWithShortYears(formats)),
      ...NAMED_MONTHS.map(({ note, convert }) => ({
        kind: 'date' as const,
        hasShortYears: true,
        note: `${note}, with two digits of the year`,
        convert: (text: string) => `coalesce(${convert(text, 'full')}, ${convert(text, 'short')})`,
      })),
    ],
    [
      {
        kind: 'date' as const,
        hasShortYears: false,
        note: 'instants with an offset, kept in UTC',
        convert: instant,
      },
      ...dated.map(([, formats, note]) => ({
        kind: 'date' as const,
        hasShortYears: false,
        note,
        convert: (text: string) => parsed(text, withTimes(formats)),
      })),
    ],
    styles.map((style) => numeric(style, 'unit')),
    styles.map((style) => numeric(style, 'accounting')),
  ];
}

const NAMED_MONTHS = [
  { note: 'dates with German names of months', convert: germanDateSql },
  { note: 'months, read as their first day', convert: monthOfYearSql },
];
const NUMERIC_DATE = /^%[dm][./-]%[dm][./-]%Y$/;
const ISO_TIMESTAMP = '\\d{4}-\\d\\d-\\d\\d[ T]\\d\\d:\\d\\d(:\\d\\d(\\.\\d+)?)?';

/**
 * Ranks a number style: `1,234` has a decimal comma in a file with semicolons between values, else a thousands comma.
 */
function rank({ id }: NumberStyle, hasSemicolons: boolean): number {
  const last = hasSemicolons ? 'grouped' : 'comma';
  return id === last ? 1 : 0;
}
