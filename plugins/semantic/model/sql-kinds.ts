/** What the SQL parser library's kinds of nodes mean here. */

/** Kinds of nodes that aggregate, and what they do in this product's words. */
export const AGGREGATES: Readonly<Record<string, string>> = {
  sum: 'sum',
  count: 'count',
  avg: 'avg',
  min: 'min',
  max: 'max',
  count_if: 'count',
  sum_if: 'sum',
  median: 'median',
  stddev: 'stddev',
  stddev_pop: 'stddev_pop',
  stddev_samp: 'stddev',
  variance: 'variance',
  var_pop: 'variance_pop',
  var_samp: 'variance',
  approx_distinct: 'count_distinct',
  approx_count_distinct: 'count_distinct',
  mode: 'mode',
  first: 'first',
  last: 'last',
  any_value: 'any_value',
  string_agg: 'list',
  list_agg: 'list',
  group_concat: 'list',
  array_agg: 'list',
  approx_percentile: 'percentile',
  percentile: 'percentile',
  percentile_cont: 'percentile',
  percentile_disc: 'percentile',
  quantile: 'percentile',
  approx_quantile: 'percentile',
  logical_and: 'all',
  logical_or: 'any',
  skewness: 'skewness',
  corr: 'correlation',
  covar_samp: 'covariance',
  covar_pop: 'covariance_pop',
  arg_max: 'max_by',
  arg_min: 'min_by',
  aggregate_function: 'aggregate',
  parameterized_agg: 'aggregate',
  anonymous_agg_func: 'aggregate',
  combined_agg_func: 'aggregate',
  within_group: 'percentile',
};

/** Aggregates that the library reads as ordinary functions. */
export const AGGREGATE_NAMES =
  /^(QUANTILE\w*|APPROX_QUANTILE|PERCENTILE\w*|ENTROPY|KURTOSIS\w*|PRODUCT|GEOMEAN|GEOMETRIC_MEAN|BIT_(AND|OR|XOR)|REGR_\w+|FAVG|FSUM|SUMKAHAN|MAD|UNIQ\w*)$/i;

/** Aggregates of one argument that an aggregation override may replace. */
export const OVERRIDABLE: ReadonlySet<string> = new Set(['sum', 'count', 'avg', 'min', 'max']);

/** Kinds of nodes that no expression may hold, and why; the text continues "the expression …". */
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

/** In these functions the first argument is a unit of time although it looks like a name. */
export const UNIT_FIRST =
  /^(DATE_?ADD|DATE_?SUB|DATE_?DIFF|DATE_?PART|DATE_?TRUNC|TIMESTAMP_?ADD|TIMESTAMP_?DIFF|TIMEDIFF|DATENAME|LAST_DAY)$/i;
export const UNIT =
  /^(MICROSECOND|MILLISECOND|SECOND|MINUTE|HOUR|DAY|WEEK|ISOWEEK|MONTH|QUARTER|YEAR|ISOYEAR|DOW|ISODOW|DOY|DECADE|CENTURY|EPOCH|DAYOFWEEK|DAYOFYEAR|YY|YYYY|QQ|MM|DD|WK|HH|MI|SS)S?$/i;
