/** Runs the examples of the guides to semantic queries, time and models unchanged against the demo's model. */
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generateWarehouse } from '../../demo/warehouse/generate.ts';
import { openCache } from '../../server/cache/cache.ts';
import { openWarehouses } from '../../server/warehouse/index.ts';
import { quietLog } from '../../server/warehouse/testing/engines.ts';
import { SemanticQueryRequest } from './schemas.ts';
import { Fixture, scope } from './testing/fixture.ts';

const ROOT = new URL('../../', import.meta.url);
const EXAMPLES = new URL('docs/examples/semantic/', ROOT);
const TIME_EXAMPLES = new URL('docs/examples/time/', ROOT);
const MODEL_EXAMPLES = new URL('docs/examples/models/', ROOT);

describe('docs/guide/semantic-queries.md', () => {
  let folder: string;
  const fixtures: Fixture[] = [];
  let shop: Fixture;
  let stores: Fixture;
  let windows: Fixture;
  let retail: Fixture;
  let kinds: Fixture;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'service-docs-'));
    const file = join(folder, 'shop.duckdb');
    await generateWarehouse(file, { seed: 7, factRows: 20_000 });
    shop = await open(file, new URL('demo/content/models/shop.yaml', ROOT));
    stores = await open(file, new URL('roles.yaml', EXAMPLES));
    windows = await open(file, new URL('windows.yaml', TIME_EXAMPLES));
    retail = await open(file, new URL('retail.yaml', TIME_EXAMPLES));
    kinds = await open(file, new URL('kinds.yaml', MODEL_EXAMPLES));
  });
  afterAll(async () => {
    for (const fixture of fixtures) await fixture.close();
    await rm(folder, { recursive: true });
  });

  async function open(file: string, document: URL): Promise<Fixture> {
    const warehouses = openWarehouses({ statementTimeoutMs: 30_000, poolSize: 2, home: folder, log: quietLog });
    const warehouse = { warehouses, address: { jdbcUrl: `jdbc:duckdb:${file}` }, stop: () => warehouses.close() };
    const fixture = await Fixture.open({
      warehouse,
      cache: openCache({ maxBytes: 1_000_000, clock: Date.now }),
      document: await readFile(document, 'utf8'),
      // A day within the demo's data, which end with 2025.
      clock: () => Date.UTC(2025, 11, 15),
      settings: { kAnonymity: { threshold: 5, mask: null } },
    });
    fixtures.push(fixture);
    expect(fixture.problems).toEqual([]);
    return fixture;
  }

  async function example(name: string, folder = EXAMPLES): Promise<SemanticQueryRequest> {
    const body = SemanticQueryRequest.parse(JSON.parse(await readFile(new URL(name, folder), 'utf8')));
    // The fixture's connection has another name than the demo's.
    return { ...body, connection: 'test' };
  }

  it.each([
    ['docs/guide/semantic-queries.md', EXAMPLES],
    ['docs/guide/time.md', TIME_EXAMPLES],
    ['docs/guide/models-by-hand.md', MODEL_EXAMPLES],
  ])('%s shows every example file unchanged, and no other request', async (page, folder) => {
    const text = await readFile(new URL(page, ROOT), 'utf8');
    const files = await readdir(folder);
    const contents = await Promise.all(files.map((name) => readFile(new URL(name, folder), 'utf8')));
    for (const content of contents) expect(text).toContain(content);
    // plugins/convert/docs.test.ts tests the blocks that have a name.
    const blocks = [...text.matchAll(/(?<!-->\n)```(?:json|yaml)\n([\s\S]*?)```/g)].map(([, block]) => block);
    expect(blocks.filter((block) => !contents.includes(block ?? ''))).toEqual([]);
  });

  it('query: three regions, the one of the most sales first', async () => {
    const table = await shop.table(await example('query.json'));
    expect(table).toHaveLength(3);
    const sales = table.map(([, amount]) => Number(amount));
    expect(sales).toEqual(sales.toSorted((left, right) => right - left));
  });

  it('filters: fewer lines than without each of them', async () => {
    const request = await example('filters.json');
    const [[count] = []] = await shop.table(request);
    for (const index of request.filters?.keys() ?? []) {
      const filters = request.filters?.toSpliced(index, 1);
      const [[more] = []] = await shop.table({ ...request, filters });
      expect(Number(more)).toBeGreaterThan(Number(count));
    }
  });

  it('any: as many lines as pass one or the other, less those that pass both', async () => {
    const request = await example('any.json');
    const count = async (filters: SemanticQueryRequest['filters']) =>
      Number((await shop.table({ ...request, filters }))[0]?.[0]);
    const [group] = request.filters ?? [];
    if (group === undefined || !('any' in group) || group.any === undefined) throw new Error('no group');
    const [left, right] = group.any;
    if (left === undefined || right === undefined) throw new Error('no pair');
    const both = await count([left, right]);
    expect(await count([group])).toBe((await count([left])) + (await count([right])) - both);
    expect(both).toBeGreaterThan(0);
  });

  it('by metrics: some categories, and less of each than without the customers', async () => {
    const request = await example('by-metrics.json');
    const [lines, customers] = request.filters ?? [];
    if (lines === undefined || customers === undefined) throw new Error('no pair');
    const table = await shop.table(request);
    const all = new Map((await shop.table({ ...request, filters: [lines] })).map(([name, amount]) => [name, amount]));
    expect(table.length).toBeGreaterThan(0);
    for (const [name, amount] of table) expect(Number(amount)).toBeLessThan(Number(all.get(name)));
    expect(await shop.table({ ...request, filters: [{ ...lines, value: 100_000_000 }] })).toEqual([]);
  });

  it('nulls: walk-ins are a separate group, last, and the groups add up', async () => {
    const request = await example('null-group.json');
    const table = await shop.table(request);
    expect(table.at(-1)?.[0]).toBeNull();
    const [[total] = []] = await shop.table({ ...request, rows: [] });
    const sum = table.reduce((before, [, amount]) => before + Number(amount), 0);
    expect(sum).toBeCloseTo(Number(total), 2);
  });

  it('two facts: each as it is alone', async () => {
    const request = await example('two-facts.json');
    const both = await shop.table(request);
    for (const [index, value] of (request.values ?? []).entries()) {
      const alone = await shop.table({ ...request, values: [value] });
      expect(both.map((row) => [row[0], row[index + 1]])).toEqual(alone);
    }
  });

  it('the one side: no channel has more floor than all stores', async () => {
    const request = await example('one-side.json');
    const [[all] = []] = await shop.table({ ...request, rows: [] });
    for (const [, area] of await shop.table(request)) expect(Number(area)).toBeLessThanOrEqual(Number(all));
    const { plan } = await shop.operations().preview(request);
    expect(plan.metrics[0]?.parts[0]?.distinctBy).toEqual(['stores.store_id']);
  });

  it('top rows: two categories, each with its three years', async () => {
    const years = ['2023-01-01', '2024-01-01', '2025-01-01'];
    const table = await shop.table(await example('top-rows.json'));
    expect(table.map(([, year]) => year)).toEqual([...years, ...years]);
  });

  it('override: a mean in place of a sum', async () => {
    for (const [, mean] of await shop.table(await example('override.json'))) expect(Number(mean)).toBeLessThan(20);
  });

  it('suppression: stores with few orders on a day are masked', async () => {
    const { records, meta } = await shop.run(await example('suppression.json'));
    expect(meta.suppressed?.count).toBeGreaterThan(0);
    const masked = records.filter(({ net_sales }) => typeof net_sales === 'object' && net_sales?.suppressed === true);
    expect(masked).toHaveLength(meta.suppressed?.count ?? 0);
  });

  it('row detail: a hundred lines of receipts', async () => {
    const { records, meta } = await shop.operations().rowDetail(await example('row-detail.json'));
    expect(records).toHaveLength(100);
    expect(meta.truncated).toBe(true);
  });

  it('months: the twelve of a year, which add up to it', async () => {
    const request = await example('months.json', TIME_EXAMPLES);
    const { columns, records } = await shop.run(request);
    expect(records).toHaveLength(12);
    expect(columns[0]?.labels).toMatchObject({ '2025-01-01': 'Jan 2025', '2025-12-01': 'Dec 2025' });
    const [[total] = []] = await shop.table({ ...request, rows: [] });
    const months = await shop.table(request);
    expect(months.reduce((sum, [, amount]) => sum + Number(amount), 0)).toBeCloseTo(Number(total), 2);
  });

  it('facts: sales and stock, each by its own date', async () => {
    const request = await example('facts.json', TIME_EXAMPLES);
    const { columns } = await shop.run(request);
    expect(columns[0]).toMatchObject({ key: 'time.date.quarter' });
    const totalOf = async (dataset: string, field: string, metric: string) => {
      const date = { dataset, field, grain: 'quarter' };
      const filters = [{ dataset, field, grain: 'year', op: 'EQ', value: '2025' }];
      return new Map(
        (await shop.table({ ...request, rows: [date], values: [{ metric }], filters })).map(([at, value]) => [
          at,
          value,
        ]),
      );
    };
    const sales = await totalOf('sales', 'date', 'net_sales');
    const stock = await totalOf('inventory', 'snapshot_date', 'stock_units');
    const quarters = ['2025-01-01', '2025-04-01', '2025-07-01', '2025-10-01'];
    expect(await shop.table(request)).toEqual(quarters.map((at) => [at, sales.get(at), stock.get(at)]));
  });

  it('fiscal: the quarters of a year that begins in February', async () => {
    const request = await example('fiscal.json', TIME_EXAMPLES);
    const { columns } = await shop.run(request);
    expect(columns[0]?.labels).toEqual({
      '2024-02-01': 'Q1 FY2025',
      '2024-05-01': 'Q2 FY2025',
      '2024-08-01': 'Q3 FY2025',
      '2024-11-01': 'Q4 FY2025',
    });
    const days = [{ dataset: 'sales', field: 'date', op: 'BETWEEN', values: ['2024-02-01', '2024-04-30'] }];
    const [[first] = []] = await shop.table({ ...request, rows: [], values: [{ metric: 'net_sales' }], filters: days });
    expect((await shop.table(request))[0]?.[1]).toEqual(first);
  });

  it('last months: two years of them', async () => {
    const table = await shop.table(await example('last-months.json', TIME_EXAMPLES));
    expect(table.map(([month]) => month)).toEqual(
      Array.from(
        { length: 24 },
        (_, index) => `${2024 + Math.floor(index / 12)}-${String((index % 12) + 1).padStart(2, '0')}-01`,
      ),
    );
  });

  it('months of a customer: twelve, some of them without a sale', async () => {
    const request = await example('without-facts.json', TIME_EXAMPLES);
    const table = await shop.table(request);
    expect(table).toHaveLength(12);
    expect(table.filter(([, amount]) => amount === 0).length).toBeGreaterThan(0);
    const [place] = request.rows ?? [];
    const unfilled = await shop.table({ ...request, rows: [{ ...place, fill: false }] });
    expect(table.filter(([, amount]) => amount !== 0)).toEqual(unfilled);
  });

  it('year before: what the year before answers by itself', async () => {
    const request = await example('year-before.json', TIME_EXAMPLES);
    const months = await shop.table(request);
    const [filter] = request.filters ?? [];
    const values = [{ metric: 'net_sales' }];
    const before = await shop.table({ ...request, values, filters: [{ ...filter, value: '2024' }] });
    expect(months).toHaveLength(12);
    expect(months.map(([, , base]) => base)).toEqual(before.map(([, amount]) => amount));
    for (const [, value, base, difference] of months)
      expect(Number(difference)).toBeCloseTo(Number(value) - Number(base), 6);
  });

  it('retail months: four, five and four weeks, which begin on 2 February', async () => {
    const request = await example('retail-months.json', TIME_EXAMPLES);
    const months = await retail.table(request);
    expect(months.map(([key]) => key)).toEqual([202501, 202502, 202503, 202504, 202505, 202506]);
    const { columns } = await retail.run(request);
    expect(columns[0]?.labels?.['202501']).toBe('Month 1 of 2025');
    const between = (...values: readonly string[]) =>
      retail.table({ ...request, rows: [], filters: [{ dataset: 'sales', field: 'date', op: 'BETWEEN', values }] });
    const first = await between('2025-02-02', '2025-03-01');
    const second = await between('2025-03-02', '2025-04-05');
    expect(months.slice(0, 2).map(([, amount]) => amount)).toEqual([first[0]?.[0], second[0]?.[0]]);
  });

  it('running: each month has the sum of the year until its end', async () => {
    const months = await windows.table(await example('running.json', TIME_EXAMPLES));
    expect(months).toHaveLength(12);
    let sum = 0;
    for (const [, amount, toDate, customers] of months) {
      sum += Number(amount);
      expect(Number(toDate)).toBeCloseTo(sum, 2);
      expect(Number(customers)).toBeGreaterThan(0);
    }
  });

  it('conversions: years add up to what is bought in stores after an online order', async () => {
    const request = await example('conversions.json', TIME_EXAMPLES);
    const years = await windows.table(request);
    const [[lines, bought] = []] = await windows.table({ ...request, rows: [] });
    expect(years).toHaveLength(3);
    expect(years.reduce((sum, [, amount]) => sum + Number(amount), 0)).toBe(lines);
    expect(years.reduce((sum, [, , amount]) => sum + Number(amount), 0)).toBe(bought);
    expect(Number(bought)).toBeGreaterThan(0);
  });

  it('shares: online sales, their share, the month before and the growth since', async () => {
    const request = await example('shares.json', MODEL_EXAMPLES);
    const year = (value: string) => [{ dataset: 'sales', field: 'date', grain: 'year', op: 'EQ' as const, value }];
    const sales = async (filters: SemanticQueryRequest['filters']) =>
      (await shop.table({ rows: request.rows, values: [{ metric: 'net_sales' }], filters })).map(([, one]) =>
        Number(one),
      );
    const salesOfMonths = await sales(year('2025'));
    const online = await sales([...year('2025'), { dataset: 'sales', field: 'channel', op: 'EQ', value: 'Online' }]);
    const before = [(await sales(year('2024'))).at(-1) ?? 0, ...salesOfMonths.slice(0, -1)];
    const months = await kinds.table(request);
    expect(months).toHaveLength(12);
    for (const [index, month] of months.entries()) {
      const [amount = 0, part = 0, earlier = 0] = [salesOfMonths[index], online[index], before[index]];
      const expected = [amount, part, part / amount, earlier, amount - earlier];
      for (const [at, value] of expected.entries()) expect(Number(month[at + 1])).toBeCloseTo(value, 2);
    }
  });

  it('lines: a median and a percentile, as of the sorted lines', async () => {
    const rows = ['channel', 'amount', 'sale_id'].map((field) => ({ dataset: 'sales', field }));
    const all = await kinds.table({ rows, limit: 100_000 });
    expect(all).toHaveLength(20_000);
    const table = await kinds.table(await example('lines.json', MODEL_EXAMPLES));
    expect(table).toHaveLength(3);
    for (const [name, median, large] of table) {
      const amounts = all.flatMap(([channel, amount]) => (channel === name ? [Number(amount)] : []));
      const sorted = amounts.toSorted((left, right) => left - right);
      const middle = [Math.floor((sorted.length - 1) / 2), Math.ceil((sorted.length - 1) / 2)];
      const [low = 0, high = 0] = middle.map((at) => sorted[at]);
      expect(Number(median)).toBeCloseTo((low + high) / 2, 6);
      expect(Number(large)).toBe(sorted[Math.ceil(sorted.length * 0.9) - 1]);
    }
  });

  it('stock: a quarter closes with its third count, and has the mean of three', async () => {
    const filters = [{ dataset: 'inventory', field: 'snapshot_date', grain: 'year', op: 'EQ', value: '2025' }];
    const rows = [{ dataset: 'inventory', field: 'snapshot_date', grain: 'month' }];
    const months = (await shop.table({ rows, values: [{ metric: 'stock_units' }], filters })).map(([, one]) =>
      Number(one),
    );
    const quarters = await kinds.table(await example('stock.json', MODEL_EXAMPLES));
    expect(quarters).toHaveLength(4);
    for (const [index, [, closing, average]] of quarters.entries()) {
      const three = months.slice(index * 3, index * 3 + 3);
      expect(Number(closing)).toBe(three[2]);
      expect(Number(average)).toBeCloseTo(three.reduce((sum, one) => sum + one, 0) / 3, 6);
    }
  });

  it('weekdays: seven in each year, Sunday first', async () => {
    const table = await shop.table(await example('weekdays.json', TIME_EXAMPLES));
    expect(table).toHaveLength(21);
    expect(table.slice(0, 4).map(([day]) => day)).toEqual([7, 7, 7, 6]);
  });

  it('roles: rows, fields and metrics by role', async () => {
    const by = (...roles: readonly string[]) => scope(...roles);
    const request = { rows: [{ dataset: 'stores', field: 'country' }], values: [{ metric: 'store_count' }] };
    const countries = async (...roles: readonly string[]) =>
      (await stores.table(request, by(...roles))).map(([country]) => country);
    expect(await countries('ROLE_GERMANY')).toEqual(['Germany']);
    expect(await countries('ROLE_USER')).not.toContain('Germany');
    const city = { rows: [{ dataset: 'stores', field: 'city' }] };
    expect(await stores.refusal(city, by('ROLE_GUEST'))).toMatchObject({
      field: 'rows[0].field',
      available: ['country'],
    });
    const area = { values: [{ metric: 'floor_area' }] };
    expect(await stores.refusal(area, by('ROLE_USER'))).toMatchObject({ available: ['store_count'] });
    expect(await stores.table(area, by('ROLE_PROPERTY'))).toEqual([[expect.any(Number)]]);
  });
});
