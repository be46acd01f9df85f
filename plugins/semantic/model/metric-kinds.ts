/**
 * The closed table of the kinds of metrics that a document declares beside an expression. Each kind is a key in the data of
 * our vendor block on a metric. Schemas, the plan in words and the schema view are made from this table.
 */

import { z } from 'zod';
import { DATE_GRAIN_NAMES, type GrainOf, isGrainOf } from '../../../router/date-grains.ts';
import { plural } from '../../../router/plural.ts';

/**
 * The dates of a group at which a balance or a stock is taken: the last date, the first date, or the mean over all dates.
 */
const TAKES = ['last', 'first', 'average'] as const;
export type Take = (typeof TAKES)[number];

const names = z.union([z.string().transform((one) => [one]), z.array(z.string())]);

/** A calendar period, or a period of the model's own calendars. It is resolved when the whole model has been read. */
const period = z.string().max(60);
/** The most periods of an offset. */
const MAX_OFFSET = 10_000;

/** The most characters of a condition, which the SQL parser reads. */
const MAX_FILTER_CHARACTERS = 10_000;

/** The value of a period, taken from the values of its days. */
export const WINDOW_TAKES = ['last', 'first', 'average'] as const;
export type WindowTake = (typeof WINDOW_TAKES)[number];

/** The units of windows between two events. Windows of cumulative metrics have days or longer units. */
export type WindowGrain = GrainOf<'clock' | 'period'>;
const WINDOW_GRAINS = DATE_GRAIN_NAMES.filter((grain): grain is WindowGrain => !isGrainOf(grain, 'part'));

/** The most units of a window. */
const MAX_WINDOW = 10_000;
const windowCount = z.int().min(1).max(MAX_WINDOW);

const cumulative = z
  .strictObject({
    by: z.string().optional(),
    window: z.strictObject({ count: windowCount, grain: period }).optional(),
    to_date: period.optional(),
    take: z.enum(WINDOW_TAKES).default('last'),
  })
  .refine(
    ({ window, to_date }) => window === undefined || to_date === undefined,
    'window and to_date exclude each other',
  );

/** Properties of the base events and of the conversion events. */
const sides = z.strictObject({ base: z.string(), conversion: z.string() });

const conversion = z.strictObject({
  base: z.string(),
  entity: sides,
  by: sides.optional(),
  window: z.strictObject({ count: windowCount, grain: z.enum(WINDOW_GRAINS) }).optional(),
  take: z.enum(['rate', 'count']).default('rate'),
  constant: z.array(sides).max(10).default([]),
});

/** The document's data of each kind, by its key. Fields are named `dataset.field`. */
const KIND_DATA = {
  filter: z.string().trim().min(1).max(MAX_FILTER_CHARACTERS),
  offset: z
    .strictObject({
      by: z.string().optional(),
      count: z.int().min(1).max(MAX_OFFSET).optional(),
      grain: period.optional(),
      to: period.optional(),
    })
    .refine(
      ({ count, grain, to }) =>
        to === undefined ? count !== undefined && grain !== undefined : count === undefined && grain === undefined,
      'an offset has a count and a grain, or the period in "to"',
    ),
  semi_additive: z.strictObject({ by: z.string(), take: z.enum(TAKES).default('last'), per: names.default([]) }),
  cumulative,
  conversion,
} as const;

/** The optional members of our vendor block that declare the kinds of a metric. The schema ignores other members. */
export const metricKindData = z.object(KIND_DATA).partial();
/** The document's data for the kinds of one metric. */
export type MetricKindData = z.output<typeof metricKindData>;
export type MetricKindKey = keyof typeof KIND_DATA;
export type CumulativeFacts = DataOf<'cumulative'>;
export type ConversionFacts = DataOf<'conversion'>;
export type OffsetFacts = DataOf<'offset'>;
type DataOf<Key extends MetricKindKey> = z.output<(typeof KIND_DATA)[Key]>;

interface MetricKind<Data> {
  /** The name that people and the schema view use. */
  readonly name: string;
  /** Describes the metric; continues its name. */
  readonly says: (data: Data) => string;
}

const METRIC_KINDS: { readonly [Key in MetricKindKey]: MetricKind<DataOf<Key>> } = {
  filter: {
    name: 'filtered',
    says: (condition) => `is of the rows where ${condition}`,
  },
  offset: {
    name: 'offset',
    says: ({ by = 'its main date', count = 1, grain = 'day', to }) =>
      to === undefined
        ? `has in each group what it was ${count} ${plural(count, grain)} earlier, by ${by}`
        : `has in each group what it was on the first day of the ${to}, by ${by}`,
  },
  semi_additive: {
    name: 'semi-additive',
    says: ({ by, take, per }) =>
      take === 'average'
        ? `is of each group the mean over its dates (${by}) of what is aggregated by date${per.length === 0 ? '' : `, for each ${per.join(', ')} by itself`}`
        : `takes of each period the rows of its ${take} ${by}, one for ${per.length === 0 ? 'all groups' : `each ${per.join(', ')}`}`,
  },
  cumulative: {
    name: 'cumulative',
    says: ({ by = 'its main date', take, ...length }) =>
      `aggregates ${describeWindow(length)}, by ${by}${TAKE_SAYS[take]}`,
  },
  conversion: {
    name: 'conversion',
    says: ({ base, entity, constant, window, take }) => {
      const alike = [entity, ...constant].map((each) => `${each.conversion} = ${each.base}`).join(' and ');
      const within = window === undefined ? '' : ` of the ${described(window.count, window.grain)} before it`;
      const share = take === 'rate' ? `, and is divided by ${base}` : '';
      return `counts each event once, for the latest event of ${base}${within} with ${alike}, in the group of that${share}`;
    },
  },
};

const TAKE_SAYS: Readonly<Record<WindowTake, string>> = {
  last: '',
  first: '; a longer period has the value of its first day',
  average: '; a longer period has the mean of the values of its days',
};

function describeWindow({ window, to_date: toDate }: Pick<CumulativeFacts, 'window' | 'to_date'>): string {
  if (window !== undefined) {
    return `the rows of the ${described(window.count, window.grain)} that end with each period`;
  }
  return toDate === undefined
    ? 'all rows until the end of each period'
    : `the rows from the first day of the ${toDate} to the end of each period`;
}

function described(count: number, grain: string): string {
  return count === 1 ? grain : `${count} ${plural(count, grain)}`;
}

/** A kind of a metric, in words. */
export interface DescribedKind {
  readonly kind: string;
  /** Continues the metric's name. */
  readonly says: string;
}

const METRIC_KIND_KEYS = Object.keys(METRIC_KINDS) as MetricKindKey[];

/** Returns the kinds that data declare, in the order of the table. */
export function kindsOf(data: MetricKindData): readonly DescribedKind[] {
  return METRIC_KIND_KEYS.flatMap((key) => describedKind(key, data[key]) ?? []);
}

function describedKind<Key extends MetricKindKey>(key: Key, data: DataOf<Key> | undefined): DescribedKind | undefined {
  const { name, says } = METRIC_KINDS[key];
  return data === undefined ? undefined : Object.freeze({ kind: name, says: says(data) });
}
