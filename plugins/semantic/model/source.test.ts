import { describe, expect, it } from 'vitest';
import { duckdbDialect } from '../../../server/warehouse/duckdb/dialect.ts';
import { nameParts, readSource, renderSource } from './source.ts';

describe('the source of a dataset', () => {
  it.each([
    ['orders', ['orders']],
    ['main.orders', ['main', 'orders']],
    ['db.public.orders', ['db', 'public', 'orders']],
    ['"my db"."a.b"."c""d"', ['my db', 'a.b', 'c"d']],
    ['`a`.[b c]', ['a', 'b c']],
    ['група.таблиця', ['група', 'таблиця']],
  ])('%s splits at the dots outside quotes', (text, parts) => {
    expect(nameParts(text)).toEqual(parts);
  });

  it.each(['', 'a..b', 'a.', '.a', '"open', 'a b', '""', 'f(x)'])('%j is no name', (text) => {
    expect(nameParts(text)).toBeUndefined();
  });

  it('is rendered quoted, part by part', () => {
    const source = readSource('"my db".public."c""d"', () => false);
    expect(source && renderSource(source, duckdbDialect)).toBe('"my db"."public"."c""d"');
  });

  it('may be a query, whose last comment does not swallow what follows', () => {
    const source = readSource('SELECT * FROM t -- all;', () => true);
    expect(source).toEqual({ kind: 'query', sql: 'SELECT * FROM t -- all' });
    expect(source && renderSource(source, duckdbDialect)).toBe('(SELECT * FROM t -- all\n)');
  });

  it('is nothing else', () => {
    for (const text of ['DROP TABLE t', 'a.b.c.d', 'read_csv(secret)']) {
      const asked: string[] = [];
      expect(readSource(text, (query) => asked.push(query) === 0)).toBeUndefined();
      expect(asked).toEqual([text]);
    }
  });
});
