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
  castForDivision: (expression) => `CAST(${expression} AS DOUBLE PRECISION)`,
  orderBy: (expression, direction) => `${expression} ${direction === 'asc' ? 'ASC' : 'DESC'} NULLS LAST`,
  nullSafeEquals: (left, right) => `((${left}) IS NOT DISTINCT FROM (${right}))`,
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
