/** What a single column is, by its name, its type, its counts and its sample values. Pure. */

import { type ColumnView, kindOf } from './columns.ts';
import { isNumeric } from './type-family.ts';

/** Personal data by the words of a name; where two words stand together, both must be there. */
const PERSONAL_WORDS: readonly (readonly string[])[] = [
  ['email'],
  ['e', 'mail'],
  ['mail'],
  ['phone'],
  ['telephone'],
  ['mobile'],
  ['fax'],
  ['ssn'],
  ['passport'],
  ['iban'],
  ['birth'],
  ['birthday'],
  ['birthdate'],
  ['dob'],
  ['surname'],
  ['firstname'],
  ['lastname'],
  ['fullname'],
  ['first', 'name'],
  ['last', 'name'],
  ['full', 'name'],
  ['middle', 'name'],
  ['maiden', 'name'],
  ['fname'],
  ['lname'],
  ['address'],
  ['address1'],
  ['address2'],
  ['address3'],
  ['address4'],
  ['street'],
  ['lat', 'home'],
  ['ip'],
  ['tax', 'number'],
  ['credit', 'card'],
  ['card', 'number'],
  ['vorname'],
  ['nachname'],
  ['strasse'],
  ['telefon'],
  ['geburtsdatum'],
  ['account', 'num'],
];

export const PERSON_WORDS: ReadonlySet<string> = new Set([
  'customer',
  'employee',
  'person',
  'people',
  'user',
  'member',
  'patient',
  'contact',
  'client',
  'kunde',
  'student',
  'passenger',
  'guest',
]);

/** Patterns of values that only personal data has. */
const PERSONAL_VALUES: readonly (readonly [string, RegExp])[] = [
  ['e-mail addresses', /^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/],
  ['telephone numbers', /^(\+\d{1,3}[\s.-]?)?(\(\d{2,4}\)|\d{3})[\s.-]\d{3}[\s.-]\d{3,4}$|^\+\d[\d\s()-]{8,}$/],
  ['bank accounts', /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/],
  ['social security numbers', /^\d{3}-\d{2}-\d{4}$/],
  ['network addresses', /^\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}$/],
];

/** Returns why a column holds personal data, or `undefined`. */
export function personalReason(view: ColumnView): string | undefined {
  const { words, column, family, table } = view;
  if (column.personal === true) return 'A served model of the warehouse marks it.';
  // `billing_address_id` leads to an address and tells none.
  const isReference = /^(id|key|sk|fk|uuid|guid)$/.test(words.at(-1) ?? '') && words.length > 1;
  if (family === 'boolean' || (isReference && (family === 'integer' || kindOf(view) === 'uuid'))) return undefined;
  const named = PERSONAL_WORDS.find((each) => each.every((word) => words.includes(word)));
  if (named !== undefined) return `The name says so (${named.join(' ')}).`;
  if (family === 'text' && words.at(-1) === 'name' && words.length <= 2) {
    const person = [...words, ...table.words].find((word) => PERSON_WORDS.has(word));
    if (person !== undefined) return `It is the name of a ${person}.`;
  }
  const values = column.sampleValues.filter((value) => typeof value === 'string');
  if (values.length === 0) return undefined;
  const found = PERSONAL_VALUES.find(([, pattern]) => values.every((value) => pattern.test(value)));
  return found === undefined ? undefined : `The values look like ${found[0]}.`;
}

/** Tells whether a column may name persons: personal data, and names of what is not known to be something else. */
export function mayNamePersons(view: ColumnView): boolean {
  return (
    personalReason(view) !== undefined ||
    view.words.some((word) => word === 'name' || word === 'vorname' || PERSON_WORDS.has(word))
  );
}

const TECHNICAL =
  /^(etl|dwh|_?dbt|row)_|^(created|updated|modified|inserted|loaded|deleted)(_(at|by|on|ts|date|time))?$|_?(checksum|row_?hash|etag|batch_id|load_id|rowguid)$|^(valid|effective)_(from|to)$/i;

/** Returns why a column is of no use in a model, or `undefined`. */
export function junkReason({ name, column, family, table, isKeyName }: ColumnView): string | undefined {
  if (table.rows > 1 && column.distinctApprox === 0) return 'It has no values.';
  if (TECHNICAL.test(name)) return 'It tells when or how the row was loaded.';
  if (table.rows > 1 && column.distinctApprox === 1 && !isKeyName && !isNumeric(family))
    return 'All its values are the same.';
  const lengths = column.sampleValues.filter((value) => typeof value === 'string').map((value) => value.length);
  if (family === 'text' && lengths.length > 0 && lengths.every((length) => length > 100)) return 'It holds long texts.';
  if (family === 'other') return 'Its type is no plain value.';
  return undefined;
}

const CURRENCIES: Readonly<Record<string, string>> = {
  usd: 'USD',
  dollar: 'USD',
  eur: 'EUR',
  euro: 'EUR',
  gbp: 'GBP',
  pound: 'GBP',
  chf: 'CHF',
  jpy: 'JPY',
  cny: 'CNY',
  inr: 'INR',
};
const SYMBOLS: Readonly<Record<string, string>> = { '€': 'EUR', $: 'USD', '£': 'GBP', '¥': 'JPY', '₹': 'INR' };
const UNITS: Readonly<Record<string, string>> = {
  percent: '%',
  pct: '%',
  kg: 'kg',
  gram: 'g',
  lb: 'lb',
  km: 'km',
  mile: 'mi',
  meter: 'm',
  m2: 'm²',
  sqft: 'sq ft',
  sqm: 'm²',
  liter: 'l',
  second: 's',
  sec: 's',
  minute: 'min',
  hour: 'h',
  day: 'd',
  ms: 'ms',
  mb: 'MB',
  gb: 'GB',
  kwh: 'kWh',
  celsius: '°C',
};
/** Units that are calendar words, too. */
const PERIODS: ReadonlySet<string> = new Set(['second', 'minute', 'hour', 'day']);
const MONEY_WORDS: ReadonlySet<string> = new Set([
  'amount',
  'price',
  'cost',
  'revenue',
  'sale',
  'salary',
  'fee',
  'tax',
  'discount',
  'profit',
  'margin',
  'turnover',
  'payment',
  'paid',
  'budget',
  'expense',
  'income',
  'invoice',
  'betrag',
  'umsatz',
  'preis',
  'kosten',
  'total',
  'value',
  'freight',
  'charge',
  'wage',
]);

export interface Unit {
  readonly unit: string;
  readonly isCurrency: boolean;
}

/** Returns the unit that a number's name or notation tells. */
export function unitOf({ name, words, column }: ColumnView): Unit | undefined {
  if (column.unit !== undefined) {
    const currency = SYMBOLS[column.unit] ?? (/^[A-Z]{3}$/.test(column.unit) ? column.unit : undefined);
    return { unit: currency ?? column.unit, isCurrency: currency !== undefined };
  }
  // `lead_time_days` is a number of days; `day` and `day_of_month` are places in a calendar.
  const isDuration = words.length > 1 && PERIODS.has(words.at(-1) ?? '') && /s$/i.test(name);
  for (const word of words.toReversed()) {
    if (Object.hasOwn(CURRENCIES, word)) return { unit: CURRENCIES[word] ?? word, isCurrency: true };
    if (Object.hasOwn(UNITS, word) && (!PERIODS.has(word) || isDuration))
      return { unit: UNITS[word] ?? word, isCurrency: false };
  }
  return undefined;
}

/** Words of numbers that are averaged: a sum of them means nothing. */
const AVERAGED_WORDS: ReadonlySet<string> = new Set([
  'rate',
  'ratio',
  'percent',
  'percentage',
  'pct',
  'price',
  'score',
  'rating',
  'age',
  'temperature',
  'avg',
  'average',
  'mean',
  'speed',
  'index',
  'share',
  'balance',
  'hand',
  'stock',
  'level',
  'srp',
  'lat',
  'latitude',
  'lon',
  'longitude',
  'height',
  'preis',
  'gpa',
]);
const QUANTITY_WORDS: ReadonlySet<string> = new Set(['unit', 'quantity', 'qty', 'count', 'menge', 'anzahl']);
/** Words of numbers that are no quantity. */
const LABEL_WORDS: ReadonlySet<string> = new Set([
  'year',
  'quarter',
  'month',
  'week',
  'weekday',
  'day',
  'hour',
  'minute',
  'postal',
  'zip',
  'postcode',
  'plz',
  'lat',
  'latitude',
  'lon',
  'lng',
  'longitude',
  'flag',
  'rank',
  'sort',
  'order',
  'line',
  'version',
  'fiscal',
  'jahr',
  'monat',
  'phone',
  'sequence',
  'seq',
  'position',
  'distance_level',
  'period',
  'type',
  'status',
  'class',
  'priority',
  'launched',
  'opened',
  'built',
]);

/** Returns a name without the word of its unit: `amount_eur` -> `amount`; the name itself where it holds nothing else. */
export function withoutUnit({ name, words, column }: ColumnView): string {
  const last = words.at(-1) ?? '';
  const isNamed = column.unit === undefined && (Object.hasOwn(CURRENCIES, last) || Object.hasOwn(UNITS, last));
  const rest = isNamed ? name.replace(/[^\p{L}\p{N}]*[\p{L}\p{N}]+[^\p{L}\p{N}]*$/u, '') : name;
  return rest === '' ? name : rest;
}

/** Digits from which numbers of one length are taken as those of documents or articles. */
const MIN_CODE_DIGITS = 5;

/**
 * Tells whether whole numbers that never repeat identify their rows, whatever they are called: they count the rows, begin
 * them, or have all the same number of digits. Populations and amounts are as different from one another, but do none of it.
 */
function isIdentifier({ family, isUnique, table, position, range, column }: ColumnView): boolean {
  if (family !== 'integer' || !isUnique || table.rows <= 20) return false;
  if (position === 0 || range === undefined) return true;
  const [least, greatest] = range;
  const digits = (value: number): number => String(Math.abs(value)).length;
  return (
    greatest - least < 2 * column.distinctApprox ||
    (least > 0 && digits(least) >= MIN_CODE_DIGITS && digits(least) === digits(greatest))
  );
}

/** Tells whether whole numbers are places in a calendar or marks of a class, by the name: years, ranks, types. They are grouped by. */
export function isNumericLabel({ family, words, isKeyName, column }: ColumnView): boolean {
  return family === 'integer' && !isKeyName && column.unit === undefined && words.some((word) => LABEL_WORDS.has(word));
}

export interface MeasureTrait {
  readonly aggregator: 'sum' | 'avg';
  readonly format: string;
  readonly isMoney: boolean;
  readonly unit: string | undefined;
  readonly reason: string;
}

/** Returns how a number is aggregated, or `undefined` where it is no measure. */
export function measureTrait(view: ColumnView): MeasureTrait | undefined {
  const { family, isKeyName, column, words } = view;
  if (!isNumeric(family) || isKeyName || column.distinctApprox === 0) return undefined;
  const unit = unitOf(view);
  const isMoney = unit?.isCurrency === true || words.some((word) => MONEY_WORDS.has(word));
  // `units_on_order` is a quantity, `order` a place in a list.
  const isQuantity = words.some((word) => QUANTITY_WORDS.has(word));
  if (!isMoney && !isQuantity && words.some((word) => LABEL_WORDS.has(word)) && unit === undefined) return undefined;
  if (unit === undefined && !isMoney && !isQuantity && isIdentifier(view)) return undefined;
  const isAveraged = words.some((word) => AVERAGED_WORDS.has(word)) || unit?.unit === '%';
  const format = unit?.unit === '%' ? '#,##0.0' : family === 'decimal' || isAveraged ? '#,##0.00' : '#,##0';
  const common = { format, isMoney, unit: unit?.unit };
  return isAveraged
    ? { ...common, aggregator: 'avg', reason: 'A number whose sum would mean nothing: averaged.' }
    : {
        ...common,
        aggregator: 'sum',
        reason: isMoney ? 'An amount of money: summed.' : 'A number that is no key and no label: summed.',
      };
}
