/** Calendars with periods in a table, which has a row for each day. */
import { z } from 'zod';
import { DATE_GRAIN_NAMES } from '../../../router/date-grains.ts';
import { isRecord } from '../../../router/record.ts';
import { type FiscalYear, fiscalGrains } from './fiscal-year.ts';

const name = z.string().min(1);

export const calendarTable = z.strictObject({
  dataset: name,
  /** The field with the day of a row. */
  date: name,
  grains: z
    .array(
      z.strictObject({
        name: z
          .string()
          .regex(/^[A-Za-z][A-Za-z0-9_]{0,60}$/, 'the name of a grain is of letters, digits and _, a letter first'),
        field: name,
        label: name.optional(),
      }),
    )
    .min(1, 'a calendar has grains'),
});
export type CalendarTable = z.output<typeof calendarTable>;

/** Returns whether an entry of `calendars` is a calendar in a table. */
export function isOfTable(calendar: unknown): boolean {
  return isRecord(calendar) && 'dataset' in calendar;
}

/** Explains why the grains of tables conflict with other grains; `undefined` where they do not. */
export function conflictOfTables(
  tables: readonly CalendarTable[],
  calendars: readonly FiscalYear[],
): string | undefined {
  const seen = new Set<string>([...DATE_GRAIN_NAMES, ...fiscalGrains(calendars).map(([one]) => one)]);
  const names = tables.flatMap(({ grains }) => grains.map((grain) => grain.name));
  const twice = names.find((one) => seen.size === seen.add(one).size);
  return twice === undefined ? undefined : `calendars give the grain ${twice} twice, or one of the calendar’s own name`;
}
