/** The context in which a metric's kinds are bound. */

import { type FiscalYear, type NamedPeriod, periodNamed, periodNames } from './fiscal-year.ts';
import type { MetricNames } from './metric-names.ts';
import type { Dataset } from './model.ts';
import { ExpressionError } from './parse-sql-expression.ts';
import type { PeriodTable } from './period-table.ts';
import type { RelationshipGraph } from './relationship-graph.ts';
import type { ScopeDate, TableDays } from './template.ts';

export interface ScopeContext {
  readonly names: MetricNames;
  /** The dataset that calls without columns count. */
  readonly countedDataset: string;
  readonly graph: RelationshipGraph;
  readonly datasets: ReadonlyMap<string, Dataset>;
  /** Calendars of the model; their periods are grains. */
  readonly calendars: readonly FiscalYear[];
  /** Grains with periods in a table. */
  readonly tables: readonly PeriodTable[];
}

/** Returns the period that a kind of metric names: a period of a calendar, or the days of a calendar's table. */
export function periodOrTable(
  name: string,
  what: string,
  context: ScopeContext,
): { readonly period: NamedPeriod } | { readonly table: TableDays } {
  const { calendars, tables, datasets, names } = context;
  const period = periodNamed(name, calendars);
  if (period !== undefined) return { period };
  const table = tables.find((one) => one.name === name);
  const fields = table === undefined ? undefined : datasets.get(table.dataset)?.fields;
  const [date, key] = [fields?.get(table?.date ?? ''), fields?.get(table?.key ?? '')];
  if (table === undefined || date === undefined || key === undefined) {
    const legal = [...periodNames(calendars), ...tables.map((one) => one.name)].join(', ');
    throw new ExpressionError(`has ${what} ${name}, which is not a period (there is ${legal})`);
  }
  // A caller that may not see the periods may not see metrics that count by them.
  names.fieldsRead.push(...[date, key].map(({ dataset, name: field }) => ({ dataset, field })));
  const { name: grain, dataset } = table;
  return { table: Object.freeze({ name: grain, dataset, date: scopeDate(date), key: scopeDate(key) }) };
}

/** Picks the parts of a field that a scope needs. */
export function scopeDate({ dataset, name, expression, type, nativeType, isLocalTime }: ScopeDate): ScopeDate {
  return Object.freeze({ dataset, name, expression, type, nativeType, isLocalTime });
}
