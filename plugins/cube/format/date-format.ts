import { monthNames, weekdayNames } from './calendar-names.ts';
import { type Locale, plainSpaces } from './locale.ts';
import type { Character } from './section.ts';

/** Formats a point in time by its UTC fields. */
export type DateFormat = (date: Date) => string;

/** Letters for parts of a date or a time. */
export const DATE_LETTERS = 'cdwmqyhnstDWMQYHNSTC';

/**
 * Returns the formatter of a date format in the language of Visual Basic: `d dd ddd dddd ddddd dddddd`, `w ww`, `m mm
 * mmm mmmm`, `q`, `y yy yyyy`, `h hh`, `n nn`, `s ss`, `ttttt`, `c`, `AM/PM am/pm A/P a/p AMPM`, and `/` and `:` for
 * the locale's separators. `m` after hours means minutes.
 */
export function dateFormat(characters: readonly Character[], locale: Locale): DateFormat {
  const parts: DateFormat[] = [];
  const hasHalves = /am\/pm|a\/p|ampm/i.test(characters.map((c) => (c.literal ? ' ' : c.text)).join(''));
  let last = '';
  for (let at = 0; at < characters.length; ) {
    const character = characters[at];
    if (character === undefined) break;
    const { text, literal } = character;
    if (literal) {
      parts.push(() => text);
      at += 1;
      continue;
    }
    const ahead = unquoted(characters, at);
    const half = /^(?:am\/pm|a\/p|ampm)/i.exec(ahead)?.[0];
    if (half !== undefined) {
      parts.push((date) => halfOfDay(half, date, locale));
      at += half.length;
      continue;
    }
    const run = /^([cdwmqyhnst])\1*/i.exec(ahead)?.[0];
    if (run === undefined) {
      const sign = text === '/' ? locale.dateSeparator : text === ':' ? locale.timeSeparator : text;
      parts.push(() => sign);
      at += 1;
      continue;
    }
    const letters = run.toLowerCase();
    const isMinute = /^m{1,2}$/.test(letters) && last.startsWith('h');
    parts.push(partOf(isMinute ? letters.replaceAll('m', 'n') : letters, hasHalves, locale));
    last = letters;
    at += run.length;
  }
  return (date) => parts.map((part) => part(date)).join('');
}

function unquoted(characters: readonly Character[], from: number): string {
  const end = characters.findIndex(({ literal }, at) => at > from && literal);
  return characters
    .slice(from, end < 0 ? undefined : end)
    .map(({ text }) => text)
    .join('');
}

function partOf(run: string, hasHalves: boolean, locale: Locale): DateFormat {
  const named = (options: Intl.DateTimeFormatOptions): DateFormat => {
    const intl = new Intl.DateTimeFormat(locale.tag, { ...options, timeZone: 'UTC' });
    return (date) => plainSpaces(intl.format(date));
  };
  const nameAt =
    (names: readonly string[], index: (date: Date) => number): DateFormat =>
    (date) =>
      names[index(date)] ?? '';
  const number =
    (width: number, of: (date: Date) => number): DateFormat =>
    (date) =>
      String(of(date)).padStart(width, '0');
  const hours = (date: Date) => (hasHalves ? date.getUTCHours() % 12 || 12 : date.getUTCHours());
  switch (run) {
    case 'c':
      return (date) => {
        const isMidnight = date.getTime() % DAY === 0;
        return isMidnight ? short(date) : `${short(date)} ${clock(date)}`;
      };
    case 'd':
    case 'dd':
      return number(run.length, (date) => date.getUTCDate());
    case 'ddd':
      return nameAt(weekdayNames('short', locale.tag), (date) => date.getUTCDay());
    case 'dddd':
      return nameAt(weekdayNames('long', locale.tag), (date) => date.getUTCDay());
    case 'ddddd':
      return (date) => short(date);
    case 'dddddd':
      return named({ dateStyle: 'full' });
    case 'w':
      return number(1, (date) => date.getUTCDay() + 1);
    case 'ww':
      return number(1, weekOfYear);
    case 'm':
    case 'mm':
      return number(run.length, (date) => date.getUTCMonth() + 1);
    case 'mmm':
      return nameAt(monthNames('short', locale.tag), (date) => date.getUTCMonth());
    case 'mmmm':
      return nameAt(monthNames('long', locale.tag), (date) => date.getUTCMonth());
    case 'q':
      return number(1, (date) => Math.floor(date.getUTCMonth() / 3) + 1);
    case 'y':
      return number(1, dayOfYear);
    case 'yy':
      return number(2, (date) => date.getUTCFullYear() % 100);
    case 'yyyy':
      return number(4, (date) => date.getUTCFullYear());
    case 'h':
    case 'hh':
      return number(run.length, hours);
    case 'n':
    case 'nn':
      return number(run.length, (date) => date.getUTCMinutes());
    case 's':
    case 'ss':
      return number(run.length, (date) => date.getUTCSeconds());
    case 'ttttt':
      return (date) => clock(date);
    default:
      // Not a part of a date: written unchanged.
      return () => run;
  }

  function short(date: Date): string {
    return named({ dateStyle: 'short' })(date);
  }
  function clock(date: Date): string {
    return named({ timeStyle: 'medium' })(date);
  }
}

const DAY = 86_400_000;

/** Returns the day of the year, from 1. */
function dayOfYear(date: Date): number {
  return Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / DAY) + 1;
}

/** Returns the week of the year, from 1. Weeks begin on Sunday, and the first week has 1 January. */
function weekOfYear(date: Date): number {
  const firstWeekday = new Date(Date.UTC(date.getUTCFullYear(), 0, 1)).getUTCDay();
  return Math.floor((dayOfYear(date) - 1 + firstWeekday) / 7) + 1;
}

/** Returns the half of the day: `AM/PM`, `am/pm`, `A/P`, `a/p` as written, `AMPM` as in the locale. */
function halfOfDay(written: string, date: Date, locale: Locale): string {
  const isMorning = date.getUTCHours() < 12;
  const [morning = '', afternoon] = written.split('/');
  if (afternoon !== undefined) return isMorning ? morning : afternoon;
  const parts = new Intl.DateTimeFormat(locale.tag, { hour: 'numeric', hour12: true, timeZone: 'UTC' });
  return parts.formatToParts(date).find(({ type }) => type === 'dayPeriod')?.value ?? (isMorning ? 'AM' : 'PM');
}
