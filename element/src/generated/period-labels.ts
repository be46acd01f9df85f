// Written by `npx tsx scripts/element-lists.ts` from router/period-labels.ts; do not edit.

/**
 * Writes the labels of periods in the language of a reader, for every part of the product: `scripts/element-lists.ts` copies
 * this file into the element, so it imports nothing.
 */

/** A column of an answer that may have labels. */
export interface LabelledColumn {
  /** Labels by the value of a period. */
  readonly labels?: Readonly<Record<string, unknown>> | undefined;
  readonly grain?: unknown;
}

/** The language of a reader. */
export interface PeriodNotation {
  /** A BCP 47 tag; undefined for that of the process or the browser. */
  readonly locale: string | undefined;
  /** Writes the words `Q{0}`, `Q{0} {1}`, `W{0}` and `W{0} {1}` in the language. */
  readonly say: (english: string, ...values: readonly (string | number)[]) => string;
}

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
const DAY = { day: 'numeric', month: 'short', year: 'numeric' } as const;
const CLOCK = { ...DAY, hour: 'numeric', minute: '2-digit' } as const;

type Writer = (locale: string | undefined) => string;

const DATES: Readonly<Record<string, Intl.DateTimeFormatOptions>> = {
  second: { ...CLOCK, second: '2-digit' },
  minute: CLOCK,
  hour: CLOCK,
  day: DAY,
  month: { month: 'short', year: 'numeric' },
  year: { year: 'numeric' },
  day_of_week: { weekday: 'long' },
  month_of_year: { month: 'long' },
};

const formatters = new Map<string, Intl.DateTimeFormat>();

/**
 * Writes the labels of periods and parts of dates in the language of a reader: `Jan 2025` becomes `janv. 2025`. Labels of a
 * model's own, such as those of a fiscal year, stay.
 */
export function rewriteLabels(
  { labels = {}, grain }: LabelledColumn,
  notation: PeriodNotation,
): Readonly<Record<string, string>> {
  const entries = Object.entries(labels).map(([value, label]) => [
    value,
    rewriteLabel(value, String(label), String(grain), notation),
  ]);
  // Without a prototype: a member may be called `constructor`.
  return Object.assign(Object.create(null), Object.fromEntries(entries));
}

function rewriteLabel(value: string, label: string, grain: string, notation: PeriodNotation): string {
  const numbered = /^([QW])(\d+)(?: (\d+))?$/.exec(label);
  if (numbered !== null && /^(quarter|week)/.test(grain)) {
    const [, letter = '', number = '', year] = numbered;
    return year === undefined ? notation.say(`${letter}{0}`, number) : notation.say(`${letter}{0} {1}`, number, year);
  }
  const write = dateWriter(value, grain);
  if (write === undefined) return label;
  if (LANGUAGES.some((language) => isSameText(write(language), label))) return write(notation.locale);
  if (DATES[grain]?.hour === undefined) return label;
  // The name of the time zone follows the clock, and stays.
  const zone = / ([^\d ][^ ]*)$/.exec(label);
  const clock = label.slice(0, zone?.index);
  const isClock = zone !== null && LANGUAGES.some((language) => isSameText(write(language), clock));
  return isClock ? `${write(notation.locale)} ${zone[1]}` : label;
}

/** Compares texts without the kinds of their spaces, which differ between the versions of the Unicode data. */
function isSameText(one: string, other: string): boolean {
  return one === other || plainSpaces(one) === plainSpaces(other);
}

function plainSpaces(text: string): string {
  return text.replace(/[\u00a0\u2009\u202f]/g, ' ');
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

/** Returns the time of a period, or a time with that part, in epoch milliseconds: the clock of its zone as if it were UTC. */
function timeOf(value: string, grain: string): number {
  if (grain === 'day_of_week') return (Number(value) + MONDAY - 1) * DAY_MS;
  if (grain === 'month_of_year') return Date.UTC(1970, Number(value) - 1);
  const [, day, time] = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?))?/.exec(value) ?? [];
  return day === undefined ? Number.NaN : Date.parse(time === undefined ? day : `${day}T${time}Z`);
}
