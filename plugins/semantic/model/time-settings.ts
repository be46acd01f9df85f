import type { WeekDay } from '../../../router/date-grains.ts';
import type { FiscalYear } from './fiscal-year.ts';
import type { PeriodTable } from './period-table.ts';

/** The time settings of a model or a request. */
export interface TimeSettings {
  /**
   * The IANA name of the zone. If it is `undefined`, instants are shown in UTC, and timestamps without a zone unchanged.
   */
  readonly timezone: string | undefined;
  readonly firstDay: WeekDay;
  /** The BCP 47 tag for the labels of periods and parts. */
  readonly locale: string;
  /** Calendars with their own years; their periods are grains too. */
  readonly calendars: readonly FiscalYear[];
  /** Grains with periods in a dataset. */
  readonly tables: readonly PeriodTable[];
  /**
   * Tables by which the metrics of a request are offset, with their periods, whether or not the caller may use the grains.
   */
  readonly counted?: readonly PeriodTable[] | undefined;
}

export const DEFAULT_TIME: TimeSettings = {
  timezone: undefined,
  firstDay: 1,
  locale: 'en-US',
  calendars: [],
  tables: [],
};
