/** Tests the demo's cubes: they load, their examples run, and their figures equal the figures of the warehouse. */
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { recentQueryMigrations } from '../plugins/cube/recent-queries.ts';
import { Fixture, scope, silent } from '../plugins/cube/testing/fixture.ts';
import { openCache } from '../server/cache/cache.ts';
import { openState, type StateStore } from '../server/state/index.ts';
import { type OpenWarehouses, openWarehouses } from '../server/warehouse/index.ts';
import { openWarehouse, temporaryDirectory } from './testing/warehouse.ts';
import { generateWarehouse } from './warehouse/generate.ts';

const CONTENT = new URL('content/', import.meta.url);
const SALES = 'test/Shop/Shop/Sales';
const STOCK = 'test/Shop/Shop/Stock';

describe('the cubes of the demo', () => {
  let directory: string;
  let state: StateStore;
  let warehouses: OpenWarehouses;
  let cubes: Fixture;
  let expected: (sql: string) => Promise<readonly (readonly unknown[])[]>;

  beforeAll(async () => {
    directory = await temporaryDirectory();
    const file = join(directory, 'shop.duckdb');
    await generateWarehouse(file, { seed: 1, factRows: 12_000 });
    const warehouse = await openWarehouse(file);
    const answers = new Map<string, readonly (readonly unknown[])[]>();
    for (const sql of Object.values(ORACLES)) answers.set(sql, await warehouse.rows(sql));
    warehouse.close();
    expected = async (sql) => answers.get(sql) ?? [];
    state = await openState({ url: undefined, sqliteFile: join(directory, 'state.sqlite'), log: silent });
    await state.migrate({ cube: recentQueryMigrations });
    warehouses = openWarehouses({ statementTimeoutMs: 30_000, poolSize: 2, home: directory, log: silent });
    cubes = await Fixture.open({
      warehouses,
      address: { jdbcUrl: `jdbc:duckdb:${file}` },
      cache: openCache({ maxBytes: 1_000_000, clock: Date.now }),
      state,
      schema: await readFile(new URL('models/shop.xml', CONTENT), 'utf8'),
    });
  });
  afterAll(async () => {
    await cubes?.close();
    await warehouses?.close();
    await state?.close();
    await rm(directory, { recursive: true });
  });

  test('load without a problem, with their tables and columns checked', () => {
    expect(cubes.problems).toEqual([]);
  });

  test.each([SALES, STOCK])('%s describes itself, and its examples run unchanged', async (cube) => {
    const { status, body } = await cubes.call(`GET /schema/${cube}`);
    expect(status).toBe(200);
    expect(JSON.stringify(body)).not.toContain('full_name');
    for (const { body: request } of Object.values<{ body: object }>(body.examples)) {
      const answer = await cubes.call('POST /query', request);
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      expect(answer.body.totalRows).toBeGreaterThan(0);
    }
  });

  test("return the warehouse's sales", async () => {
    const byRegion = {
      cube: SALES,
      measures: [{ name: 'revenue' }, { name: 'Orders' }],
      rows: [{ dimension: 'Store', level: 'Region' }],
      filters: [{ dimension: 'Time', level: 'Year', members: ['2025'] }],
    };
    expect(rounded(await cubes.table(byRegion))).toEqual(rounded(await expected(ORACLES.byRegion)));
    const before = {
      cube: SALES,
      measures: [{ name: 'Net Sales a Year Before' }],
      rows: [{ dimension: 'Time', level: 'Year' }],
    };
    expect(rounded(await cubes.table(before))).toEqual(rounded(await expected(ORACLES.yearBefore)));
  });

  test('drill through to every fact of a cell, also to sales without a customer', async () => {
    const { body } = await cubes.call('POST /query', {
      cube: SALES,
      measures: [{ name: 'Lines' }],
      rows: [{ dimension: 'Store', level: 'Region' }],
      filters: [{ dimension: 'Time', level: 'Month', members: ['[Time].[2025].[2025-Q1].[2]'] }],
    });
    const { body: rows } = await cubes.call(`GET /query/${body.queryId}/drillthrough?maxrows=10000`);
    expect([[body.data[0].Region, rows.rowCount, body.data[0].Lines.value]]).toEqual(
      (await expected(ORACLES.lines)).map(([region, lines]) => [region, Number(lines), Number(lines)]),
    );
  });

  test('do not show the names of customers', async () => {
    const { body } = await cubes.call('POST /query', {
      cube: SALES,
      measures: [{ name: 'Net Sales' }],
      rows: [{ dimension: 'Customer', level: 'Customer' }],
    });
    expect(body).toMatchObject({ field: 'rows[0].level', available: expect.arrayContaining(['Segment']) });
  });

  test('answer every example of docs/examples/cubes', async () => {
    const folder = fileURLToPath(new URL('../docs/examples/cubes/', import.meta.url));
    const files = await readdir(folder);
    expect(files.length).toBeGreaterThan(3);
    for (const file of files) {
      const block = await readFile(join(folder, file), 'utf8');
      const body = JSON.parse(block.replaceAll('demo-cubes/', 'test/'));
      const { status, body: answer } = await cubes.call(
        'changes' in body ? 'POST /scenario/whatif' : 'POST /query',
        body,
      );
      expect(status, `${block} ${JSON.stringify(answer)}`).toBe(200);
      expect(answer.totalRows, block).toBeGreaterThan(0);
    }
  });

  test('answer the saved queries', async () => {
    const folder = fileURLToPath(new URL('repository/shared/demo/', CONTENT));
    const files = (await readdir(folder)).filter((name) => name.startsWith('cube-'));
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) {
      const { source } = JSON.parse(await readFile(join(folder, file), 'utf8'));
      expect(source.request.cube).toMatch(/^demo-cubes\/Shop\/Shop\//);
      const request = { ...source.request, cube: source.request.cube.replace('demo-cubes', 'test') };
      const { records } = await cubes.surface.source.prepare(request).run(scope('ROLE_USER'), {});
      expect(records.length).toBeGreaterThan(0);
    }
  });
});

const ORACLES = {
  lines: `SELECT region, count(*) FROM sales JOIN stores USING (store_id) WHERE date BETWEEN '2025-02-01' AND '2025-02-28'
    GROUP BY region ORDER BY region LIMIT 1`,
  byRegion: `SELECT region, sum(net_amount)::DOUBLE, count(DISTINCT order_id)::DOUBLE FROM sales JOIN stores USING (store_id)
    WHERE year(date) = 2025 GROUP BY region ORDER BY region`,
  yearBefore: `SELECT (year(date) + 1)::VARCHAR, sum(net_amount)::DOUBLE FROM sales WHERE year(date) < 2025 GROUP BY 1 ORDER BY 1`,
} as const;

function rounded(rows: readonly (readonly unknown[])[]): unknown {
  return rows.map((row) => row.map((cell) => (typeof cell === 'number' ? Number(cell.toPrecision(12)) : cell)));
}
