import type { Dialect } from '../../../router/capabilities/dialect.ts';
import { standardSql } from '../standard-sql.ts';
import { trinoGrains, trinoShifted } from './grains.ts';
import { DECIMAL_DIGITS, literalOf } from './literals.ts';

/**
 * Values are literals of the statement, which has 1,000,000 characters at most (`query.max-length`); quotes count
 * twice.
 */
const MAX_BYTES = 400_000;

/**
 * Trino 418 and later (EXECUTE IMMEDIATE); checked on 476 (`dialects.test.ts`). Names keep their spelling in an answer, but are looked
 * up without regard to letter case, quoted or not. `/` of integers truncates, hence the cast; a division of doubles by zero gives an infinity.
 */
export const trinoDialect: Dialect = {
  ...standardSql,
  name: 'trino',
  holds: {
    decimals: { digits: DECIMAL_DIGITS, before: DECIMAL_DIGITS, after: DECIMAL_DIGITS, mixed: true },
    days: ['0001-01-01', '9999-12-31'],
    singles: true,
    convertsLists: false,
    bytes: MAX_BYTES,
  },
  parserName: 'trino',
  exactText: undefined,
  // The value brings its own type, as a literal after USING (`literals.ts`).
  placeholder: () => '?',
  // Literals are as good: a long IN of them is a set that is looked up.
  list: () => undefined,
  literal: (text, type) => literalOf({ type, value: text }),
  grains: trinoGrains,
  shifted: trinoShifted,
  percentile: () => undefined,
  approximateDistinct: (expression) => `approx_distinct(${expression})`,
  sampled: (table, percent) => `${table} TABLESAMPLE SYSTEM (${percent})`,
  castForDivision: (expression) => `CAST(${expression} AS DOUBLE)`,
  containsIgnoringCase: (text, needle) => `(strpos(lower(${text}), lower(${needle})) > 0)`,
};
