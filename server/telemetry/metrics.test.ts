import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { UserCaller } from '../../router/capabilities/identity.ts';
import type { OperationActivity } from '../../router/capabilities/observer.ts';
import { NotFoundError, TimeoutError } from '../../router/errors.ts';
import { metricsHandler } from '../http/metrics.ts';
import { Metrics } from './metrics.ts';

const SECRETIVE: UserCaller = {
  kind: 'user',
  via: 'api-key',
  tenant: 't-1' as UserCaller['tenant'],
  user: 'ann.secret',
  roles: [],
};
const operation: OperationActivity = {
  kind: 'operation',
  operation: 'semantic.query',
  access: 'user',
  writes: false,
  caller: SECRETIVE,
  address: '192.0.2.1',
  requestId: 'r',
  input: async () => ({ path: 'shared/secret.service' }),
};

function measured() {
  const metrics = new Metrics();
  metrics.watch({
    version: '9.9.9',
    cache: { use: { hits: 7, misses: 3, bytes: 1_234, entries: 5 } },
    jobs: async () => new Map([['RUNNING', 2]]),
    audit: { use: { written: 11, waiting: 4 } },
  });
  return metrics;
}

const lines = async (metrics: Metrics) => (await metrics.text()).split('\n');

test('operations are counted by name and status, for results and errors', async () => {
  const metrics = measured();
  expect(await metrics.around(operation, async () => 5)).toBe(5);
  const failure = new NotFoundError('no');
  await expect(metrics.around(operation, () => Promise.reject(failure))).rejects.toBe(failure);
  await expect(metrics.around(operation, () => Promise.reject(new TypeError('x')))).rejects.toThrow('x');
  const text = await lines(metrics);
  for (const status of [200, 404, 500])
    expect(text).toContain(`service_operation_duration_seconds_count{operation="semantic.query",status="${status}"} 1`);
});

test('statements are counted by warehouse and outcome; beyond 200 warehouses they share one', async () => {
  const metrics = measured();
  for (let n = 0; n < 250; n++)
    await metrics.around({ kind: 'statement', engine: 'postgresql', warehouse: `h${n}` }, async () => 1);
  await metrics
    .around({ kind: 'statement', engine: 'postgresql', warehouse: 'h0' }, () =>
      Promise.reject(new TimeoutError('late')),
    )
    .catch(() => undefined);
  const counts = (await lines(metrics)).filter((line) =>
    line.startsWith('service_warehouse_statement_duration_seconds_count'),
  );
  expect(counts).toHaveLength(202);
  expect(counts).toContain(
    'service_warehouse_statement_duration_seconds_count{engine="postgresql",warehouse="others",outcome="OK"} 50',
  );
  expect(counts).toContain(
    'service_warehouse_statement_duration_seconds_count{engine="postgresql",warehouse="h0",outcome="TIMEOUT"} 1',
  );
});

test('calls of the language model are counted with their cost and tokens', async () => {
  const metrics = measured();
  const usage = { estimatedCostUsd: 0.25, inputTokens: 30, outputTokens: 4 };
  await metrics.around(
    { kind: 'llm', provider: 'openai', model: 'm', purpose: 'ask', tenant: SECRETIVE.tenant },
    async () => ({ usage }),
  );
  const text = await lines(metrics);
  expect(text).toContain('service_llm_cost_usd_total{provider="openai",model="m",purpose="ask"} 0.25');
  expect(text).toContain('service_llm_tokens_total{provider="openai",model="m",purpose="ask",direction="in"} 30');
  expect(text).toContain(
    'service_llm_call_duration_seconds_count{provider="openai",model="m",purpose="ask",outcome="OK"} 1',
  );
});

test('cache, jobs, pools, the audit log, the process and its event loop are reported with their current values', async () => {
  const metrics = measured();
  let use: object | undefined = { size: 4, leased: 1, idle: 2, waiting: 3 };
  const pool = {
    get use() {
      return use as never;
    },
  };
  metrics.pool({ engine: 'duckdb', warehouse: 'shop.duckdb' }, pool);
  const text = await lines(metrics);
  for (const line of [
    'service_cache_hits_total 7',
    'service_cache_misses_total 3',
    'service_cache_bytes 1234',
    'service_jobs{state="RUNNING"} 2',
    'service_audit_entries_total 11',
    'service_audit_waiting 4',
    'service_info{version="9.9.9"} 1',
    'service_warehouse_connections{engine="duckdb",warehouse="shop.duckdb",state="waiting"} 3',
    'service_warehouse_connections{engine="duckdb",warehouse="shop.duckdb",state="limit"} 4',
  ])
    expect(text).toContain(line);
  for (const name of ['nodejs_eventloop_lag_p99_seconds', 'process_resident_memory_bytes'])
    expect(text.some((line) => line.startsWith(`${name} `))).toBe(true);
  use = undefined;
  expect((await lines(metrics)).filter((line) => line.startsWith('service_warehouse_connections{'))).toEqual([]);
  // The cache's counters are read, and not added up at each reading.
  expect(await lines(metrics)).toContain('service_cache_hits_total 7');
});

test('a state that does not answer hides only the figures of jobs', async () => {
  const metrics = new Metrics();
  metrics.watch({
    version: '1',
    cache: { use: { hits: 0, misses: 0, bytes: 0, entries: 0 } },
    jobs: () => Promise.reject(new Error('away')),
  });
  const text = await lines(metrics);
  expect(text.filter((line) => line.startsWith('service_jobs{'))).toEqual([]);
  expect(text).toContain('service_cache_hits_total 0');
});

test('no user, path or address is in the figures; methods are a closed list', async () => {
  const metrics = measured();
  await metrics.around(operation, async () => 5);
  metrics.request('GET', 200);
  metrics.request('BREW', 405);
  const text = await metrics.text();
  expect(text).not.toMatch(/ann\.secret|shared\/|192\.0\.2\.1|BREW/);
  expect(text).toContain('service_http_requests_total{method="OTHER",status="405"} 1');
});

const TOKEN = 'a-token-of-monitoring';
let url: string;
let close: () => void;

beforeAll(async () => {
  const app = express();
  const callers: Readonly<Record<string, object>> = {
    '': { kind: 'anonymous' },
    'Bearer admin': { ...SECRETIVE, tenant: 'operators', roles: ['ROLE_ADMIN'] },
    'Bearer other': { ...SECRETIVE, tenant: 'acme', roles: ['ROLE_ADMIN'] },
    'Bearer user': { ...SECRETIVE, tenant: 'operators', roles: ['ROLE_USER'] },
  };
  for (const readers of ['loopback', 'token', 'administrator', 'nobody'] as const) {
    const handler = metricsHandler({
      metrics: measured(),
      readers,
      token: TOKEN,
      operators: 'operators' as UserCaller['tenant'],
      identity: {
        authentication: { authenticate: async ({ authorization = '' }) => callers[authorization] } as never,
        csrf: { isFor: () => true, accepts: () => true } as never,
      },
    });
    app.get(`/${readers}`, handler);
  }
  const server = app.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  close = () => server.close();
});

afterAll(() => close());

/** Sends only the given headers; `fetch` adds `Sec-Fetch-Mode`. */
function status(path: string, headers: Readonly<Record<string, string>>): Promise<number> {
  return new Promise((resolve, reject) => {
    request(url + path, { headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    })
      .on('error', reject)
      .end();
  });
}

test.each([
  ['/loopback', {}, 200],
  ['/loopback', { 'X-Forwarded-For': '127.0.0.1' }, 404],
  ['/loopback', { Forwarded: 'for=127.0.0.1' }, 404],
  ['/loopback', { Via: '1.1 proxy' }, 404],
  ['/loopback', { Origin: 'https://evil.example' }, 404],
  ['/loopback', { 'Sec-Fetch-Site': 'cross-site' }, 404],
  ['/token', { Authorization: `Bearer ${TOKEN}` }, 200],
  ['/token', { Authorization: `Bearer ${TOKEN}x` }, 401],
  ['/token', { Authorization: 'Bearer admin' }, 401],
  ['/token', {}, 401],
  ['/administrator', { Authorization: 'Bearer admin' }, 200],
  ['/administrator', { Authorization: 'Bearer other' }, 404],
  ['/administrator', { Authorization: 'Bearer user' }, 404],
  ['/administrator', {}, 401],
  ['/nobody', { Authorization: `Bearer ${TOKEN}` }, 404],
])('%s with %j is answered %i', async (path, headers, expected) => {
  expect(await status(path, headers)).toBe(expected);
});
