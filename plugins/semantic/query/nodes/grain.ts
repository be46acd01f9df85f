import { type DateGrain, grainsOf, isGrainOf, isMomentType, type WeekDay } from '../../../../router/date-grains.ts';
import { UTC } from '../../../../router/time-zone.ts';
import { type FiscalYear, fiscalGrainName, fiscalGrains } from '../../model/fiscal-year.ts';
import type { Field } from '../../model/model.ts';
import type { PeriodTable } from '../../model/period-table.ts';
import type { TimeSettings } from '../../model/time-settings.ts';

/**
 * The mapping from the day of a row to the days that show it. `shifted`: one day at a fixed distance; months move by their
 * first day. `spread`: several numbered days. `shown`: the days of pairs (`Pairs`).
 */
export type Moved =
  | {
      readonly kind: 'shifted' | 'spread';
      readonly shift: { readonly unit: 'month' | 'day' | 'millisecond'; readonly count: number };
    }
  | { readonly kind: 'shown' };

/** A grain with all that its values depend on. */
export interface ResolvedGrain {
  readonly name: DateGrain;
  /**
   * Set where the periods belong to a fiscal year or to a table. A table's grain has the name `day`, because its values are
   * the first days of periods.
   */
  readonly calendar: FiscalYear | PeriodTable | undefined;
  /** The zone of the clocks; `undefined` for dates and for clocks without a zone. */
  readonly zone: string | undefined;
  readonly firstDay: WeekDay;
  readonly locale: string;
  /** True where the request names no grain: the calendar's date then has the grain `day`. */
  readonly isImplied?: boolean | undefined;
  /** Set where another day than the row's own is meant; see `plan/offset/`. */
  readonly moved?: Moved | undefined;
}

/** Returns a grain of a field, or `undefined` where the field has no such grain. */
export function grainOf(grainName: string, field: Field, time: TimeSettings): ResolvedGrain | undefined {
  const table = time.tables.find(({ name }) => name === grainName);
  if (table !== undefined) return isMomentType(field.type) ? ofTable(table, field, time) : undefined;
  const [, calendar, calendarGrain] = fiscalGrains(time.calendars).find(([one]) => one === grainName) ?? [];
  const name = grainsOf(field.type).find((one) => one === (calendarGrain ?? grainName));
  if (name === undefined) return undefined;
  const { firstDay, locale } = time;
  return Object.freeze({ name, calendar, zone: zoneOf(field, time), firstDay, locale });
}

function ofTable(table: PeriodTable, field: Field, time: TimeSettings): ResolvedGrain {
  const { firstDay, locale } = time;
  return Object.freeze({ name: 'day', calendar: table, zone: zoneOf(field, time), firstDay, locale });
}

/** Returns the table with the periods of a grain. */
export function tableOf(grain: Pick<ResolvedGrain, 'calendar'> | undefined): PeriodTable | undefined {
  const calendar = grain?.calendar;
  return calendar !== undefined && 'periods' in calendar ? calendar : undefined;
}

/** Returns the fiscal year that the periods of a grain belong to. */
export function fiscalYearOf({ calendar }: Pick<ResolvedGrain, 'calendar'>): FiscalYear | undefined {
  return calendar !== undefined && 'month' in calendar ? calendar : undefined;
}

/** The calendars of a model. */
export type Calendars = Pick<TimeSettings, 'calendars' | 'tables'>;

/** Returns the names of all grains for columns of a type; grains of the model's calendars come last. */
export function grainNames(type: string, { calendars, tables }: Calendars): readonly string[] {
  const grains = grainsOf(type);
  if (grains.length === 0) return [];
  return [...grains, ...fiscalGrains(calendars).map(([name]) => name), ...tables.map(({ name }) => name)];
}

/** Returns the name of a grain in requests and answers. */
export function grainName(grain: ResolvedGrain): string {
  const fiscal = fiscalYearOf(grain);
  return tableOf(grain)?.name ?? (fiscal === undefined ? grain.name : fiscalGrainName(fiscal, grain.name));
}

/**
 * Returns the zone in which a field's instants are read. A timestamp without a zone is read as UTC, unless its model
 * declares it local.
 */
export function zoneOf({ type, isLocalTime }: Field, { timezone }: TimeSettings): string | undefined {
  if (type === 'timestamptz') return timezone ?? UTC;
  return type === 'timestamp' && !isLocalTime ? timezone : undefined;
}

/** Returns the field with the type of the grain's values, in which they are compared. */
export function fieldAtGrain(field: Field, grain: ResolvedGrain | undefined): Field {
  if (grain === undefined) return field;
  if (isGrainOf(grain.name, 'part')) return { ...field, type: 'integer', nativeType: 'INTEGER' };
  if (isGrainOf(grain.name, 'period')) return { ...field, type: 'date', nativeType: 'DATE' };
  // Engines that convert members of a list to the column's type have a separate type for whole seconds.
  return { ...field, type: grain.zone === undefined ? 'timestamp' : field.type, nativeType: 'DateTime' };
}
