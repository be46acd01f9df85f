import { expect, it } from 'vitest';
import type { Dialect } from '../../../router/capabilities/dialect.ts';
import { InternalError } from '../../../router/errors.ts';
import type { EngineName } from '../../../router/warehouse-engines.ts';
import { inlineSqlTexts } from '../../query-surface/index.ts';
import { sqlFor, translateSchema } from './dialect-sql.ts';
import type { SqlText } from './model.ts';

function text(variants: Readonly<Record<string, string>>): SqlText {
  return {
    variants: Object.entries(variants).map(([dialect, sql]) => ({ dialect, parts: [sql], line: 1 })),
    line: 1,
  };
}

const dialect = (name: EngineName, parserName: string = name): Pick<Dialect, 'name' | 'identifier' | 'parserName'> => ({
  name,
  parserName,
  identifier: (identifier) => `<${identifier}>`,
});

it.each([
  ['postgresql', { postgres: 'p', generic: 'g' }, 'p'],
  ['postgresql', { mysql: 'm', generic: 'g' }, 'g'],
  ['duckdb', { duckdb: 'd', postgres: 'p' }, 'd'],
  ['duckdb', { generic: 'g', postgres: 'p' }, 'p'],
  ['mysql', { mariadb: 'm', generic: 'g' }, 'm'],
  ['mysql', { access: 'o' }, undefined],
  ['mariadb', { mysql: 'm', generic: 'g' }, 'm'],
  ['duckdb', { mysql: 'm', default: 'd' }, 'd'],
  ['trino', { trino: 's', generic: 'g' }, 's'],
  ['trino', { ansi: ' a\n' }, 'a'],
] as const)('%s of %o takes %s', (name, variants, expected) => {
  expect(sqlFor(text(variants), dialect(name))).toBe(expected);
});

it('writes columns in the quoting of the dialect', () => {
  const sql: SqlText = {
    variants: [
      { dialect: 'generic', parts: ['upper(', { kind: 'column', table: 't', name: 'c', line: 1 }, ')'], line: 1 },
    ],
    line: 1,
  };
  expect(sqlFor(sql, dialect('duckdb'))).toBe('upper(<t>.<c>)');
});

it.each([
  ['duckdb', { mysql: 'concat(`first`, " ", `last`)' }, `CONCAT("first", ' ', "last")`],
  ['sqlite', { default: '`t`.`a` = "x"' }, `"t"."a" = 'x'`],
  ['postgresql', { generic: 'select `a` from `t`' }, 'SELECT "a" FROM "t"'],
  ['mysql', { oracle: "a || 'x'" }, "CONCAT(a, 'x')"],
  ['clickhouse', { mysql: 'ifnull(`a`, 0)' }, 'COALESCE("a", 0)'],
] as const)('for %s %o is translated', async (name, variants, expected) => {
  const sql = text(variants);
  expect(() => sqlFor(sql, dialect(name))).toThrow(InternalError);
  await translateSchema([sql], dialect(name), inlineSqlTexts);
  for (const _ of [1, 2]) expect(sqlFor(sql, dialect(name))?.replace(/^ifNull/, 'COALESCE')).toBe(expected);
});

it('ignores unreadable SQL of another engine, and does not change unreadable generic SQL with backticks', async () => {
  const texts = [{ mysql: 'nope (((' }, { mysql: '1; DROP TABLE t' }, { generic: '`a` ((' }].map(text);
  await translateSchema(texts, dialect('duckdb'), inlineSqlTexts);
  expect(texts.map((each) => sqlFor(each, dialect('duckdb')))).toEqual([undefined, undefined, '`a` ((']);
});
