/** The measures of a proposed cube. Pure. */

import { splitKeyName, writeCaption } from '../detect/column-names.ts';
import {
  findUnit,
  isNumericLabel,
  junkReason,
  type MeasureTrait,
  measureTrait,
  withoutUnit,
} from '../detect/column-traits.ts';
import type { ColumnView, TableView } from '../detect/column-views.ts';
import type { ForeignKey } from '../detect/foreign-keys/find-foreign-keys.ts';
import { findHierarchies, isPeriod } from '../detect/hierarchies.ts';
import { mayNamePersons, personalReason } from '../detect/personal-verdicts.ts';
import { writtenDate } from '../detect/written-dates.ts';
import type { Cube } from '../proposal/schema.ts';
import type { Titles } from '../proposal/titles.ts';
import { currenciesOf, currencyColumnOf } from './currencies.ts';
import { readAs } from './dates.ts';
import type { SingleKeys } from './single-keys.ts';
import { Names } from './unique-names.ts';
import { weightOf } from './weights.ts';

export function isMeasure(column: ColumnView, keys: SingleKeys): boolean {
  return measureTrait(column) !== undefined && personalReason(column) === undefined && !keys.isInKey(column);
}

export function proposeMeasures(
  fact: TableView,
  keys: SingleKeys,
  factKeys: readonly ForeignKey[],
  titles: Titles,
): Cube['measures'] {
  const names = new Names();
  const candidates = fact.columns.flatMap((column) => {
    const trait = isMeasure(column, keys) && junkReason(column) === undefined ? measureTrait(column) : undefined;
    return trait === undefined ? [] : [{ column, ...trait }];
  });
  // The order in which measures are shown: money, then other sums, then averages.
  const rank = ({ aggregator, isMoney }: (typeof candidates)[number]): number =>
    aggregator === 'avg' ? 2 : isMoney ? 0 : 1;
  const currency = currencyColumnOf(fact);
  const measures: Cube['measures'] = candidates
    .toSorted((left, right) => rank(left) - rank(right))
    .flatMap((each) => {
      const { column, aggregator, format, unit } = each;
      const weight = aggregator === 'avg' ? weightOf(column, fact) : undefined;
      const weighted = weight !== undefined && isMeasure(weight, keys) ? { weight: weight.name } : {};
      if (currency !== undefined && isInCurrency(each)) return inCurrencies(each, currency, weighted, names, titles);
      const caption = unit === undefined ? writeCaption(column.name) : `${writeCaption(withoutUnit(column))} (${unit})`;
      const name = names.free(aggregator === 'avg' ? titles.average(caption) : caption);
      const reason = weighted.weight === undefined ? each.reason : weightedReason(weighted.weight);
      return [
        { name, column: column.name, aggregator, ...weighted, format, ...(unit === undefined ? {} : { unit }), reason },
      ];
    });
  // Each row of a summary is a group, not a case: a count of them means nothing, and would mask them all as small groups.
  const isCounted = measures.length === 0 || !isSummary(fact, keys);
  // Counting a column counts its values that are not null.
  const counted =
    fact.columns.find(({ column, isUnique }) => isUnique && !column.nullable) ??
    fact.columns.find(({ column }) => (column.nulls ?? 1) === 0) ??
    fact.columns[0];
  if (counted !== undefined && isCounted)
    measures.push({
      name: names.free(titles.rowCount),
      column: counted.name,
      aggregator: 'count',
      format: '#,##0',
      reason: 'Number of rows.',
    });
  for (const { from, to } of factKeys) {
    const [column, target] = [from[0], to[0]];
    if (column === undefined || target === undefined || isCalendarTable(target.table) || target.table.rows < 100)
      continue;
    measures.push({
      name: names.free(titles.countOf(writeCaption(countedName(column.name, target.table.name)))),
      column: column.name,
      aggregator: 'distinct-count',
      format: '#,##0',
      reason: `Number of different values in ${target.table.name}.`,
    });
  }
  return measures;
}

/** Returns the name of what a key counts: its own without the word for a key, or the table's where that one is cut (`Bestellnr`). */
function countedName(column: string, table: string): string {
  const stem = splitKeyName(column).stem.join(' ');
  const isCut = table.toLowerCase().startsWith(stem) && table.length > stem.length + MAX_PLURAL_ENDING;
  return stem === '' || isCut ? table : stem;
}

function weightedReason(weight: string): string {
  return `Numeric column whose sum means nothing: averaged, weighted by ${weight}.`;
}

interface FoundMeasure extends MeasureTrait {
  readonly column: ColumnView;
}

/** Returns whether an amount is in the currency of its row, because its name contains no currency. A sign beside some numbers is no name. */
function isInCurrency({ isMoney, unit, column }: Pick<FoundMeasure, 'isMoney' | 'unit' | 'column'>): boolean {
  const { unit: _, ...withoutSign } = column.column;
  return isMoney && (unit === undefined || findUnit({ ...column, column: withoutSign }) === undefined);
}

/** Returns a measure of an amount for each currency; none where not all currencies are known. */
function inCurrencies(
  measure: FoundMeasure,
  currency: ColumnView,
  weighted: { readonly weight?: string },
  names: Names,
  titles: Titles,
): Cube['measures'] {
  const { column, aggregator, format } = measure;
  return (currenciesOf(currency) ?? []).map((value) => {
    const caption = `${writeCaption(column.name)} (${value})`;
    return {
      name: names.free(aggregator === 'avg' ? titles.average(caption) : caption),
      column: column.name,
      aggregator,
      ...weighted,
      format,
      unit: value,
      where: { column: currency.name, value },
      reason: `Only amounts with ${currency.name} = ${value}, as amounts of several currencies do not add up.`,
    };
  });
}

/** Returns the columns of the facts that the cube interprets in its own way or leaves out, with the reason. */
export function noteFacts(fact: TableView, keys: SingleKeys): readonly string[] {
  return [...currencyNotes(fact, keys), ...dateNotes(fact, keys)];
}

/** Describes how dates in text or number columns are read, and why some are not time axes. */
function dateNotes(fact: TableView, keys: SingleKeys): readonly string[] {
  return fact.columns.flatMap((column) => {
    const written = keys.isReference(column) || !isUseful(column) ? undefined : writtenDate(column);
    if (written === undefined) return [];
    if (written.form !== undefined) return readAs(column, written.form);
    return `${column.name} has dates as texts such as ${written.example}. It is no time axis, as its values do not show which part is the day and which the month.`;
  });
}

function currencyNotes(fact: TableView, keys: SingleKeys): readonly string[] {
  const currency = currencyColumnOf(fact);
  if (currency === undefined || currenciesOf(currency) !== undefined) return [];
  return fact.columns.flatMap((column) => {
    const trait = isMeasure(column, keys) && isUseful(column) ? measureTrait(column) : undefined;
    if (trait === undefined || !isInCurrency({ ...trait, column })) return [];
    const { distinctApprox } = currency.column;
    return `${column.name} is in no measure. Its amounts are in about ${distinctApprox} currencies (${currency.name}), which do not add up.`;
  });
}

/** Letters that make a plural of a word: `customers`, `Kunden`. */
const MAX_PLURAL_ENDING = 2;

/** The share of all combinations of periods and classes from which a table is taken for a summary by them. */
const MIN_SUMMARY_DENSITY = 0.5;
const MAX_SUMMARY_CLASSES = 300;

/** Returns whether a table has one row for each period, or for each period of each class: figures that were summed up before. */
function isSummary(fact: TableView, keys: SingleKeys): boolean {
  const isClass = (column: ColumnView): boolean =>
    !column.isKeyName &&
    (column.family === 'text' || column.family === 'boolean' || isNumericLabel(column)) &&
    column.column.distinctApprox <= MAX_SUMMARY_CLASSES &&
    !keys.isInKey(column) &&
    !mayNamePersons(column);
  return (fact.table.keys ?? []).some((key) => {
    const columns = fact.columns.filter(({ name }) => key.includes(name));
    const combinations = columns.reduce((product, { column }) => product * column.distinctApprox, 1);
    return (
      columns.some(isPeriod) &&
      columns.every((column) => isPeriod(column) || isClass(column)) &&
      fact.rows >= MIN_SUMMARY_DENSITY * combinations
    );
  });
}

export function isUseful(column: ColumnView): boolean {
  return junkReason(column) === undefined && personalReason(column) === undefined;
}

export function isCalendarTable(table: TableView): boolean {
  return findHierarchies(table).some(({ kind }) => kind === 'calendar');
}
