import { describe, expect, it } from 'vitest';
import { duckdbDialect } from '../../../server/warehouse/duckdb/dialect.ts';
import { loadSqlLibrary, sqlLibrary } from '../../query-surface/index.ts';
import { ExpressionError, isQuery, PARSER_DIALECTS, parseExpression } from './parse-sql-expression.ts';
import { aggregatesOf, fill, renderTemplate } from './template.ts';

await loadSqlLibrary();

/** Translates the expression to DuckDB's SQL, with its names as columns of their datasets. */
function translated(text: string, from = 'ansi_sql'): string {
  const { template } = parseExpression(text, from, 'duckdb');
  const bound = fill(template, ({ qualifier, name }) => [
    { kind: 'column' as const, dataset: qualifier ?? 'it', column: name },
  ]);
  return renderTemplate(bound, duckdbDialect, { column: ({ dataset, column }) => `${dataset}."${column}"` });
}

function call(text: string) {
  const [first] = aggregatesOf(parseExpression(text, 'ansi_sql', 'duckdb').template);
  return first;
}

it('the dialects are those of the library', () => {
  expect(PARSER_DIALECTS.toSorted()).toEqual(Object.values<string>(sqlLibrary().Dialect).toSorted());
});

describe('an expression', () => {
  it('keeps its names exactly, whatever their characters', () => {
    expect(translated('"a b"."c""d" + групп')).toBe('a b."c"d" + it."групп"');
  });

  it('divides as numbers with a fraction and gives null for a zero divisor', () => {
    expect(translated('a / b')).toBe('(CAST(it."a" AS DOUBLE PRECISION) / NULLIF(it."b", 0))');
    expect(translated('a / 2')).toBe('(CAST(it."a" AS DOUBLE PRECISION) / 2)');
  });

  it('keeps a guard against zero that the document wrote, once', () => {
    expect(translated('SUM(a) / NULLIF(SUM(b), 0)')).toBe(
      '(CAST(SUM(it."a") AS DOUBLE PRECISION) / NULLIF(SUM(it."b"), 0))',
    );
  });

  it('divides from the left, inside functions and cases too', () => {
    expect(translated('CASE WHEN a > 0 THEN a / b / 2 END')).toBe(
      'CASE WHEN it."a" > 0 THEN (CAST((CAST(it."a" AS DOUBLE PRECISION) / NULLIF(it."b", 0)) AS DOUBLE PRECISION) / 2) END',
    );
  });

  it('is translated from the dialect it is written in', () => {
    expect(translated('DATEADD(day, 1, d)', 'snowflake')).toBe('it."d" + INTERVAL 1 DAY');
    expect(translated('`a b`', 'databricks')).toBe('it."a b"');
  });

  it('keeps a unit of time that looks like a name', () => {
    expect(translated("date_trunc('month', d)")).toBe(`DATE_TRUNC('month', it."d")`);
    expect(translated('DATEDIFF(day, a, b)')).toContain('it."a"');
    expect(translated('DATEDIFF(day, a, b)')).not.toContain('"day"');
  });

  it('may contain the words of our slots', () => {
    expect(translated("slot_0_ || 'slot_1_' || b")).toBe(`it."slot_0_" || 'slot_1_' || it."b"`);
  });

  it.each([
    ['', 'is empty'],
    ['SUM(x', 'is no SQL expression'],
    ['a, b', 'is not one single expression'],
    ['a FROM t', 'is not one single expression'],
    ['a; DROP TABLE t', 'is not one single expression'],
    ['(SELECT 1)', 'holds a query'],
    ['x IN (SELECT 1)', 'holds a query'],
    ['EXISTS (SELECT 1)', 'holds a query'],
    ['SUM(x) OVER ()', 'window function'],
    ['SUM(SUM(x))', 'aggregate inside an aggregate'],
    ['a.b.c', 'more than two parts'],
    ['COUNT(t.*)', '*'],
    ['? + 1', 'placeholder'],
  ])('%s is refused because it %s', (text, reason) => {
    expect(() => parseExpression(text, 'ansi_sql', 'duckdb')).toThrow(ExpressionError);
    expect(() => parseExpression(text, 'ansi_sql', 'duckdb')).toThrow(reason);
  });

  it('in an unknown dialect is refused', () => {
    expect(() => parseExpression('a', 'MDX', 'duckdb')).toThrow('MDX');
  });
});

describe('an aggregate call', () => {
  it.each([
    ['SUM(a)', 'sum', false],
    ['COUNT(*)', 'count', true],
    ['COUNT(DISTINCT a)', 'count_distinct', true],
    ['SUM(CASE WHEN a IS NOT NULL THEN 1 ELSE 0 END)', 'sum', true],
    ['SUM(CASE WHEN a = 1 THEN 1 END)', 'sum', true],
    ['SUM(1)', 'sum', true],
    ['SUM(CASE WHEN a = 1 THEN 2 ELSE 0 END)', 'sum', false],
    ['SUM(CASE WHEN a = 1 THEN b END)', 'sum', false],
    ['AVG(CASE WHEN a = 1 THEN 1 ELSE 0 END)', 'avg', false],
    ['PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY a)', 'percentile', false],
  ])('%s is a %s; that it counts: %s', (text, aggregation, counts) => {
    expect(call(text)).toMatchObject({ aggregation, counts });
  });

  it('has an argument that another function may take, unless it is distinct or filtered', () => {
    expect(call('SUM(a)')?.argument).toEqual([{ kind: 'name', qualifier: undefined, name: 'a' }]);
    expect(call('COUNT(*)')?.argument).toBeUndefined();
    expect(call('COUNT(DISTINCT a)')?.argument).toBeUndefined();
    expect(call('SUM(a) FILTER (WHERE b > 1)')?.argument).toBeUndefined();
  });
});

it('a query is distinguished from a name by parsing', () => {
  expect(isQuery('SELECT * FROM t WHERE x = 1', 'duckdb')).toBe(true);
  expect(isQuery('WITH a AS (SELECT 1) SELECT * FROM a', 'duckdb')).toBe(true);
  expect(isQuery('DELETE FROM t', 'duckdb')).toBe(false);
  expect(isQuery('SELECT 1; SELECT 2', 'duckdb')).toBe(false);
  expect(isQuery('not a query', 'duckdb')).toBe(false);
});
