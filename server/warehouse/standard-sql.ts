import type { Dialect } from '../../router/capabilities/dialect.ts';
import { InternalError } from '../../router/errors.ts';
import { inDoubleQuotes } from './quoting.ts';

/**
 * The spellings of the SQL standard. A dialect reuses the members that its engine spells in this way, and implements
 * the rest; every spelling here was executed on every engine that uses it (`dialects.test.ts`).
 */
export const standardSql = {
  identifier: inDoubleQuotes,
  castToText: (expression) => `CAST(${expression} AS VARCHAR)`,
  // These engines send an instant in UTC, or with its distance from UTC.
  instantInUtc: (expression) => expression,
  castForDivision: (expression) => `CAST(${expression} AS DOUBLE PRECISION)`,
  castToCount: (expression) => `CAST(${expression} AS BIGINT)`,
  sumsDecimalsExactly: true,
  sortsToCountDistinct: false,
  orderBy: (expression, direction) => `${expression} ${direction === 'asc' ? 'ASC' : 'DESC'} NULLS LAST`,
  nullSafeEquals: (left, right) => `((${left}) IS NOT DISTINCT FROM (${right}))`,
  inlinesCommonTables: false,
  periodNumbers: undefined,
  lackedColumn: (column, from) => `(SELECT ${column} FROM ${from} WHERE 1 = 0)`,
  numbers(alias, count) {
    const width = String(count - 1).length;
    const places = Array.from({ length: width }, (_, place) => 10 ** place);
    const digits = (place: number) =>
      Array.from(
        { length: Math.min(10, Math.ceil(count / place)) },
        (_, digit) => `SELECT ${digit}${digit === 0 ? ' AS d' : ''}`,
      );
    const sum = places.map((place, at) => (place === 1 ? `d${at}.d` : `d${at}.d * ${place}`)).join(' + ');
    const from = places.map((place, at) => `(${digits(place).join(' UNION ALL ')}) AS d${at}`).join(' CROSS JOIN ');
    const all = 10 ** width;
    const isWhole = Math.ceil(count / (all / 10)) * (all / 10) === count;
    return `(SELECT ${sum} AS n FROM ${from}${isWhole ? '' : ` WHERE ${sum} < ${count}`}) AS ${alias}`;
  },
  percentile(expression, { numerator, denominator, isInterpolated, isDescending }) {
    const ordered = isInterpolated ? `CAST(${expression} AS DOUBLE PRECISION)` : expression;
    const name = isInterpolated ? 'PERCENTILE_CONT' : 'PERCENTILE_DISC';
    return `${name}(${numerator / denominator}) WITHIN GROUP (ORDER BY ${ordered}${isDescending ? ' DESC' : ''})`;
  },
  limit(rows) {
    if (!Number.isSafeInteger(rows) || rows < 0)
      throw new InternalError(`A row limit must be a whole number, not ${rows}.`);
    return `LIMIT ${rows}`;
  },
} satisfies Partial<Dialect>;
