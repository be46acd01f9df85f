import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Scalar, ScalarType } from '../../router/capabilities/scalar.ts';
import { InternalError, ValidationError } from '../../router/errors.ts';
import { DIALECTS } from './dialects.ts';
import { DRIVERS } from './drivers.ts';
import { describeEngines } from './testing/describe-engines.ts';
import { ALL_ENGINES, oneRow, sql, startWarehouse, type TestWarehouse, UNSTARTED_ENGINES } from './testing/engines.ts';
import { SPELLINGS } from './testing/spellings.ts';

/** Names that try to leave their quotes, to be read as other syntax, or to be altered. */
const HOSTILE_NAMES = [
  'order',
  'a"b',
  '"',
  '""',
  '"; DROP TABLE victim; --',
  `'; DROP TABLE victim; --`,
  '`[]`',
  'группа 组 🦆',
  'é', // e with a combining accent: not normalised
  ' leading and trailing ',
  'MixedCase',
  'back\\slash',
  'line\nbreak\ttab',
  '/* comment */ -- comment',
  '$1',
  '?',
  ':name',
  '%s',
  '{{x}}',
  '*',
  '123',
  'NULL',
  '\u202Ereversed',
];

it('every dialect is tested here, except the dialects of engines that no test starts', () => {
  const unstarted = Object.keys(UNSTARTED_ENGINES);
  expect(
    Object.values(DIALECTS)
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual([...ALL_ENGINES, ...unstarted].toSorted());
  // It equals MariaDB's dialect except for its name.
  expect({ ...DIALECTS.mysql, name: 'mariadb' }).toEqual(DIALECTS.mariadb);
});

it.each(Object.entries(DRIVERS))('the driver of %s has the dialect of the same name', (name, { dialect }) => {
  expect(Object.entries(DIALECTS).filter(([, each]) => each === dialect)).toEqual([[name, dialect]]);
});

// A ClickHouse statement is stopped by restarting its process, which takes a second or two.
describeEngines(
  'the dialect of $engine',
  (engine) => {
    const spelling = SPELLINGS[engine];
    const dialect = DIALECTS[engine];
    // MySQL and MariaDB have no such names; their dialect refuses them.
    const names = engine === 'mariadb' ? HOSTILE_NAMES.filter((name) => !/ $|🦆/u.test(name)) : HOSTILE_NAMES;
    let on: TestWarehouse;

    beforeAll(async () => {
      const columns = names.map((name) => `${dialect.identifier(name)} INTEGER`).join(', ');
      const places = names.map((_, i) => i).join(', ');
      const engineClause = engine === 'clickhouse' ? ' ENGINE = MergeTree ORDER BY tuple()' : '';
      on = await startWarehouse(engine, [
        ...spelling.setUp,
        `CREATE TABLE victim (x INTEGER)${engineClause}`,
        `CREATE TABLE empty_table (x INTEGER)${engineClause}`,
        `CREATE TABLE ${dialect.identifier('the "table"; --')} (${columns})${engineClause}`,
        `INSERT INTO ${dialect.identifier('the "table"; --')} VALUES (${places})`,
      ]);
    });
    afterAll(() => on?.stop());

    const yes = spelling.true;
    const no = yes === true ? false : 0;
    const value = async (expression: string) => (await oneRow(on.warehouse, sql(`SELECT ${expression}`)))[0];

    it('quotes every hostile name as a table, a column and an alias of exactly that name', async () => {
      const list = names.map((name) => dialect.identifier(name)).join(', ');
      const table = await on.warehouse.query(sql(`SELECT ${list} FROM ${dialect.identifier('the "table"; --')}`), {
        maxRows: 2,
      });
      expect(table.columns.map(({ name }) => name)).toEqual(names);
      expect(table.values.map(([cell]) => cell)).toEqual(names.map((_, i) => i));
      // Trino's connectors keep names in lower case.
      const stored = engine === 'trino' ? names.map((name) => name.toLowerCase()) : names;
      expect((await on.warehouse.columns({ name: 'the "table"; --' }))?.map(({ name }) => name)).toEqual(stored);

      const aliases = names.map((name, i) => `${i} AS ${dialect.identifier(name)}`).join(', ');
      expect(
        (await on.warehouse.query(sql(`SELECT ${aliases}`), { maxRows: 2 })).columns.map(({ name }) => name),
      ).toEqual(names);
      expect(await oneRow(on.warehouse, sql('SELECT count(*) FROM victim'))).toEqual([0]);
    });

    it('binds hostile text unchanged', async () => {
      const parameters = HOSTILE_NAMES.map((name) => ({ type: 'text' as const, value: name }));
      const places = parameters.map(({ type }, i) => dialect.placeholder(i, type)).join(', ');
      expect(await oneRow(on.warehouse, sql(`SELECT ${places}`, parameters))).toEqual(HOSTILE_NAMES);
    });

    it('writes hostile text as literals unchanged', async () => {
      const texts = [...HOSTILE_NAMES, 'C:\\', "'", "\\'", "\\\\'", "it's", '', "\\' OR 1 = 1 -- "];
      const literals = texts.map((text) => dialect.literal(text, 'text'));
      expect(await oneRow(on.warehouse, sql(`SELECT ${literals.join(', ')}`))).toEqual(texts);
    });

    it('writes values of every type as literals, and their nulls', async () => {
      const values: readonly (readonly [ScalarType, string, Scalar])[] = [
        ['integer', '-9223372036854775808', -9223372036854775808n],
        ['integer', '42', 42],
        ['float', '-1.5e+300', -1.5e300],
        ['boolean', 'true', engine === 'clickhouse' ? true : yes],
        ['boolean', 'false', engine === 'clickhouse' ? false : no],
        ['date', '2024-02-29', '2024-02-29'],
        ['time', '23:59:59', '23:59:59'],
        ['binary', 'AP9h', 'AP9h'],
      ];
      for (const [type, text, expected] of values) {
        // ClickHouse stores bytes as text, and these bytes are no text.
        if (type === 'binary' && engine === 'clickhouse') continue;
        expect([type, await value(dialect.literal(text, type))]).toEqual([type, expected]);
        expect([type, await value(dialect.literal(null, type))]).toEqual([type, null]);
      }
      expect(await value(dialect.castToText(dialect.literal('2024-02-29 12:34:56', 'timestamp')))).toMatch(
        /^2024-02-29[ T]12:34:56/,
      );
    });

    it.each(['', 'a\0b', 'half \uD83D of a pair'])('refuses the name %j', (name) => {
      expect(() => dialect.identifier(name)).toThrow(ValidationError);
    });

    it('divides integers to fractions', async () => {
      expect(await value(`${dialect.castForDivision('7')} / ${dialect.castForDivision('2')}`)).toBe(3.5);
    });

    it('casts values of any type to text', async () => {
      expect(await value(dialect.castToText('42'))).toBe('42');
      expect(await value(dialect.castToText('1 + 1'))).toBe('2');
      expect(await value(dialect.castToText(spelling.date))).toBe('2024-02-29');
    });

    it('finds text in any letter case, with wildcards as plain characters', async () => {
      const contains = (text: string, needle: string) =>
        value(dialect.containsIgnoringCase(`'${text}'`, `'${needle}'`));
      expect(await contains('North Street', 'rth s')).toBe(yes);
      expect(await contains('north', 'NORTH')).toBe(yes);
      expect(await contains('north', 'n_rth')).toBe(no);
      expect(await contains('north', '%')).toBe(no);
      expect(await contains('100 %', '%')).toBe(yes);
      expect(await contains('north', '')).toBe(yes);
      expect(await value(dialect.containsIgnoringCase(spelling.nullText, "'x'"))).toBeNull();
    });

    it('sorts nulls last in either direction', async () => {
      const order = async (direction: 'asc' | 'desc') => {
        const statement = sql(
          `SELECT x FROM ${spelling.rows('2', 'NULL', '1')} ORDER BY ${dialect.orderBy('x', direction)}`,
        );
        return (await on.warehouse.query(statement, { maxRows: 5 })).values[0];
      };
      expect(await order('asc')).toEqual([1, 2, null]);
      expect(await order('desc')).toEqual([2, 1, null]);
    });

    it('limits rows', async () => {
      const statement = sql(`SELECT x FROM ${spelling.rows('2', '3', '1')} ORDER BY x ${dialect.limit(2)}`);
      expect(await on.warehouse.query(statement, { maxRows: 5 })).toMatchObject({ values: [[1, 2]], truncated: false });
      expect(() => dialect.limit(-1)).toThrow(InternalError);
      expect(() => dialect.limit(1.5)).toThrow(InternalError);
    });

    it('treats two nulls as equal', async () => {
      const integer = (text: string) => (engine === 'mariadb' ? `CAST(${text} AS SIGNED)` : `CAST(${text} AS INTEGER)`);
      const equal = (left: string, right: string) => value(dialect.nullSafeEquals(integer(left), integer(right)));
      expect(await equal('NULL', 'NULL')).toBe(yes);
      expect(await equal('1', 'NULL')).toBe(no);
      expect(await equal('1', '1')).toBe(yes);
      expect(await value(`NOT ${dialect.nullSafeEquals('1 = 1', '1 = 2')}`)).toBe(yes);
    });

    it('counts distinct values approximately, or refuses to', async () => {
      const expression = dialect.approximateDistinct('x % 50');
      if (engine !== 'duckdb' && engine !== 'clickhouse' && engine !== 'trino') {
        expect(expression).toBeUndefined();
        return;
      }
      const [count] = await oneRow(on.warehouse, sql(`SELECT ${expression} FROM ${spelling.tenThousand}`));
      expect(count).toBeGreaterThan(44);
      expect(count).toBeLessThan(56);
    });
  },
  { timeout: 300_000 },
);
