/** Writes SQL that reads dates with German names of months, and months of a year in German and English. */
import { literal } from './sql-text.ts';

/** Names and abbreviations of the months in German, January first. */
const GERMAN: readonly (readonly string[])[] = [
  ['januar', 'jänner', 'jan'],
  ['februar', 'feber', 'feb'],
  ['märz', 'maerz', 'mär', 'mrz'],
  ['april', 'apr'],
  ['mai'],
  ['juni', 'jun'],
  ['juli', 'jul'],
  ['august', 'aug'],
  ['september', 'sept', 'sep'],
  ['oktober', 'okt'],
  ['november', 'nov'],
  ['dezember', 'dez'],
];
/** Names and abbreviations in English that differ from the German ones, January first. */
const ENGLISH: readonly (readonly string[])[] = [
  ['january'],
  ['february'],
  ['march', 'mar'],
  [],
  ['may'],
  ['june'],
  ['july'],
  [],
  [],
  ['october', 'oct'],
  [],
  ['december', 'dec'],
];
const BOTH = GERMAN.map((names, month) => [...names, ...(ENGLISH[month] ?? [])]);

/** `3. März 2024`, `03.Mär.2024`, `3-Mär-24`: day, name, year. */
const DAY = '^(\\d{1,2})(?:\\.\\s?|\\s|-)(\\p{L}{3,9})(?:\\.\\s?|,?\\s|-)';
/** `März 2024`, `Mär. 24`, `Mär-24`: name, year. */
const MONTH = '^(\\p{L}{3,9})(?:\\.\\s?|\\s|-)';
const FULL_YEAR = '([12]\\d{3})$';
const SHORT_YEAR = '(\\d\\d)$';

function monthSql(name: string, months: readonly (readonly string[])[]): string {
  const cases = months.map(
    (names, index) => `WHEN lower(${name}) IN (${names.map(literal).join(', ')}) THEN '${index + 1}'`,
  );
  return `(CASE ${cases.join(' ')} END)`;
}

/** Writes SQL of a date such as `3. März 2024`, NULL for another text. */
export function germanDateSql(text: string, years: 'full' | 'short'): string {
  const pattern = literal(DAY + (years === 'full' ? FULL_YEAR : SHORT_YEAR));
  const part = (group: number): string => `regexp_extract(${text}, ${pattern}, ${group})`;
  return dateSql(part(3), monthSql(part(2), GERMAN), part(1), years);
}

/**
 * Writes SQL of the first day of a month such as `März 2024`, NULL for another text. With two digits of the year the name must be German: `Mar 24` is a
 * day of March in English.
 */
export function monthOfYearSql(text: string, years: 'full' | 'short'): string {
  const pattern = literal(MONTH + (years === 'full' ? FULL_YEAR : SHORT_YEAR));
  const part = (group: number): string => `regexp_extract(${text}, ${pattern}, ${group})`;
  return dateSql(part(2), monthSql(part(1), years === 'full' ? BOTH : GERMAN), `'1'`, years);
}

function dateSql(year: string, month: string, day: string, years: 'full' | 'short'): string {
  return `CAST(try_strptime(${year} || '-' || ${month} || '-' || ${day}, '${years === 'full' ? '%Y' : '%y'}-%m-%d') AS DATE)`;
}

const MONTH_OF_YEAR = new RegExp(`^(${BOTH.flat().join('|')})[. -].*\\d$`, 'i');

/** Returns whether a text begins with the name of a month and ends with a number. */
export function looksLikeMonth(text: string): boolean {
  return MONTH_OF_YEAR.test(text);
}
