import { match } from '../../../query-surface/index.ts';
import { mainDateOf } from '../../model/main-date.ts';
import type { Field, Model } from '../../model/model.ts';
import type { CalendarDate } from '../nodes/resolved-query.ts';

/** The calendar's name in requests; a model's own dataset of that name wins. */
export const CALENDAR = { dataset: 'time', field: 'date' } as const;

/**
 * Returns the dates that the calendar represents; `undefined` where no dataset has a main date, or a dataset has the
 * calendar's name.
 */
export function calendarDate(model: Model, facts: readonly string[]): CalendarDate | undefined {
  const isTaken = match(CALENDAR.dataset, [...model.datasets.values()]).kind !== 'none';
  const datedDatasets = [...model.datasets.keys()].flatMap((name) => {
    const field = mainDateOf(name, model);
    return field === undefined ? [] : [[name, field] as const];
  });
  if (isTaken || datedDatasets.length === 0) return undefined;
  const mainDates = new Map(datedDatasets);
  const datesOfFacts = facts.flatMap((name) => mainDates.get(name) ?? []);
  return { mainDates, meant: [...new Set(datesOfFacts.length > 0 ? datesOfFacts : mainDates.values())] };
}

/**
 * Returns the field for the calendar's date. It has the type of the dates that it means, or `date` where these have several
 * types.
 */
export function calendarField({ meant }: CalendarDate): Field {
  const [first, ...others] = meant;
  const type = first !== undefined && others.every((one) => one.type === first.type) ? first.type : 'date';
  return Object.freeze({
    name: CALENDAR.field,
    dataset: CALENDAR.dataset,
    label: 'Date',
    description: undefined,
    synonyms: [],
    instructions: undefined,
    aiExamples: [],
    isTime: true,
    isLocalTime: meant.every(({ isLocalTime }) => isLocalTime),
    expression: [],
    type,
    nativeType: type === 'date' ? 'DATE' : (first?.nativeType ?? ''),
    display: { hidden: false },
    roles: { allow: undefined, deny: [] },
    extensions: [],
  });
}
