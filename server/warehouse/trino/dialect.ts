import type { Dialect } from '../../../router/capabilities/dialect.ts';
import { standardSql } from '../standard-sql.ts';
import { instantInUtc, trinoGrains, trinoShifted } from './grains.ts';
import { DECIMAL_DIGITS, literalOf } from './literals.ts';
import { shownNumber } from './shown-number.ts';
import { trinoValueText } from './value-text.ts';

/**
 * Values are literals of the statement, which has 1,000,000 characters at most (`query.max-length`); quotes count
 * twice.
 */
const MAX_BYTES = 400_000;
/** Numbers that the function `sequence` makes at most. */
const MAX_SEQUENCE = 10_000;

/**
 * Trino 418 and later (EXECUTE IMMEDIATE); checked on 476 (`dialects.test.ts`). Names keep their spelling in an answer, but are looked
 * up without regard to letter case, quoted or not. `/` of integers truncates, hence the cast; a division of doubles by zero gives an infinity.
 */
export const trinoDialect: Dialect = {
  ...standardSql,
  name: 'trino',
  holds: {
    decimals: { digits: DECIMAL_DIGITS, before: DECIMAL_DIGITS, after: DECIMAL_DIGITS, mixed: true },
    days: ['0000-01-01', '+070000-12-31'],
    singles: true,
    convertsLists: false,
    bytes: MAX_BYTES,
  },
  parserName: 'trino',
  exactText: undefined,
  // The value has its own type, as a literal after USING (`literals.ts`).
  placeholder: () => '?',
  // Literals are equally fast: a long IN of literals becomes a hash set.
  list: () => undefined,
  literal: (text, type) => literalOf({ type, value: text }),
  grains: trinoGrains,
  shifted: trinoShifted,
  percentile: () => undefined,
  approximateDistinct: (expression) => `approx_distinct(${expression})`,
  // One that is joined from rows of its own is another stage of the query; a sequence has 10,000 numbers at most.
  numbers: (alias, count) =>
    count <= MAX_SEQUENCE
      ? `UNNEST(sequence(0, ${count - 1})) AS ${alias} (n)`
      : `UNNEST(slice(flatten(transform(sequence(0, ${Math.floor((count - 1) / MAX_SEQUENCE)}), block -> sequence(block * ${MAX_SEQUENCE}, block * ${MAX_SEQUENCE} + ${MAX_SEQUENCE - 1}))), 1, ${count})) AS ${alias} (n)`,
  inlinesCommonTables: true,
  // A bare NULL has the type of the other branches, and a WITH is written out at each reference: eight windows that refer to each
  // other's columns took minutes to plan.
  lackedColumn: () => 'NULL',
  sampled: (table, percent) => `${table} TABLESAMPLE SYSTEM (${percent})`,
  instantInUtc,
  shownNumber,
  valueText: (expression, { nativeType }) => trinoValueText(expression, nativeType),
  castForDivision: (expression) => `CAST(${expression} AS DOUBLE)`,
  containsIgnoringCase: (text, needle) => `(strpos(lower(${text}), lower(${needle})) > 0)`,
};
