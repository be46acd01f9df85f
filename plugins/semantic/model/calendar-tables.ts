/** Calendars whose periods stand in a table, with a row for each day. */
import { z } from 'zod';
import { isRecord } from '../../../router/record.ts';

const name = z.string().min(1);

export const calendarTable = z.strictObject({
  dataset: name,
  /** The field that says which day a row is of. */
  date: name,
  grains: z.array(z.strictObject({ name, field: name, label: name.optional() })).min(1, 'a calendar has grains'),
});
export type CalendarTable = z.output<typeof calendarTable>;

/** Whether what stands among calendars is one of a table. */
export function isOfTable(calendar: unknown): boolean {
  return isRecord(calendar) && 'dataset' in calendar;
}

/** Says that the periods of a calendar's table are no grains, which grains there are, and how its fields are asked all the same. */
export function describeUnasked({ dataset, date, grains }: CalendarTable, asked: readonly string[]): string {
  const periods = grains.map((grain) => grain.name).join(', ');
  const fields = [...new Set(grains.map(({ field }) => `${dataset}.${field}`))].join(', ');
  return `periods of a calendar dataset cannot be asked as a grain yet: ${periods} of ${dataset}. Grains of dates are ${asked.join(', ')}. A relationship from the column of a date to that of ${dataset}.${date} lets requests take ${fields} as fields.`;
}

/** Says what a calendar names that the model has not; `undefined` where it has all. */
export function missingOf(
  { dataset, date, grains }: CalendarTable,
  datasets: readonly { readonly name: string; readonly fields: readonly { readonly name: string }[] }[],
): string | undefined {
  const found = datasets.find((one) => one.name === dataset);
  if (found === undefined) return `a calendar names the dataset ${dataset}, which there is not.`;
  const wanted = [date, ...grains.flatMap(({ field, label }) => [field, ...(label === undefined ? [] : [label])])];
  const missing = wanted.find((one) => found.fields.every((field) => field.name !== one));
  return missing === undefined ? undefined : `a calendar names ${dataset}.${missing}, which is no field.`;
}
