import type { Column } from '../api/parse-answer.ts';
import type { Formats } from '../formats.ts';

/** Languages in which models label periods. A label that none of them writes is the model's own, and stays. */
const LANGUAGES = [
  'en-US',
  'en-GB',
  'de',
  'fr',
  'es',
  'it',
  'nl',
  'pt',
  'pt-BR',
  'pl',
  'da',
  'sv',
  'nb',
  'fi',
  'cs',
  'tr',
  'ja',
  'zh',
];

const DAY_MS = 86_400_000;
/** 1970-01-05 was a Monday. */
const MONDAY = 4;

type Writer = (locale: string | undefined) => string;

const DATES: Readonly<Record<string, Intl.DateTimeFormatOptions>> = {
  day: { day: 'numeric', month: 'short', year: 'numeric' },
  month: { month: 'short', year: 'numeric' },
  year: { year: 'numeric' },
  day_of_week: { weekday: 'long' },
  month_of_year: { month: 'long' },
};

const formatters = new Map<string, Intl.DateTimeFormat>();

/**
 * Writes the labels of periods and parts of dates in the language of `formats`: `Jan 2025` becomes `janv. 2025`. Labels of
 * a model's own, such as those of a fiscal year, stay.
 */
export function rewriteLabels({ labels = {}, grain }: Column, formats: Formats): Readonly<Record<string, unknown>> {
  const entries = Object.entries(labels).map(([value, label]) => [
    value,
    rewriteLabel(value, String(label), String(grain), formats),
  ]);
  // Without a prototype: a member may be called `constructor`.
  return Object.assign(Object.create(null), Object.fromEntries(entries));
}

function rewriteLabel(value: string, label: string, grain: string, formats: Formats): string {
  const numbered = /^([QW])(\d+)(?: (\d+))?$/.exec(label);
  if (numbered !== null && /^(quarter|week)/.test(grain)) {
    const [, letter = '', number = '', year] = numbered;
    return year === undefined ? formats.say(`${letter}{0}`, number) : formats.say(`${letter}{0} {1}`, number, year);
  }
  const write = dateWriter(value, grain);
  return write !== undefined && LANGUAGES.some((language) => write(language) === label) ? write(formats.locale) : label;
}

/** Returns a function that writes a value in a language; undefined for a grain whose labels are no dates. */
function dateWriter(value: string, grain: string): Writer | undefined {
  const options = DATES[grain];
  const time = timeOf(value, grain);
  if (options === undefined || Number.isNaN(time)) return undefined;
  return (locale) => {
    const key = `${locale} ${grain}`;
    const formatter =
      formatters.get(key) ?? new Intl.DateTimeFormat(locale, { timeZone: 'UTC', calendar: 'gregory', ...options });
    formatters.set(key, formatter);
    return formatter.format(time);
  };
}

/** Returns the time of a period, or a time with that part, in epoch milliseconds. */
function timeOf(value: string, grain: string): number {
  if (grain === 'day_of_week') return (Number(value) + MONDAY - 1) * DAY_MS;
  if (grain === 'month_of_year') return Date.UTC(1970, Number(value) - 1);
  return Date.parse(value.slice(0, 10));
}
