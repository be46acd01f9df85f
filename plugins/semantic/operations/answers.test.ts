/** Tests matrix, value search, ontology, row detail, preview and asynchronous queries through REST. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { UserCaller } from '../../../router/capabilities/identity.ts';
import type { Statement, Warehouse } from '../../../router/capabilities/warehouse.ts';
import { type RestClient, restClient } from '../../../router/testing/rest-client.ts';
import { openCache } from '../../../server/cache/cache.ts';
import { jobMigrations, type OpenJobs, openJobs } from '../../../server/jobs/index.ts';
import { openState, type StateStore } from '../../../server/state/index.ts';
import { ENGINES, type EngineName, startWarehouse } from '../../../server/warehouse/testing/engines.ts';
import { QueryStatus } from '../../query-surface/index.ts';
import { MatrixResponse, PreviewResponse } from '../schemas.ts';
import { Fixture, scope, silent } from '../testing/fixture.ts';

const ROOT = '/rest/service/api/ai/semantic';

const TABLES = [
  'CREATE TABLE shops (id INTEGER, city VARCHAR(20), country VARCHAR(20), manager VARCHAR(20))',
  `INSERT INTO shops VALUES (1, 'Oslo', 'NO', 'Kari'), (2, 'Rome', 'IT', 'Ugo'), (3, 'Ostia', 'IT', 'Ada'), (4, NULL, 'NO', 'Per')`,
  'CREATE TABLE orders (id INTEGER, shop_id INTEGER, placed DATE, total DECIMAL(10,2), code VARCHAR(20), tour INTEGER)',
  `INSERT INTO orders VALUES (1, 1, '2024-01-05', 10.50, '100%', 1), (2, 1, '2024-02-01', 20.00, 'a_b', 1),
     (3, 2, '2024-02-02', 5.25, 'A_B', 2), (4, 3, '2024-02-02', 1.00, 'axb', 2), (5, NULL, '2024-01-05', 7.00, NULL, NULL)`,
  'CREATE TABLE visits (id INTEGER, shop_id INTEGER, guests INTEGER, tour INTEGER)',
  'INSERT INTO visits VALUES (1, 1, 3, 2), (2, 3, 4, 2)',
  'CREATE TABLE tours (id INTEGER, name VARCHAR(20))',
  "INSERT INTO tours VALUES (1, 'fjord'), (2, 'sea')",
];
const DOCUMENT = `
version: 0.1.1
ontology:
  - { name: Shop, attributes: [city], anything: { goes: [1, two] } }
semantic_model:
  - name: retail
    datasets:
      - name: orders
        source: orders
        primary_key: [id]
        fields:
          - { name: id, expression: [{ dialect: ANSI_SQL, expression: id }] }
          - { name: placed, expression: [{ dialect: ANSI_SQL, expression: placed }] }
          - { name: code, expression: [{ dialect: ANSI_SQL, expression: code }] }
      - name: visits
        source: visits
        primary_key: [id]
        fields:
          - { name: guests, expression: [{ dialect: ANSI_SQL, expression: guests }] }
      - name: tours
        source: tours
        primary_key: [id]
        fields:
          - { name: name, expression: [{ dialect: ANSI_SQL, expression: name }] }
      - name: shops
        source: shops
        primary_key: [id]
        custom_extensions: [{ vendor_name: SERVICE, data: '{"roles":{"row_predicates":{"ROLE_ITALY":"country = ''IT''"}}}' }]
        fields:
          - { name: city, expression: [{ dialect: ANSI_SQL, expression: city }] }
          - name: country
            expression: [{ dialect: ANSI_SQL, expression: country }]
            custom_extensions: [{ vendor_name: SERVICE, data: '{"roles":{"deny":["ROLE_NARROW"]}}' }]
          - { name: manager, expression: [{ dialect: ANSI_SQL, expression: manager }], pii: true }
    relationships:
      - { name: order_shop, from: orders, to: shops, from_columns: [shop_id], to_columns: [id] }
      - { name: visit_shop, from: visits, to: shops, from_columns: [shop_id], to_columns: [id] }
      - { name: order_tour, from: orders, to: tours, from_columns: [tour], to_columns: [id] }
      - { name: visit_tour, from: visits, to: tours, from_columns: [tour], to_columns: [id] }
    metrics:
      - { name: total, expression: [{ dialect: ANSI_SQL, expression: SUM(orders.total) }] }
      - { name: order_count, expression: [{ dialect: ANSI_SQL, expression: COUNT(*) }] }
      - { name: guests, expression: [{ dialect: ANSI_SQL, expression: SUM(visits.guests) }] }
`;

function as(...roles: readonly string[]): UserCaller {
  return { kind: 'user', via: 'api-key', ...scope(...roles) };
}
/** Sees every row: only ROLE_ITALY has a predicate, and administrators need none. */
const admin = as('ROLE_ADMIN');
const italy = as('ROLE_ITALY');

// What an operation makes of an answer does not depend on the engine; `conformance.test.ts` runs its statements on every engine.
describe.each(ENGINES)('on %s', (engine: EngineName) => {
  let fixture: Fixture;
  let rest: RestClient;
  let jobs: OpenJobs;
  let state: StateStore;
  let folder: string;
  /** The statements that the warehouse got; they wait while `held` is set. */
  const dispatched: Statement[] = [];
  let held: Promise<void> | undefined;
  let aborted = 0;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'service-async-'));
    state = await openState({ url: undefined, sqliteFile: join(folder, 'state.sqlite'), log: silent });
    await state.migrate({ jobs: jobMigrations });
    jobs = openJobs({ state, clock: Date.now, log: silent });
    const started = await startWarehouse(engine, TABLES);
    const spied = new Proxy(started.warehouse, {
      get(target, member) {
        const value: unknown = Reflect.get(target, member);
        if (member !== 'query') return typeof value === 'function' ? value.bind(target) : value;
        const query: Warehouse['query'] = async (statement, options) => {
          dispatched.push(statement);
          options.signal?.addEventListener('abort', () => (aborted += 1));
          await held;
          return target.query(statement, options);
        };
        return query;
      },
    });
    const warehouses = { ...started.warehouses, open: async () => spied };
    const cache = openCache({ maxBytes: 1_000_000, clock: Date.now });
    const stop = () => started.stop();
    fixture = await Fixture.open({
      warehouse: { warehouses, address: started.address, stop },
      cache,
      jobs,
      document: DOCUMENT,
    });
    rest = restClient(fixture.surface.plugin);
  });
  afterAll(async () => {
    await jobs.close();
    await fixture.close();
    await state.close();
    await rm(folder, { recursive: true });
  });

  const post = (path: string, body: object, caller = admin) =>
    rest.call(`POST ${ROOT}${path}`, { caller, body: { connection: 'test', model: 'retail', ...body } });
  const get = (path: string, caller = admin) => rest.call(`GET ${ROOT}${path}`, { caller });
  const field = (name: string) => {
    const [dataset = '', rest = ''] = name.split('.');
    return { dataset, field: rest };
  };
  const byCity = { rows: [field('shops.city')], values: [{ metric: 'total' }] };

  describe('matrix', () => {
    it('is what format=matrix answers', async () => {
      const body = { rows: [field('shops.country')], columns: [field('orders.placed')], values: [{ metric: 'total' }] };
      const { status, body: answer } = await post('/query?format=matrix', body);
      expect(status).toBe(200);
      const { format, cellSetBody, meta } = MatrixResponse.parse(answer);
      expect(format).toBe('matrix');
      expect(cellSetBody.map((line) => line.map(({ value }) => value))).toEqual([
        ['IT', null, null, '6.25'],
        ['NO', '10.50', '20.00', null],
        [null, '7.00', null, null],
      ]);
      expect(meta).toEqual({ rowCount: 4, truncated: false });
    });

    it('an unknown format is refused with the known ones', async () => {
      expect(await post('/query?format=cube', byCity)).toMatchObject({
        status: 400,
        body: { error: 'VALIDATION_ERROR', field: 'format', available: ['records', 'matrix'] },
      });
    });
  });

  describe('values/search', () => {
    const search = async (query: string, caller = admin) => (await get(`/values/search?${query}`, caller)).body;

    it('gives the distinct values, sorted, that contain the text in any letter case', async () => {
      expect(await search('connection=test&dataset=shops&field=city&q=OS')).toEqual({
        matches: ['Oslo', 'Ostia'],
        connection: 'test',
        model: 'retail',
        dataset: 'shops',
        field: 'city',
        q: 'OS',
        limit: 20,
      });
    });

    it('without a text gives the first values, never null', async () => {
      expect(await search('connection=test&dataset=shops&field=city&limit=2')).toMatchObject({
        matches: ['Oslo', 'Ostia'],
        limit: 2,
      });
      expect(await search('connection=test&dataset=orders&field=id')).toMatchObject({
        matches: ['1', '2', '3', '4', '5'],
      });
    });

    it('counts the rows of each value where it is asked', async () => {
      const countries = 'connection=test&dataset=shops&field=country&counts=true';
      expect(await search(countries)).toMatchObject({ matches: ['IT', 'NO'], counts: [2, 2] });
      expect(await search(countries, italy)).toMatchObject({ matches: ['IT'], counts: [2] });
      expect(await search('connection=test&dataset=shops&field=city&q=os&counts=true', italy)).toMatchObject({
        matches: ['Ostia'],
        counts: [1],
      });
    });

    it('takes % and _ literally, and matches numbers and dates by their text', async () => {
      expect(await search('connection=test&dataset=orders&field=code&q=%25')).toMatchObject({ matches: ['100%'] });
      expect(await search('connection=test&dataset=orders&field=code&q=a_b')).toMatchObject({
        matches: ['A_B', 'a_b'],
      });
      expect(await search('connection=test&dataset=orders&field=placed&q=-02-')).toMatchObject({
        matches: ['2024-02-01', '2024-02-02'],
      });
    });

    it('reads only rows and fields that the caller may see', async () => {
      expect(await search('connection=test&dataset=shops&field=city', italy)).toMatchObject({
        matches: ['Ostia', 'Rome'],
      });
      expect(await get('/values/search?connection=test&dataset=shops&field=manager')).toMatchObject({
        status: 400,
        body: { error: 'VALIDATION_ERROR', field: 'field', available: expect.not.arrayContaining(['manager']) },
      });
      expect(await get('/values/search?connection=test&dataset=shops&field=country', as('ROLE_NARROW'))).toMatchObject({
        status: 400,
        body: { available: ['city'] },
      });
    });

    it('reports mistakes in its parameters', async () => {
      expect(await get('/values/search?connection=test&dataset=shop&field=city')).toMatchObject({
        status: 400,
        body: {
          field: 'dataset',
          available: ['shops', ...[expect.any(String), expect.any(String), expect.any(String)]],
        },
      });
      expect(await get('/values/search?connection=test&dataset=shops&field=city&limit=1001')).toMatchObject({
        status: 400,
        body: { field: 'limit' },
      });
      expect(await get('/values/search?connection=tset&dataset=shops&field=city')).toMatchObject({ status: 404 });
    });
  });

  it('ontology returns the block of the document unchanged', async () => {
    expect(await get('/ontology/test/retail')).toMatchObject({
      status: 200,
      body: {
        connection: 'test',
        model: 'retail',
        ontology: [{ name: 'Shop', attributes: ['city'], anything: { goes: [1, 'two'] } }],
      },
    });
    expect(await get('/ontology/test/none')).toMatchObject({ status: 404, body: { available: ['retail'] } });
  });

  describe('row-detail', () => {
    it('is the request without its metrics', async () => {
      const body = {
        ...byCity,
        rows: [field('orders.id'), field('shops.city')],
        sorts: [{ metric: 'total' }, { field: 'orders.id', direction: 'DESC' }],
        filters: [{ ...field('orders.placed'), op: 'GTE', value: '2024-02-01' }],
      };
      const { status, body: answer } = await post('/row-detail', body);
      expect(status).toBe(200);
      expect(answer).toMatchObject({
        columns: [{ key: 'orders.id' }, { key: 'shops.city' }],
        records: [
          { 'orders.id': 4, 'shops.city': 'Ostia' },
          { 'orders.id': 3, 'shops.city': 'Rome' },
          { 'orders.id': 2, 'shops.city': 'Oslo' },
        ],
        meta: { rowCount: 3, truncated: false },
      });
    });

    it('is cut at maxrows and marked as cut; a lower limit of the request applies', async () => {
      const rows = [field('orders.id')];
      expect((await post('/row-detail?maxrows=2', { rows })).body).toMatchObject({
        meta: { rowCount: 2, truncated: true },
      });
      expect((await post('/row-detail?maxrows=2', { rows, limit: 4 })).body).toMatchObject({
        meta: { rowCount: 2, truncated: true },
      });
      expect((await post('/row-detail?maxrows=5', { rows, limit: 4 })).body).toMatchObject({
        meta: { rowCount: 4, truncated: false },
      });
      for (const maxrows of [0, 10_001]) {
        expect(await post(`/row-detail?maxrows=${maxrows}`, { rows })).toMatchObject({
          status: 400,
          body: { field: 'maxrows' },
        });
      }
    });

    it('takes the rows of the request’s metric where its fields meet in several datasets', async () => {
      const rows = [field('shops.city'), field('tours.name')];
      expect(await post('/row-detail', { rows })).toMatchObject({
        status: 400,
        body: { field: 'rows[1].via', available: ['order_tour', 'visit_tour'] },
      });
      const visited = [field('shops.city'), { ...field('tours.name'), via: 'visit_tour' }];
      expect(await post('/row-detail', { rows: visited })).toMatchObject({ status: 200 });
      expect((await post('/row-detail', { rows, values: [{ metric: 'guests' }] })).body).toMatchObject({
        records: [
          { 'shops.city': 'Oslo', 'tours.name': 'sea' },
          { 'shops.city': 'Ostia', 'tours.name': 'sea' },
        ],
      });
    });

    it('hides what the caller may not see and checks the whole body', async () => {
      expect((await post('/row-detail', { rows: [field('shops.city')] }, italy)).body).toMatchObject({
        records: [{ 'shops.city': 'Ostia' }, { 'shops.city': 'Rome' }],
      });
      expect(await post('/row-detail', { rows: [field('shops.manager')] })).toMatchObject({
        status: 400,
        body: { field: 'rows[0].field' },
      });
      expect(await post('/row-detail', { rows: [field('orders.id')], values: [{ metric: 'nothing' }] })).toMatchObject({
        status: 400,
        body: { field: 'values[0].metric' },
      });
      expect(await post('/row-detail', { values: [{ metric: 'total' }] })).toMatchObject({
        status: 400,
        body: { field: 'rows' },
      });
    });
  });

  describe('preview', () => {
    it('shows exactly the SQL that query dispatches', async () => {
      for (const body of [
        byCity,
        { ...byCity, values: [{ metric: 'total' }, { metric: 'guests' }], limit: 2 },
        { ...byCity, columns: [field('shops.country')], sorts: [{ metric: 'total', direction: 'DESC' }], limit: 1 },
      ]) {
        const { generatedSql } = PreviewResponse.parse((await post('/query/preview', body)).body);
        dispatched.length = 0;
        expect((await post('/query', body)).status).toBe(200);
        expect(dispatched.map(({ sql }) => sql)).toEqual([generatedSql]);
      }
    });

    it('describes how metrics of several datasets are combined', async () => {
      const body = { rows: [field('shops.city')], values: [{ metric: 'total' }, { metric: 'guests' }] };
      expect((await post('/query/preview', body)).body).toMatchObject({
        plan: {
          steps: [
            'total: sum by shops.city of the rows of orders, joined along orders → shops (order_shop).',
            'guests: sum by shops.city of the rows of visits, joined along visits → shops (visit_shop).',
            expect.stringContaining('aggregated by itself'),
          ],
        },
      });
    });
  });

  describe('an asynchronous query', () => {
    const submitted = async (body: object, caller = admin) => {
      const { status, body: answer } = await post('/query/execute-async', body, caller);
      expect(status).toBe(202);
      expect(answer).toEqual({ queryId: expect.any(String), status: 'PENDING' });
      return QueryStatus.parse(answer).queryId;
    };
    const finished = (queryId: string, caller = admin) =>
      vi.waitFor(
        async () => {
          const { body } = await get(`/query/status/${queryId}`, caller);
          expect(['PENDING', 'RUNNING']).not.toContain(QueryStatus.parse(body).status);
          return body;
        },
        { timeout: 60_000, interval: 10 },
      );

    it('has the answer of a synchronous one, as records and as matrix', async () => {
      const queryId = await submitted(byCity);
      expect(await finished(queryId)).toEqual({ queryId, status: 'DONE' });
      for (const format of ['records', 'matrix']) {
        const later = await get(`/query/result/${queryId}?format=${format}`);
        const now = await post(`/query?format=${format}`, byCity);
        expect(later.status).toBe(200);
        expect(later.body).toEqual(Object.assign({}, now.body, { queryId, runtime: expect.any(Number) }));
      }
    });

    it('answers 202 with its status until it is DONE, and stops in the warehouse when it is cancelled', async () => {
      let release: () => void = () => undefined;
      held = new Promise((resolve) => {
        release = resolve;
      });
      const before = aborted;
      const queryId = await submitted({ ...byCity, limit: 17 });
      await expect
        .poll(async () => (await get(`/query/status/${queryId}`)).body)
        .toEqual({ queryId, status: 'RUNNING' });
      expect(await get(`/query/result/${queryId}`)).toMatchObject({
        status: 202,
        body: { queryId, status: 'RUNNING' },
      });
      const cancelled = await rest.call(`DELETE ${ROOT}/query/${queryId}`, { caller: admin });
      expect(cancelled).toMatchObject({ status: 200, body: { queryId, status: 'CANCELLED' } });
      expect(aborted).toBe(before + 1);
      release();
      held = undefined;
      expect(await get(`/query/result/${queryId}`)).toMatchObject({ status: 202, body: { status: 'CANCELLED' } });
    });

    it('with a mistake is refused before it is accepted', async () => {
      expect(await post('/query/execute-async', { values: [{ metric: 'totl' }] })).toMatchObject({
        status: 400,
        body: { error: 'VALIDATION_ERROR', field: 'values[0].metric' },
      });
    });

    it('is answered with its owner’s rows, and is unknown to everybody else', async () => {
      const queryId = await submitted({ rows: [field('shops.city')] }, italy);
      await finished(queryId, italy);
      expect((await get(`/query/result/${queryId}`, italy)).body).toMatchObject({
        records: [{ 'shops.city': 'Ostia' }, { 'shops.city': 'Rome' }],
      });
      const unknown = await get('/query/status/no-such-query', admin);
      expect(unknown).toMatchObject({ status: 404, body: { error: 'NOT_FOUND' } });
      for (const address of ['GET /query/status', 'GET /query/result', 'DELETE /query']) {
        const [method = '', path = ''] = address.split(' ');
        for (const stranger of [admin, { ...italy, user: 'bob' }, as('ROLE_ITALY', 'ROLE_USER')]) {
          const answer = await rest.call(`${method} ${ROOT}${path}/${queryId}`, { caller: stranger });
          expect(answer).toEqual(unknown);
        }
      }
    });
  });
});
