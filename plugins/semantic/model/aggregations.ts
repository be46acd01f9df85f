/**
 * The aggregations of metrics: the only list. It decides how expressions are read, how values are combined, compared and
 * shown, and what the table in `docs/reference/aggregations.md` says. A new aggregation does not compile until it has a
 * spelling in `parser-node-kinds.ts` and a case in `query/aggregations.test.ts`. If requests may name it, it also needs its
 * SQL in `query/render/subquery.ts`.
 */

interface AggregationFacts {
  /** The expression syntax, for the docs; `x` and `y` are any expressions. */
  readonly written: readonly string[];
  /** The result, for the docs. */
  readonly says: string;
  /**
   * The kind of its values: a number of rows or of things (`count`), a sum of its arguments (`total`), one of its arguments
   * (`value`), a number with a fraction (`fraction`), or a kind that only the engine knows (`unknown`).
   */
  readonly result: 'count' | 'total' | 'value' | 'fraction' | 'unknown';
  /**
   * The aggregation that combines the values of parts, such as the days of a window, into the value of the whole. A mean is
   * combined from the sums and counts of its parts. Null where the whole needs the rows themselves.
   */
  readonly wholeOfParts: 'SUM' | 'MIN' | 'MAX' | 'AVG' | null;
  /**
   * True where each engine rounds the result to its own type: PostgreSQL rounds a mean to sixteen digits of NUMERIC, DuckDB
   * to a double. A cast to double makes the number the same everywhere, and marks it as inexact.
   */
  readonly isRoundedByEngine: boolean;
  /** True where its values have the unit of its arguments. */
  readonly keepsUnit: boolean;
  /** Its value in a period without rows, where a request fills with zeros. */
  readonly ofNoRows: 0 | null;
  /** The values for which a request may name it as `aggregation`, in place of a metric's own; null where it never may. */
  readonly overridesFor: 'numbers' | 'anything' | null;
}

/** The facts of aggregations that need the rows themselves and that no request may name. */
const OF_ROWS = { wholeOfParts: null, ofNoRows: null, overridesFor: null } as const;
const ONE_OF_THE_VALUES = { ...OF_ROWS, result: 'value', isRoundedByEngine: false, keepsUnit: true } as const;
const KNOWN_TO_THE_ENGINE = { ...OF_ROWS, result: 'unknown', isRoundedByEngine: false, keepsUnit: false } as const;
const DEVIATION = { ...OF_ROWS, result: 'fraction', isRoundedByEngine: true, keepsUnit: true } as const;

/** The aggregations. `supportedOverrides` lists aggregations in this order. */
export const AGGREGATIONS = {
  sum: {
    written: ['SUM(x)'],
    says: 'the sum',
    result: 'total',
    wholeOfParts: 'SUM',
    isRoundedByEngine: false,
    keepsUnit: true,
    ofNoRows: 0,
    overridesFor: 'numbers',
  },
  avg: {
    written: ['AVG(x)'],
    says: 'the mean',
    result: 'fraction',
    wholeOfParts: 'AVG',
    isRoundedByEngine: true,
    keepsUnit: true,
    ofNoRows: null,
    overridesFor: 'numbers',
  },
  min: {
    written: ['MIN(x)'],
    says: 'the lowest value',
    result: 'value',
    wholeOfParts: 'MIN',
    isRoundedByEngine: false,
    keepsUnit: true,
    ofNoRows: null,
    overridesFor: 'anything',
  },
  max: {
    written: ['MAX(x)'],
    says: 'the highest value',
    result: 'value',
    wholeOfParts: 'MAX',
    isRoundedByEngine: false,
    keepsUnit: true,
    ofNoRows: null,
    overridesFor: 'anything',
  },
  count: {
    written: ['COUNT(*)', 'COUNT(x)'],
    says: 'the number of rows, or of values that are not null',
    result: 'count',
    wholeOfParts: 'SUM',
    isRoundedByEngine: false,
    keepsUnit: false,
    ofNoRows: 0,
    overridesFor: 'anything',
  },
  count_distinct: {
    written: ['COUNT(DISTINCT x)', 'APPROX_COUNT_DISTINCT(x)'],
    says: 'the number of different values',
    result: 'count',
    wholeOfParts: null,
    isRoundedByEngine: false,
    keepsUnit: false,
    ofNoRows: 0,
    overridesFor: null,
  },
  median: {
    ...OF_ROWS,
    written: ['MEDIAN(x)'],
    says: 'the value in the middle, or the mean of the two there',
    result: 'fraction',
    isRoundedByEngine: false,
    keepsUnit: true,
  },
  percentile: {
    ...OF_ROWS,
    written: [
      'PERCENTILE_CONT(0.9) WITHIN GROUP (ORDER BY x)',
      'PERCENTILE_DISC(0.9) WITHIN GROUP (ORDER BY x)',
      'APPROX_PERCENTILE(x, 0.9)',
    ],
    says: 'the value at a share of the sorted values',
    result: 'unknown',
    isRoundedByEngine: false,
    keepsUnit: true,
  },
  stddev: { ...DEVIATION, written: ['STDDEV(x)', 'STDDEV_SAMP(x)'], says: 'the standard deviation of a sample' },
  stddev_pop: { ...DEVIATION, written: ['STDDEV_POP(x)'], says: 'the standard deviation of all there is' },
  variance: {
    ...DEVIATION,
    written: ['VARIANCE(x)', 'VAR_SAMP(x)'],
    says: 'the variance of a sample',
    keepsUnit: false,
  },
  variance_pop: { ...DEVIATION, written: ['VAR_POP(x)'], says: 'the variance of all there is', keepsUnit: false },
  mode: { ...ONE_OF_THE_VALUES, written: ['MODE(x)'], says: 'the most frequent value' },
  first: { ...ONE_OF_THE_VALUES, written: ['FIRST(x)'], says: 'the first value' },
  last: { ...ONE_OF_THE_VALUES, written: ['LAST(x)'], says: 'the last value' },
  any_value: { ...ONE_OF_THE_VALUES, written: ['ANY_VALUE(x)'], says: 'one of the values' },
  list: { ...KNOWN_TO_THE_ENGINE, written: ["STRING_AGG(x, ', ')", 'ARRAY_AGG(x)'], says: 'the values, listed' },
  all: { ...KNOWN_TO_THE_ENGINE, written: ['LOGICAL_AND(x)'], says: 'whether a condition holds for every row' },
  any: { ...KNOWN_TO_THE_ENGINE, written: ['LOGICAL_OR(x)'], says: 'whether a condition holds for some row' },
  aggregate: {
    ...KNOWN_TO_THE_ENGINE,
    written: ['PRODUCT(x)', 'CORR(x, y)'],
    says: 'any other aggregate that the warehouse has',
  },
} as const satisfies Record<string, AggregationFacts>;

export type Aggregation = keyof typeof AGGREGATIONS;

/** The aggregations that a request may name in place of a metric's own. */
export type OverridingAggregation = {
  [Name in Aggregation]: (typeof AGGREGATIONS)[Name]['overridesFor'] extends null ? never : Name;
}[Aggregation];

export const AGGREGATION_NAMES = Object.keys(AGGREGATIONS) as [Aggregation, ...Aggregation[]];

/**
 * The kinds of metrics with more than one aggregation: a division, arithmetic on other metrics, or any other expression.
 */
const COMPOSITION_NAMES = ['ratio', 'derived', 'expression'] as const;
export type Composition = (typeof COMPOSITION_NAMES)[number];

/** The computation of a metric's values, as answers and schemas name it. */
export type AggregationKind = Aggregation | Composition;

/** Returns the facts of an aggregation; `undefined` for metrics that combine several. */
export function aggregationFacts(kind: AggregationKind): AggregationFacts | undefined {
  return isAggregation(kind) ? AGGREGATIONS[kind] : undefined;
}

/** Lists the aggregations that a request may name for a metric of numbers or of other values. */
export function overridesFor(values: 'numbers' | 'others'): readonly OverridingAggregation[] {
  return AGGREGATION_NAMES.filter(isOverriding).filter(
    (name) => values === 'numbers' || AGGREGATIONS[name].overridesFor === 'anything',
  );
}

export function isOverriding(name: Aggregation): name is OverridingAggregation {
  return AGGREGATIONS[name].overridesFor !== null;
}

function isAggregation(kind: AggregationKind): kind is Aggregation {
  return Object.hasOwn(AGGREGATIONS, kind);
}

/** Returns the name of an aggregation in requests and schemas. */
export function overrideName(aggregation: OverridingAggregation): string {
  return aggregation.toUpperCase();
}
