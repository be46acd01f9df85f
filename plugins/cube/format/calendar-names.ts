import { once } from '../../../router/once.ts';
import { plainSpaces } from './locale.ts';

/** Names of months and weekdays in a locale. */

/** The default locale of names, as in schemas and the functions of Visual Basic. */
const DEFAULT_TAG = 'en-US';

const JANUARY = 0;
/** 1 January 2023 was a Sunday. */
const YEAR = 2023;

/** Returns the names of the months in a locale, January first. */
export function monthNames(width: 'long' | 'short', tag = DEFAULT_TAG): readonly string[] {
  return names({ month: width }, tag, 12, (month) => Date.UTC(YEAR, month, 1));
}

/** Returns the names of the weekdays in a locale, Sunday first. */
export function weekdayNames(width: 'long' | 'short', tag = DEFAULT_TAG): readonly string[] {
  return names({ weekday: width }, tag, 7, (day) => Date.UTC(YEAR, JANUARY, 1 + day));
}

function names(
  options: Intl.DateTimeFormatOptions,
  tag: string,
  count: number,
  timeOf: (index: number) => number,
): readonly string[] {
  const format = new Intl.DateTimeFormat(tag, { ...options, timeZone: 'UTC' });
  return Array.from({ length: count }, (_, index) => plainSpaces(format.format(timeOf(index))));
}

const shortMonths = once(() => monthNames('short').map((name) => name.toLowerCase()));

const monthWord = once(() => new RegExp(String.raw`(?<!\p{L})(${shortMonths().join('|')})\p{L}*`, 'iu'));

/** Returns the index (0 for January) of the month that a text names in English, in full or by its first letters. */
export function monthIndexIn(text: string): number | undefined {
  const word = monthWord().exec(text)?.[1];
  return word === undefined ? undefined : shortMonths().indexOf(word.toLowerCase());
}
