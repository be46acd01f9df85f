/** Writes the items of a request in words, for chips and their panels. */
import { RELATIVE_PERIOD_NAMES, type RelativePeriod } from '../../../../router/relative-periods.ts';
import { msg, str } from '../msg.ts';
import { type Catalog, nameWords } from './catalog.ts';
import type { Shelf } from './draft.ts';
import { findThing } from './find-thing.ts';
import { type Item, isJsonObject, itemsOf, type JsonValue, numberOf, textOf, valuesOf } from './json-value.ts';

/** Number of values that a chip names one by one. */
const NAMED_VALUES = 2;

/** Returns the words of a chip. */
export function itemWords(shelf: Shelf, item: Item, catalog: Catalog): string {
  switch (shelf) {
    case 'rows':
    case 'columns':
      return placeWords(item, catalog);
    case 'values':
      return valueWords(item, catalog);
    case 'filters':
      return filterWords(item, catalog);
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

function placeWords(item: Item, catalog: Catalog): string {
  const members = valuesOf(item, 'members');
  const only = members.length === 0 ? '' : ` (${listWords(members.map(memberWords))})`;
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

/** Writes a grain in words: `day of week`. */
export function grainWords(grain: string): string {
  return grain.replaceAll('_', ' ');
}

function valueWords(item: Item, catalog: Catalog): string {
  const aggregation = textOf(item, 'aggregation');
  const compare = isJsonObject(item.compare) ? compareWords(item.compare.to) : '';
  const how = aggregation === undefined ? '' : ` (${aggregationWords(aggregation)})`;
  return `${labelOf(item, catalog)}${how}${compare === '' ? '' : ` · ${compare}`}`;
}

export function aggregationWords(aggregation: string): string {
  return aggregation.toLowerCase().replaceAll('_', ' ');
}

/** Writes what a value is compared with. */
export function compareWords(to: JsonValue | undefined): string {
  if (to === 'previous_year') return msg('vs the year before');
  if (to === 'previous_period') return msg('vs the period before');
  if (!isJsonObject(to)) return '';
  const offset = numberOf(to, 'offset') ?? 0;
  const grain = grainWords(textOf(to, 'grain') ?? '');
  const count = `${Math.abs(offset)} ${grain}${Math.abs(offset) === 1 ? '' : 's'}`;
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

function filterWords(item: Item, catalog: Catalog): string {
  for (const [group, word] of [
    ['any', msg('or')],
    ['all', msg('and')],
  ] as const) {
    if (group in item)
      return itemsOf(item, group)
        .map((each) => filterWords(each, catalog))
        .join(` ${word} `);
  }
  const label = labelOf(item, catalog) + grainSuffix(item) + viaSuffix(item, catalog);
  const per = itemsOf(item, 'per').map((each) => placeWords(each, catalog));
  const each = per.length === 0 ? '' : ` ${msg(str`for each ${per.join(', ')}`)}`;
  return `${label} ${catalog.surface === 'cube' ? memberTest(item) : valueTest(item)}${each}`.trim();
}

function valueTest(item: Item): string {
  const op = textOf(item, 'op') ?? '';
  const values = valuesOf(item, 'values').map(String);
  const value = item.value === undefined ? '' : String(item.value);
  switch (op) {
    case 'IS_NULL':
      return msg('is empty');
    case 'IS_NOT_NULL':
      return msg('is not empty');
    case 'IN':
      return values.length === 0 ? '…' : msg(str`is ${listWords(values)}`);
    case 'BETWEEN':
      return values.length < 2 ? '…' : msg(str`${values[0] ?? ''} to ${values[1] ?? ''}`);
    case 'RELATIVE':
      return value === '' ? '…' : `· ${relativeWords(value, numberOf(item, 'n'), textOf(item, 'grain'))}`;
    case 'EQ':
      return value === '' ? '…' : msg(str`is ${value}`);
    case 'NEQ':
      return value === '' ? '…' : msg(str`is not ${value}`);
    default:
      return value === '' ? '…' : `${RELATIONS[op] ?? op} ${value}`;
  }
}

function memberTest(item: Item): string {
  const op = textOf(item, 'op') ?? 'in';
  const members = valuesOf(item, 'members').map(memberWords);
  if (op === 'relative') {
    const value = textOf(item, 'value');
    return value === undefined ? '…' : `· ${relativeWords(value, numberOf(item, 'n'), undefined)}`;
  }
  if (members.length === 0) return '…';
  if (op === 'not_in') return msg(str`is not ${listWords(members)}`);
  if (op === 'between') return msg(str`${members[0] ?? ''} to ${members[1] ?? ''}`);
  if (op === 'descendants_of') return msg(str`within ${listWords(members)}`);
  return msg(str`is ${listWords(members)}`);
}

/** Writes a member by the last part of its unique name: `[Store].[USA].[CA]` as `CA`. */
export function memberWords(member: JsonValue): string {
  const text = String(member);
  const last = /\.?&?\[((?:[^\]]|\]\])*)\]$/.exec(text)?.[1];
  return last === undefined ? text : last.replaceAll(']]', ']');
}

function listWords(values: readonly string[]): string {
  const rest = values.length - NAMED_VALUES;
  return rest > 1 ? msg(str`${values.slice(0, NAMED_VALUES).join(', ')} + ${rest}`) : values.join(', ');
}

/** Writes a relative period: `last 24 months`, `this year to date`. */
export function relativeWords(value: string, n: number | undefined, grain: string | undefined): string {
  const name = RELATIVE_PERIOD_NAMES.find((each) => each === value);
  return name === undefined ? value : RELATIVE_WORDS[name](n ?? 1, grainWords(grain ?? 'day'));
}

const lastWords = (unit: string) => (n: number) => (n === 1 ? msg(str`this ${unit}`) : msg(str`last ${n} ${unit}s`));

const RELATIVE_WORDS: Readonly<Record<RelativePeriod, (n: number, grain: string) => string>> = {
  last_n_days: (n) => (n === 1 ? msg('today') : msg(str`last ${n} days`)),
  last_n_months: lastWords('month'),
  last_n_quarters: lastWords('quarter'),
  last_n_years: lastWords('year'),
  ytd: () => msg('this year to date'),
  qtd: () => msg('this quarter to date'),
  mtd: () => msg('this month to date'),
  previous_period: (n, grain) => (n === 1 ? msg(str`previous ${grain}`) : msg(str`previous ${n} ${grain}s`)),
};
