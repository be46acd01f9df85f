/** Tests that a roll-up changes no answer, that it is read where it can answer, and that an old one is not. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ValidationError } from '../../../router/errors.ts';
import { SEED } from '../../../router/testing/seed.ts';
import { openCache } from '../../../server/cache/cache.ts';
import { describeEngines } from '../../../server/warehouse/testing/describe-engines.ts';
import { startWarehouse, type TestWarehouse } from '../../../server/warehouse/testing/engines.ts';
import { runsOn } from '../../../server/warehouse/testing/runs-on.ts';
import { Fixture, scope } from '../testing/fixture.ts';
import { type ColumnType, statementsFor, type Table, type Value } from '../testing/tables.ts';

const MAX_REQUESTS = 120;

const DAYS = ['2023-12-31', '2024-01-01', '2024-01-31', '2024-02-29', '2024-03-01', '2024-03-31', '2024-05-05'];
const LATER = ['2024-07-01', '2024-12-30', '2025-01-01', '2025-02-28', null];
const ALL_DAYS = [...DAYS, ...LATER];
interface Order {
  readonly id: number;
  readonly day: string | null;
  readonly at: string | null;
  readonly customer_id: number | null;
  readonly status: string | null;
  readonly amount: number | null;
  readonly quantity: number;
}
const ORDERS = Array.from({ length: 90 }, (_, index): Order => {
  const day = ALL_DAYS[(index * 7) % ALL_DAYS.length] ?? null;
  return {
    id: index,
    day,
    at: day === null ? null : `${day} ${String((index * 5) % 24).padStart(2, '0')}:30:00`,
    customer_id: index % 11 === 0 ? null : (index * 5) % 7,
    status: index % 9 === 0 ? null : (['paid', 'open'][index % 2] ?? null),
    amount: index % 13 === 0 ? null : ((index * 37) % 500) / 4 - 20,
    quantity: index % 6,
  };
});
/** Orders lead to customers 0 to 6: some of them are missing, and one has no region. */
const CUSTOMERS: readonly (readonly [id: number, region: string | null, grade: number | null])[] = [
  [0, 'EU', 1],
  [1, 'US', 2],
  [2, null, 2],
  [3, 'EU', null],
  [5, 'US', 1],
];
const REFUNDS = Array.from({ length: 25 }, (_, index) => ({
  id: index,
  day: ALL_DAYS[(index * 5) % ALL_DAYS.length] ?? null,
  customer_id: index % 6 === 0 ? null : index % 7,
  refund: index % 8 === 0 ? null : (index * 3) % 20,
}));

type Kind = readonly [name: string, type: ColumnType];
const table = (name: string, columns: readonly Kind[], rows: readonly (readonly Value[])[]): Table => ({
  name,
  columns,
  rows,
});
const customerOf = (id: number | null) => CUSTOMERS.find(([one]) => one === id);

/** Groups rows by hand; nulls are a group. */
function grouped<Row>(rows: readonly Row[], keyOf: (row: Row) => readonly Value[]) {
  const groups = new Map<string, { readonly key: readonly Value[]; readonly rows: Row[] }>();
  for (const row of rows) {
    const key = keyOf(row);
    const group = groups.get(JSON.stringify(key)) ?? { key, rows: [] };
    group.rows.push(row);
    groups.set(JSON.stringify(key), group);
  }
  return [...groups.values()];
}
const known = <Item>(values: readonly (Item | null)[]) => values.filter((one) => one !== null);
const sum = (values: readonly (number | null)[]) => {
  const some = known(values);
  return some.length === 0 ? null : some.reduce((total, one) => total + one, 0);
};
const ends = (values: readonly (string | number | null)[]) => {
  const sorted = known(values).toSorted((left, right) => (left < right ? -1 : 1));
  return [sorted[0] ?? null, sorted.at(-1) ?? null] as const;
};
const isPaid = ({ status }: Order) => status === 'paid';

function dailyOf(orders: readonly Order[]): Table {
  return table(
    'daily',
    [
      ['day', 'date'],
      ['status', 'text'],
      ['region', 'text'],
      ['grade', 'integer'],
      ['amount', 'money'],
      ['value', 'money'],
      ['orders_count', 'bigint'],
      ['priced', 'bigint'],
      ['least', 'money'],
      ['latest', 'date'],
      ['paid', 'bigint'],
      ['paid_amount', 'money'],
      ['paid_orders', 'bigint'],
    ],
    grouped(orders, ({ day, status, customer_id }) => {
      const [, region = null, grade = null] = customerOf(customer_id) ?? [];
      return [day, status, region, grade];
    }).map(({ key, rows }) => [
      ...key,
      sum(rows.map(({ amount }) => amount)),
      sum(rows.map(({ amount, quantity }) => (amount === null ? null : amount * quantity))),
      rows.length,
      known(rows.map(({ amount }) => amount)).length,
      ends(rows.map(({ amount }) => amount))[0],
      ends(rows.map(({ day }) => day))[1],
      rows.filter(isPaid).length,
      sum(rows.filter(isPaid).map(({ amount }) => amount)),
      rows.filter(isPaid).length,
    ]),
  );
}
const MONTHLY = table(
  'monthly',
  [
    ['month_of_at', 'date'],
    ['grade', 'integer'],
    ['amount', 'money'],
    ['n', 'bigint'],
  ],
  grouped(ORDERS, ({ at, customer_id }) => [
    at === null ? null : `${at.slice(0, 7)}-01`,
    customerOf(customer_id)?.[2] ?? null,
  ]).map(({ key, rows }) => [...key, sum(rows.map(({ amount }) => amount)), rows.length]),
);
const REFUNDED = table(
  'refunded',
  [
    ['day', 'date'],
    ['region', 'text'],
    ['refunds', 'bigint'],
    ['n', 'bigint'],
  ],
  grouped(REFUNDS, ({ day, customer_id }) => [day, customerOf(customer_id)?.[1] ?? null]).map(({ key, rows }) => [
    ...key,
    sum(rows.map(({ refund }) => refund)),
    rows.length,
  ]),
);
const TABLES: readonly Table[] = [
  table(
    'orders',
    [
      ['id', 'integer'],
      ['day', 'date'],
      ['at', 'timestamp'],
      ['customer_id', 'integer'],
      ['status', 'text'],
      ['amount', 'money'],
      ['quantity', 'bigint'],
    ],
    ORDERS.map((one) => [one.id, one.day, one.at, one.customer_id, one.status, one.amount, one.quantity]),
  ),
  table(
    'customers',
    [
      ['id', 'integer'],
      ['region', 'text'],
      ['grade', 'integer'],
    ],
    CUSTOMERS,
  ),
  table(
    'refunds',
    [
      ['id', 'integer'],
      ['day', 'date'],
      ['customer_id', 'integer'],
      ['refund', 'integer'],
    ],
    REFUNDS.map((one) => [one.id, one.day, one.customer_id, one.refund]),
  ),
  dailyOf(ORDERS),
  MONTHLY,
  REFUNDED,
];

const DAILY = {
  name: 'daily_orders',
  table: 'daily',
  dataset: 'orders',
  fields: [
    { field: 'orders.day', grain: 'day' },
    { field: 'orders.status' },
    { field: 'customers.region' },
    { field: 'customers.grade' },
  ],
  metrics: [
    ...['amount', 'value', 'orders_count', 'priced', 'least', 'latest', 'paid'].map((metric) => ({ metric })),
    { metric: 'paid_amount', rows: 'paid_orders' },
  ],
  rows: 'orders_count',
};
const ROLLUPS = [
  DAILY,
  {
    name: 'monthly_orders',
    table: 'monthly',
    dataset: 'orders',
    fields: [{ field: 'orders.at', grain: 'month', column: 'month_of_at' }, { field: 'customers.grade' }],
    metrics: [{ metric: 'amount' }, { metric: 'orders_count', column: 'n' }],
  },
  {
    name: 'daily_refunds',
    table: 'refunded',
    dataset: 'refunds',
    fields: [{ field: 'refunds.day', grain: 'day' }, { field: 'customers.region' }],
    metrics: [{ metric: 'refunds' }],
    rows: 'n',
  },
];

/** The same without sums of decimals, which SQLite does not add up exactly. */
const OF_WHOLE_NUMBERS = ROLLUPS.map((rollup) => ({
  ...rollup,
  metrics: rollup.metrics.filter(({ metric: name }) => !['amount', 'value', 'paid_amount'].includes(name)),
}));

const extension = (data: object) =>
  `custom_extensions: [{ vendor_name: SERVICE, data: '${JSON.stringify(data).replaceAll("'", "''")}' }]`;
const field = (name: string) => `{ name: ${name}, expression: [{ dialect: ANSI_SQL, expression: ${name} }] }`;
const metric = (name: string, expression: string, kinds?: object) =>
  `      - { name: ${name}, expression: [{ dialect: ANSI_SQL, expression: "${expression}" }]${kinds === undefined ? '' : `, ${extension(kinds)}`} }`;
const before = (count: number, grain: string) => ({ offset: { by: 'orders.day', count, grain } });

function documentOf(rollups: readonly object[], predicates = ''): string {
  return `
semantic_model:
  - name: shop
    ${extension({ calendars: [{ name: 'fiscal', year_start: { month: 4 } }], rollups })}
    datasets:
      - { name: orders, source: orders, primary_key: [id], ${extension({ time: { main: 'day' } })}, fields: [${['day', 'at', 'status', 'quantity'].map(field).join(', ')}] }
      - { name: customers, source: customers, primary_key: [id]${predicates}, fields: [${['region', 'grade'].map(field).join(', ')}] }
      - { name: refunds, source: refunds, primary_key: [id], ${extension({ time: { main: 'day' } })}, fields: [${field('day')}] }
    relationships:
      - { name: buyer, from: orders, to: customers, from_columns: [customer_id], to_columns: [id] }
      - { name: refunded, from: refunds, to: customers, from_columns: [customer_id], to_columns: [id] }
    metrics:
${[
  metric('amount', 'SUM(orders.amount)'),
  metric('value', 'SUM(orders.amount * orders.quantity)'),
  metric('orders_count', 'COUNT(*)', { dataset: 'orders' }),
  metric('priced', 'COUNT(orders.amount)'),
  metric('least', 'MIN(orders.amount)'),
  metric('latest', 'MAX(orders.day)'),
  metric('paid', "SUM(CASE WHEN orders.status = 'paid' THEN 1 ELSE 0 END)"),
  metric('paid_amount', 'SUM(orders.amount)', { filter: "orders.status = 'paid'" }),
  metric('refunds', 'SUM(refunds.refund)'),
  metric('rate', 'SUM(orders.amount) / COUNT(orders.amount)'),
  metric('share', 'paid_amount / amount'),
  metric('left_over', 'amount - refunds'),
  metric('mean', 'AVG(orders.amount)'),
  metric('statuses', 'COUNT(DISTINCT orders.status)'),
  metric('month_before', 'SUM(orders.amount)', before(1, 'month')),
  metric('day_before', 'COUNT(orders.amount)', before(1, 'day')),
  metric('growth', 'amount - month_before'),
  metric('running', 'SUM(orders.amount)', { cumulative: { by: 'orders.day', to_date: 'year' } }),
  metric('last_amount', 'SUM(orders.amount)', { semi_additive: { by: 'orders.day', take: 'last' } }),
].join('\n')}
`;
}

const ADDITIVE = [
  'amount',
  'value',
  'orders_count',
  'priced',
  'least',
  'latest',
  'paid',
  'paid_amount',
  'rate',
  'share',
];
const OTHERS = [
  'refunds',
  'left_over',
  'mean',
  'statuses',
  'month_before',
  'day_before',
  'growth',
  'running',
  'last_amount',
];
const GRAINS = [
  'day',
  'day',
  'week',
  'month',
  'month',
  'quarter',
  'year',
  'month_of_year',
  'day_of_week',
  'fiscal_quarter',
  'fiscal_year',
];

const day = fc.constantFrom(...known(ALL_DAYS));
const oneFilter = fc.oneof(
  fc.tuple(day, day).map((days) => ({ dataset: 'orders', field: 'day', op: 'BETWEEN', values: days.toSorted() })),
  fc.constantFrom('IS_NULL', 'IS_NOT_NULL').map((op) => ({ dataset: 'orders', field: 'day', op })),
  day.map((one) => ({ dataset: 'orders', field: 'day', grain: 'month', op: 'GTE', value: `${one.slice(0, 7)}-01` })),
  day.map((one) => ({ dataset: 'orders', field: 'at', op: 'GTE', value: `${one}T00:00:00` })),
  fc.constantFrom('EQ', 'NEQ').map((op) => ({ dataset: 'customers', field: 'region', op, value: 'EU' })),
  fc.constantFrom('IS_NULL', 'IS_NOT_NULL').map((op) => ({ dataset: 'customers', field: 'region', op })),
  fc.constantFrom('EQ', 'NEQ', 'GTE').map((op) => ({ dataset: 'customers', field: 'grade', op, value: '2' })),
  fc.constantFrom('paid', 'open').map((value) => ({ dataset: 'orders', field: 'status', op: 'NEQ', value })),
  fc.constant({ dataset: 'orders', field: 'quantity', op: 'GT', value: '2' }),
);
const filters = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: oneFilter },
    { weight: 1, arbitrary: fc.array(oneFilter, { minLength: 2, maxLength: 2 }).map((any) => ({ any })) },
    { weight: 1, arbitrary: fc.constant({ metric: 'amount', op: 'GT', value: '10' }) },
    {
      weight: 1,
      arbitrary: fc.constant({
        metric: 'orders_count',
        op: 'GT',
        value: '4',
        per: [{ dataset: 'customers', field: 'grade' }],
      }),
    },
  ),
  { maxLength: 2 },
);

const requests = fc
  .record({
    date: fc.constantFrom('day', 'day', 'day', 'at'),
    grains: fc.uniqueArray(fc.constantFrom(...GRAINS), { maxLength: 2 }),
    others: fc.subarray(['customers.region', 'customers.grade', 'orders.status']),
    isFine: fc.integer({ min: 0, max: 19 }).map((chance) => chance === 0),
    metrics: fc.uniqueArray(
      fc.oneof(
        { weight: 5, arbitrary: fc.constantFrom(...ADDITIVE) },
        { weight: 1, arbitrary: fc.constantFrom(...OTHERS) },
      ),
      { minLength: 1, maxLength: 3 },
    ),
    filters: fc.oneof({ weight: 1, arbitrary: fc.constant([]) }, { weight: 1, arbitrary: filters }),
    share: fc.nat({ max: 4 }),
    sort: fc.option(fc.constantFrom('ASC', 'DESC'), { nil: undefined }),
    limit: fc.option(fc.integer({ min: 1, max: 6 }), { nil: undefined, freq: 3 }),
    timezone: fc.constantFrom(undefined, undefined, undefined, undefined, undefined, 'Asia/Tokyo'),
    extra: fc.constantFrom(undefined, undefined, undefined, undefined, 'compare', 'fill', 'average', 'sum'),
  })
  .map(({ date, grains, others, isFine, metrics, filters: tests, share, sort, limit, timezone, extra }) => {
    const dates = grains.map((grain) => ({ dataset: 'orders', field: date, grain }));
    const [first, ...more] = dates;
    const fill = extra === 'fill' && first !== undefined && more.length === 0 ? [{ ...first, fill: 'null' }] : dates;
    const groups = [
      ...fill,
      ...others.map((one) => ({ dataset: one.split('.')[0], field: one.split('.')[1] })),
      ...(isFine ? [{ dataset: 'orders', field: 'quantity' }] : []),
    ];
    const down = extra === 'fill' ? groups.length : Math.min(groups.length, share);
    const [metricName] = metrics;
    const override = { average: { aggregation: 'AVG' }, sum: { aggregation: 'SUM' } };
    return {
      rows: groups.slice(0, down),
      columns: groups.slice(down),
      values: metrics.map((name, index) => ({
        metric: name,
        ...(index === 0 && extra === 'compare' ? { compare: { to: 'previous_month' } } : {}),
        ...(index === 0 && (extra === 'average' || extra === 'sum') ? override[extra] : {}),
      })),
      filters: tests,
      ...(sort === undefined ? {} : { sorts: [{ metric: metricName, direction: sort }] }),
      ...(limit === undefined ? {} : { limit }),
      ...(timezone === undefined ? {} : { timezone }),
    };
  });

const MASKED = { threshold: 3, mask: null, shadow: true };
const OPEN = { threshold: 0, mask: null };

function open(
  warehouse: TestWarehouse,
  usesRollups: boolean,
  kAnonymity: typeof MASKED | typeof OPEN = OPEN,
  document = documentOf(ROLLUPS),
): Promise<Fixture> {
  const cache = openCache({ maxBytes: 1_000_000, clock: Date.now });
  return Fixture.open({ warehouse, cache, document, settings: { rewrites: { usesRollups }, kAnonymity } });
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

async function previewOf(fixture: Fixture, request: object, as = scope('ROLE_USER')) {
  return fixture.operations(as).preview({ connection: 'test', ...request } as never);
}

async function readsRollup(fixture: Fixture, request: object, as = scope('ROLE_USER')): Promise<boolean> {
  return (await previewOf(fixture, request, as)).generatedSql.includes('service_rollup');
}

const MONTH = { dataset: 'orders', field: 'day', grain: 'month' };
const GRADE = { dataset: 'customers', field: 'grade' };
const values = (...names: readonly string[]) => names.map((name) => ({ metric: name }));

describeEngines(
  `on $engine (SEED=${SEED})`,
  (engine) => {
    let warehouse: TestWarehouse;
    beforeAll(async () => {
      warehouse = await startWarehouse(engine, statementsFor(engine, TABLES), { poolSize: 2 });
    });
    afterAll(() => warehouse.stop());

    it('random requests have the same answers with roll-ups and without, masked and not', async () => {
      let asked = 0;
      let answered = 0;
      let read = 0;
      for (const mask of [OPEN, MASKED]) {
        const document = documentOf(engine === 'sqlite' ? OF_WHOLE_NUMBERS : ROLLUPS);
        const [plain, rolled] = [await open(warehouse, false, mask), await open(warehouse, true, mask, document)];
        expect(rolled.problems).toEqual([]);
        await fc.assert(
          fc.asyncProperty(requests, async (request) => {
            const expected = await outcome(plain, request);
            expect(await outcome(rolled, request)).toEqual(expected);
            asked += 1;
            if (typeof expected === 'object' && expected !== null && 'refused' in expected) return;
            answered += 1;
            if (await readsRollup(rolled, request)) read += 1;
          }),
          { seed: SEED, numRuns: runsOn(engine, MAX_REQUESTS) },
        );
      }
      process.stdout.write(`${engine}: ${asked} requests, ${answered} answered, ${read} from a roll-up\n`);
      const hasCollations = engine === 'sqlite' || engine === 'mariadb';
      // The next test shows that these engines read roll-ups, too.
      if (answered > 20 && !hasCollations) expect(read / answered).toBeGreaterThan(0.3);
    });

    it('a coarser period, a filter and a ratio are read from a roll-up by day', async () => {
      const document = documentOf(engine === 'sqlite' ? OF_WHOLE_NUMBERS : ROLLUPS);
      const rolled = await open(warehouse, true, OPEN, document);
      const request = {
        rows: [MONTH, GRADE],
        values: values('orders_count', 'priced'),
        filters: [{ dataset: 'orders', field: 'day', op: 'BETWEEN', values: ['2024-01-01', '2024-02-29'] }],
      };
      expect(await readsRollup(rolled, request)).toBe(true);
      const expected = grouped(
        ORDERS.filter((one) => one.day !== null && one.day >= '2024-01-01' && one.day <= '2024-02-29'),
        (one) => [`${one.day?.slice(0, 7)}-01`, customerOf(one.customer_id)?.[2] ?? null],
      ).map(({ key, rows }) => [...key, rows.length, known(rows.map(({ amount }) => amount)).length]);
      expect(new Set((await rolled.numbers(request)).map((row) => JSON.stringify(row)))).toEqual(
        new Set(expected.map((row) => JSON.stringify(row))),
      );
    });
  },
  { timeout: 600_000 },
);

describe('where the warehouse reports the version of its data', () => {
  const request = { rows: [{ dataset: 'refunds', field: 'day', grain: 'year' }], values: values('refunds') };
  const yearly = (rows: readonly (typeof REFUNDS)[number][]) =>
    grouped(rows, ({ day: one }) => [one === null ? null : `${one.slice(0, 4)}-01-01`])
      .map(({ key, rows: some }) => [...key, sum(some.map(({ refund }) => refund))])
      .toSorted(([left], [right]) => String(left ?? '9999').localeCompare(String(right ?? '9999')));
  const changed = [...REFUNDS, { id: 99, day: '2024-01-31', customer_id: 1, refund: 1000 }];

  it('a roll-up is read only while it agrees with its dataset, and the plan says why', async () => {
    const warehouse = await startWarehouse('sqlite', statementsFor('sqlite', TABLES), { poolSize: 2 });
    try {
      const shop = await open(warehouse, true);
      expect(await readsRollup(shop, request)).toBe(true);
      expect((await previewOf(shop, request)).plan.steps).toContain(
        'In place of refunds, the roll-up daily_refunds (table refunded) is read, which agrees with refunds in this version of the data.',
      );
      expect(await shop.numbers(request)).toEqual(yearly(REFUNDS));

      await warehouse.administer(["INSERT INTO refunds VALUES (99, '2024-01-31', 1, 1000)"]);
      expect(await shop.numbers(request)).toEqual(yearly(changed));
      await shop.surface.ready();
      expect(await readsRollup(shop, request)).toBe(false);
      expect((await previewOf(shop, request)).plan.steps).toContain(
        'refunds is read, because the roll-up daily_refunds (table refunded) differs from it: load it again.',
      );

      await warehouse.administer(["INSERT INTO refunded VALUES ('2024-01-31', 'US', 1000, 1)"]);
      expect(await shop.numbers(request)).toEqual(yearly(changed));
      await shop.surface.ready();
      // The new part is a row of its own, as incremental loads write it.
      expect(await readsRollup(shop, request)).toBe(true);
      expect(await shop.numbers(request)).toEqual(yearly(changed));
    } finally {
      await warehouse.stop();
    }
  });

  it('without the check it is read as declared', async () => {
    const warehouse = await startWarehouse('sqlite', statementsFor('sqlite', TABLES), { poolSize: 2 });
    try {
      const [, , refunded] = ROLLUPS;
      const shop = await open(warehouse, true, OPEN, documentOf([{ ...refunded, check: false }]));
      await warehouse.administer(['UPDATE refunded SET refunds = 7']);
      const groups = REFUNDED.rows.filter(([one]) => String(one).startsWith('2023')).length;
      expect((await shop.numbers(request))[0]).toEqual(['2023-01-01', 7 * groups]);
      expect((await previewOf(shop, request)).plan.steps).toContain(
        'In place of refunds, the roll-up daily_refunds (table refunded) is read, as it is declared: it is as new as its last load.',
      );
    } finally {
      await warehouse.stop();
    }
  });
});

describe('in DuckDB', () => {
  let warehouse: TestWarehouse;
  beforeAll(async () => {
    warehouse = await startWarehouse('duckdb', statementsFor('duckdb', TABLES), { poolSize: 2 });
  });
  afterAll(() => warehouse.stop());

  const REGION = { dataset: 'customers', field: 'region' };
  it.each([
    ['a mean', { values: values('mean') }],
    ['a distinct count', { values: values('statuses') }],
    ['a balance', { values: values('last_amount') }],
    ['a running value', { rows: [MONTH], values: values('running') }],
    ['another aggregation', { values: [{ metric: 'amount', aggregation: 'MAX' }] }],
    ['a field that it lacks', { rows: [{ dataset: 'orders', field: 'quantity' }], values: values('amount') }],
    [
      'a filter that it lacks',
      { values: values('amount'), filters: [{ dataset: 'orders', field: 'quantity', op: 'GT', value: '2' }] },
    ],
    ['a day of months', { rows: [{ dataset: 'orders', field: 'at', grain: 'day' }], values: values('amount') }],
    ['a week of months', { rows: [{ dataset: 'orders', field: 'at', grain: 'week' }], values: values('amount') }],
    [
      'months by the clocks of another zone',
      { rows: [{ dataset: 'orders', field: 'at', grain: 'month' }], values: values('amount'), timezone: 'Asia/Tokyo' },
    ],
    ['rows without metrics', { rows: [MONTH] }],
  ])('%s is computed from the rows', async (_, request) => {
    expect(await readsRollup(await open(warehouse, true), request)).toBe(false);
  });

  it('small groups are masked by the number of rows that a roll-up counts; without it, the rows are read', async () => {
    const masked = await open(warehouse, true, MASKED);
    expect(await readsRollup(masked, { rows: [MONTH], values: values('amount') })).toBe(true);
    const byMoment = { rows: [{ dataset: 'orders', field: 'at', grain: 'month' }], values: values('amount') };
    expect(await readsRollup(await open(warehouse, true), byMoment)).toBe(true);
    expect(await readsRollup(masked, byMoment)).toBe(false);
  });

  it('a caller that sees some rows gets no figure of all, and others are not slowed down', async () => {
    const predicates = `, ${extension({ roles: { row_predicates: { ROLE_EU: "region = 'EU'", '*': '1 = 1' } } })}`;
    const shop = await open(warehouse, true, OPEN, documentOf(ROLLUPS, predicates));
    const all = ORDERS.filter(({ customer_id }) => customerOf(customer_id)?.[1] === 'EU');
    const request = { values: values('orders_count', 'priced') };
    expect(await readsRollup(shop, request, scope('ROLE_EU'))).toBe(false);
    expect(await shop.numbers(request, scope('ROLE_EU'))).toEqual([
      [all.length, known(all.map(({ amount }) => amount)).length],
    ]);
  });

  it.each([
    [{ ...DAILY, dataset: 'order' }, 'it names the dataset order. The model has orders, '],
    [{ ...DAILY, table: 'dayly' }, 'the warehouse has no table dayly'],
    [{ ...DAILY, fields: [{ field: 'orders.dya' }] }, 'it names the field orders.dya. The model has orders.day, '],
    [
      { ...DAILY, fields: [{ field: 'orders.status', column: 'state' }] },
      'it names the column state, which daily does not have. It has status, ',
    ],
    [{ ...DAILY, metrics: [{ metric: 'amuont' }] }, 'it names the metric amuont. The model has amount, '],
    [{ ...DAILY, metrics: [{ metric: 'rate' }] }, 'the metric rate is not one aggregate'],
    [{ ...DAILY, metrics: [{ metric: 'mean' }] }, 'the values of mean (avg) cannot be combined exactly'],
    [{ ...DAILY, metrics: [{ metric: 'statuses' }] }, 'the values of statuses (count_distinct) cannot be combined'],
    [{ ...DAILY, metrics: [{ metric: 'refunds' }] }, 'the metric refunds does not aggregate rows of orders'],
    [{ ...DAILY, metrics: [{ metric: 'running' }] }, 'the metric running reads rows of other times'],
    [{ ...DAILY, metrics: [{ metric: 'paid_amount' }] }, 'the metric paid_amount has a filter: name in "rows"'],
    [{ ...DAILY, metrics: [{ metric: 'amount', column: 'status' }] }, 'which is not integer or decimal'],
    [{ ...DAILY, rows: 'region' }, 'the number of rows, region, has the type VARCHAR, which is not integer'],
    [{ ...DAILY, name: 'orders' }, 'another roll-up or a dataset has its name'],
    [{ ...DAILY, fields: [{ field: 'refunds.day' }] }, 'the rows of orders do not lead to one row of refunds each'],
  ])('a roll-up that cannot answer is left out with the reason: %#', async (rollup, message) => {
    const shop = await open(warehouse, true, OPEN, documentOf([rollup]));
    expect(shop.problems.map(({ severity }) => severity)).toEqual(['warning']);
    expect(shop.problems[0]?.message).toContain(message);
    expect(await shop.numbers({ rows: [REGION], values: values('orders_count') })).toHaveLength(3);
  });

  it('a member that it does not have is a mistake of the document', async () => {
    const shop = await open(warehouse, true, OPEN, documentOf([{ ...DAILY, metrcis: [] }]));
    expect(shop.problems[0]).toMatchObject({ severity: 'error' });
    expect(shop.problems[0]?.message).toContain(
      'a roll-up has no member metrcis; it has name, table, dataset, fields, metrics, rows, check',
    );
  });
});
