/** Finds the fields of a dataset that are dates. */
import { isMomentType } from '../../../router/date-grains.ts';
import { mainDateOf } from './main-date.ts';
import type { Dataset, Field, ValueType } from './model.ts';

/** Returns whether values may be dates. Without a warehouse, as in `service validate`, types are unknown. */
export function mayBeMoment({ type, nativeType }: ValueType): boolean {
  return isMomentType(type) || (type === 'other' && nativeType === '');
}

/** Returns the main date of a dataset; where types are unknown, a field that may be it. */
export function mainDate(dataset: string, datasets: ReadonlyMap<string, Dataset>): Field | undefined {
  const declared = mainDateOf(dataset, { datasets });
  if (declared !== undefined) return declared;
  const fields = [...(datasets.get(dataset)?.fields.values() ?? [])];
  return fields.find((field) => mayBeMoment(field) && !isMomentType(field.type));
}

/** Lists the dates of a dataset, for the end of a message. */
export function candidates(dataset: Dataset | undefined): string {
  const dates = [...(dataset?.fields.values() ?? [])].filter(({ type }) => isMomentType(type));
  return dates.length === 0 ? '' : ` (${dates.map((field) => `${field.dataset}.${field.name}`).join(', ')})`;
}
