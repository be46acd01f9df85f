/**
 * Attacks by viewers who look for rows of others: through another level, groups of filters, comparisons, windows, searches,
 * errors, kept answers, totals, and masks. The oracle is the same model without viewer filters, over a database from which
 * the rows of others were deleted.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Attributes } from '../../../router/capabilities/attributes.ts';
import type { Scope } from '../../../router/capabilities/identity.ts';
import { ServiceError } from '../../../router/errors.ts';
import { openCache } from '../../../server/cache/cache.ts';
import { describeEngines } from '../../../server/warehouse/testing/describe-engines.ts';
import { startWarehouse } from '../../../server/warehouse/testing/engines.ts';
import { Fixture, scope } from '../testing/fixture.ts';
import { statementsFor, type Table, type Value } from '../testing/tables.ts';

type Row = readonly Value[];

const ZONES: Readonly<Record<string, string>> = { South: 'Europe', North: 'Europe', East: 'Asia', West: 'America' };
const NAMES = Object.keys(ZONES);
const REGIONS: readonly Row[] = NAMES.map((name, index) => [index + 1, name, ZONES[name] ?? '']);
const PRODUCTS: readonly Row[] = [
  [1, 'shoes', 10],
  [2, 'hats', 20],
  [3, 'socks', 30],
];
/** Sales of two years, so that periods can be compared; the groups of some days are smaller than others. */
const SALES: readonly Row[] = Array.from({ length: 120 }, (_, index) => {
  const day = new Date(Date.UTC(2024, index % 24, 1 + (index % 27))).toISOString().slice(0, 10);
  const region = index % 13 === 0 ? null : 1 + ((index * 7) % 4);
  return [index + 1, region, 1 + (index % 3), day, (index % 11) + 1, `customer ${index % 9}`];
});
const RETURNS: readonly Row[] = SALES.filter(([id]) => Number(id) % 5 === 0).map(([id, region, , day], index) => [
  index + 1,
  id ?? null,
  region ?? null,
  day ?? null,
]);

function tables(visible: readonly string[] | undefined): readonly Table[] {
  const regions = REGIONS.filter(([, name]) => visible === undefined || visible.includes(String(name)));
  const isSeen = (id: Value | undefined) => visible === undefined || regions.some(([region]) => region === id);
  const sales = SALES.filter(([, region]) => isSeen(region));
  const returns = RETURNS.filter(([, , region]) => isSeen(region));
  return [
    {
      name: 'regions',
      columns: [
        ['id', 'integer'],
        ['name', 'text'],
        ['zone', 'text'],
      ],
      rows: regions,
    },
    {
      name: 'products',
      columns: [
        ['id', 'integer'],
        ['category', 'text'],
        ['price', 'integer'],
      ],
      rows: PRODUCTS,
    },
    {
      name: 'sales',
      columns: [
        ['id', 'integer'],
        ['region_id', 'integer'],
        ['product_id', 'integer'],
        ['day', 'date'],
        ['amount', 'integer'],
        ['customer', 'text'],
      ],
      rows: sales,
    },
    {
      name: 'returns',
      columns: [
        ['id', 'integer'],
        ['sale_id', 'integer'],
        ['region_id', 'integer'],
        ['day', 'date'],
      ],
      rows: returns,
    },
  ];
}

const sql = (expression: string) => `expression: [{ dialect: ANSI_SQL, expression: "${expression}" }]`;
const field = (name: string, more = '') => `{ name: ${name}, ${sql(name)}${more} }`;
const service = (data: object) => `custom_extensions: [{ vendor_name: SERVICE, data: '${JSON.stringify(data)}' }]`;
const metric = (name: string, expression: string, data?: object) =>
  `- { name: ${name}, ${sql(expression)}${data === undefined ? '' : `, ${service(data)}`} }`;

function document(hasFilters: boolean): string {
  const filters = { viewer_filters: [{ field: 'name', attribute: 'regions' }] };
  return `
semantic_model:
  - name: shop
    datasets:
      - name: sales
        source: sales
        primary_key: [id]
        fields: [${['id', 'amount', 'customer'].map((name) => field(name)).join(', ')}, ${field('day', ', dimension: { is_time: true }')}]
      - { name: returns, source: returns, primary_key: [id], fields: [${field('id')}, ${field('day', ', dimension: { is_time: true }')}] }
      - name: regions
        source: regions
        primary_key: [id]
        ${hasFilters ? service(filters) : ''}
        fields: [${field('name')}, ${field('zone')}, { name: initial, ${sql('SUBSTRING(name, 1, 1)')} }]
      - { name: products, source: products, primary_key: [id], fields: [${field('category')}, ${field('price')}] }
    relationships:
      - { name: in_region, from: sales, to: regions, from_columns: [region_id], to_columns: [id] }
      - { name: of_product, from: sales, to: products, from_columns: [product_id], to_columns: [id] }
      - { name: returned_in, from: returns, to: regions, from_columns: [region_id], to_columns: [id] }
    metrics:
      ${metric('amount', 'SUM(sales.amount)')}
      ${metric('sale_count', 'COUNT(sales.id)')}
      ${metric('customers', 'COUNT(DISTINCT sales.customer)')}
      ${metric('largest', 'MAX(sales.amount)')}
      ${metric('returned', 'COUNT(returns.id)')}
      ${metric('region_count', 'COUNT(regions.id)')}
      ${metric('product_count', 'COUNT(products.id)')}
      ${metric('return_rate', 'COUNT(returns.id) * 1.0 / COUNT(sales.id)')}
      ${metric('value', 'SUM(sales.amount * products.price)')}
      ${metric('shoes', 'SUM(sales.amount)', { filter: "products.category = ''shoes''" })}
      ${metric('shoe_share', 'shoes * 1.0 / amount')}
      ${metric('running', 'SUM(sales.amount)', { cumulative: { by: 'sales.day' } })}
      ${metric('last_month', 'SUM(sales.amount)', { offset: { by: 'sales.day', count: 1, grain: 'month' } })}
`;
}

const MODEL = { connection: 'test', model: 'shop' };
const rows = (...fields: readonly string[]) =>
  fields.map((each) => {
    const [dataset = '', name = '', grain] = each.split('.');
    return { dataset, field: name, ...(grain === undefined ? {} : { grain }) };
  });
const values = (...metrics: readonly string[]) => metrics.map((each) => ({ metric: each }));
const where = (name: string, op: string, value?: unknown) => {
  const [dataset = '', of = ''] = name.split('.');
  const operand = Array.isArray(value) ? { values: value } : value === undefined ? {} : { value };
  return { dataset, field: of, op, ...operand };
};
const ask = (more: object) => ({ ...MODEL, ...more });

/** Typed requests, by what the attacker hopes for. */
const QUERIES: Readonly<Record<string, object>> = {
  'a total without the dataset': ask({ values: values('amount') }),
  'the names': ask({ rows: rows('regions.name') }),
  'a level above': ask({ rows: rows('regions.zone'), values: values('amount', 'sale_count') }),
  'a computed field': ask({ rows: rows('regions.initial'), values: values('amount') }),
  'a level above, by name': ask({ values: values('amount'), filters: [where('regions.zone', 'EQ', 'Asia')] }),
  'another region by name': ask({ values: values('amount'), filters: [where('regions.name', 'EQ', 'East')] }),
  'all regions by name': ask({
    rows: rows('regions.name'),
    values: values('amount'),
    filters: [where('regions.name', 'IN', NAMES)],
  }),
  'all others': ask({ values: values('amount'), filters: [where('regions.name', 'NEQ', 'South')] }),
  'a range of names': ask({ values: values('amount'), filters: [where('regions.name', 'BETWEEN', ['A', 'Z'])] }),
  'rows without a region': ask({ values: values('amount'), filters: [where('regions.name', 'IS_NULL')] }),
  'rows with a region': ask({ values: values('amount'), filters: [where('regions.name', 'IS_NOT_NULL')] }),
  'a null group': ask({ rows: rows('regions.name'), values: values('sale_count') }),
  'an any group of own and other rows': ask({
    values: values('amount'),
    filters: [{ any: [where('regions.name', 'EQ', 'South'), where('regions.name', 'EQ', 'East')] }],
  }),
  'an any group that is always true': ask({
    rows: rows('regions.name'),
    values: values('amount'),
    filters: [{ any: [where('sales.amount', 'GTE', 0), where('regions.name', 'IS_NULL')] }],
  }),
  'an any group over another dataset': ask({
    values: values('amount'),
    filters: [{ any: [where('products.category', 'EQ', 'shoes'), where('regions.name', 'EQ', 'West')] }],
  }),
  'nested groups': ask({
    values: values('amount'),
    filters: [
      {
        any: [
          { all: [where('regions.zone', 'EQ', 'Asia'), where('sales.amount', 'GT', 1)] },
          where('sales.id', 'LT', 5),
        ],
      },
    ],
  }),
  'a filter by a metric': ask({ rows: rows('regions.name'), filters: [{ metric: 'amount', op: 'GT', value: 0 }] }),
  'a filter by a metric per region': ask({
    values: values('amount'),
    filters: [{ metric: 'amount', op: 'GT', value: 1, per: rows('regions.name') }],
  }),
  'a filter by a metric per product, of others': ask({
    values: values('amount'),
    filters: [
      {
        metric: 'sale_count',
        op: 'GT',
        value: 3,
        per: rows('products.category'),
        filters: [where('regions.name', 'EQ', 'East')],
      },
    ],
  }),
  'a filter by a metric per customer': ask({
    rows: rows('sales.customer'),
    values: values('amount'),
    filters: [{ metric: 'amount', op: 'GT', value: 20, per: rows('sales.customer') }],
  }),
  'distinct customers': ask({ values: values('customers') }),
  'the largest of all': ask({ values: values('largest') }),
  'the number of regions': ask({ values: values('region_count') }),
  'the number of products': ask({ values: values('product_count') }),
  'products sold only elsewhere': ask({ rows: rows('products.category'), values: values('amount') }),
  'products of regions': ask({ rows: rows('products.category', 'regions.name') }),
  'another fact': ask({ values: values('returned') }),
  'two facts': ask({ rows: rows('regions.zone'), values: values('amount', 'returned') }),
  'a ratio of two facts': ask({ values: values('return_rate') }),
  'a metric of two datasets': ask({ values: values('value') }),
  'a filtered metric': ask({ values: values('shoes') }),
  'an average instead': ask({ values: [{ metric: 'amount', aggregation: 'AVG' }] }),
  'a running total': ask({ rows: rows('sales.day.month'), values: values('running') }),
  'a running total without its date': ask({ values: values('running') }),
  'an offset': ask({ rows: rows('sales.day.month'), values: values('amount', 'last_month') }),
  'the year before': ask({
    rows: rows('sales.day.month'),
    values: [{ metric: 'amount', compare: { to: 'previous_year' } }],
  }),
  'a share of the total': ask({ rows: rows('regions.name'), values: values('shoe_share') }),
  'an option that does not exist': ask({ values: [{ metric: 'amount', share: {} }] }),
  'a crosstab': ask({ rows: rows('sales.day.year'), columns: rows('regions.name'), values: values('amount') }),
  'the first rows of a sort': ask({
    rows: rows('regions.name'),
    values: values('amount'),
    sorts: [{ metric: 'amount', direction: 'DESC' }],
    limit: 1,
  }),
  'the last rows of a sort': ask({
    rows: rows('regions.name'),
    values: values('amount'),
    sorts: [{ field: 'regions.name', direction: 'DESC' }],
    limit: 1,
  }),
  'days of others': ask({ rows: rows('sales.day'), values: values('sale_count') }),
  'a filter along one relationship': ask({
    values: values('amount'),
    filters: [{ ...where('regions.name', 'EQ', 'East'), via: 'in_region' }],
  }),
  'no metric, only facts': ask({ rows: rows('sales.customer', 'sales.day') }),
  'a filter by rows of another fact': ask({ values: values('amount'), filters: [where('returns.id', 'GT', 0)] }),
  'an empty list': ask({ values: values('amount'), filters: [where('regions.name', 'IN', [])] }),
  'SQL as a value': ask({ values: values('amount'), filters: [where('regions.name', 'EQ', "x' OR 1=1 --")] }),
  'an unknown value in an error': ask({ values: values('amount'), filters: [where('regions.nmae', 'EQ', 'East')] }),
  'an unknown dataset in an error': ask({ values: values('amount'), filters: [where('east.name', 'EQ', 'East')] }),
  'a number where a text belongs': ask({ values: values('amount'), filters: [where('sales.amount', 'EQ', 'East')] }),
};

type Operations = ReturnType<Fixture['operations']>;

/** Calls of other operations. */
const CALLS: Readonly<Record<string, (operations: Operations) => Promise<unknown>>> = {
  'a search for all values': (on) => on.searchValues({ connection: 'test', dataset: 'regions', field: 'name' }),
  'a search for another value': (on) =>
    on.searchValues({ connection: 'test', dataset: 'regions', field: 'name', q: 'ea' }),
  'a search in the level above': (on) => on.searchValues({ connection: 'test', dataset: 'regions', field: 'zone' }),
  'a search among customers of others': (on) =>
    on.searchValues({ connection: 'test', dataset: 'sales', field: 'customer' }),
  'the samples of the schema': async (on) => (await on.schema({ connection: 'test', model: 'shop' })).datasets,
  'the rows behind a total': (on) =>
    on.rowDetail({ ...MODEL, rows: rows('sales.id', 'sales.customer'), values: values('amount') }),
  'the rows behind another region': (on) =>
    on.rowDetail({ ...MODEL, rows: rows('sales.id'), filters: [where('regions.name', 'EQ', 'East')] }),
  'an anomaly of others': (on) =>
    on.anomaly({
      query: { ...MODEL, rows: rows('sales.day.month'), values: values('amount') },
      timeAxis: 'sales.day.month',
    }),
  'a forecast of others': (on) =>
    on.forecast({
      query: { ...MODEL, rows: rows('sales.day.month'), values: values('amount') },
      timeAxis: 'sales.day.month',
    }),
  'a matrix': (on) => on.query({ ...MODEL, format: 'matrix', rows: rows('regions.name'), values: values('amount') }),
  'an ontology': async (on) => on.ontology({ connection: 'test', model: 'shop' }),
};

/** Members of answers that differ between two runs, or name what the server did. */
const VOLATILE: ReadonlySet<string> = new Set(['queryId', 'runtime', 'freshness', 'durationMs', 'generatedSql']);

function comparable(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (name, each: unknown) => {
      if (VOLATILE.has(name)) return undefined;
      return typeof each === 'bigint' ? String(each) : each;
    }),
  );
}

/** Attacks that are refused for everybody. Every other attack must reach the rows: else both sides would only agree on an error. */
const REFUSED: ReadonlySet<string> = new Set<string>([
  'an option that does not exist',
  'a filter by rows of another fact',
  'an unknown value in an error',
  'an unknown dataset in an error',
  'a number where a text belongs',
]);

/** Returns the answer, or the error as a caller sees it. */
async function outcomeOf(work: () => Promise<unknown>): Promise<unknown> {
  try {
    return comparable(await work());
  } catch (error) {
    const cause = error instanceof ServiceError ? error : error instanceof Error ? error.cause : undefined;
    if (!(cause instanceof ServiceError)) throw error;
    const { kind, field: at, message, available } = cause;
    return { refused: kind, at, message, available };
  }
}

const isRefused = (outcome: unknown) => typeof outcome === 'object' && outcome !== null && 'refused' in outcome;

const VIEWERS: Readonly<Record<string, Attributes>> = {
  A: { regions: ['South', 'West'] },
  B: { regions: ['East'] },
  nobody: { tier: ['gold'] },
};

describeEngines(
  'attacks of viewers on $engine',
  (engine) => {
    const opened: Fixture[] = [];
    const open = async (visible: readonly string[] | undefined, threshold: number) => {
      const warehouse = await startWarehouse(engine, statementsFor(engine, tables(visible)), { poolSize: 2 });
      const made = await Fixture.open({
        warehouse,
        // Kept answers of one viewer must not reach another.
        cache: openCache({ maxBytes: 10_000_000, clock: Date.now }),
        document: document(visible === undefined),
        settings: { cacheTtlMs: 600_000, kAnonymity: { threshold, mask: null } },
      });
      expect(made.problems.filter(({ severity }) => severity === 'error')).toEqual([]);
      opened.push(made);
      return made;
    };
    afterAll(async () => {
      for (const one of opened) await one.close();
    });

    describe.each([
      ['without masks', 0],
      ['with masks of groups below 4', 4],
    ])('%s', (_, threshold) => {
      let whole: Fixture;
      const cut = new Map<string, Fixture>();
      beforeAll(async () => {
        whole = await open(undefined, threshold);
        for (const [name, { regions = [] }] of Object.entries(VIEWERS))
          cut.set(name, await open(regions.map(String), threshold));
      });

      it.each(Object.entries(QUERIES))('%s', async (title, request) => {
        for (const [name, attributes] of Object.entries(VIEWERS)) {
          const viewer: Scope = { ...scope('ROLE_USER'), attributes };
          const seen = await outcomeOf(async () => whole.run(request, viewer));
          expect(seen, name).toEqual(await outcomeOf(async () => cut.get(name)?.run(request)));
          if (name !== 'nobody') expect([name, isRefused(seen)]).toEqual([name, REFUSED.has(title)]);
        }
      });

      it.each(Object.entries(CALLS))('%s', async (title, call) => {
        for (const [name, attributes] of Object.entries(VIEWERS)) {
          const viewer: Scope = { ...scope('ROLE_USER'), attributes };
          const seen = await outcomeOf(() => call(whole.operations(viewer)));
          const oracle = cut.get(name);
          if (oracle === undefined) throw new Error('each viewer has a database');
          expect(seen, name).toEqual(await outcomeOf(() => call(oracle.operations())));
          if (name !== 'nobody') expect([name, isRefused(seen)]).toEqual([name, REFUSED.has(title)]);
        }
      });
    });
  },
  // The filters of viewers are row predicates, which `row-predicates.test.ts` runs on every engine.
  { engines: ['duckdb', 'postgresql'] },
);
