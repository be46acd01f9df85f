/** Writes the items of a request in words, for chips and their panels. */
import { DATE_GRAIN_NAMES, type DateGrain } from '../../../../router/date-grains.ts';
import { RELATIVE_PERIOD_NAMES, type RelativePeriod } from '../../../../router/relative-periods.ts';
import { msg, str } from '../../words/words.ts';
import { type Catalog, nameWords } from './catalog.ts';
import { type Condition, readCondition, referenceOf } from './condition.ts';
import type { Shelf } from './draft.ts';
import { findThing } from './find-thing.ts';
import { type Item, isJsonObject, itemsOf, type JsonValue, numberOf, textOf, valuesOf } from './json-value.ts';

/** Number of values that a chip names one by one. */
const NAMED_VALUES = 2;

/** The captions of members, by their unique names. */
export type Captions = ReadonlyMap<string, string>;

const NO_CAPTIONS: Captions = new Map();

/** Returns the words of a chip. A member whose caption is not known yet is written by the last part of its name. */
export function itemWords(shelf: Shelf, item: Item, catalog: Catalog, captions = NO_CAPTIONS): string {
  switch (shelf) {
    case 'rows':
    case 'columns':
      return placeWords(item, catalog, captions);
    case 'values':
      return valueWords(item, catalog);
    case 'filters':
      return filterWords(item, catalog, captions);
    case 'sorts':
      return `${sortLabel(item, catalog)} ${isDescending(item) ? '↓' : '↑'}`;
  }
}

export function isDescending(sort: Item): boolean {
  return textOf(sort, 'direction')?.toLowerCase() === 'desc';
}

function sortLabel(sort: Item, catalog: Catalog): string {
  return labelOf(sort, catalog) + grainSuffix(sort);
}

/** Returns the label of what an item names; its own name where the catalog has none. */
export function labelOf(item: Item, catalog: Catalog): string {
  const name = textOf(item, 'metric') ?? textOf(item, 'name') ?? textOf(item, 'by') ?? textOf(item, 'level');
  return (
    findThing(item, catalog)?.label ?? name ?? textOf(item, 'field') ?? textOf(item, 'dimension') ?? msg('Unknown')
  );
}

function placeWords(item: Item, catalog: Catalog, captions: Captions): string {
  const members = valuesOf(item, 'members');
  const only = members.length === 0 ? '' : ` (${listWords(members.map((each) => memberWords(each, captions)))})`;
  return labelOf(item, catalog) + grainSuffix(item) + viaSuffix(item, catalog) + only;
}

function grainSuffix(item: Item): string {
  const grain = textOf(item, 'grain');
  return grain === undefined ? '' : ` ${msg(str`by ${grainWords(grain)}`)}`;
}

function viaSuffix(item: Item, catalog: Catalog): string {
  const { via } = item;
  if (via === undefined || via === null) return '';
  const text = Array.isArray(via) ? via.join('/') : String(via);
  const role = findThing(item, catalog)?.roles.find((each) => each.via === text);
  return ` (${role?.label ?? nameWords(text)})`;
}

const GRAIN_WORDS: Readonly<Record<DateGrain, string>> = {
  second: msg('second'),
  minute: msg('minute'),
  hour: msg('hour'),
  day: msg('day'),
  week: msg('week'),
  month: msg('month'),
  quarter: msg('quarter'),
  year: msg('year'),
  hour_of_day: msg('hour of day'),
  day_of_week: msg('day of week'),
  day_of_month: msg('day of month'),
  day_of_year: msg('day of year'),
  week_of_year: msg('week of year'),
  month_of_year: msg('month of year'),
  quarter_of_year: msg('quarter of year'),
};

/** Writes a grain in words: `day of week`. A grain of a model's own calendar names the calendar too: `quarter (fiscal)`. */
export function grainWords(grain: string): string {
  const known = DATE_GRAIN_NAMES.find((each) => each === grain);
  if (known !== undefined) return GRAIN_WORDS[known];
  // The longest: `fiscal_month_of_year` ends with `year`, too.
  const [own] = DATE_GRAIN_NAMES.filter((each) => grain.endsWith(`_${each}`)).toSorted((a, b) => b.length - a.length);
  if (own === undefined) return grain.replaceAll('_', ' ');
  return `${GRAIN_WORDS[own]} (${grain.slice(0, -own.length - 1).replaceAll('_', ' ')})`;
}

/** Writes a number of periods: `3 months`. */
function countWords(count: number, grain: string): string {
  const isOne = count === 1;
  switch (grain) {
    case 'day':
      return isOne ? msg('1 day') : msg(str`${count} days`);
    case 'week':
      return isOne ? msg('1 week') : msg(str`${count} weeks`);
    case 'month':
      return isOne ? msg('1 month') : msg(str`${count} months`);
    case 'quarter':
      return isOne ? msg('1 quarter') : msg(str`${count} quarters`);
    case 'year':
      return isOne ? msg('1 year') : msg(str`${count} years`);
    default:
      return `${count} × ${grainWords(grain)}`;
  }
}

function valueWords(item: Item, catalog: Catalog): string {
  const aggregation = textOf(item, 'aggregation');
  const compare = isJsonObject(item.compare) ? compareWords(item.compare.to) : '';
  const how = aggregation === undefined ? '' : ` (${aggregationWords(aggregation)})`;
  return `${labelOf(item, catalog)}${how}${compare === '' ? '' : ` · ${compare}`}`;
}

const AGGREGATION_WORDS: Readonly<Record<string, string>> = {
  sum: msg('sum'),
  avg: msg('average'),
  min: msg('lowest'),
  max: msg('highest'),
  count: msg('count'),
};

/** Writes an aggregation in words: `average`. */
export function aggregationWords(aggregation: string): string {
  const name = aggregation.toLowerCase();
  return AGGREGATION_WORDS[name] ?? name.replaceAll('_', ' ');
}

/** Writes what a value is compared with. */
function compareWords(to: JsonValue | undefined): string {
  if (to === 'previous_year') return msg('vs the year before');
  if (to === 'previous_period') return msg('vs the period before');
  if (!isJsonObject(to)) return '';
  const offset = numberOf(to, 'offset') ?? 0;
  const count = countWords(Math.abs(offset), textOf(to, 'grain') ?? '');
  return offset < 0 ? msg(str`vs ${count} before`) : msg(str`vs ${count} after`);
}

const RELATIONS: Readonly<Record<string, string>> = {
  EQ: '=',
  NEQ: '≠',
  LT: '<',
  LTE: '≤',
  GT: '>',
  GTE: '≥',
};

function filterWords(item: Item, catalog: Catalog, captions: Captions): string {
  const condition = readCondition(item);
  if (condition === undefined) {
    for (const [group, word] of [
      ['any', msg('or')],
      ['all', msg('and')],
    ] as const) {
      const inner = itemsOf(item, group);
      if (inner.length > 0) return inner.map((each) => filterWords(each, catalog, captions)).join(` ${word} `);
    }
    return '…';
  }
  const reference = referenceOf(item);
  // A relative period names its unit itself.
  const grain = condition.kind === 'relative' ? '' : grainSuffix(reference);
  const label = labelOf(reference, catalog) + grain + viaSuffix(reference, catalog);
  const per = itemsOf(item, 'per').map((each) => placeWords(each, catalog, captions));
  const each = per.length === 0 ? '' : ` ${msg(str`for each ${per.join(', ')}`)}`;
  return `${label} ${conditionWords(condition, captions)}${each}`;
}

function conditionWords(condition: Condition, captions: Captions): string {
  const named = (value: JsonValue) => memberWords(value, captions);
  const listed = 'values' in condition ? listWords(condition.values.map(named)) : '';
  switch (condition.kind) {
    case 'is':
      if (listed === '') return condition.orEmpty ? msg('is empty') : '…';
      return condition.orEmpty ? msg(str`is ${listed} or empty`) : msg(str`is ${listed}`);
    case 'not':
      if (listed === '') return '…';
      return condition.orEmpty ? msg(str`is not ${listed}`) : msg(str`is not ${listed} or empty`);
    case 'within':
      return listed === '' ? '…' : msg(str`within ${listed}`);
    case 'between': {
      const [from, to] = [named(condition.from), named(condition.to)];
      return from === '' || to === '' ? '…' : msg(str`${from} to ${to}`);
    }
    case 'compare': {
      const { op, value } = condition;
      return value === '' ? '…' : `${RELATIONS[op] ?? op} ${String(value)}`;
    }
    case 'relative': {
      const { period, n, grain } = condition;
      return period === '' ? '…' : `· ${relativeWords(period, n, grain)}`;
    }
    case 'empty':
      return msg('is empty');
    case 'present':
      return msg('is not empty');
  }
}

/** Writes a member by its caption, else by the last part of its unique name: `[Store].[USA].[CA]` as `CA`. */
export function memberWords(member: JsonValue, captions = NO_CAPTIONS): string {
  const text = String(member);
  const caption = captions.get(text);
  if (caption !== undefined) return captionWords(caption);
  const last = /\.?&?\[((?:[^\]]|\]\])*)\]$/.exec(text)?.[1];
  return last === undefined ? text : captionWords(last.replaceAll(']]', ']'));
}

/** Returns a caption as pages show it: a dash for the member of a cube without a key or a name, as for any missing value. */
export function captionWords(caption: string): string {
  return caption === '#null' ? '–' : caption;
}

function listWords(values: readonly string[]): string {
  const rest = values.length - NAMED_VALUES;
  return rest > 1 ? msg(str`${values.slice(0, NAMED_VALUES).join(', ')} + ${rest}`) : values.join(', ');
}

/** Writes a relative period: `last 24 months`, `this year to date`. */
export function relativeWords(value: string, n: number | undefined, grain: string | undefined): string {
  const name = RELATIVE_PERIOD_NAMES.find((each) => each === value);
  return name === undefined ? value : RELATIVE_WORDS[name](n ?? 1, grain ?? 'day');
}

const lastWords = (unit: string, current: string) => (n: number) =>
  n === 1 ? current : msg(str`last ${countWords(n, unit)}`);

const PREVIOUS_WORDS: Readonly<Record<string, string>> = {
  day: msg('yesterday'),
  week: msg('previous week'),
  month: msg('previous month'),
  quarter: msg('previous quarter'),
  year: msg('previous year'),
};

const RELATIVE_WORDS: Readonly<Record<RelativePeriod, (n: number, grain: string) => string>> = {
  last_n_days: lastWords('day', msg('today')),
  last_n_months: lastWords('month', msg('this month')),
  last_n_quarters: lastWords('quarter', msg('this quarter')),
  last_n_years: lastWords('year', msg('this year')),
  ytd: () => msg('this year to date'),
  qtd: () => msg('this quarter to date'),
  mtd: () => msg('this month to date'),
  previous_period: (n, grain) =>
    (n === 1 ? PREVIOUS_WORDS[grain] : undefined) ?? msg(str`previous ${countWords(n, grain)}`),
};
