import type { Server } from 'node:http';
import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hostServer } from './host-server.ts';
import type { TokenRequest } from './token-backend.ts';

let server: Server;
let port: number;

beforeAll(async () => {
  server = hostServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const address = server.address();
  port = typeof address === 'object' && address !== null ? address.port : 0;
});
afterAll(() => server.close());

interface Answer {
  readonly status: number | undefined;
  readonly policy: string | undefined;
  readonly body: string;
}

/** Sends the path unchanged: `fetch` would resolve the dots. */
async function get(path: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        body += part;
      });
      response.on('end', () =>
        resolve({ status: response.statusCode, policy: `${response.headers['content-security-policy']}`, body }),
      );
    });
    sent.on('error', reject).end();
  });
}

test('a host page comes with a policy that admits the named server and no inline script', async () => {
  const page = await get('/script-tag/?server=http://localhost:9999/anything');
  expect(page.status).toBe(200);
  expect(page.body).toContain('<service-embed');
  expect(page.policy).toContain("script-src 'self' http://localhost:9999;");
  expect(page.policy).not.toContain('unsafe-inline');
});

test('a server that is no http address does not get into the policy', async () => {
  const page = await get(`/dark/?server=${encodeURIComponent('javascript:alert(1); script-src *')}`);
  expect(page.status).toBe(200);
  expect(page.policy).toContain("script-src 'self' http://localhost:8080;");
});

test.each([
  '/../serve-hosts.ts',
  '/%2e%2e/package.json',
  '/..%2f..%2fpackage.json',
  '/bundled/package.json',
  '/%00',
  '/%',
  '/nothing',
])('there is no page at %s', async (path) => {
  expect((await get(path)).status).toBe(404);
});

test('no host page contains an inline script, style or handler', async () => {
  for (const path of ['/', '/script-tag/', '/dark/']) {
    const { body } = await get(path);
    expect(body).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\sstyle=|\son[a-z]+=/);
  }
});

test("as a backend it returns the service's answer for a document; without credentials it is no backend", async () => {
  const requests: TokenRequest[] = [];
  const backend = hostServer({
    async mint(request) {
      requests.push(request);
      return { status: 409, body: '{"error":"TOKEN_LIMIT"}' };
    },
  });
  await new Promise<void>((listening) => backend.listen(0, '127.0.0.1', listening));
  try {
    const address = backend.address();
    const at = typeof address === 'object' && address !== null ? address.port : 0;
    const answer = await fetch(`http://127.0.0.1:${at}/embed-token?kind=query&path=shared%2Fa.service`);
    expect([answer.status, answer.headers.get('cache-control'), await answer.json()]).toEqual([
      409,
      'no-store',
      { error: 'TOKEN_LIMIT' },
    ]);
    expect(requests).toEqual([{ kind: 'query', path: 'shared/a.service' }]);
  } finally {
    backend.close();
    backend.closeAllConnections();
  }
  expect((await get('/embed-token?kind=query&path=shared/a.service')).status).toBe(404);
});
