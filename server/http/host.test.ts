import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { standardErrorFormat } from '../../router/error-body.ts';
import { EmbedInvalidError } from '../../router/errors.ts';
import { operation, operations } from '../../router/operation.ts';
import { plugin } from '../../router/plugin.ts';
import { uploadedFile } from '../../router/rest/input.ts';
import type { Identity } from '../identity/index.ts';
import type { StateStore } from '../state/index.ts';
import type { OpenPort } from './port.ts';
import { serve, startIdentity } from './testing/serve.ts';

const PASSWORD = 'a password for this test';
const begun: string[] = [];
const aborted: string[] = [];

const toy = plugin({
  name: 'toy',
  title: 'Toy',
  errorFormat: standardErrorFormat,
  router: operations({
    echo: operation({ summary: 'Echo', access: 'user', rest: { method: 'POST', path: '/toy/echo', body: 'body' } })
      .input(z.strictObject({ body: z.unknown() }))
      .output(z.unknown())
      .mutation(({ input }) => input.body),
    path: operation({ summary: 'Path', access: 'public', rest: { method: 'GET', path: '/toy/path/{path+}' } })
      .input(z.strictObject({ path: z.string() }))
      .output(z.strictObject({ path: z.string() }))
      .query(({ input }) => input),
    read: operation({
      summary: 'Cross-origin read',
      access: 'embed',
      rest: {
        method: 'GET',
        path: '/toy/embed',
        headers: { 'Cache-Control': 'no-store, max-age=0', 'Referrer-Policy': 'no-referrer' },
        crossOrigin: { requestHeaders: ['X-Service-Embed-Token'] },
      },
    })
      .output(z.strictObject({ caller: z.string() }))
      .query(({ ctx }) => {
        if (ctx.embedToken === 'wrong') throw new EmbedInvalidError();
        return { caller: ctx.caller.kind };
      }),
    upload: operation({
      summary: 'Upload',
      access: 'public',
      rest: { method: 'POST', path: '/toy/upload', files: ['file'], body: '*' },
    })
      .input(z.strictObject({ file: uploadedFile, note: z.string().optional() }))
      .output(z.strictObject({ text: z.string(), note: z.string().optional(), path: z.string(), name: z.string() }))
      .mutation(({ input }) => ({
        text: readFileSync(input.file.path, 'utf8'),
        note: input.note,
        path: input.file.path,
        name: input.file.name,
      })),
    slow: operation({ summary: 'Slow', access: 'public', rest: { method: 'GET', path: '/toy/slow' } })
      .output(z.strictObject({}))
      .query(
        ({ signal }) =>
          new Promise((resolve) => {
            begun.push('slow');
            const timer = setTimeout(() => resolve({}), 5_000);
            signal?.addEventListener('abort', () => {
              clearTimeout(timer);
              aborted.push('slow');
              resolve({});
            });
          }),
      ),
  }),
});

let directory: string;
let state: StateStore;
let identity: Identity;
let host: OpenPort;
let url: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'service-http-'));
  writeFileSync(join(directory, 'index.html'), '<!doctype html><title>home</title>');
  writeFileSync(join(directory, 'service-embed.js'), '0;');
  ({ state, identity } = await startIdentity(directory, PASSWORD));
  host = await serve([toy], { folder: directory, state, identity });
  url = `http://127.0.0.1:${host.port}`;
});

afterAll(async () => {
  await host.stop(100);
  await state.close();
  rmSync(directory, { recursive: true, force: true });
});

const basic = { authorization: `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}` };
const json = { 'content-type': 'application/json' };

async function bearer(): Promise<Record<string, string>> {
  const tenant = await identity.tenants.ensure('default');
  const { key } = await identity.apiKeys.create({ tenant: tenant.id, label: 'test' });
  return { authorization: `Bearer ${key}` };
}

async function post(path: string, headers: Record<string, string>, body: string | FormData): Promise<Response> {
  return fetch(url + path, { method: 'POST', headers, body });
}

/** Reads the cookies of a response as a request sends them, and the matching CSRF header. */
function pair(response: Response): { cookie: string; 'x-xsrf-token': string } {
  const cookies = response.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '');
  const token = cookies.find((cookie) => cookie.startsWith('XSRF-TOKEN='))?.slice(11) ?? '';
  return { cookie: cookies.join('; '), 'x-xsrf-token': decodeURIComponent(token) };
}

describe('bodies', () => {
  test.each([
    ['application/json', '{"a":', 400, 'MALFORMED_BODY'],
    ['application/json', '', 400, 'MALFORMED_BODY'],
    ['text/plain', '{}', 415, 'UNSUPPORTED_MEDIA_TYPE'],
    ['application/json', JSON.stringify('x'.repeat(3_000)), 413, 'BODY_TOO_LARGE'],
  ])('%s with %j… is answered %i %s', async (type, body, status, error) => {
    const response = await post('/toy/echo', { ...(await bearer()), 'content-type': type }, body);
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({ error });
  });

  test('any JSON value may be a body', async () => {
    const response = await post('/toy/echo', { ...(await bearer()), ...json }, 'null');
    expect(await response.json()).toBeNull();
  });

  test('a multipart file is readable while the operation runs, and deleted after it', async () => {
    const form = new FormData();
    form.set('file', new File(['a,b\n'], 'Umsätze 日本.csv'));
    form.set('note', 'hello');
    const answer = (await (await post('/toy/upload', {}, form)).json()) as {
      text: string;
      note: string;
      path: string;
      name: string;
    };
    expect(answer).toMatchObject({ text: 'a,b\n', note: 'hello', name: 'Umsätze 日本.csv' });
    expect(() => readFileSync(answer.path)).toThrow(/ENOENT/);
  });
});

describe('paths', () => {
  /** Sends the path unchanged: fetch would normalize it. */
  const raw = (path: string) =>
    new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
      request({ host: '127.0.0.1', port: host.port, path }, (response) => {
        let body = '';
        response
          .on('data', (chunk: Buffer) => (body += chunk.toString()))
          .on('end', () => resolve({ status: response.statusCode, body }));
      })
        .on('error', reject)
        .end();
    });

  test('several segments keep their slashes and decode one by one', async () => {
    expect(await raw('/toy/path/a/b%20c/%C3%A9')).toEqual({ status: 200, body: '{"path":"a/b c/é"}' });
  });

  test('dots in a path are not resolved by the host: the operation receives and refuses them', async () => {
    expect(await raw('/toy/path/a/../b')).toEqual({ status: 200, body: '{"path":"a/../b"}' });
  });

  test('an unknown path is a 404 with a hint, and another method a 405 with the right method', async () => {
    const nothing = await fetch(`${url}/rest/service/api/nothing`);
    expect(nothing.status).toBe(404);
    expect(await nothing.json()).toMatchObject({ error: 'NOT_FOUND' });
    const wrong = await fetch(`${url}/toy/echo`);
    expect(wrong.status).toBe(405);
    expect(wrong.headers.get('allow')).toBe('POST, OPTIONS');
  });
});

describe('who calls', () => {
  test('without credentials a script gets a bare 401 and a browser the Basic challenge', async () => {
    const plain = await post('/toy/echo', json, '{}');
    expect([plain.status, plain.headers.get('www-authenticate')]).toEqual([
      401,
      'Basic realm="service", charset="UTF-8"',
    ]);
    for (const mark of [{ accept: 'application/json' }, { 'x-requested-with': 'XMLHttpRequest' }]) {
      const script = await post('/toy/echo', { ...json, ...mark }, '{}');
      expect([script.status, script.headers.get('www-authenticate')]).toEqual([401, null]);
    }
  });

  test('basic credentials need the CSRF pair, and the first answer sets its cookie', async () => {
    const first = await post('/toy/echo', { ...basic, ...json }, '{}');
    expect([first.status, await first.json()]).toMatchObject([403, { error: 'CSRF_REJECTED' }]);
    const cookie = first.headers.getSetCookie()[0] ?? '';
    expect(cookie).toMatch(/^XSRF-TOKEN=[^;]+; Path=\/; SameSite=Lax$/);
    const second = await post('/toy/echo', { ...basic, ...json, ...pair(first) }, '{"a":1}');
    expect([second.status, await second.json()]).toEqual([200, { a: 1 }]);
  });

  test('an API key writes without a pair and gets no cookie', async () => {
    const response = await post('/toy/echo', { ...(await bearer()), ...json }, '1');
    expect([response.status, response.headers.getSetCookie()]).toEqual([200, []]);
  });

  test('signing in starts a session in an HttpOnly cookie; signing out ends it', async () => {
    const login = await post('/login', json, JSON.stringify({ username: 'admin', password: PASSWORD }));
    expect(await login.json()).toEqual({ status: 'OK', user: 'admin', roles: ['ROLE_ADMIN'] });
    const [session] = login.headers.getSetCookie();
    expect(session).toMatch(/^SERVICE_SESSION=[^;]+; Path=\/; HttpOnly; SameSite=Lax$/);
    const headers = pair(login);
    const who = () => fetch(`${url}/rest/service/api/session`, { headers });
    expect(await (await who()).json()).toEqual({
      user: 'admin',
      tenant: 'default',
      roles: ['ROLE_ADMIN'],
      administrator: true,
    });

    const withoutPair = await post('/toy/echo', { ...json, cookie: headers.cookie }, '1');
    expect(withoutPair.status).toBe(403);
    expect((await post('/toy/echo', { ...json, ...headers }, '1')).status).toBe(200);

    const logout = await fetch(`${url}/logout`, { method: 'POST', headers });
    expect(logout.status).toBe(200);
    expect(logout.headers.getSetCookie()[0]).toMatch(/^SERVICE_SESSION=; Max-Age=0/);
    expect((await who()).status).toBe(401);
  });

  test('a form may sign in too', async () => {
    const response = await post(
      '/login',
      { 'content-type': 'application/x-www-form-urlencoded' },
      new URLSearchParams({ username: 'admin', password: PASSWORD }).toString(),
    );
    expect(response.status).toBe(200);
  });

  test.each([
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'sec-fetch-site': 'same-site' }, 403],
    [{ origin: 'https://evil.example' }, 403],
    [{ origin: 'null' }, 403],
    [{ 'sec-fetch-site': 'same-origin', origin: 'https://behind.a.proxy' }, 200],
    [{ 'sec-fetch-site': 'none' }, 200],
  ])('a form with %j is answered %i', async (headers, status) => {
    // `fetch` sets these headers itself.
    const body = new URLSearchParams({ username: 'admin', password: PASSWORD }).toString();
    const answer = await new Promise<number | undefined>((resolve, reject) => {
      const form = { 'content-type': 'application/x-www-form-urlencoded', ...headers };
      const sent = request(`${url}/login`, { method: 'POST', headers: form }, (response) => {
        response.resume();
        resolve(response.statusCode);
      });
      sent.once('error', reject);
      sent.end(body);
    });
    expect(answer).toBe(status);
  });

  test("a form of the product's own page may sign in", async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: url };
    const body = new URLSearchParams({ username: 'admin', password: PASSWORD }).toString();
    expect((await post('/login', headers, body)).status).toBe(200);
  });

  test('wrong passwords are a 401 five times, then a 429 with the time to wait', async () => {
    const attempt = () => post('/login', json, JSON.stringify({ username: 'mallory', password: 'guess' }));
    for (let i = 0; i < 5; i++) expect((await attempt()).status).toBe(401);
    const sixth = await attempt();
    expect([sixth.status, await sixth.json()]).toMatchObject([429, { error: 'RATE_LIMITED' }]);
    expect(Number(sixth.headers.get('retry-after'))).toBeGreaterThan(800);
  });
});

describe('cross-origin reads', () => {
  test('a preflight allows the header of the token and no other', async () => {
    const response = await fetch(`${url}/toy/embed`, {
      method: 'OPTIONS',
      headers: { origin: 'http://elsewhere.example', 'access-control-request-method': 'GET' },
    });
    expect(response.status).toBe(204);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
    expect(response.headers.get('access-control-allow-headers')).toBe('X-Service-Embed-Token');
    expect(response.headers.get('access-control-expose-headers')).toBe('Retry-After');
    expect(response.headers.get('access-control-allow-credentials')).toBeNull();
  });

  test('other operations reveal nothing to other origins', async () => {
    const response = await fetch(`${url}/toy/path/x`, { headers: { origin: 'http://elsewhere.example' } });
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });

  test('an embed read has no caller, whatever credentials are sent', async () => {
    const response = await fetch(`${url}/toy/embed`, { headers: { ...basic } });
    expect(await response.json()).toEqual({ caller: 'anonymous' });
    const wrong = await fetch(`${url}/toy/embed`, { headers: { authorization: 'Basic nonsense' } });
    expect(wrong.status).toBe(200);
  });

  test('a failed embed read has each of its headers once, and no challenge', async () => {
    const response = await fetch(`${url}/toy/embed`, { headers: { 'x-service-embed-token': 'wrong' } });
    expect(response.status).toBe(401);
    expect(await response.text()).toBe('{"error":"EMBED_INVALID","message":"This embed is not available."}');
    expect(response.headers.get('cache-control')).toBe('no-store, max-age=0');
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    expect(response.headers.get('www-authenticate')).toBeNull();
    expect(response.headers.getSetCookie()).toEqual([]);
  });

  test('the embed script may be loaded by any page, other pages may not', async () => {
    const script = await fetch(`${url}/ui/service-embed.js`);
    expect(script.headers.get('access-control-allow-origin')).toBe('*');
    expect(script.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect(script.headers.get('content-type')).toMatch(/javascript/);
    const page = await fetch(`${url}/ui/`);
    expect(page.headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('the process', () => {
  test('reports that it is alive and that it is ready', async () => {
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
  });

  test('a caller that disconnects stops its operation', async () => {
    const controller = new AbortController();
    const gone = fetch(`${url}/toy/slow`, { signal: controller.signal }).catch(() => 'gone');
    await expect.poll(() => begun, { timeout: 5_000 }).toEqual(['slow']);
    controller.abort();
    expect(await gone).toBe('gone');
    await expect.poll(() => aborted, { timeout: 2_000 }).toEqual(['slow']);
  });

  test('the same operations answer tRPC, with the same rules', async () => {
    const session = await fetch(`${url}/rest/service/api/trpc/identity.session`, { headers: basic });
    expect(await session.json()).toMatchObject({ result: { data: { user: 'admin' } } });
    const anonymous = await fetch(`${url}/rest/service/api/trpc/identity.session`);
    expect(anonymous.status).toBe(401);
    expect(await anonymous.json()).toMatchObject({ error: { data: { kind: 'UNAUTHENTICATED' } } });
    const write = await post('/rest/service/api/trpc/toy.echo', { ...basic, ...json }, '{"body":1}');
    expect(write.status).toBe(403);
  });
});
