/** Tests that each rewrite of a statement changes no answer: the same request with it and without it, to the last digit. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ValidationError } from '../../../router/errors.ts';
import { SEED } from '../../../router/testing/seed.ts';
import { openCache } from '../../../server/cache/cache.ts';
import { describeEngines } from '../../../server/warehouse/testing/describe-engines.ts';
import { startWarehouse, type TestWarehouse } from '../../../server/warehouse/testing/engines.ts';
import { runsOn } from '../../../server/warehouse/testing/runs-on.ts';
import { Fixture } from '../testing/fixture.ts';
import { randomQueries, requestOf, SHOP_DOCUMENT, shops, shopTables } from '../testing/random-shop.ts';
import { statementsFor, type Table, type Value } from '../testing/tables.ts';
import type { Rewrites } from './nodes/rewrites.ts';

const PLAIN: Rewrites = {
  movesGroupsLast: false,
  groupsKeysFirst: 'never',
  numbersPeriods: 'never',
  countsGroups: 'never',
  usesRollups: false,
};
const ALL: Rewrites = {
  movesGroupsLast: true,
  groupsKeysFirst: 'always',
  numbersPeriods: 'always',
  countsGroups: 'always',
  usesRollups: true,
};
const MASKED = { threshold: 2, mask: null, shadow: true };
const MAX_REQUESTS = 80;

function open(warehouse: TestWarehouse, document: string, rewrites: Partial<Rewrites>): Promise<Fixture> {
  const cache = openCache({ maxBytes: 1_000_000, clock: Date.now });
  return Fixture.open({ warehouse, cache, document, settings: { rewrites, kAnonymity: MASKED } });
}

async function outcome(fixture: Fixture, request: object): Promise<unknown> {
  try {
    const { columns, records, meta } = await fixture.run(request);
    return { columns, records, meta };
  } catch (error) {
    if (error instanceof ValidationError) return { refused: error.problems };
    throw error;
  }
}

/** Every month has its first and last days, and some days are missing. */
const DAYS = ['2023-12-31', '2024-01-29', '2024-01-30', '2024-01-31', '2024-02-29', '2024-03-01', '2024-03-30'];
const LATER = ['2024-03-31', '2024-04-30', '2024-06-15', '2024-12-30', '2025-01-30', '2025-02-28', '2025-03-31', null];
const ORDERS: Table = {
  name: 'orders',
  columns: [
    ['id', 'integer'],
    ['day', 'date'],
    ['at', 'timestamp'],
    ['customer_id', 'integer'],
    ['status', 'text'],
    ['amount', 'money'],
    ['quantity', 'bigint'],
  ],
  rows: Array.from({ length: 60 }, (_, index): readonly Value[] => {
    const day = [...DAYS, ...LATER][(index * 7) % 15] ?? null;
    const customer = index % 11 === 0 ? null : (index * 5) % 7;
    const status = index % 9 === 0 ? null : ['paid', 'open'][index % 2];
    const at = day === null ? null : `${day} ${String((index * 5) % 24).padStart(2, '0')}:30:00`;
    return [
      index,
      day,
      at,
      customer,
      status ?? null,
      index % 13 === 0 ? null : ((index * 37) % 500) / 4 - 20,
      index % 6,
    ];
  }),
};
/** Orders lead to customers 0 to 6: some of them are missing, and one has no region. */
const CUSTOMERS: Table = {
  name: 'customers',
  columns: [
    ['id', 'integer'],
    ['region', 'text'],
  ],
  rows: [
    [0, 'EU'],
    [1, 'US'],
    [2, null],
    [3, 'EU'],
    [5, 'US'],
  ],
};

const field = (name: string) => `{ name: ${name}, expression: [{ dialect: ANSI_SQL, expression: ${name} }] }`;
const metric = (name: string, expression: string, kinds?: object) =>
  `      - { name: ${name}, expression: [{ dialect: ANSI_SQL, expression: "${expression}" }]${kinds === undefined ? '' : `, custom_extensions: [{ vendor_name: SERVICE, data: '${JSON.stringify(kinds)}' }]`} }`;
const before = (count: number, grain: string, by = 'orders.day') => ({ offset: { by, count, grain } });
const DOCUMENT = `
semantic_model:
  - name: shop
    datasets:
      - { name: orders, source: orders, primary_key: [id], fields: [${['day', 'at', 'status'].map(field).join(', ')}] }
      - { name: customers, source: customers, primary_key: [id], fields: [${field('region')}] }
    relationships: [{ name: buyer, from: orders, to: customers, from_columns: [customer_id], to_columns: [id] }]
    metrics:
${[
  metric('amount', 'SUM(orders.amount)'),
  metric('value', 'SUM(orders.amount * orders.quantity)'),
  metric('mean', 'AVG(orders.amount)'),
  metric('orders_count', 'COUNT(*)'),
  metric('priced', 'COUNT(orders.amount)'),
  metric('least', 'MIN(orders.amount)'),
  metric('latest', 'MAX(orders.day)'),
  metric('statuses', 'COUNT(DISTINCT orders.status)'),
  metric('ids', 'COUNT(DISTINCT orders.id)'),
  metric('rate', 'SUM(orders.amount) / COUNT(*)'),
  metric('paid', "SUM(CASE WHEN orders.status = 'paid' THEN 1 ELSE 0 END)"),
  metric('month_before', 'SUM(orders.amount)', before(1, 'month')),
  metric('mean_month_before', 'AVG(orders.amount)', before(1, 'month')),
  metric('statuses_year_before', 'COUNT(DISTINCT orders.status)', before(1, 'year')),
  metric('count_quarter_before', 'COUNT(*)', before(1, 'quarter')),
  metric('week_before', 'SUM(orders.amount)', before(1, 'week')),
  metric('day_before', 'MAX(orders.quantity)', before(1, 'day')),
  metric('moment_before', 'SUM(orders.amount)', before(1, 'month', 'orders.at')),
  metric('at_month', 'SUM(orders.amount)', { offset: { by: 'orders.day', to: 'month' } }),
  metric('growth', 'amount - month_before'),
].join('\n')}
`;
const METRICS = [...DOCUMENT.matchAll(/- \{ name: (\w+), expression: \[/g)].map(([, name]) => name ?? '');
const OFFSETS = METRICS.filter((name) => /before|at_month|growth/.test(name));

const ADDITIVE = METRICS.filter((name) => !/mean|statuses|ids|at_month|week|day|moment/.test(name));
const GRAINS = ['day', 'week', 'month', 'quarter', 'year', 'month_of_year', 'quarter_of_year', 'day_of_month'] as const;
const randomRequests = fc
  .record({
    grains: fc.subarray([...GRAINS], { maxLength: 2 }),
    date: fc.constantFrom('day', 'day', 'at'),
    others: fc.subarray(['region', 'status'] as const),
    offset: fc.constantFrom(...OFFSETS),
    metrics: fc.subarray(METRICS, { minLength: 1, maxLength: 3 }),
    inColumns: fc.boolean(),
    range: fc.option(fc.tuple(fc.nat({ max: 14 }), fc.nat({ max: 14 })), { nil: undefined }),
    only: fc.constantFrom(undefined, undefined, 'region', 'status'),
    limit: fc.option(fc.integer({ min: 1, max: 5 }), { nil: undefined }),
  })
  .map(({ grains, date, others, offset, metrics, inColumns, range, only, limit }) => {
    const dates = grains.map((grain) => ({ dataset: 'orders', field: date, grain }));
    const attributes = others.map((name) => ({ dataset: name === 'region' ? 'customers' : 'orders', field: name }));
    const days = [...DAYS, ...LATER].filter((day) => day !== null);
    const [low, high] = (range ?? []).map((at) => days[at % days.length] ?? '').toSorted();
    return {
      rows: inColumns ? attributes : [...dates, ...attributes],
      columns: inColumns ? dates : [],
      values: [...new Set([offset, ...metrics])].map((name) => ({ metric: name })),
      filters: [
        ...(range === undefined ? [] : [{ dataset: 'orders', field: 'day', op: 'BETWEEN', values: [low, high] }]),
        ...(only === undefined
          ? []
          : [
              only === 'region'
                ? { dataset: 'customers', field: 'region', op: 'EQ', value: 'EU' }
                : { dataset: 'orders', field: 'status', op: 'NEQ', value: 'open' },
            ]),
      ],
      ...(limit === undefined ? {} : { limit }),
    };
  });

/** Requests for metrics that are combined from their values for each key. */
const additive = fc
  .tuple(randomRequests, fc.subarray(ADDITIVE, { minLength: 1, maxLength: 4 }))
  .map(([request, names]) => ({ ...request, values: names.map((name) => ({ metric: name })) }));

/** Requests for a distinct count beside metrics that are combined from their values for each counted value. */
const counting = fc
  .tuple(randomRequests, fc.subarray(ADDITIVE, { maxLength: 3 }))
  .map(([request, names]) => ({ ...request, values: ['statuses', ...names].map((name) => ({ metric: name })) }));

/** Compares answers to one request, and returns whether its statement has a text, so that a rewrite happens. */
async function compareOne([plain, rewritten]: readonly [Fixture, Fixture], request: object, text: string) {
  const answer = await outcome(rewritten, request);
  expect(answer).toEqual(await outcome(plain, request));
  const { generatedSql } = await rewritten.operations().preview({ connection: 'test', ...request } as never);
  return generatedSql.includes(text);
}

/** Compares answers to random requests. */
async function compare(
  requests: fc.Arbitrary<object>,
  [plain, rewritten]: readonly [Fixture, Fixture],
  numRuns: number,
): Promise<void> {
  await fc.assert(
    fc.asyncProperty(requests, async (request) => {
      expect(await outcome(rewritten, request)).toEqual(await outcome(plain, request));
    }),
    { seed: SEED, numRuns },
  );
}

const DAY = { dataset: 'orders', field: 'day' };
const REGION = { dataset: 'customers', field: 'region' };
/** A request that every rewrite changes. */
const MONTHS_BEFORE = {
  rows: [{ ...DAY, grain: 'month' }, REGION],
  values: [{ metric: 'month_before' }, { metric: 'amount' }, { metric: 'orders_count' }],
};

describeEngines(
  `on $engine (SEED=${SEED})`,
  (engine) => {
    let orders: TestWarehouse;
    let plain: Fixture;
    beforeAll(async () => {
      orders = await startWarehouse(engine, statementsFor(engine, [ORDERS, CUSTOMERS]), { poolSize: 2 });
      plain = await open(orders, DOCUMENT, PLAIN);
      expect(plain.problems).toEqual([]);
    });
    afterAll(() => orders.stop());

    it('offsets that move periods after their rows are aggregated have the same answers', async () => {
      const moved = await open(orders, DOCUMENT, { ...PLAIN, movesGroupsLast: true });
      expect(await compareOne([plain, moved], MONTHS_BEFORE, 'own_periods')).toBe(true);
      await compare(randomRequests, [plain, moved], runsOn(engine, MAX_REQUESTS));
    });

    it('facts that are grouped by their keys before they are joined have the same answers', async () => {
      const first = await open(orders, DOCUMENT, { ...PLAIN, groupsKeysFirst: 'always' });
      // Texts in several spellings that a collation takes for equal stay with their rows.
      const hasCollations = engine === 'sqlite' || engine === 'mariadb';
      expect(await compareOne([plain, first], MONTHS_BEFORE, 'service_a0')).toBe(!hasCollations);
      await compare(fc.oneof(randomRequests, additive), [plain, first], runsOn(engine, MAX_REQUESTS));
    });

    it('rows that are grouped by the counted values first have the same answers', async () => {
      const first = await open(orders, DOCUMENT, { ...PLAIN, countsGroups: 'always' });
      const hasCollations = engine === 'sqlite' || engine === 'mariadb';
      const counts = ['statuses', 'orders_count', 'priced', 'least', 'latest', 'paid'].map((metric) => ({ metric }));
      const regions = { rows: [{ ...DAY, grain: 'quarter' }, REGION], values: counts };
      expect(await compareOne([plain, first], regions, 'service_value')).toBe(!hasCollations);
      expect(await compareOne([plain, first], { rows: [], values: counts }, 'service_value')).toBe(!hasCollations);
      await compare(fc.oneof(counting, randomRequests), [plain, first], runsOn(engine, MAX_REQUESTS));
    });

    it('an engine that sorts to count distinct values groups by them first', async () => {
      const usual = await open(orders, DOCUMENT, {});
      const of = (...metrics: string[]) => ({ rows: [REGION], values: metrics.map((metric) => ({ metric })) });
      const isGrouped = async (request: object) => compareOne([plain, usual], request, 'service_value');
      expect(await isGrouped(of('statuses', 'priced', 'paid'))).toBe(engine === 'postgresql');
      // Sums take more memory than sorted rows, and each row has another key.
      expect(await isGrouped(of('statuses', 'amount'))).toBe(false);
      expect(await isGrouped(of('ids'))).toBe(false);
    });

    if (engine === 'duckdb') {
      it('months, quarters and years that are grouped as numbers have the same answers, alone and with the others', async () => {
        const numbered = await open(orders, DOCUMENT, { ...PLAIN, numbersPeriods: 'always' });
        const all = await open(orders, DOCUMENT, ALL);
        for (const each of [numbered, all]) {
          expect(await compareOne([plain, each], MONTHS_BEFORE, 'make_date')).toBe(true);
          await compare(fc.oneof(randomRequests, additive), [plain, each], runsOn(engine, MAX_REQUESTS));
        }
      });
    }

    it('random shops, with several facts and joins of joins, have the same answers', async () => {
      const [shop] = fc.sample(shops, { seed: SEED, numRuns: 1 });
      if (shop === undefined) throw new Error('no shop was made');
      const warehouse = await startWarehouse(engine, statementsFor(engine, shopTables(shop)), { poolSize: 2 });
      try {
        const never = await open(warehouse, SHOP_DOCUMENT, PLAIN);
        const always = await open(warehouse, SHOP_DOCUMENT, { ...PLAIN, groupsKeysFirst: 'always' });
        await compare(randomQueries.map(requestOf), [never, always], runsOn(engine, MAX_REQUESTS));
      } finally {
        await warehouse.stop();
      }
    });
  },
  { timeout: 300_000 },
);

it('an infinite date has no number, so that its periods stay dates', async () => {
  const days = "DATE '2024-01-15', DATE '2024-01-31', 'infinity'::DATE, NULL";
  const warehouse = await startWarehouse('duckdb', [
    'CREATE TABLE orders (id INTEGER, day DATE, due DATE, "at" TIMESTAMP, status VARCHAR, customer_id INTEGER, amount DECIMAL(10,2), quantity BIGINT)',
    `INSERT INTO orders SELECT 1, unnest([${days}]), DATE '2024-05-05', NULL, 'open', 1, 2.50, 1 FROM range(2)`,
    'CREATE TABLE customers (id INTEGER, region VARCHAR)',
  ]);
  try {
    const shop = await open(warehouse, DOCUMENT, ALL);
    const request = { rows: [{ dataset: 'orders', field: 'day', grain: 'month' }], values: [{ metric: 'priced' }] };
    expect(await shop.table(request)).toEqual([
      ['2024-01-01', 4],
      ['infinity', 2],
      [null, 2],
    ]);
    const { generatedSql } = await shop.operations().preview({ connection: 'test', ...request } as never);
    expect(generatedSql).not.toContain('make_date');
  } finally {
    await warehouse.stop();
  }
});

describe('by default, in DuckDB', () => {
  const MANY = 200_000;
  let warehouse: TestWarehouse;
  let shop: Fixture;
  beforeAll(async () => {
    warehouse = await startWarehouse('duckdb', [
      `CREATE TABLE orders AS SELECT i AS id, DATE '2024-01-01' + (i % 366)::INTEGER AS day, TIMESTAMP '2024-01-01' AS at, 'open' AS status, (i % 5)::INTEGER AS customer_id, 1.25 AS amount, i % 3 AS quantity FROM range(${MANY}) t(i)`,
      "CREATE TABLE customers AS SELECT i::INTEGER AS id, 'r' || (i % 2) AS region FROM range(4) t(i)",
    ]);
    shop = await open(warehouse, DOCUMENT, {});
  });
  afterAll(() => warehouse.stop());
  const region = REGION;
  const sqlOf = async (request: object) =>
    (await shop.operations().preview({ connection: 'test', ...request } as never)).generatedSql;

  it('a large fact with few keys is grouped by them first, also where a key has no match', async () => {
    const request = { rows: [region], values: [{ metric: 'amount' }, { metric: 'orders_count' }] };
    expect(await sqlOf(request)).toContain('GROUP BY 1\n  ) AS "orders"');
    expect(await shop.numbers(request)).toEqual([
      ['r0', 100_000, 80_000],
      ['r1', 100_000, 80_000],
      [null, 50_000, 40_000],
    ]);
  });

  it.each([
    ['a mean, which engines round', { values: [{ metric: 'mean' }] }],
    ['a distinct count', { values: [{ metric: 'statuses' }] }],
    [
      'a filter on the joined rows',
      { values: [{ metric: 'amount' }], filters: [{ ...region, op: 'EQ', value: 'r0' }] },
    ],
    [
      'a group with unknown values',
      { values: [{ metric: 'amount' }], columns: [{ dataset: 'orders', field: 'status' }] },
    ],
  ])('%s keeps the join before the groups', async (_, request) => {
    expect(await sqlOf({ rows: [region], ...request })).not.toContain('service_a0');
  });

  it('months are grouped as numbers', async () => {
    const request = {
      rows: [{ dataset: 'orders', field: 'day', grain: 'quarter' }],
      values: [{ metric: 'orders_count' }],
    };
    expect(await sqlOf(request)).toContain('make_date');
    const days = [91, 91, 92, 92];
    const first = ['2024-01-01', '2024-04-01', '2024-07-01', '2024-10-01'];
    // 546 whole years of 366 days, and the first 164 days of one more.
    const more = [91, 73, 0, 0];
    expect(await shop.numbers(request)).toEqual(first.map((day, at) => [day, 546 * (days[at] ?? 0) + (more[at] ?? 0)]));
  });
});
