/** Classifies a single column by its name, type, counts and sample values. Pure. */

import type { ColumnView } from './column-views.ts';
import { isNumeric } from './type-family.ts';
import { writtenDate } from './written-dates.ts';

const TECHNICAL =
  /^(etl|dwh|_?dbt|row)_|^(created|updated|modified|inserted|loaded|deleted)(_(at|by|on|ts|date|time))?$|_?(checksum|row_?hash|etag|batch_id|load_id|rowguid)$|^(valid|effective)_(from|to)$/i;

/** Returns why a column is of no use in a model, or `undefined`. */
export function junkReason({ name, column, family, table, isKeyName }: ColumnView): string | undefined {
  if (table.rows > 1 && column.distinctApprox === 0) return 'It has no values.';
  if (TECHNICAL.test(name)) return 'It records when or how the row was loaded.';
  if (table.rows > 1 && column.distinctApprox === 1 && !isKeyName && !isNumeric(family))
    return 'All its values are the same.';
  const lengths = column.sampleValues.filter((value) => typeof value === 'string').map((value) => value.length);
  if (family === 'text' && lengths.length > 0 && lengths.every((length) => length > 100))
    return 'Its values are long texts.';
  if (family === 'other') return 'Its type has no plain values.';
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

/** Returns the unit in the name or notation of a number. */
export function findUnit({ name, words, column }: ColumnView): Unit | undefined {
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
  'rabatt',
  'quote',
  'prozent',
  'anteil',
  'steuersatz',
  'zinssatz',
  'kurs',
  'fx',
  'ctr',
  'cpc',
  'cpm',
  'roi',
  'yield',
  'probability',
  'factor',
  'durchschnitt',
  'durchschnittlich',
  'schnitt',
  'mittel',
  'mittelwert',
  'zensur',
  'note',
  'elevation',
  'altitude',
  'hoehe',
  'höhe',
  'width',
  'breite',
  'depth',
  'tiefe',
  'diameter',
  'durchmesser',
  'pressure',
  'humidity',
  'temperatur',
  'luftfeuchte',
  'utilisation',
  'utilization',
  'occupancy',
  'efficiency',
  'effizienz',
  'tariff',
  'tarif',
  'kontostand',
  'saldo',
  'reading',
  'measurement',
  'messwert',
  'wage',
  'hourly',
  'replacement',
  '100km',
  'mpg',
  'zahlungsziel',
]);
/** Names of numbers that are amounts of money or parts of one: a margin of 12 %, or of 4,800. */
const MARGIN_WORDS: ReadonlySet<string> = new Set(['margin', 'marge', 'spanne', 'gewinnspanne', 'handelsspanne']);
/** Greatest value of a margin that is a percentage. */
const MAX_PERCENT = 100;
/** A value beside the word for a result of a measurement, of several kinds in one column. */
const MEASURED = /(^|_)(result|test|sensor|lab)_?value$/i;
/**
 * Last parts of joined German words: `stückpreis`, `steuersatz`, `auslastungsquote`; a turnover (`umsatz`) is an
 * amount.
 */
const AVERAGED_ENDS =
  /(preis|(?<!^um|^ab|^ein|^zu|^er|daten)satz|quote|(?<=..)rate|anteil|prozent|kurs|faktor|durchschnitt|mittelwert|stundenlohn|bestand|kontostand|saldo|auslastung|temperatur|(?<!^)grad)$/;

function isAveraged({ name, words, family, range, column }: ColumnView, unit: Unit | undefined): boolean {
  if (MEASURED.test(name)) return true;
  if (words.some((word) => MARGIN_WORDS.has(word)) && unit?.isCurrency !== true) {
    const isPercentage = range !== undefined && range[0] >= -MAX_PERCENT && range[1] <= MAX_PERCENT;
    if (isPercentage && !words.some((word) => AMOUNT_WORDS.has(word))) return true;
  }
  if (unit?.unit === '%' || words.some((word) => AVERAGED_WORDS.has(word) || AVERAGED_ENDS.test(word))) return true;
  // Parts of a whole: discounts of 0.05 to 0.25.
  const [least, greatest] = range ?? [0, 2];
  const isShare = family === 'decimal' && least >= 0 && greatest <= 1 && column.distinctApprox > 2;
  return isShare && unit === undefined && !words.some((word) => QUANTITY_WORDS.has(word));
}

/** Returns whether a number counts days or months by its name: `los_days`, `tenure_months`, `days_to_ship`, `minutes`. */
export function isDuration({ name, words }: Pick<ColumnView, 'name' | 'words'>): boolean {
  return words.length > 1 ? DURATION.test(name) : ONLY_DURATION.test(name);
}
/** Plurals that are durations without another word; `months` and `years` may be periods. */
const ONLY_DURATION = /^(seconds|minutes|hours|days|sekunden|minuten|stunden|tage)$/i;
const DURATION =
  /(^|[^\p{L}]|\p{Ll}(?=[DWMYHT]))(seconds|minutes|hours|days|weeks|months|quarters|years|sekunden|minuten|stunden|tage|wochen|monate|jahre)($|[^\p{Ll}])/iu;

/** Words of amounts beside the word for a margin. */
const AMOUNT_WORDS: ReadonlySet<string> = new Set(['amount', 'betrag', 'total', 'summe', 'value', 'wert']);
const QUANTITY_WORDS: ReadonlySet<string> = new Set(['unit', 'quantity', 'qty', 'count', 'menge', 'anzahl']);
/** Words for numbers that are not quantities. */
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

/** Words between the parts of a ratio: `rate_per_day`, `preis_je_liter`. */
const RATIO_WORDS: ReadonlySet<string> = new Set(['per', 'je', 'pro']);

/** Words of numbered places and steps. Their plurals are counts: `floors` of a building, `gates` of an airport. */
const NUMBERED =
  /^(floor|storey|etage|stockwerk|geschoss|hall|halle|room|raum|saal|gate|tor|terminal|platform|gleis|bay|dock|ramp|rampe|kasse|till|register|row|reihe|grade|level|stufe|klasse|klassenstufe|jahrgang|jahrgangsstufe|tier|stunde|pos|lane|aisle|gang|shelf|regal|rack|slot|zone|sector|block|building|court|feld|tisch|track|spur|shift|schicht|round|runde|lap|heat|edition|stage|phase|chapter|kapitel|page|seite|bezirk|wochentag|kw|woche|quartal|theatre|theater|station|box|section|filiale|laden|markt|standort|werk|store|shop|branch|plant|site|team|abteilung|department|gebiet)$/;
/** Greatest number of a place or a step; greater ones are amounts. */
const MAX_NUMBERED = 10_000;

/** Returns whether whole numbers name places or steps: the hall of a booking, the row of a seat. */
function isNumbered({ name, family, range, column }: ColumnView): boolean {
  if (family !== 'integer' || column.unit !== undefined || (range !== undefined && range[1] > MAX_NUMBERED))
    return false;
  const words = name
    .replaceAll(/(\p{Ll}|\p{N})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u);
  return NUMBERED.test(words.at(-1) ?? '') && !words.some((word) => QUANTITY_WORDS.has(word));
}

/**
 * Returns a name without the word of its unit: `amount_eur` -> `amount`; the name itself where it has no other word.
 */
export function withoutUnit({ name, words, column }: ColumnView): string {
  const last = words.at(-1) ?? '';
  const isNamed = column.unit === undefined && (Object.hasOwn(CURRENCIES, last) || Object.hasOwn(UNITS, last));
  const rest = isNamed ? name.replace(/[^\p{L}\p{N}]*[\p{L}\p{N}]+[^\p{L}\p{N}]*$/u, '') : name;
  return rest === '' ? name : rest;
}

/** Digits from which numbers of one length count as numbers of documents or articles. */
const MIN_CODE_DIGITS = 5;

/**
 * Returns whether whole numbers that never repeat identify their rows, whatever their name: they count the rows, are
 * the first column, or all have the same number of digits. Populations and amounts never repeat either, but do none
 * of it.
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

/** Returns whether whole numbers are places in a calendar or marks of a class, by the name: years, ranks, types. They are grouped by. */
export function isNumericLabel(view: ColumnView): boolean {
  const { family, words, isKeyName, column } = view;
  if (family !== 'integer' || isKeyName || column.unit !== undefined) return false;
  return words.some((word) => LABEL_WORDS.has(word)) || isNumbered(view) || isYear(view);
}

/** Years of history and of the future: numbers that are all between them are years. */
const FIRST_YEAR = 1850;
const LAST_YEAR = 2100;
/** Values from which numbers of such a range are years, whatever their name. */
const MIN_YEARS = 5;

/** Returns whether whole numbers are years, by the name (`baujahr`) or by their values. */
function isYear({ family, words, range, column: { distinctApprox, unit } }: ColumnView): boolean {
  if (family !== 'integer' || unit !== undefined) return false;
  if (words.some((word) => /(jahr|year)$/.test(word))) return true;
  return range !== undefined && range[0] >= FIRST_YEAR && range[1] <= LAST_YEAR && distinctApprox >= MIN_YEARS;
}

export interface MeasureTrait {
  readonly aggregator: 'sum' | 'avg';
  readonly format: string;
  readonly isMoney: boolean;
  readonly unit: string | undefined;
  readonly reason: string;
}

/** Returns how a number is aggregated; `undefined` if it is not a measure. */
export function measureTrait(view: ColumnView): MeasureTrait | undefined {
  const { family, isKeyName, column, words } = view;
  if (!isNumeric(family) || isKeyName || column.distinctApprox === 0 || writtenDate(view) !== undefined)
    return undefined;
  const unit = findUnit(view);
  const isMoney = unit?.isCurrency === true || words.some((word) => MONEY_WORDS.has(word));
  // `units_on_order` is a quantity, `order` a place in a list.
  const isQuantity = words.some((word) => QUANTITY_WORDS.has(word)) || isDuration(view);
  // The day of `rate_per_day` is no day.
  const isRatio = words.some((word) => RATIO_WORDS.has(word));
  const isLabel = !isRatio && (words.some((word) => LABEL_WORDS.has(word)) || isNumbered(view) || isYear(view));
  if (!isMoney && !isQuantity && isLabel && unit === undefined) return undefined;
  if (unit === undefined && !isMoney && !isQuantity && isIdentifier(view)) return undefined;
  const averaged = isAveraged(view, unit);
  const format = unit?.unit === '%' ? '#,##0.0' : family === 'decimal' || averaged ? '#,##0.00' : '#,##0';
  const common = { format, isMoney, unit: unit?.unit };
  return averaged
    ? { ...common, aggregator: 'avg', reason: 'Numeric column whose sum means nothing: averaged.' }
    : {
        ...common,
        aggregator: 'sum',
        reason: isMoney ? 'Amount of money: added up.' : 'Numeric column: added up.',
      };
}
