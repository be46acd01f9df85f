/**
 * Roll-ups: tables that have metrics of a dataset, aggregated by some of the fields that its rows lead to. The SERVICE
 * extension of a model declares them in `rollups`.
 */
import { z } from 'zod';
import type { DateGrain } from '../../../router/date-grains.ts';
import type { Place, Problems } from './problems.ts';

const MAX_ROLLUPS = 50;
const MAX_ROLLUP_FIELDS = 50;
const MAX_ROLLUP_METRICS = 200;

/** The grains that a roll-up may have of a date. */
export const ROLLUP_GRAINS = ['day', 'week', 'month', 'quarter', 'year'] as const satisfies readonly DateGrain[];
export type RollupGrain = (typeof ROLLUP_GRAINS)[number];

/** An object that refuses other members with the list of its own. */
const strict = <Shape extends z.core.$ZodLooseShape>(what: string, shape: Shape) =>
  z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `${what} has no member ${issue.keys?.join(', ')}; it has ${Object.keys(shape).join(', ')}`
        : undefined,
  });

/** Intervals of refreshes in minutes, at least and at most. */
const MIN_EVERY_MINUTES = 5;
const MAX_EVERY_MINUTES = 44_640;
const MINUTES_OF = { minute: 1, hour: 60, day: 1_440 } as const;

/** Reads an interval, such as `1 hour` or `30 minutes`, in minutes. */
const interval = z.string().transform((text, context) => {
  const [, count, unit] = /^(\d{1,6}) (minute|hour|day)s?$/.exec(text.trim()) ?? [];
  const one = unit === 'minute' || unit === 'hour' || unit === 'day' ? MINUTES_OF[unit] : Number.NaN;
  const minutes = Number(count) * one;
  if (minutes >= MIN_EVERY_MINUTES && minutes <= MAX_EVERY_MINUTES) return minutes;
  context.addIssue({
    code: 'custom',
    message: 'the interval of a refresh is written as "30 minutes", "1 hour" or "1 day", from 5 minutes to 31 days',
  });
  return z.NEVER;
});

const name = z.string().min(1).max(200);
const rollup = strict('a roll-up', {
  name: z.string().regex(/^[A-Za-z][A-Za-z0-9_]{0,60}$/, 'the name of a roll-up is of letters, digits and _'),
  table: name,
  dataset: name,
  fields: z
    .array(
      strict('a field of a roll-up', {
        field: name,
        grain: z.enum(ROLLUP_GRAINS).optional(),
        via: z.array(name).max(20).default([]),
        column: name.optional(),
      }),
    )
    .max(MAX_ROLLUP_FIELDS),
  metrics: z
    .array(strict('a metric of a roll-up', { metric: name, column: name.optional(), rows: name.optional() }))
    .min(1)
    .max(MAX_ROLLUP_METRICS),
  rows: name.optional(),
  check: z.boolean().default(true),
  refresh: strict('the refresh of a roll-up', { every: interval }).optional(),
});

/** A roll-up as a document declares it. */
export type RollupData = z.output<typeof rollup>;

/** The member of the SERVICE extension that declares roll-ups. */
export const rollupData = z.looseObject({ rollups: z.array(rollup).max(MAX_ROLLUPS).optional() });

/** Reports roll-ups at an element that cannot have them. */
export function refuseMisplacedRollups(
  rollups: readonly RollupData[],
  element: 'model' | 'dataset' | 'other',
  place: Place,
  problems: Problems,
): void {
  if (rollups.length > 0 && element !== 'model')
    problems.error([...place, 'custom_extensions'], 'rollups belong to the model.');
}
