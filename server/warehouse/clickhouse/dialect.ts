import type { Dialect } from '../../../router/capabilities/dialect.ts';
import type { ScalarType } from '../../../router/capabilities/warehouse.ts';
import { checkedName, hexOfBase64, inEscapingQuotes } from '../quoting.ts';
import { standardSql } from '../standard-sql.ts';
import { clickhouseGrains, clickhouseShifted } from './grains.ts';
import { DECIMAL_DIGITS_AFTER, DECIMAL_DIGITS_BEFORE, listText } from './values.ts';

/**
 * The types of bound values. A type without `Nullable` takes no NULL; 128 bits hold every column's integers, signed or
 * not; 46 digits before the point and 30 after it are enough for every DECIMAL(38).
 */
const TYPE: Readonly<Record<ScalarType, string>> = {
  text: 'String',
  integer: 'Int128',
  decimal: 'Decimal(76, 30)',
  float: 'Float64',
  boolean: 'Bool',
  date: 'Date32',
  time: 'String',
  timestamp: "DateTime64(6, 'UTC')",
  timestamptz: "DateTime64(6, 'UTC')",
  json: 'String',
  binary: 'String',
  other: 'String',
};

/** Values are sent in the address, with 1 MiB at most (`http_max_uri_size`), each byte as up to three characters. */
const MAX_BYTES = 300_000;

/** A parameter has 128 KiB at most (`http_max_field_value_size`), escapes included. */
const MAX_LIST_LENGTH = 60_000;

/** A whole number is compared with columns of 64 bits at most, because a wider type cannot be. */
const LITERAL_TYPE: Readonly<Record<ScalarType, string>> = { ...TYPE, integer: 'Int64' };

/**
 * ClickHouse 24.8 and later (executed on 26.7 by `dialects.test.ts`). The settings of each request (`settings.ts`) correct where its SQL differs from
 * the standard. Comparisons return 1 and 0; a division by zero returns an infinity.
 */
export const clickhouseDialect: Dialect = {
  ...standardSql,
  inlinesCommonTables: true,
  name: 'clickhouse',
  holds: {
    decimals: { digits: 76, before: DECIMAL_DIGITS_BEFORE, after: DECIMAL_DIGITS_AFTER, mixed: false },
    days: ['1900-01-01', '2299-12-31'],
    singles: true,
    convertsLists: true,
    bytes: MAX_BYTES,
  },
  parserName: 'clickhouse',
  exactText: undefined,
  // A backslash begins an escape, in quoted names too.
  identifier: (name) => `"${checkedName(name).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`,
  placeholder: (index, type) => `{p${index}:Nullable(${TYPE[type]})}`,
  list: (type) => ({
    text: (values) => listText(values, type),
    contains: (expression, index) => `${expression} IN {p${index}:Array(${TYPE[type]})}`,
    maxLength: MAX_LIST_LENGTH,
  }),
  literal(text, type) {
    if (text === null) return `CAST(NULL AS Nullable(${LITERAL_TYPE[type]}))`;
    if (type === 'binary') return `unhex('${hexOfBase64(text)}')`;
    return `CAST(${inEscapingQuotes(text)} AS Nullable(${LITERAL_TYPE[type]}))`;
  },
  grains: clickhouseGrains,
  shifted: clickhouseShifted,
  // Its exact quantiles without interpolation count positions differently from the standard.
  percentile(expression, { numerator, denominator, isInterpolated, isDescending }) {
    const place = (isDescending ? denominator - numerator : numerator) / denominator;
    return isInterpolated ? `quantileExactInclusiveOrNull(${place})(toFloat64(${expression}))` : undefined;
  },
  approximateDistinct: (expression) => `uniq(${expression})`,
  // SAMPLE needs a table with a sampling key.
  sampled: () => undefined,
  castToText: (expression) => `toString(${expression})`,
  // The states of aggregates have no text.
  valueText: (expression, { nativeType }) =>
    nativeType.includes('AggregateFunction(') && !nativeType.startsWith('SimpleAggregateFunction(')
      ? undefined
      : `toString(${expression})`,
  // ClickHouse writes exponents where answers do, without a plus.
  shownNumber: (expression) => `replaceRegexpOne(toString(${expression}), 'e(\\\\d)', 'e+\\\\1')`,
  castForDivision: (expression) => `toFloat64(${expression})`,
  // `lower` folds only a to z.
  containsIgnoringCase: (text, needle) => `(position(lowerUTF8(${text}), lowerUTF8(${needle})) > 0)`,
};
