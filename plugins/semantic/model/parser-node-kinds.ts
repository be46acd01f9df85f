/** The meaning of the SQL parser library's node kinds. */
import { AGGREGATION_NAMES, type Aggregation } from './aggregations.ts';

/** The kinds of nodes of each aggregation. `NAME()` is a call for which the library has no kind of its own. */
const NODE_KINDS: Readonly<Record<Aggregation, readonly string[]>> = {
  sum: ['sum', 'sum_if'],
  avg: ['avg'],
  min: ['min'],
  max: ['max'],
  count: ['count', 'count_if'],
  count_distinct: ['approx_distinct', 'approx_count_distinct'],
  median: ['median'],
  percentile: [
    'approx_percentile',
    'percentile',
    'percentile_cont',
    'percentile_disc',
    'quantile',
    'approx_quantile',
    'within_group',
  ],
  stddev: ['stddev', 'stddev_samp'],
  stddev_pop: ['stddev_pop'],
  variance: ['variance', 'var_samp'],
  variance_pop: ['var_pop'],
  mode: ['mode'],
  first: ['first'],
  last: ['last'],
  any_value: ['any_value'],
  list: ['string_agg', 'list_agg', 'group_concat', 'array_agg'],
  all: ['logical_and'],
  any: ['logical_or'],
  aggregate: [
    'aggregate_function',
    'parameterized_agg',
    'anonymous_agg_func',
    'combined_agg_func',
    'skewness',
    'corr',
    'covar_samp',
    'covar_pop',
    'arg_max',
    'arg_min',
  ],
};

const AGGREGATION_OF_KIND: ReadonlyMap<string, Aggregation> = new Map(
  AGGREGATION_NAMES.flatMap((name) => NODE_KINDS[name].map((kind): [string, Aggregation] => [kind, name])),
);

/** Returns the aggregation of a node; `undefined` for other nodes. */
export function aggregationOf(kind: string, name: unknown): Aggregation | undefined {
  const called = typeof name === 'string' ? AGGREGATION_OF_KIND.get(`${name.toUpperCase()}()`) : undefined;
  const isFunction = kind === 'function' && AGGREGATE_NAMES.test(String(name));
  return called ?? AGGREGATION_OF_KIND.get(kind) ?? (isFunction ? 'aggregate' : undefined);
}

/** Aggregates that the library reads as ordinary functions. */
const AGGREGATE_NAMES =
  /^(QUANTILE\w*|APPROX_QUANTILE|PERCENTILE\w*|ENTROPY|KURTOSIS\w*|PRODUCT|GEOMEAN|GEOMETRIC_MEAN|BIT_(AND|OR|XOR)|REGR_\w+|FAVG|FSUM|SUMKAHAN|MAD|UNIQ\w*)$/i;

/** Kinds of nodes that no expression may contain, and the reason; the text continues "the expression …". */
export const REFUSED: Readonly<Record<string, string>> = {
  select: 'holds a query, which an expression may not',
  union: 'holds a query, which an expression may not',
  subquery: 'holds a query, which an expression may not',
  exists: 'holds a query, which an expression may not',
  window_function: 'holds a window function, which is not supported here',
  star: 'names all columns with *, which only COUNT(*) may',
  placeholder: 'holds a placeholder for a value',
  parameter: 'holds a placeholder for a value',
  dot: 'holds a name of more than two parts; write dataset.field or dataset.column',
  int_div: 'divides integers, dropping the remainder; write a / b',
  alias: 'gives itself a name with AS',
};

/** Functions with a unit of time as their first argument, which looks like a name. */
export const UNIT_FIRST =
  /^(DATE_?ADD|DATE_?SUB|DATE_?DIFF|DATE_?PART|DATE_?TRUNC|TIMESTAMP_?ADD|TIMESTAMP_?DIFF|TIMEDIFF|DATENAME|LAST_DAY)$/i;
export const UNIT =
  /^(MICROSECOND|MILLISECOND|SECOND|MINUTE|HOUR|DAY|WEEK|ISOWEEK|MONTH|QUARTER|YEAR|ISOYEAR|DOW|ISODOW|DOY|DECADE|CENTURY|EPOCH|DAYOFWEEK|DAYOFYEAR|YY|YYYY|QQ|MM|DD|WK|HH|MI|SS)S?$/i;
