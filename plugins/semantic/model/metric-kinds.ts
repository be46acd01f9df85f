/**
 * Kinds of metrics that a document declares beside an expression: the closed table. Each is a key of the data of our
 * vendor block on a metric. Schemas, the plan in words and the schema view are made from it.
 */
import { z } from 'zod';

/** What of the dates of a group stands for it, where a balance or a stock is meant: one of them, or the mean over them. */
const TAKES = ['last', 'first', 'average'] as const;
export type Take = (typeof TAKES)[number];

const names = z.union([z.string().transform((one) => [one]), z.array(z.string())]);

/** Characters of a condition, which the SQL parser reads. */
const MAX_FILTER_CHARACTERS = 10_000;

/** What a document says of each kind, by its key. Fields are named `dataset.field`. */
const KIND_DATA = {
  filter: z.string().trim().min(1).max(MAX_FILTER_CHARACTERS),
  semi_additive: z.strictObject({ by: z.string(), take: z.enum(TAKES).default('last'), per: names.default([]) }),
} as const;

/** The members of our vendor block that make a metric one of a kind, each optional. Other members are not its own. */
export const metricKindData = z.object(KIND_DATA).partial();
/** What a document says of the kinds of one metric. */
export type MetricKindData = z.output<typeof metricKindData>;
export type MetricKindKey = keyof typeof KIND_DATA;
type DataOf<Key extends MetricKindKey> = z.output<(typeof KIND_DATA)[Key]>;

interface MetricKind<Data> {
  /** As people and the schema view call it. */
  readonly name: string;
  /** Says what a metric does; continues its name. */
  readonly says: (data: Data) => string;
}

const METRIC_KINDS: { readonly [Key in MetricKindKey]: MetricKind<DataOf<Key>> } = {
  filter: {
    name: 'filtered',
    says: (condition) => `is of the rows where ${condition}`,
  },
  semi_additive: {
    name: 'semi-additive',
    says: ({ by, take, per }) =>
      take === 'average'
        ? `is of each group the mean over its dates (${by}) of what is aggregated by date${per.length === 0 ? '' : `, for each ${per.join(', ')} by itself`}`
        : `takes of each group the rows of its ${take} ${[by, ...per].join(', ')}`,
  },
};

/** A kind of a metric, for people to read. */
export interface DescribedKind {
  readonly kind: string;
  /** Continues the metric's name. */
  readonly says: string;
}

const METRIC_KIND_KEYS = Object.keys(METRIC_KINDS) as MetricKindKey[];

/** Returns the kinds that data declare, in the order of the table. */
export function kindsOf(data: MetricKindData): readonly DescribedKind[] {
  return METRIC_KIND_KEYS.flatMap((key) => described(key, data[key]) ?? []);
}

function described<Key extends MetricKindKey>(key: Key, data: DataOf<Key> | undefined): DescribedKind | undefined {
  const { name, says } = METRIC_KINDS[key];
  return data === undefined ? undefined : Object.freeze({ kind: name, says: says(data) });
}
