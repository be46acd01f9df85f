import { expect, it } from 'vitest';
import type { Dialect } from '../../../router/capabilities/dialect.ts';
import type { SqlText } from './model.ts';
import { sqlFor } from './sql-for.ts';

function text(variants: Readonly<Record<string, string>>): SqlText {
  return {
    variants: Object.entries(variants).map(([dialect, sql]) => ({ dialect, parts: [sql], line: 1 })),
    line: 1,
  };
}

const dialect = (name: string): Pick<Dialect, 'name' | 'identifier'> => ({
  name,
  identifier: (identifier) => `<${identifier}>`,
});

it.each([
  ['postgresql', { postgres: 'p', generic: 'g' }, 'p'],
  ['postgresql', { mysql: 'm', generic: 'g' }, 'g'],
  ['duckdb', { duckdb: 'd', postgres: 'p' }, 'd'],
  ['duckdb', { generic: 'g', postgres: 'p' }, 'p'],
  ['mysql', { mariadb: 'm', generic: 'g' }, 'm'],
  ['mysql', { oracle: 'o' }, undefined],
  ['something', { something: 's', generic: 'g' }, 's'],
  ['something', { ansi: ' a\n' }, 'a'],
])('%s of %o takes %s', (name, variants, expected) => {
  expect(sqlFor(text(variants), dialect(name))).toBe(expected);
});

it('writes columns in the quoting of the dialect', () => {
  const sql: SqlText = {
    variants: [{ dialect: 'generic', parts: ['upper(', { kind: 'column', table: 't', name: 'c' }, ')'], line: 1 }],
    line: 1,
  };
  expect(sqlFor(sql, dialect('duckdb'))).toBe('upper(<t>.<c>)');
});
