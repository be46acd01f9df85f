/** Calendars whose periods stand in a table, with a row for each day. */
import { z } from 'zod';
import { DATE_GRAIN_NAMES, isMomentType } from '../../../router/date-grains.ts';
import { isRecord } from '../../../router/record.ts';
import { type FiscalYear, fiscalGrains } from './fiscal-year.ts';
import type { Dataset, Field } from './model.ts';
import { KEY_TYPES, type PeriodTable } from './period-table.ts';

const name = z.string().min(1);

export const calendarTable = z.strictObject({
  dataset: name,
  /** The field that says which day a row is of. */
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

/** Whether what stands among calendars is one of a table. */
export function isOfTable(calendar: unknown): boolean {
  return isRecord(calendar) && 'dataset' in calendar;
}

/** Why the grains of tables cannot stand beside the others; `undefined` where they can. */
export function conflictOfTables(
  tables: readonly CalendarTable[],
  calendars: readonly FiscalYear[],
): string | undefined {
  const seen = new Set<string>([...DATE_GRAIN_NAMES, ...fiscalGrains(calendars).map(([one]) => one)]);
  const names = tables.flatMap(({ grains }) => grains.map((grain) => grain.name));
  const twice = names.find((one) => seen.size === seen.add(one).size);
  return twice === undefined ? undefined : `calendars give the grain ${twice} twice, or one of the calendar’s own name`;
}

/** Returns the grains that tables have; `warn` is told of those that name what the model has not, or cannot be one. */
export function periodTables(
  tables: readonly CalendarTable[],
  datasets: ReadonlyMap<string, Dataset>,
  warn: (message: string) => void,
): readonly PeriodTable[] {
  return tables.flatMap(({ dataset, date, grains }) => {
    const found = datasets.get(dataset);
    if (found === undefined) {
      warn(`a calendar names the dataset ${dataset}, which there is not.`);
      return [];
    }
    const day = fieldOf(found, date, warn);
    if (day === undefined) return [];
    // Without a warehouse nobody knows a type.
    if (isKnown(day) && !isMomentType(day.type)) {
      warn(`a calendar names ${dataset}.${date} as its date, which is neither a date nor a timestamp.`);
      return [];
    }
    return grains.flatMap((grain): readonly PeriodTable[] => {
      const key = fieldOf(found, grain.field, warn);
      const label = grain.label === undefined ? undefined : fieldOf(found, grain.label, warn);
      if (key === undefined || (grain.label !== undefined && label === undefined)) return [];
      if (isKnown(key) && !KEY_TYPES.includes(key.type)) {
        warn(
          `a calendar names ${dataset}.${grain.field} for ${grain.name}, whose type tells no periods apart: ${KEY_TYPES.join(', ')} do.`,
        );
        return [];
      }
      const own = { name: grain.name, dataset, date, key: grain.field, label: grain.label };
      return [Object.freeze({ ...own, keyType: key.type, periods: undefined })];
    });
  });
}

function fieldOf(dataset: Dataset, wanted: string, warn: (message: string) => void): Field | undefined {
  const field = dataset.fields.get(wanted);
  if (field === undefined) warn(`a calendar names ${dataset.name}.${wanted}, which is no field.`);
  return field;
}

function isKnown({ type, nativeType }: Field): boolean {
  return type !== 'other' || nativeType !== '';
}
