/** The JSON Schema of requests to one model. */
import { isRecord } from '../../../router/record.ts';
import { GRAIN_SAYS, PERIOD_SAYS } from '../filter-schemas.ts';
import { periodNames } from '../model/fiscal-year.ts';
import type { Model } from '../model/model.ts';
import { grainNames } from '../query/nodes/grain.ts';

/** Returns a JSON Schema in which the grains are those that the model has, including the grains of its calendars. */
export function withGrainsOf(
  { time }: Pick<Model, 'time'>,
  schema: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const { calendars, tables } = time;
  const periods = [...periodNames(calendars), ...tables.map(({ name }) => name)];
  const grain = { type: 'string', enum: grainNames('timestamp', time), description: GRAIN_SAYS };
  const period = { type: 'string', enum: periods, description: PERIOD_SAYS };
  const replaced = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(replaced);
    if (!isRecord(value)) return value;
    if (value.description === PERIOD_SAYS) return period;
    return value.description === GRAIN_SAYS ? grain : members(value);
  };
  const members = (value: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, replaced(inner)]));
  return members(schema);
}
