/** Words, times and sizes of the data page. */
import { language, msg, str } from '../words/words.ts';
import type { ModelEntry, Named } from './data-entries.ts';

/** Describes the state of a model in one line: "Ready · 12 datasets · fresh 09:40". */
export function stateWords({ state, kind, datasets, dataFrom, problems }: ModelEntry, now: Date = new Date()): string {
  const parts = [
    STATE_WORDS[state](),
    ...(datasets === undefined ? [] : [datasets === 1 ? msg('1 dataset') : msg(str`${datasets} datasets`)]),
    ...(kind === 'cube' ? [msg('cube')] : []),
    ...(dataFrom === undefined ? [] : [msg(str`fresh ${timeWords(dataFrom, now)}`)]),
    ...(problems.length === 0 || state === 'BROKEN' ? [] : [problemWords(problems.length)]),
  ];
  return parts.join(' · ');
}

const STATE_WORDS: Readonly<Record<ModelEntry['state'], () => string>> = {
  READY: () => msg('Ready'),
  STALE: () => msg('Its last version has errors; an earlier one answers'),
  BROKEN: () => msg('Not served'),
  DISABLED: () => msg('Switched off'),
  UNSUPPORTED: () => msg('Not supported by this version'),
};

function problemWords(count: number): string {
  return count === 1 ? msg('1 warning') : msg(str`${count} warnings`);
}

/** Writes a time: the hour of today, else the day. */
export function timeWords(time: Date, now: Date = new Date()): string {
  const isToday = time.toDateString() === now.toDateString();
  const style: Intl.DateTimeFormatOptions = isToday
    ? { hour: '2-digit', minute: '2-digit' }
    : { day: 'numeric', month: 'short', year: 'numeric' };
  return new Intl.DateTimeFormat(language, style).format(time);
}

/** Writes a time with its day, unless that is today. */
export function whenWords(time: Date, now: Date = new Date()): string {
  const isToday = time.toDateString() === now.toDateString();
  const style: Intl.DateTimeFormatOptions = { hour: '2-digit', minute: '2-digit' };
  return new Intl.DateTimeFormat(language, isToday ? style : { ...style, day: 'numeric', month: 'short' }).format(time);
}

/** Writes how long ago a time was: "3 days ago". */
export function ageWords(time: Date, now: Date = new Date()): string {
  const minutes = Math.round((now.getTime() - time.getTime()) / 60_000);
  const relative = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  if (minutes < 60) return relative.format(-minutes, 'minute');
  if (minutes < 60 * 48) return relative.format(-Math.round(minutes / 60), 'hour');
  return relative.format(-Math.round(minutes / 1440), 'day');
}

export function sizeWords(bytes: number): string {
  const [unit, size] =
    bytes >= 1e9
      ? (['gigabyte', 1e9] as const)
      : bytes >= 1e6
        ? (['megabyte', 1e6] as const)
        : (['kilobyte', 1e3] as const);
  const style = { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(language, style).format(bytes / size);
}

export function numberWords(value: number | null): string {
  return value === null ? '–' : new Intl.NumberFormat(language, { maximumFractionDigits: 2 }).format(value);
}

/** Joins names: "shop, sales and 3 more". */
export function nameList(names: readonly Named[], most = 3): string {
  const shown = names.slice(0, most).map(({ name }) => name);
  const more = names.length - shown.length;
  return more > 0 ? msg(str`${shown.join(', ')} and ${more} more`) : shown.join(', ');
}
