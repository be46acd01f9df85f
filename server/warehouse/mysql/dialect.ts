import type { Dialect } from '../../../router/capabilities/dialect.ts';
import type { ScalarType } from '../../../router/capabilities/warehouse.ts';
import { ValidationError } from '../../../router/errors.ts';
import { checkedName, hexOfBase64, inEscapingQuotes } from '../quoting.ts';
import { standardSql } from '../standard-sql.ts';
import { DECIMAL_DIGITS, DECIMAL_SCALE } from './decimals.ts';
import { mysqlGrains, mysqlShifted } from './grains.ts';
import { readZone } from './zone-offset.ts';

/** The cast types of constants. */
const TYPE: Readonly<Record<ScalarType, string>> = {
  text: 'CHAR',
  integer: 'SIGNED',
  decimal: 'DECIMAL(65,30)',
  float: 'DOUBLE',
  boolean: 'SIGNED',
  date: 'DATE',
  time: 'TIME(6)',
  timestamp: 'DATETIME(6)',
  timestamptz: 'DATETIME(6)',
  json: 'CHAR',
  binary: 'BINARY',
  other: 'CHAR',
};

/** Maximum number of values in a list, which are bound twice, of a statement's 65,535. */
const MAX_NARROWING = 10_000;

/**
 * MySQL 8.0.17 and later and MariaDB 10.5 and later; all of it was executed on MariaDB 10.11 (`dialects.test.ts`).
 * - Comparisons give 1 and 0: there is no type of booleans.
 * - Text compares as the collation of its column says, which by default takes letter case, accents and blanks at the end for
 *   equal. `exactText` compares bytes, and the substring search here is exact but for letter case.
 * - `/` never divides integers to integers, but keeps four more digits than its operands; hence the cast to a double.
 * - A division by zero gives NULL, not an error.
 */
export const mysqlDialect: Dialect = {
  ...standardSql,
  name: 'mysql',
  holds: {
    decimals: { digits: DECIMAL_DIGITS, before: DECIMAL_DIGITS, after: DECIMAL_SCALE, mixed: false },
    days: ['0001-01-01', '9999-12-31'],
    singles: true,
    convertsLists: false,
    bytes: undefined,
  },
  parserName: 'mysql',
  exactText: {
    key: exactKey,
    textOfKey: (key) => `CONVERT(${key} USING utf8mb4)`,
    // Numbers and dates have the charset `binary` and compare exactly.
    written: (left, right) =>
      `(CHARSET(${left}) = 'binary' OR CHARSET(${right}) = 'binary' OR ${bytes(left)} = ${bytes(right)})`,
    isOneOf(expression, bind) {
      const written = bind();
      const exactly = `${bytes(expression)} IN (${written.map(bytes).join(', ')})`;
      // The first condition is the one that an index serves.
      return written.length > MAX_NARROWING ? exactly : `(${exactly} AND ${expression} IN (${bind().join(', ')}))`;
    },
    countDistinct: (expression) => `COUNT(DISTINCT ${expression}, ${exactKey(expression)})`,
    lowest: (expression, over = '') => `CONVERT(MIN(${bytes(expression)})${over} USING utf8mb4)`,
    // Weights keep the blanks at the end, which most collations ignore.
    collated: (expression) =>
      `HEX(WEIGHT_STRING(IF(${expression} = CONCAT(${expression}, ' '), TRIM(TRAILING ' ' FROM ${expression}), ${expression})))`,
  },
  identifier(name) {
    // Names are stored in three bytes per character, and lose trailing blanks (MySQL manual, 11.2).
    if (/[\u{10000}-\u{10FFFF}]/u.test(name) || name.endsWith(' ')) {
      throw ValidationError.at(
        ['name'],
        'A name in MySQL and MariaDB must not end with a blank, and must not have characters beyond the Basic Multilingual Plane, such as emoji.',
      );
    }
    return `\`${checkedName(name).replaceAll('`', '``')}\``;
  },
  // The value has its own type in the binary protocol (`values.ts`).
  placeholder: () => '?',
  // A list by JSON_TABLE has one collation. A column with another one is compared row by row, which takes minutes for texts.
  list: () => undefined,
  literal(text, type) {
    if (text === null) return `CAST(NULL AS ${TYPE[type]})`;
    if (type === 'binary') return `x'${hexOfBase64(text)}'`;
    if (type === 'boolean') return text === 'true' ? 'TRUE' : 'FALSE';
    // The session's sql_mode keeps the backslash as an escape (`session.ts`).
    return `CAST(${inEscapingQuotes(text)} AS ${TYPE[type]})`;
  },
  grains: mysqlGrains,
  readZone,
  shifted: mysqlShifted,
  percentile: () => undefined,
  approximateDistinct: () => undefined,
  sampled: () => undefined,
  castToText: (expression) => `CAST(${expression} AS CHAR)`,
  // Its base64 has a line break after each 76 characters, and letters of base64 differ in case.
  valueText: (expression, { type }) =>
    type === 'binary'
      ? `(CONVERT(REPLACE(TO_BASE64(${expression}), '\\n', '') USING utf8mb4) COLLATE utf8mb4_bin)`
      : `CAST(${expression} AS CHAR)`,
  // A double is written with an exponent from 1e15 on, and with zeros where answers have an exponent below 1e-6; DECIMAL reads the text exactly
  // (`shown-numbers.test.ts` of the semantic surface).
  shownNumber(expression) {
    const text = `CAST(${expression} AS CHAR)`;
    const decimal = (scale: number) => `CAST(CAST(${text} AS DECIMAL(65,${scale})) AS CHAR)`;
    const isLarge = `ABS(${expression}) >= 1e14 AND ABS(${expression}) < 1e21`;
    const isSmall = `ABS(${expression}) >= 1e-6 AND ABS(${expression}) < 1e-3`;
    return `CASE WHEN ${isLarge} THEN ${decimal(0)} WHEN ${isSmall} THEN TRIM(TRAILING '0' FROM ${decimal(30)}) ELSE REPLACE(REPLACE(${text}, 'e', 'e+'), 'e+-', 'e-') END`;
  },
  castForDivision: (expression) => `CAST(${expression} AS DOUBLE)`,
  castToCount: (expression) => `CAST(${expression} AS SIGNED)`,
  containsIgnoringCase: (text, needle) => `(LOCATE(${exact(needle)}, ${exact(text)}) > 0)`,
  // There is no NULLS LAST: nulls are lower than everything.
  orderBy: (expression, direction) => `${expression} IS NULL, ${expression} ${direction === 'asc' ? 'ASC' : 'DESC'}`,
  nullSafeEquals: (left, right) => `((${left}) <=> (${right}))`,
};

export const mariadbDialect: Dialect = { ...mysqlDialect, name: 'mariadb' };

/** Writes the bytes of a value's text. */
function bytes(expression: string): string {
  return `CAST(CONVERT(${expression} USING utf8mb4) AS BINARY)`;
}

function exactKey(expression: string): string {
  return `IF(CHARSET(${expression}) = 'binary', '', ${bytes(expression)})`;
}

function exact(text: string): string {
  return `CONVERT(LOWER(${text}) USING utf8mb4) COLLATE utf8mb4_bin`;
}
