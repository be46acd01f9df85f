import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Parameter, ScalarType, Warehouse } from '../../router/capabilities/warehouse.ts';
import { CancelledError, TimeoutError, WarehouseError, WarehouseUnreachableError } from '../../router/errors.ts';
import { leastMillis } from '../../router/testing/least-millis.ts';
import { describeEngines } from './testing/describe-engines.ts';
import { oneRow, sql, startWarehouse, type TestWarehouse } from './testing/engines.ts';
import { SPELLINGS } from './testing/spellings.ts';

/** Tests the properties of every kind of warehouse on the real engines, with the same statements. */

const POOL_SIZE = 3;

/** Takes minutes, and hardly any memory. */
const HEAVY = 'SELECT count(*) FROM counted a, counted b, counted c WHERE (a.n * b.n + c.n) % 7 = 3';

// A ClickHouse statement is stopped by restarting its process, which takes a second or two.
describeEngines(
  'a warehouse on $engine',
  (engine) => {
    const spelling = SPELLINGS[engine];
    let on: TestWarehouse;
    let warehouse: Warehouse;

    beforeAll(async () => {
      on = await startWarehouse(engine, spelling.setUp, { poolSize: POOL_SIZE, isSentAgain: true });
      warehouse = on.warehouse;
    });
    afterAll(() => on?.stop());

    describe('answers', () => {
      it('have columns in the order of the statement', async () => {
        const answer = await warehouse.query(sql('SELECT id, name, opened, area FROM store ORDER BY id'), {
          maxRows: 10,
        });
        expect(answer.values).toEqual([
          [1, 2, 3],
          ['North', 'South', '007'],
          ['2020-01-31', null, '1999-12-31'],
          [120.5, null, 0.1],
        ]);
        expect(answer.columns.map(({ name, type }) => [name, type])).toEqual([
          ['id', 'integer'],
          ['name', 'text'],
          ['opened', 'date'],
          ['area', 'decimal'],
        ]);
        expect(answer.columns[3]?.nativeType).toMatch(spelling.decimalType);
        expect(answer).toMatchObject({ rowCount: 3, truncated: false });
      });

      it('without rows still have their columns', async () => {
        const answer = await warehouse.query(sql('SELECT name, opened FROM store WHERE id < 0'), { maxRows: 10 });
        expect(answer).toMatchObject({ rowCount: 0, truncated: false, values: [[], []] });
        expect(answer.columns.map(({ type }) => type)).toEqual(['text', 'date']);
      });

      it('keep column names that are quoted, of any script, or repeated', async () => {
        const names = ['a"b', 'группа 组', ...(spelling.repeatsNames ? ['a"b'] : []), 'ORDER'];
        const list = names.map((name, i) => `${i} AS ${warehouse.dialect.identifier(name)}`).join(', ');
        const { columns, values } = await warehouse.query(sql(`SELECT ${list}`), { maxRows: 1 });
        expect(columns.map(({ name }) => name)).toEqual(names);
        expect(values).toEqual(names.map((_, i) => [i]));
      });

      it('are cut at maxRows and marked as truncated', async () => {
        const numbers = sql('SELECT n FROM counted ORDER BY n');
        const cut = await warehouse.query(numbers, { maxRows: 2500 });
        expect(cut).toMatchObject({ rowCount: 2500, truncated: true });
        expect(cut.values[0]).toHaveLength(2500);
        expect(cut.values[0]?.at(-1)).toBe(2500);
        expect(await warehouse.query(numbers, { maxRows: 10_000 })).toMatchObject({
          rowCount: 10_000,
          truncated: false,
        });
        expect(await warehouse.query(numbers, { maxRows: 0 })).toMatchObject({
          rowCount: 0,
          truncated: true,
          values: [[]],
        });
      });

      it('are cut without computing the rest', async () => {
        const endless = sql('SELECT a.n FROM counted a, counted b, counted c');
        const answer = await warehouse.query(endless, { maxRows: 5, timeoutMs: 5_000 });
        expect(answer).toMatchObject({ rowCount: 5, truncated: true });
      });

      it('accept a statement that ends with a semicolon, a comment or a line break', async () => {
        expect(await oneRow(warehouse, sql('SELECT 1;\n'))).toEqual([1]);
        expect(await oneRow(warehouse, sql('SELECT 1 -- one'))).toEqual([1]);
        expect(await oneRow(warehouse, sql("WITH a AS (SELECT ';' AS x) SELECT x FROM a"))).toEqual([';']);
      });

      const cellsOf = (cases: readonly (readonly [string, ...unknown[]])[]) =>
        oneRow(warehouse, sql(`SELECT ${cases.map(([expression], i) => `${expression} AS c${i}`).join(', ')}`));

      it('have integers and decimals of any size exactly', async () => {
        expect(await cellsOf(spelling.exactNumbers)).toEqual(spelling.exactNumbers.map(([, cell]) => cell));
      });

      it('have floats with NaN and the infinities', async () => {
        expect(await cellsOf(spelling.floats)).toEqual(spelling.floats.map(([, cell]) => cell));
      });

      it('have instants as ISO 8601 text, to the microsecond and in UTC', async () => {
        expect(await cellsOf(spelling.instants)).toEqual(spelling.instants.map(([, cell]) => cell));
      });

      it('have booleans, UUIDs, JSON and bytes', async () => {
        const { values, columns } = await warehouse.query(
          sql(`SELECT ${spelling.others.map(([expression], i) => `${expression} AS c${i}`).join(', ')}`),
          { maxRows: 1 },
        );
        expect(columns.map(({ type }) => type)).toEqual(spelling.others.map(([, type]) => type));
        expect(values.map(([cell]) => cell)).toEqual(spelling.others.map(([, , cell]) => cell));
      });

      it('have arrays as JSON text', async () => {
        expect(await cellsOf(spelling.arrays)).toEqual(spelling.arrays.map(([, cell]) => cell));
      });
    });

    describe('bound values', () => {
      const bound = async (...parameters: readonly Parameter[]) => {
        const places = parameters.map(({ type }, i) => warehouse.dialect.placeholder(i, type)).join(', ');
        return oneRow(warehouse, sql(`SELECT ${places}`, parameters));
      };

      it('come back unchanged, each in its own type', async () => {
        const parameters: readonly Parameter[] = [
          { type: 'text', value: '007' },
          { type: 'text', value: `O'Brien; DROP TABLE store -- "\\` },
          { type: 'integer', value: 42 },
          { type: 'integer', value: -9223372036854775807n },
          { type: 'decimal', value: '12345678901234567890.12' },
          { type: 'decimal', value: 0.1 },
          { type: 'decimal', value: 1.5e-7 },
          { type: 'float', value: 0.1 },
          { type: 'boolean', value: false },
          { type: 'date', value: '2024-02-29' },
          { type: 'time', value: '12:34:56' },
          { type: 'timestamp', value: '2024-02-29T12:34:56.789000' },
          { type: 'timestamptz', value: '2024-02-29T12:34:56Z' },
          { type: 'binary', value: 'AP9h' },
          { type: 'json', value: '{"a": 1}' },
        ];
        const possible = parameters.filter((parameter) => spelling.echo(parameter) !== undefined);
        expect(await bound(...possible)).toEqual(possible.map(spelling.echo));
      });

      it('may be null in every type', async () => {
        const types: readonly ScalarType[] = [
          'text',
          'integer',
          'decimal',
          'float',
          'boolean',
          'date',
          'time',
          'timestamp',
          'timestamptz',
          'json',
          'binary',
        ];
        expect(await bound(...types.map((type) => ({ type, value: null })))).toEqual(types.map(() => null));
      });

      it('compare exactly with columns: text that looks like a number stays text, and a decimal keeps its digits', async () => {
        const find = async (
          condition: (place: (type: ScalarType) => string) => string,
          ...parameters: readonly Parameter[]
        ) => {
          let index = 0;
          const where = condition((type) => warehouse.dialect.placeholder(index++, type));
          const { values } = await warehouse.query(sql(`SELECT id FROM store WHERE ${where} ORDER BY id`, parameters), {
            maxRows: 10,
          });
          return values[0];
        };
        expect(await find((place) => `name = ${place('text')}`, { type: 'text', value: '007' })).toEqual([3]);
        expect(await find((place) => `name = ${place('text')}`, { type: 'text', value: '7' })).toEqual([]);
        expect(await find((place) => `area = ${place('decimal')}`, { type: 'decimal', value: 120.5 })).toEqual([1]);
        // 120.499 is not rounded to the two places of the column.
        expect(await find((place) => `area > ${place('decimal')}`, { type: 'decimal', value: '120.499' })).toEqual([1]);
        expect(await find((place) => `area > ${place('decimal')}`, { type: 'decimal', value: '120.501' })).toEqual([]);
        expect(await find((place) => `opened < ${place('date')}`, { type: 'date', value: '2000-01-01' })).toEqual([3]);
      });
    });

    describe('streams', () => {
      it('return every row, in chunks', async () => {
        const { columns, chunks } = await warehouse.stream(sql('SELECT n, n * 2 AS twice FROM counted ORDER BY n'), {
          maxRows: 100_000,
        });
        expect(columns.map(({ name }) => name)).toEqual(['n', 'twice']);
        let rows = 0;
        let pieces = 0;
        let sum = 0;
        for await (const chunk of chunks) {
          pieces++;
          rows += chunk.rowCount;
          for (const cell of chunk.values[1] ?? []) sum += Number(cell);
        }
        expect(rows).toBe(10_000);
        expect(sum).toBe(10_000 * 10_001);
        // Trino returns all of them in one page.
        expect(pieces).toBeGreaterThan(engine === 'trino' ? 0 : 2);
      });

      it('end at maxRows', async () => {
        const { chunks } = await warehouse.stream(sql('SELECT n FROM counted ORDER BY n'), { maxRows: 2_500 });
        const seen: unknown[] = [];
        for await (const chunk of chunks) seen.push(...(chunk.values[0] ?? []));
        expect(seen).toHaveLength(2_500);
        expect(seen.at(-1)).toBe(2_500);
      });

      it('of no rows have their columns and end', async () => {
        const { columns, chunks } = await warehouse.stream(sql('SELECT name FROM store WHERE id < 0'), { maxRows: 10 });
        expect(columns).toHaveLength(1);
        for await (const chunk of chunks) expect(chunk).toBeUndefined();
      });

      it('release their connection when the reader stops, when it never begins, and when it is cancelled', async () => {
        const endless = sql('SELECT a.n, b.n FROM counted a, counted b, counted c');
        for (let i = 0; i < POOL_SIZE + 1; i++) {
          const { chunks } = await warehouse.stream(endless, { maxRows: 1e9 });
          for await (const chunk of chunks) {
            expect(chunk.rowCount).toBeGreaterThan(0);
            break;
          }
        }
        for (let i = 0; i < POOL_SIZE + 1; i++) {
          const cancel = new AbortController();
          await warehouse.stream(endless, { maxRows: 1e9, signal: cancel.signal });
          cancel.abort();
        }
        const cancel = new AbortController();
        const { chunks } = await warehouse.stream(endless, { maxRows: 1e9, signal: cancel.signal });
        const reading = (async () => {
          for await (const chunk of chunks) if (chunk.rowCount > 0) cancel.abort();
        })();
        await expect(reading).rejects.toThrow(CancelledError);
        expect(
          await Promise.all(Array.from({ length: POOL_SIZE }, () => oneRow(warehouse, sql('SELECT 1')))),
        ).toHaveLength(POOL_SIZE);
      });

      it('report the error of a statement that fails after its first rows', async () => {
        const fails = sql(spelling.failsLate);
        const reading = (async () => {
          const { chunks } = await warehouse.stream(fails, { maxRows: 100_000 });
          for await (const chunk of chunks) expect(chunk.rowCount).toBeGreaterThan(0);
        })();
        await expect(reading).rejects.toThrow(WarehouseError);
        expect(await oneRow(warehouse, sql('SELECT 1'))).toEqual([1]);
      });
    });

    describe('stopping', () => {
      const run = (text: string, options: { signal?: AbortSignal; timeoutMs?: number }) =>
        warehouse.query(sql(text), { maxRows: 10, ...options });

      it('refuses a statement that is cancelled before it begins', async () => {
        await expect(run('SELECT 1', { signal: AbortSignal.abort() })).rejects.toThrow(CancelledError);
      });

      it('cancels a running statement within half a second, and leaves the connection usable', async () => {
        const took = await leastMillis(500, async () => {
          const cancel = new AbortController();
          const running = run(HEAVY, { signal: cancel.signal });
          const settled = running.then(
            () => 'answered',
            (error: unknown) => error,
          );
          await new Promise((resolve) => setTimeout(resolve, 300));
          const start = performance.now();
          cancel.abort();
          expect(await settled).toBeInstanceOf(CancelledError);
          return performance.now() - start;
        });
        expect(took).toBeLessThan(500);
        expect(await oneRow(warehouse, sql('SELECT 2'))).toEqual([2]);
      });

      it('cancels a statement at whatever moment the abort comes', async () => {
        for (const delayMs of [0, 1, 2, 4, 8, 16]) {
          const cancel = new AbortController();
          const running = run(HEAVY, { signal: cancel.signal });
          setTimeout(() => cancel.abort(), delayMs);
          await expect(running).rejects.toThrow(CancelledError);
        }
        const answers = Array.from({ length: POOL_SIZE * 2 }, (_, i) => oneRow(warehouse, sql(`SELECT ${i}`)));
        expect(await Promise.all(answers)).toEqual([[0], [1], [2], [3], [4], [5]]);
      });

      it('cancels a statement that waits for a connection at once, and serves the others in the queue', async () => {
        const release = new AbortController();
        const heavy = Array.from({ length: POOL_SIZE }, () => run(HEAVY, { signal: release.signal }));
        const ends = Promise.allSettled(heavy);
        const patient = run('SELECT 7 AS x', {});
        const took = await leastMillis(500, async () => {
          const waiting = run('SELECT 1', { signal: AbortSignal.timeout(100) });
          const start = performance.now();
          await expect(waiting).rejects.toThrow(CancelledError);
          return performance.now() - start;
        });
        expect(took).toBeLessThan(500);
        release.abort();
        expect((await patient).values).toEqual([[7]]);
        expect((await ends).map((end) => end.status)).toEqual(heavy.map(() => 'rejected'));
      });

      it('stops a statement at its time limit', async () => {
        const took = await leastMillis(900, async () => {
          const start = performance.now();
          await expect(run(HEAVY, { timeoutMs: 250 })).rejects.toThrow(TimeoutError);
          return performance.now() - start;
        });
        expect(took).toBeLessThan(900);
        expect(await oneRow(warehouse, sql('SELECT 3'))).toEqual([3]);
      });
    });

    describe('many callers', () => {
      it('fifty at once on a few connections all get their own answers', async () => {
        const answers = Array.from({ length: 50 }, (_, i) =>
          oneRow(warehouse, sql(`SELECT ${i}, count(*) FROM counted WHERE n <= ${i}`)),
        );
        expect(await Promise.all(answers)).toEqual(Array.from({ length: 50 }, (_, i) => [i, i]));
      });

      it("are not affected by other callers' errors", async () => {
        const mixed = Array.from({ length: 20 }, (_, i) =>
          oneRow(warehouse, sql(i % 2 === 0 ? `SELECT ${i}` : 'SELECT nothing FROM nowhere')),
        );
        const ends = await Promise.allSettled(mixed);
        expect(ends.map(({ status }) => status)).toEqual(mixed.map((_, i) => (i % 2 === 0 ? 'fulfilled' : 'rejected')));
      });
    });

    describe('errors', () => {
      const mistakes: readonly (readonly [string, string])[] = [
        ['SELECT missing FROM store', 'does not know a table, a column'],
        ['SELECT * FROM nowhere', 'does not know a table, a column'],
        ['SELECT no_such_function(1)', 'does not know a table, a column'],
        [spelling.impossible, 'with the values it met'],
        ['SELECT FROM WHERE', 'does not understand'],
      ];
      it.each(mistakes)("of %s are reported without the engine's text", async (text, message) => {
        const error: unknown = await warehouse.query(sql(text), { maxRows: 1 }).catch((thrown: unknown) => thrown);
        expect(error).toBeInstanceOf(WarehouseError);
        expect(error).toMatchObject({ message: expect.stringContaining(message), cause: expect.any(Error) });
      });
    });

    describe('introspection', () => {
      it('returns product and version', async () => {
        const { product, version } = await warehouse.ping();
        expect(product).toBe(spelling.product);
        expect(version).toMatch(spelling.version);
      });

      it('lists tables and views of all schemas, or of one, without system tables', async () => {
        const all = await warehouse.tables();
        const main = all.find(({ name }) => name === 'counted')?.schema;
        expect(main).toMatch(spelling.mainSchema);
        const archived = spelling.hasSchemas ? [{ schema: 'archive', name: 'store', kind: 'TABLE' }] : [];
        expect(all.filter(({ name }) => name !== 'typed')).toEqual([
          ...archived,
          { schema: main, name: 'big_store', kind: 'VIEW' },
          { schema: main, name: 'counted', kind: 'TABLE' },
          { schema: main, name: 'store', kind: 'TABLE' },
        ]);
        expect(await warehouse.tables({ schema: 'archive' })).toEqual(archived);
        expect(await warehouse.tables({ schema: "no'where" })).toEqual([]);
      });

      it('lists the columns of a table in their order', async () => {
        const columns = await warehouse.columns({ name: 'store' });
        expect(columns?.map(({ name, type, nullable }) => [name, type, nullable])).toEqual([
          ['id', 'integer', false],
          ['name', 'text', false],
          ['opened', 'date', true],
          ['area', 'decimal', true],
        ]);
        expect(columns?.[3]?.nativeType).toMatch(spelling.decimalType);
        expect((await warehouse.columns({ schema: 'archive', name: 'store' }))?.map(({ type }) => type)).toEqual(
          spelling.hasSchemas ? ['timestamp'] : undefined,
        );
        expect((await warehouse.columns({ name: 'big_store' }))?.map(({ name }) => name)).toEqual(['id', 'name']);
        expect(await warehouse.columns({ name: 'nowhere' })).toBeUndefined();
        expect(await warehouse.columns({ schema: 'nowhere', name: 'store' })).toBeUndefined();
        expect(await warehouse.columns({ catalog: 'elsewhere', name: 'store' })).toBeUndefined();
      });

      it('reports a schema that does not exist, with the schemas that do', async () => {
        const schemas = new Set((await warehouse.tables()).map(({ schema }) => schema ?? ''));
        expect(await warehouse.missingPlace(undefined)).toBeUndefined();
        for (const schema of schemas) expect(await warehouse.missingPlace(schema)).toBeUndefined();
        const missing = await warehouse.missingPlace("no'where");
        expect(missing).toMatchObject({ kind: 'schema', name: "no'where", isInAddress: false });
        expect(missing?.available).toEqual(expect.arrayContaining([...schemas]));
      });

      it('lists the columns of several tables by name, as it lists them for each', async () => {
        const tables = [
          { name: 'big_store' },
          { schema: 'archive', name: 'store' },
          { catalog: 'elsewhere', schema: 'archive', name: 'store' },
          { name: 'nowhere' },
          { name: 'store' },
        ];
        const each = await Promise.all(tables.map((table) => warehouse.columns(table)));
        expect(await warehouse.columnsByName(tables)).toEqual(each);
        expect(each.map((columns) => columns?.length)).toEqual([
          2,
          each[1]?.length,
          undefined,
          undefined,
          each[4]?.length,
        ]);
        expect(await warehouse.columnsByName([])).toEqual([]);
      });

      it('lists the columns of all tables at once, equal to the lists of each table', async () => {
        const tables = await warehouse.tables();
        const gone = { schema: tables[0]?.schema, name: "no'where", kind: 'TABLE' } as const;
        const columns = await warehouse.columnsOf([...tables, gone]);
        expect(columns).toEqual([...(await Promise.all(tables.map((table) => warehouse.columns(table)))), undefined]);
        expect(columns.find((each) => each?.[0]?.name === 'id')?.length).toBeGreaterThan(1);
      });
    });

    it('is shared by everybody who opens its address, and refuses statements after it is closed', async () => {
      expect(await on.warehouses.open(on.address)).toBe(warehouse);
      const running = oneRow(warehouse, sql('SELECT count(*) FROM counted'));
      await new Promise((resolve) => setImmediate(resolve));
      await on.warehouses.release(on.address);
      expect(await running).toEqual([10_000]);
      await expect(oneRow(warehouse, sql('SELECT 1'))).rejects.toThrow(WarehouseUnreachableError);
      const again = await on.warehouses.open(on.address);
      expect(again).not.toBe(warehouse);
      expect(await oneRow(again, sql('SELECT 1'))).toEqual([1]);
    });
  },
  { timeout: 300_000 },
);
