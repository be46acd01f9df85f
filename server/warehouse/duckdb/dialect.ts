import type { Dialect } from '../../../router/capabilities/dialect.ts';
import type { ScalarType } from '../../../router/capabilities/warehouse.ts';
import { isMomentType } from '../../../router/date-grains.ts';
import { hexOfBase64, inSingleQuotes, withPlainYear } from '../quoting.ts';
import { standardSql } from '../standard-sql.ts';
import { MAX_DECIMAL_DIGITS } from './decimals.ts';
import { duckdbGrains, duckdbPeriodNumbers, duckdbShifted } from './grains.ts';

/**
 * DuckDB 1.5. Where its placeholders have no cast, the bound value has its own type: `BIGINT` or `HUGEINT` by size, and a `DECIMAL` of exactly its
 * digits, which a cast to a fixed scale would round (checked: 12.345 compared with a DECIMAL(18,2) column stays 12.345).
 */
const CAST: Readonly<Record<ScalarType, string>> = {
  text: '::VARCHAR',
  integer: '',
  decimal: '',
  float: '::DOUBLE',
  boolean: '::BOOLEAN',
  date: '::DATE',
  time: '::TIME',
  timestamp: '::TIMESTAMP',
  timestamptz: '::TIMESTAMPTZ',
  json: '::JSON',
  binary: '::BLOB',
  other: '',
};

/** A constant is text until it is cast. */
const LITERAL_CAST: Readonly<Record<ScalarType, string>> = {
  ...CAST,
  integer: '::BIGINT',
  decimal: '::DECIMAL(38,10)',
  other: '::VARCHAR',
};

/**
 * Ten thousand values take 20 ms in one list (checked: 500 ms one by one, 50 of them of the event loop). Decimals have no
 * common type that is exact for each of them.
 */
const LIST_TYPE: Partial<Readonly<Record<ScalarType, string>>> = {
  text: 'VARCHAR',
  integer: 'BIGINT',
  float: 'DOUBLE',
  date: 'DATE',
  time: 'TIME',
  timestamp: 'TIMESTAMP',
  timestamptz: 'TIMESTAMPTZ',
};

export const duckdbDialect: Dialect = {
  ...standardSql,
  name: 'duckdb',
  // A bare NULL has the type of the other branches, of all of them. A query for the type has a plan of its own.
  lackedColumn: () => 'NULL',
  holds: {
    decimals: { digits: MAX_DECIMAL_DIGITS, before: MAX_DECIMAL_DIGITS, after: MAX_DECIMAL_DIGITS, mixed: true },
    days: ['0000-01-01', '+270000-12-31'],
    singles: true,
    convertsLists: false,
    bytes: undefined,
  },
  parserName: 'duckdb',
  exactText: undefined,
  placeholder: (index, type) => `$${index + 1}${CAST[type]}`,
  list(type) {
    const member = LIST_TYPE[type];
    if (member === undefined) return undefined;
    const members = (index: number) => `unnest(from_json($${index + 1}::VARCHAR, '["VARCHAR"]'))`;
    return {
      text: (values) => JSON.stringify(values.map(String)),
      contains: (expression, index) => `${expression} IN (SELECT CAST(${members(index)} AS ${member}))`,
      maxLength: Number.POSITIVE_INFINITY,
    };
  },
  literal(text, type) {
    if (text === null) return `NULL${LITERAL_CAST[type]}`;
    return type === 'binary'
      ? `unhex('${hexOfBase64(text)}')`
      : `${inSingleQuotes(isMomentType(type) ? withPlainYear(text) : text)}${LITERAL_CAST[type]}`;
  },
  grains: duckdbGrains,
  periodNumbers: duckdbPeriodNumbers,
  shifted: duckdbShifted,
  approximateDistinct: (expression) => `approx_count_distinct(${expression})`,
  sampled: (table, percent) => `${table} TABLESAMPLE SYSTEM (${percent} PERCENT) REPEATABLE (1)`,
  valueText: (expression, { type }) =>
    type === 'binary' ? `base64(${expression})` : standardSql.castToText(expression),
  // DuckDB writes `3.0`, `1e+16` and `1e-05`; a decimal reads each text exactly (`shown-numbers.test.ts` of the semantic surface).
  shownNumber(expression) {
    const text = `CAST(${expression} AS VARCHAR)`;
    const decimal = (scale: number) => `CAST(CAST(${text} AS DECIMAL(38,${scale})) AS VARCHAR)`;
    const isLarge = `abs(${expression}) >= 1e15 AND abs(${expression}) < 1e21`;
    const isSmall = `abs(${expression}) >= 1e-6 AND abs(${expression}) < 1e-3`;
    return `CASE WHEN ${isLarge} THEN ${decimal(0)} WHEN ${isSmall} THEN rtrim(${decimal(30)}, '0') ELSE replace(regexp_replace(${text}, '\\.0$', ''), 'e-0', 'e-') END`;
  },
  containsIgnoringCase: (text, needle) => `contains(lower(${text}), lower(${needle}))`,
};
