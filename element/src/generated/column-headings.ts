// Written by `npx tsx scripts/element-lists.ts` from router/column-headings.ts; do not edit.

/**
 * Writes what a server adds to the name of a column in the language of a reader: `Date of sale (quarter)`,
 * `Net sales, difference (previous year)`. `scripts/element-lists.ts` copies this file into the element, so it imports
 * nothing.
 */

/** A column of an answer, with what the server added to its label. */
export interface HeadedColumn {
  readonly label: string;
  /** The length of periods or the part of dates of a dimension. */
  readonly grain?: unknown;
  /** `{metric, part}` of a column of a comparison. */
  readonly compare?: unknown;
}

/** The language of a reader. */
export interface HeadingNotation {
  /** A BCP 47 tag; undefined for that of the process or the browser. */
  readonly locale: string | undefined;
  /** Writes English words, with their places filled, in the language. */
  readonly say: (english: string, ...values: readonly (string | number)[]) => string;
}

/** The fields of a date, as `Intl.DisplayNames` knows them, by grain. A model's own grains, such as those of a fiscal year, keep their names. */
const FIELDS: Readonly<Record<string, string>> = {
  second: 'second',
  minute: 'minute',
  hour: 'hour',
  day: 'day',
  week: 'weekOfYear',
  month: 'month',
  quarter: 'quarter',
  year: 'year',
  hour_of_day: 'hour',
  day_of_week: 'weekday',
  week_of_year: 'weekOfYear',
  month_of_year: 'month',
  quarter_of_year: 'quarter',
};

/** Returns the label of a column in the language of a reader. English labels stay to the letter. */
export function rewriteHeading(column: HeadedColumn, notation: HeadingNotation): string {
  const { label, grain, compare } = column;
  if (isEnglish(notation.locale)) return label;
  if (typeof compare === 'object' && compare !== null) return rewriteComparison(label, notation);
  return typeof grain === 'string' ? rewriteGrain(label, grain, notation.locale) : label;
}

function isEnglish(locale: string | undefined): boolean {
  return locale === undefined || /^en\b/i.test(locale);
}

/** Rewrites the name of a grain, which stands in brackets after the name of a field, before the role of its dataset. */
function rewriteGrain(label: string, grain: string, locale: string | undefined): string {
  const field = Object.hasOwn(FIELDS, grain) ? FIELDS[grain] : undefined;
  const opening = ` (${grain.replaceAll('_', ' ')}`;
  const at = label.lastIndexOf(opening);
  const after = label.slice(at + opening.length);
  if (field === undefined || at < 0 || !/^(, .*)?\)$/.test(after)) return label;
  const name = new Intl.DisplayNames(locale, { type: 'dateTimeField' }).of(field);
  return name === undefined ? label : `${label.slice(0, at)} (${name}${after}`;
}

function rewriteComparison(label: string, notation: HeadingNotation): string {
  const [, metric = '', part, target = ''] = /^(.*?)(, difference|, ratio)? \(([^()]*)\)$/.exec(label) ?? [];
  if (target === '') return label;
  const time = timeIn(target, notation);
  return part === undefined ? `${metric} (${time})` : notation.say(`{0}${part} ({1})`, metric, time);
}

/** Writes the other time of a comparison: `previous year`, `3 months earlier`. */
function timeIn(target: string, { locale, say }: HeadingNotation): string {
  const [, number = '', unit = '', direction = ''] = /^(\d+) (\w+?)s? (earlier|later)$/.exec(target) ?? [];
  if (unit === '') return say(target);
  if (unit === 'quarter') return say(`{0} ${direction}`, say(number === '1' ? '{0} quarter' : '{0} quarters', number));
  if (!Object.hasOwn(FIELDS, unit)) return target;
  const written = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(Number(number));
  return say(`{0} ${direction}`, written);
}
