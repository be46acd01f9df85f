import { expect, it } from 'vitest';
import type { Dialect } from '../../router/capabilities/dialect.ts';
import type { ScalarType } from '../../router/capabilities/scalar.ts';
import { bind, bindList, bindUnlessWhole, joinSql, type SqlPart, sql, writeSql } from './sql.ts';

const numbered: Pick<Dialect, 'placeholder'> = { placeholder: (index) => `$${index + 1}` };
const questionMarks: Pick<Dialect, 'placeholder'> = { placeholder: () => '?' };
const typed: Pick<Dialect, 'placeholder'> = { placeholder: (index, type) => `{p${index}:${type}}` };

const text = (value: string) => bind({ type: 'text', value });
const values = (part: SqlPart) => sql`${part}`.print(numbered).parameters.map(({ value }) => value);

it('text without parameters is printed as it is', () => {
  expect(sql`SELECT ${'a'}, ${sql`b`} FROM t`.print(numbered)).toEqual({ sql: 'SELECT a, b FROM t', parameters: [] });
});

it('parameters are numbered in the order of the text, whatever was composed first', () => {
  const where = sql`WHERE b = ${text('second')}`;
  const columns = sql`SELECT ${text('first')} AS a`;
  const statement = sql`${columns} FROM t ${where}`;
  expect(statement.print(numbered)).toEqual({
    sql: 'SELECT $1 AS a FROM t WHERE b = $2',
    parameters: [
      { type: 'text', value: 'first' },
      { type: 'text', value: 'second' },
    ],
  });
  expect(statement.print(questionMarks).sql).toBe('SELECT ? AS a FROM t WHERE b = ?');
  expect(statement.print(typed).sql).toBe('SELECT {p0:text} AS a FROM t WHERE b = {p1:text}');
});

it('a fragment that is used twice binds its parameters twice', () => {
  const from = sql`FROM t WHERE a = ${text('x')}`;
  const { sql: printed, parameters } = sql`SELECT (SELECT 1 ${from}), (SELECT 2 ${from})`.print(numbered);
  expect(printed).toBe('SELECT (SELECT 1 FROM t WHERE a = $1), (SELECT 2 FROM t WHERE a = $2)');
  expect(parameters.map(({ value }) => value)).toEqual(['x', 'x']);
});

it('a statement is printed the same way twice', () => {
  const statement = sql`a = ${text('x')}`;
  expect(statement.print(numbered)).toEqual(statement.print(numbered));
});

it('joins parts with a separator', () => {
  expect(joinSql(['a', sql`b = ${text('x')}`, 'c'], ' AND ').print(numbered).sql).toBe('a AND b = $1 AND c');
  expect(joinSql([], ' AND ').print(numbered).sql).toBe('');
});

it('a value that looks like SQL or a placeholder stays a value', () => {
  const hostile = `'; DROP TABLE t; -- $1 \${x}`;
  expect(sql`a = ${text(hostile)}`.print(numbered)).toEqual({
    sql: 'a = $1',
    parameters: [{ type: 'text', value: hostile }],
  });
});

it('whole numbers are written out, and other values bound', () => {
  const parts = [1, 2n ** 70n, 1.5, Number.NaN, null].map((value) => bindUnlessWhole('integer', value));
  expect(joinSql([...parts, bindUnlessWhole('text', 1)], ', ').print(numbered).sql).toBe(
    '1, 1180591620717411303424, $1, $2, $3, $4',
  );
});

it('a list is bound in as many texts as its length takes', () => {
  const dialect = {
    name: 'duckdb' as const,
    list: (_: ScalarType) => ({
      text: (list: readonly unknown[]) => list.join(),
      contains: (expression: string, index: number) => `has($${index + 1}, ${expression})`,
      maxLength: 3,
    }),
  };
  const tests = bindList([1, 2, 3], 'integer', 'a', dialect);
  const statement = sql`b = ${text('x')} AND (${joinSql(tests, ' OR ')})`;
  expect(statement.print(numbered).sql).toBe('b = $1 AND (has($2, a) OR has($3, a))');
  expect(values(statement)).toEqual(['x', '1', '2,3']);
  expect(() => bindList([1], 'integer', 'a', { name: 'duckdb', list: () => undefined })).toThrow('no lists of integer');
});

it('a function of the dialect takes placeholders at their place in the statement', () => {
  const contains = writeSql(({ placeholder }) => `contains(a, ${placeholder({ type: 'text', value: 'x' })})`);
  expect(sql`b = ${text('y')} AND ${contains}`.print(numbered)).toEqual({
    sql: 'b = $1 AND contains(a, $2)',
    parameters: [
      { type: 'text', value: 'y' },
      { type: 'text', value: 'x' },
    ],
  });
});

it('a fragment in an ordinary template is refused: its parameters would be lost', () => {
  expect(() => `SELECT ${text('x')}`).toThrow('written into a text that is not a fragment');
});

it('fragments are frozen', () => {
  expect(Object.isFrozen(sql`a`)).toBe(true);
});

it('the time to print grows with the length of the text, not with the depth of nesting', () => {
  const count = 200_000;
  let nested: SqlPart = text('0');
  for (let index = 1; index < count; index += 1) nested = sql`${nested}, ${text(String(index))}`;
  const printed = sql`${nested}`.print(questionMarks);
  expect(printed.parameters).toHaveLength(count);
  expect(printed.sql).toBe(Array.from({ length: count }, () => '?').join(', '));
});
