import type { Dialect } from '../../../router/capabilities/dialect.ts';
import type { ScalarType } from '../../../router/capabilities/warehouse.ts';
import { isMomentType } from '../../../router/date-grains.ts';
import { ValidationError } from '../../../router/errors.ts';
import { hexOfBase64, inDoubleQuotes, inSingleQuotes, withPlainYear } from '../quoting.ts';
import { standardSql } from '../standard-sql.ts';
import { postgresqlGrains, postgresqlShifted } from './grains.ts';

const CAST: Readonly<Record<ScalarType, string>> = {
  text: '::text',
  integer: '::bigint',
  decimal: '::numeric',
  float: '::double precision',
  boolean: '::boolean',
  date: '::date',
  time: '::time',
  timestamp: '::timestamp',
  timestamptz: '::timestamptz',
  json: '::jsonb',
  binary: '::bytea',
  other: '',
};

/** Types with values that are bound as an array; a statement has 65,535 parameters at most. */
const LISTED: ReadonlySet<ScalarType> = new Set([
  'text',
  'integer',
  'decimal',
  'float',
  'date',
  'time',
  'timestamp',
  'timestamptz',
]);

/** NAMEDATALEN - 1 of a standard server. */
const MAX_NAME_BYTES = 63;

/**
 * PostgreSQL 14 and later. Letter case is folded by the database's LC_CTYPE: in a database with locale `C` only a to z (checked: `lower('Г')` stays).
 * `/` of integers truncates, hence the cast.
 */
export const postgresqlDialect: Dialect = {
  ...standardSql,
  name: 'postgresql',
  holds: {
    decimals: undefined,
    days: ['0001-01-01', '+270000-12-31'],
    singles: true,
    convertsLists: false,
    bytes: undefined,
  },
  parserName: 'postgresql',
  exactText: undefined,
  sortsToCountDistinct: true,
  identifier(name) {
    // The server truncates a longer name with only a notice: two names could become one.
    if (Buffer.byteLength(name) > MAX_NAME_BYTES) {
      throw ValidationError.at(['name'], `A name in PostgreSQL has ${MAX_NAME_BYTES} bytes at most.`);
    }
    return inDoubleQuotes(name);
  },
  placeholder: (index, type) => `$${index + 1}${CAST[type]}`,
  // The cast gives the parameter its type, so that the planner sees the values and hashes them.
  list(type) {
    if (!LISTED.has(type)) return undefined;
    return {
      text: (values) => `{${values.map((value) => `"${String(value).replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`,
      contains: (expression, index) => `${expression} = ANY ($${index + 1}${CAST[type]}[])`,
      maxLength: Number.POSITIVE_INFINITY,
    };
  },
  literal(text, type) {
    if (text === null) return `NULL${CAST[type]}`;
    return type === 'binary'
      ? `decode('${hexOfBase64(text)}', 'hex')`
      : `${inSingleQuotes(isMomentType(type) ? withPlainYear(text) : text)}${CAST[type]}`;
  },
  grains: postgresqlGrains,
  shifted: postgresqlShifted,
  approximateDistinct: () => undefined,
  sampled: (table, percent) => `${table} TABLESAMPLE SYSTEM (${percent}) REPEATABLE (1)`,
  valueText(expression, { type, nativeType }) {
    // Its base64 has a line break after each 76 characters.
    if (type === 'binary') return `translate(encode(${expression}, 'base64'), E'\\n', '')`;
    // A cast writes `10.0.0.1/32`, an answer `10.0.0.1`.
    return nativeType === 'inet' ? `abbrev(${expression})` : standardSql.castToText(expression);
  },
  // PostgreSQL writes `1e+15` and `1e-05`; NUMERIC reads each text exactly (`shown-numbers.test.ts` of the semantic surface).
  shownNumber(expression) {
    const text = `CAST(${expression} AS TEXT)`;
    const hasExponent = `abs(${expression}) >= 1e21 OR abs(${expression}) < 1e-6`;
    return `CASE WHEN ${hasExponent} THEN replace(${text}, 'e-0', 'e-') ELSE CAST(CAST(${text} AS NUMERIC) AS TEXT) END`;
  },
  containsIgnoringCase: (text, needle) => `(position(lower(${needle}) IN lower(${text})) > 0)`,
};
