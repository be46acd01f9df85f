/** Tests the surface through REST: paths, shapes, error envelopes. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../../../router/capabilities/identity.ts';
import { operations } from '../../../router/operation.ts';
import { routersOf } from '../../../router/plugin.ts';
import { Reply } from '../../../router/reply.ts';
import { type RestAdapter, restAdapter } from '../../../router/rest/run-rest-call.ts';
import { openCache } from '../../../server/cache/cache.ts';
import { ENGINES, type EngineName, startWarehouse } from '../../../server/warehouse/testing/engines.ts';
import { ModelSchema, SemanticQueryResponse } from '../schemas.ts';
import { Fixture, scope } from '../testing/fixture.ts';

const ROOT = '/rest/service/api/ai/semantic';

const TABLES = [
  'CREATE TABLE orders (id INTEGER, shop_id INTEGER, total DECIMAL(38,2), placed DATE, tracking BIGINT)',
  `INSERT INTO orders VALUES (1, 1, 10.50, '2024-01-05', 9007199254740993), (2, 1, 20.00, '2024-02-01', 2),
     (3, 2, 12345678901234567890.12, '2024-02-02', 3)`,
  'CREATE TABLE shops (id INTEGER, city VARCHAR)',
  "INSERT INTO shops VALUES (1, 'Oslo'), (2, 'Rome'), (3, 'Oslo'), (4, NULL)",
];
const DOCUMENT = `
version: 0.1.1
semantic_model:
  - name: retail
    description: Orders of shops.
    ai_context: { instructions: Money in EUR. }
    datasets:
      - name: orders
        source: orders
        primary_key: [id]
        fields:
          - { name: placed, label: Placed on, expression: [{ dialect: ANSI_SQL, expression: placed }] }
          - { name: tracking, expression: [{ dialect: ANSI_SQL, expression: tracking }] }
      - name: shops
        source: shops
        primary_key: [id]
        fields:
          - { name: city, label: City, description: Where it is., expression: [{ dialect: ANSI_SQL, expression: city }], ai_context: town }
    relationships:
      - { name: order_shop, from: orders, to: shops, from_columns: [shop_id], to_columns: [id] }
    metrics:
      - name: total
        expression: [{ dialect: ANSI_SQL, expression: SUM(orders.total) }]
        custom_extensions: [{ vendor_name: SERVICE, data: '{"display":{"caption":"Total","format":"#,##0.00","unit":"EUR"}}' }]
      - { name: order_count, expression: [{ dialect: ANSI_SQL, expression: COUNT(*) }] }
`;

// What an operation makes of an answer does not depend on the engine; `conformance.test.ts` runs its statements on every engine.
describe.each(ENGINES)('on %s', (engine: EngineName) => {
  let fixture: Fixture;
  let rest: RestAdapter;
  beforeAll(async () => {
    const warehouse = await startWarehouse(engine, TABLES);
    const cache = openCache({ maxBytes: 1_000_000, clock: Date.now });
    fixture = await Fixture.open({ warehouse, cache, document: DOCUMENT });
    const plugins = [fixture.surface.plugin] as const;
    rest = restAdapter({ router: operations(routersOf(plugins)), plugins, onError: () => undefined });
  });
  afterAll(() => fixture.close());

  async function call(method: string, address: string, body?: unknown, caller?: Caller) {
    const url = new URL(address, 'http://localhost');
    const lookup = rest.lookup(method, url.pathname);
    if (!lookup.isFound) throw new Error(`${method} ${address} is no address of the surface`);
    return rest.call({
      route: lookup.route,
      parameters: lookup.parameters,
      query: url.searchParams,
      body,
      files: {},
      signal: new AbortController().signal,
      context: {
        caller: caller ?? { kind: 'user', via: 'api-key', ...scope('ROLE_USER') },
        csrfVerified: false,
        jsonBody: true,
        embedToken: undefined,
        address: '127.0.0.1',
        secure: false,
        requestId: 'test',
        cookies: {},
        reply: new Reply(),
      },
    });
  }

  it('models lists what is served', async () => {
    expect(await call('GET', `${ROOT}/models`)).toMatchObject({
      status: 200,
      body: [
        {
          connectionName: 'test',
          modelName: 'retail',
          description: 'Orders of shops.',
          factDataset: 'orders',
          datasetCount: 2,
          metricCount: 2,
        },
      ],
    });
  });

  it('schema describes everything an agent needs', async () => {
    const { status, body } = await call('GET', `${ROOT}/schema/test/retail`);
    expect(status).toBe(200);
    const schema = ModelSchema.parse(body);
    expect(schema).toMatchObject({
      modelId: 'test/retail',
      instructions: 'Money in EUR.',
      metrics: {
        total: {
          expression: 'SUM(orders.total)',
          aggregationKind: 'sum',
          supportedOverrides: ['SUM', 'AVG', 'MIN', 'MAX', 'COUNT'],
        },
        order_count: { supportedOverrides: ['COUNT'] },
      },
      relationships: [{ name: 'order_shop', from: 'orders', to: 'shops', fromColumns: ['shop_id'], toColumns: ['id'] }],
    });
    expect(schema.datasets.shops).toMatchObject({
      source: 'shops',
      primaryKey: ['id'],
      fields: {
        city: {
          label: 'City',
          description: 'Where it is.',
          synonyms: ['town'],
          cardinality: 'low',
          sampleValues: ['Oslo', 'Rome'],
        },
      },
    });
    const city = schema.datasets.shops?.fields.city;
    expect(city?.estimatedDistinct).toBe(engine === 'duckdb' ? 2 : undefined);
    expect(schema.requestSchema?.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
    expect(Object.keys(schema.examples).toSorted()).toEqual(['byMonth', 'crosstab', 'simpleGroupBy', 'topN']);
  });

  it('the examples run unchanged', async () => {
    const { body } = await call('GET', `${ROOT}/schema/test/retail`);
    for (const example of Object.values(ModelSchema.parse(body).examples)) {
      expect((await call('POST', `${ROOT}/query`, example.body)).status).toBe(200);
    }
  });

  it('query answers records, exactly', async () => {
    const request = {
      connection: 'test',
      model: 'retail',
      rows: [{ dataset: 'shops', field: 'city' }],
      values: [{ metric: 'total' }, { metric: 'order_count' }],
    };
    const { status, body } = await call('POST', `${ROOT}/query`, request);
    expect(status).toBe(200);
    expect(SemanticQueryResponse.parse(body)).toEqual({
      queryId: expect.stringMatching(/^[0-9a-f-]{36}$/),
      runtime: expect.any(Number),
      columns: [
        { key: 'shops.city', label: 'City', type: 'dimension' },
        { key: 'total', label: 'Total', type: 'metric', aggregationKind: 'sum' },
        { key: 'order_count', label: 'order_count', type: 'metric', aggregationKind: 'count' },
      ],
      records: [
        {
          'shops.city': 'Oslo',
          total: { value: 30.5, formatted: '30.50 EUR' },
          order_count: { value: 2, formatted: '2' },
        },
        {
          'shops.city': 'Rome',
          total: { value: '12345678901234567890.12', formatted: '12,345,678,901,234,567,890.12 EUR' },
          order_count: { value: 1, formatted: '1' },
        },
      ],
      meta: { rowCount: 2, truncated: false },
    });
  });

  it('dates leave as ISO text and whole numbers that no double holds as text', async () => {
    const rows = ['placed', 'tracking'].map((field) => ({ dataset: 'orders', field }));
    const { body } = await call('POST', `${ROOT}/query`, { connection: 'test', rows, limit: 1 });
    expect(body).toMatchObject({ records: [{ 'orders.placed': '2024-01-05', 'orders.tracking': '9007199254740993' }] });
  });

  it('preview shows the SQL that query dispatches', async () => {
    const request = { connection: 'test', rows: [{ dataset: 'shops', field: 'city' }], values: [{ metric: 'total' }] };
    const { body } = await call('POST', `${ROOT}/query/preview`, request);
    expect(body).toEqual({
      queryId: expect.any(String),
      status: 'PREVIEW',
      generatedSql: [
        'SELECT answer.g0 AS "shops.city", answer.m0 AS "total"',
        'FROM (',
        '  SELECT "shops"."city" AS g0, SUM("orders"."total") AS m0',
        '  FROM "orders" AS "orders"',
        // DuckDB reports the version of its data, so it is checked that every order has its shop.
        `  ${engine === 'duckdb' ? 'INNER' : 'LEFT'} JOIN "shops" AS "shops" ON "shops"."id" = "orders"."shop_id"`,
        '  GROUP BY 1',
        ') AS answer',
        'ORDER BY answer.g0 ASC NULLS LAST',
        'LIMIT 10001',
      ].join('\n'),
      plan: {
        grain: ['shops.city'],
        metrics: [
          {
            metric: 'total',
            aggregation: 'sum',
            parts: [
              {
                dataset: 'orders',
                paths: ['orders → shops (order_shop)'],
                filteredBy: [],
                keptByMatch: [],
                distinctBy: [],
              },
            ],
          },
        ],
        steps: ['total: sum by shops.city of the rows of orders, joined along orders → shops (order_shop).'],
      },
    });
  });

  it('mistakes of shape and of names answer in the envelope of the surface', async () => {
    expect(await call('POST', `${ROOT}/query`, { connection: 'test', values: [{ metric: 'totl' }] })).toMatchObject({
      status: 400,
      body: { error: 'VALIDATION_ERROR', field: 'values[0].metric', available: ['total', 'order_count'] },
    });
    const shape = {
      connection: 'test',
      filters: [{ dataset: 'shops', field: 'city', op: 'LIKE', value: 'O%' }],
      limit: 0,
    };
    expect(await call('POST', `${ROOT}/query`, shape)).toMatchObject({
      status: 400,
      body: {
        error: 'VALIDATION_ERROR',
        field: 'filters[0].op',
        available: expect.arrayContaining(['EQ', 'BETWEEN']),
        problems: [{ field: 'filters[0].op' }, { field: 'limit' }],
      },
    });
  });

  it('mistakes of shape and of names in one body are reported together, each at its own place', async () => {
    const body = {
      connection: 'test',
      rows: [{ dataset: 'shops' }, { dataset: 'shops', field: 'citi' }],
      values: [{ metric: 'totl' }],
      filters: [
        { dataset: 'shops', field: 'city', op: 'LIKE' },
        { dataset: 'shps', field: 'city', op: 'IS_NULL' },
      ],
      sorts: [{ field: 'shops.city' }],
      limit: 0,
    };
    const places = [
      'rows[0].field',
      'filters[0].op',
      'limit',
      'rows[1].field',
      'values[0].metric',
      'filters[1].dataset',
    ];
    for (const path of ['query', 'query/preview', 'row-detail', 'query/execute-async']) {
      const { status, body: refusal } = await call('POST', `${ROOT}/${path}`, body);
      expect(status).toBe(400);
      expect(refusal).toMatchObject({ problems: places.map((field) => ({ field })) });
    }
  });

  it('null for a member that may be left out is the same as leaving it out', async () => {
    const body = { connection: 'test', values: [{ metric: 'total', aggregation: null }], rows: null, limit: null };
    const plain = await call('POST', `${ROOT}/query`, { connection: 'test', values: [{ metric: 'total' }] });
    expect((await call('POST', `${ROOT}/query`, body)).body).toMatchObject({
      records: Reflect.get(Object(plain.body), 'records'),
    });
  });

  it('an unknown model or connection is not found, with the candidates', async () => {
    expect(await call('GET', `${ROOT}/schema/test/retial`)).toMatchObject({
      status: 404,
      body: { error: 'NOT_FOUND', available: ['retail'] },
    });
    expect(await call('POST', `${ROOT}/query`, { connection: 'tset', values: [{ metric: 'total' }] })).toMatchObject({
      status: 404,
      body: { error: 'NOT_FOUND', field: 'connection', available: ['test'] },
    });
  });

  it('a caller that is not signed in is refused', async () => {
    expect(await call('GET', `${ROOT}/models`, undefined, { kind: 'anonymous' })).toMatchObject({ status: 401 });
  });
});
