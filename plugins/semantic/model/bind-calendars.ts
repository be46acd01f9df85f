/** Binds the calendars with periods in the rows of a table. Their grains are fields of the table's dataset. */
import { isMomentType } from '../../../router/date-grains.ts';
import type { CalendarTable } from './calendar-tables.ts';
import type { Dataset, Field } from './model.ts';
import { KEY_TYPES, type PeriodTable } from './period-table.ts';

/** Returns the grains of tables. `warn` receives a message for each grain that names no field, or a field that cannot be one. */
export function periodTables(
  tables: readonly CalendarTable[],
  datasets: ReadonlyMap<string, Dataset>,
  warn: (message: string) => void,
): readonly PeriodTable[] {
  return tables.flatMap(({ dataset, date, grains }) => {
    const calendarDataset = datasets.get(dataset);
    if (calendarDataset === undefined) {
      warn(`a calendar names the dataset ${dataset}, which the model lacks.`);
      return [];
    }
    const day = fieldOf(calendarDataset, date, warn);
    if (day === undefined) return [];
    // Without a warehouse, types are unknown.
    if (isKnown(day) && !isMomentType(day.type)) {
      warn(`a calendar names ${dataset}.${date} as its date, which is neither a date nor a timestamp.`);
      return [];
    }
    return grains.flatMap((grain): readonly PeriodTable[] => {
      const key = fieldOf(calendarDataset, grain.field, warn);
      const label = grain.label === undefined ? undefined : fieldOf(calendarDataset, grain.label, warn);
      if (key === undefined || (grain.label !== undefined && label === undefined)) return [];
      if (isKnown(key) && !KEY_TYPES.includes(key.type)) {
        warn(
          `a calendar names ${dataset}.${grain.field} for ${grain.name}, whose type does not distinguish periods: use ${KEY_TYPES.join(', ')}.`,
        );
        return [];
      }
      const table = { name: grain.name, dataset, date, key: grain.field, label: grain.label };
      return [Object.freeze({ ...table, keyType: key.type, periods: undefined })];
    });
  });
}

function fieldOf(dataset: Dataset, name: string, warn: (message: string) => void): Field | undefined {
  const field = dataset.fields.get(name);
  if (field === undefined) warn(`a calendar names ${dataset.name}.${name}, which is not a field.`);
  return field;
}

function isKnown({ type, nativeType }: Field): boolean {
  return type !== 'other' || nativeType !== '';
}
