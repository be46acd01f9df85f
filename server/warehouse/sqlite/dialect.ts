import type { Dialect } from '../../../router/capabilities/dialect.ts';
import type { ScalarType } from '../../../router/capabilities/warehouse.ts';
import { hexOfBase64, inSingleQuotes } from '../quoting.ts';
import { standardSql } from '../standard-sql.ts';
import { sqliteGrains, sqliteShifted } from './grains.ts';
import type { SqliteValue } from './protocol.ts';
import { boundValue } from './values.ts';

/** A function that `reader-process.ts` adds to SQLite: `lower` for every script, because SQLite's own folds only a to z. */
/** Writes a number as answers show it. */
export const SHOWN_NUMBER = 'service_shown_number';
export const FOLD_CASE = 'service_fold_case';
/** Name of the function that writes bytes as base64, which the reader process defines. */
export const BASE64 = 'service_base64';

/** The storage of constants: there are no types of dates and booleans. */
const TYPE: Readonly<Record<ScalarType, string>> = {
  text: 'TEXT',
  integer: 'INTEGER',
  decimal: 'NUMERIC',
  float: 'REAL',
  boolean: 'INTEGER',
  date: 'TEXT',
  time: 'TEXT',
  timestamp: 'TEXT',
  timestamptz: 'TEXT',
  json: 'TEXT',
  binary: 'BLOB',
  other: 'TEXT',
};

/**
 * SQLite 3.39 and later (checked on 3.53, the release in better-sqlite3). Comparisons return 1 and 0: there is no type of booleans. Numbers beyond 64
 * bits and decimals are doubles: there is no type of decimals. NULLS LAST and IS NOT DISTINCT FROM have the standard's spelling (executed by
 * `dialects.test.ts`).
 */
export const sqliteDialect: Dialect = {
  ...standardSql,
  name: 'sqlite',
  holds: {
    decimals: undefined,
    days: ['0000-01-01', '9999-12-31'],
    singles: false,
    convertsLists: false,
    bytes: undefined,
  },
  parserName: 'sqlite',
  // Columns may be COLLATE NOCASE or RTRIM; an index of a column without a collation serves the BINARY one, too.
  exactText: {
    key: exact,
    textOfKey: (key) => key,
    written: (left, right) => `${exact(left)} = ${right}`,
    isOneOf: (expression, bind) => `${exact(expression)} IN (${bind().join(', ')})`,
    countDistinct: (expression) => `COUNT(DISTINCT ${exact(expression)})`,
    lowest: (expression, over = '') => `MIN(${exact(expression)})${over}`,
    // A text is equal to its upper and its lower case by NOCASE, and to itself with another blank by RTRIM.
    collated: (expression) =>
      `CASE WHEN ${expression} = UPPER(${expression}) AND ${expression} = LOWER(${expression}) THEN LOWER(${expression}) WHEN ${expression} = ${expression} || ' ' THEN RTRIM(${expression}) ELSE ${expression} END`,
  },
  placeholder: () => '?',
  // A statement has 32,766 parameters at most. Values compare like parameters: neither has an affinity.
  list: (type) => ({
    text: (values) => `[${values.map((value) => jsonOf(boundValue({ type, value }))).join(',')}]`,
    contains: (expression) => `${expression} IN (SELECT value FROM json_each(?))`,
    maxLength: Number.POSITIVE_INFINITY,
  }),
  literal(text, type) {
    if (text === null) return `CAST(NULL AS ${TYPE[type]})`;
    if (type === 'binary') return `x'${hexOfBase64(text)}'`;
    if (type === 'boolean') return text === 'true' ? '1' : '0';
    return `CAST(${inSingleQuotes(text)} AS ${TYPE[type]})`;
  },
  grains: sqliteGrains,
  shifted: sqliteShifted,
  percentile: () => undefined,
  approximateDistinct: () => undefined,
  sampled: () => undefined,
  castToText: (expression) => `CAST(${expression} AS TEXT)`,
  valueText: (expression, { type }) => (type === 'binary' ? `${BASE64}(${expression})` : `CAST(${expression} AS TEXT)`),
  // CAST gives 15 digits, and `3.0`.
  shownNumber: (expression) => `${SHOWN_NUMBER}(${expression})`,
  // Any division with a REAL is a division of doubles; by zero it returns NULL and no error.
  castForDivision: (expression) => `CAST(${expression} AS REAL)`,
  sumsDecimalsExactly: false,
  containsIgnoringCase: (text, needle) => `(instr(${FOLD_CASE}(${text}), ${FOLD_CASE}(${needle})) > 0)`,
};

function exact(expression: string): string {
  return `${expression} COLLATE BINARY`;
}

/** Writes a value as JSON; integers keep their digits. */
function jsonOf(value: SqliteValue): string {
  return typeof value === 'bigint' ? String(value) : JSON.stringify(value);
}
