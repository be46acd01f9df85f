import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { standardErrorFormat } from '../../router/error-body.ts';
import { operation, operations } from '../../router/operation.ts';
import { plugin } from '../../router/plugin.ts';
import { readConfig } from '../config/read-config.ts';
import type { Identity } from '../identity/index.ts';
import type { StateStore } from '../state/index.ts';
import type { OpenPort } from './port.ts';
import { serve, startIdentity } from './testing/serve.ts';

const PASSWORD = 'a password for this test';

const toy = plugin({
  name: 'toy',
  title: 'Toy',
  errorFormat: standardErrorFormat,
  router: operations({
    path: operation({
      summary: 'Path',
      access: 'public',
      rest: { method: 'GET', path: '/toy/path/{path+}', query: ['q'] },
    })
      .input(z.strictObject({ path: z.string(), q: z.string().optional() }))
      .output(z.strictObject({ path: z.string(), q: z.string().optional() }))
      .query(({ input }) => input),
  }),
});

let directory: string;
let state: StateStore;
let identity: Identity;
let host: OpenPort;
let origin: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'service-prefix-'));
  writeFileSync(join(directory, 'index.html'), '<!doctype html><title>home</title>');
  mkdirSync(join(directory, 'api'));
  writeFileSync(join(directory, 'api/index.html'), '<!doctype html><title>api</title>');
  ({ state, identity } = await startIdentity(directory, PASSWORD));
  host = await serve([toy], { folder: directory, state, identity, basePath: '/in/analytics' });
  origin = `http://127.0.0.1:${host.port}`;
});

afterAll(async () => {
  await host.stop(100);
  await state.close();
  rmSync(directory, { recursive: true, force: true });
});

const get = (path: string, init?: RequestInit) => fetch(origin + path, { redirect: 'manual', ...init });

test.each(['/in/analytics', '/in/analytics/'])('%s redirects to the pages below the path', async (path) => {
  const response = await get(path);
  expect([response.status, response.headers.get('location')]).toEqual([302, '/in/analytics/ui/']);
});

test('a folder of the pages redirects to its own address below the path', async () => {
  const response = await get('/in/analytics/ui/api');
  expect([response.status, response.headers.get('location')]).toEqual([301, '/in/analytics/ui/api/']);
});

test.each(['/in/analytics/ui/', '/in/analytics/ui/api/', '/in/analytics/rest/service/api/openapi.json'])(
  '%s is served',
  async (path) => {
    expect((await get(path)).status).toBe(200);
  },
);

test.each([
  '/',
  '/ui/',
  '/rest/service/api/openapi.json',
  '/toy/path/a',
  '/in',
  '/in/analyticsx/ui/',
  '/IN/analytics/ui/',
])('%s is not served: nothing is outside the path', async (path) => {
  const response = await get(path);
  expect(response.status).toBe(404);
  expect(await response.json()).toEqual({
    error: 'NOT_FOUND',
    message: 'There is nothing at this address. This server answers below /in/analytics/.',
  });
});

test.each(['/healthz', '/readyz', '/in/analytics/healthz', '/in/analytics/readyz'])(
  '%s answers probes',
  async (path) => {
    expect((await get(path)).status).toBe(200);
  },
);

test('paths and queries reach operations unchanged', async () => {
  const response = await get('/in/analytics/toy/path/a/b%2Fc%20d?q=%2Fin%2Fanalytics');
  expect(await response.json()).toEqual({ path: 'a/b/c d', q: '/in/analytics' });
});

test('cookies are limited to the path, from sign-in to sign-out', async () => {
  const form = { method: 'POST', headers: { 'content-type': 'application/json' } };
  const login = await get('/in/analytics/login', {
    ...form,
    body: JSON.stringify({ username: 'admin', password: PASSWORD }),
  });
  const cookies = login.headers.getSetCookie();
  expect(cookies).toHaveLength(2);
  for (const cookie of cookies) expect(cookie).toContain('; Path=/in/analytics;');
  const session =
    cookies.map((cookie) => cookie.split(';')[0] ?? '').find((cookie) => cookie.startsWith('SERVICE_SESSION')) ?? '';
  // A session without its CSRF cookie gets a new one.
  const again = await get('/in/analytics/rest/service/api/session', { headers: { cookie: session } });
  expect(again.headers.getSetCookie()).toEqual([expect.stringMatching(/^XSRF-TOKEN=.*; Path=\/in\/analytics(;|$)/)]);
});

test('the OpenAPI document has the path', async () => {
  const document = await (await get('/in/analytics/rest/service/api/openapi.json')).json();
  expect(document).toMatchObject({ servers: [{ url: '/in/analytics' }] });
});

test.each([
  ['/analytics', '/analytics'],
  ['/analytics/', '/analytics'],
  ['/', ''],
  ['/a/b_c.d~e-f', '/a/b_c.d~e-f'],
  ['/..a/...', '/..a/...'],
])('the setting accepts %s', (basePath, path) => {
  const { config } = readConfig({ properties: '', environment: { SERVICE_HTTP_BASEPATH: basePath } });
  expect(config['service.http.basePath']).toBe(path);
});

test.each([
  'analytics',
  '//a',
  '/a//b',
  '/a/../b',
  '/.',
  '/a b',
  '/a?b',
  '/ü',
  'http://x/',
  '/%61',
  `/${'a'.repeat(200)}`,
])('the setting refuses %s', (basePath) => {
  expect(() => readConfig({ properties: '', environment: { SERVICE_HTTP_BASEPATH: basePath } })).toThrow(
    'SERVICE_HTTP_BASEPATH',
  );
});
