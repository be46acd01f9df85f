import { mkdtempSync, rmSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import express from 'express';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_BATCH_CALLS } from '../../router/limits.ts';
import { readConfig } from '../config/read-config.ts';

import { allowedHosts, MCP_PATH, type McpBinding, mcpHandler } from './mcp.ts';
import { type OpenPort, openPort } from './port.ts';
import { requestId } from './request-id.ts';
import { startIdentity } from './testing/serve.ts';

const PASSWORD = 'Quarry-lantern-77';
let folder: string;
let host: OpenPort;
let key: string;
let opened: Awaited<ReturnType<typeof startIdentity>>;
const seen: { readonly user: string; readonly body: unknown; signal?: AbortSignal }[] = [];

let sendSecondEvent = (): void => undefined;
const endpoint: McpBinding = {
  async fetch(webRequest, { caller }, body) {
    seen.push({ user: caller.kind === 'user' ? caller.user : '', body, signal: webRequest.signal });
    if (webRequest.headers.get('x-stream') !== null) {
      const stream = new ReadableStream({
        async start(controller) {
          controller.enqueue(new TextEncoder().encode('data: 1\n\n'));
          await new Promise<void>((resolve) => {
            sendSecondEvent = resolve;
          });
          controller.enqueue(new TextEncoder().encode('data: 2\n\n'));
          controller.close();
        },
      });
      return new Response(stream, { headers: { 'Content-Type': 'text/event-stream' } });
    }
    return Response.json({ method: webRequest.method });
  },
};

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'mcp-http-'));
  opened = await startIdentity(folder, PASSWORD);
  const tenant = await opened.identity.tenants.ensure('default');
  key = (await opened.identity.apiKeys.create({ tenant: tenant.id, label: 'agent', roles: [] })).key;
  const app = express();
  app.use(requestId);
  const options = {
    endpoint,
    identity: opened.identity,
    maxBodyBytes: 1_000,
    allowedHosts: ['localhost', '127.0.0.1'],
  };
  app.all(MCP_PATH, mcpHandler(options));
  host = await openPort('127.0.0.1', 0);
  host.serve(app);
});
afterAll(async () => {
  await host.stop(0);
  await opened.state.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Sent {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** Sends a request with a chosen Host header, which `fetch` does not allow. */
function send({ method = 'POST', headers = {}, body = '{"jsonrpc":"2.0"}' }: Sent = {}) {
  return new Promise<{ status: number; headers: Record<string, unknown>; text: string }>((resolve, reject) => {
    const sent = request(
      {
        port: host.port,
        host: '127.0.0.1',
        path: MCP_PATH,
        method,
        headers: { 'content-type': 'application/json', ...headers },
      },
      (response) => {
        let text = '';
        response.on('data', (chunk: Buffer) => {
          text += chunk.toString();
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
      },
    );
    sent.on('error', reject);
    sent.end(method === 'GET' ? undefined : body);
  });
}
const bearer = () => ({ authorization: `Bearer ${key}` });
const basic = { authorization: `Basic ${Buffer.from(`admin:${PASSWORD}`).toString('base64')}` };

describe('the MCP address', () => {
  it('identifies the caller before it reads anything', async () => {
    const { status, headers, text } = await send({ body: 'not even JSON' });
    expect({ status, error: JSON.parse(text).error }).toEqual({ status: 401, error: 'UNAUTHENTICATED' });
    expect(headers['www-authenticate']).toBe('Bearer');
    expect((await send({ headers: { authorization: 'Bearer nonsense' } })).status).toBe(401);
  });

  it('accepts an API key, and passes the body and the caller to the protocol', async () => {
    expect(await send({ headers: bearer(), body: '{"a":12345678901234567890}' })).toMatchObject({
      status: 200,
      text: '{"method":"POST"}',
    });
    expect(seen.at(-1)).toMatchObject({ body: { a: '12345678901234567890' } });
  });

  it('accepts basic credentials only with the CSRF pair, which a page of another site cannot have', async () => {
    expect(JSON.parse((await send({ headers: basic })).text)).toMatchObject({ error: 'CSRF_REJECTED' });
    const first = await send({ method: 'GET', headers: basic });
    const cookie = /XSRF-TOKEN=([^;]+)/.exec(String(first.headers['set-cookie']))?.[1] ?? '';
    const pair = { cookie: `XSRF-TOKEN=${cookie}`, 'x-xsrf-token': decodeURIComponent(cookie) };
    expect((await send({ headers: { ...basic, ...pair } })).status).toBe(200);
    expect(seen.at(-1)?.user).toBe('admin');
  });

  it.each([
    ['a name that points here (DNS rebinding)', { host: 'evil.example' }, 403],
    ['a name that begins like an allowed one', { host: 'localhost.evil.example' }, 403],
    ['a page of another site', { origin: 'https://evil.example' }, 403],
    ['a page without an origin', { origin: 'null' }, 403],
    ['a page of this server', { host: 'localhost:99', origin: 'http://localhost:99' }, 200],
    ['another letter case', { host: 'LOCALHOST' }, 200],
  ])('answers a call by %s with %o as expected', async (_, headers, status) => {
    expect((await send({ headers: { ...bearer(), ...headers } })).status).toBe(status);
  });

  it('refuses bodies that are too large or no JSON', async () => {
    expect((await send({ headers: bearer(), body: `"${'x'.repeat(2_000)}"` })).status).toBe(413);
    expect((await send({ headers: bearer(), body: '{"a":' })).status).toBe(400);
    expect((await send({ headers: bearer(), body: `${'['.repeat(900)}` })).status).toBe(400);
  });

  it('accepts as many messages in a batch as the typed client sends, and no more', async () => {
    const batch = (count: number) => JSON.stringify(Array(count).fill({ jsonrpc: '2.0', id: 1, method: 'ping' }));
    expect((await send({ headers: bearer(), body: batch(MAX_BATCH_CALLS) })).status).toBe(200);
    const { status, text } = await send({ headers: bearer(), body: batch(MAX_BATCH_CALLS + 1) });
    expect({ status, body: JSON.parse(text) }).toMatchObject({ status: 400, body: { error: 'MALFORMED_BODY' } });
  });

  it('passes events on immediately, without waiting for compression', async () => {
    const answer = await fetch(`http://127.0.0.1:${host.port}${MCP_PATH}`, {
      method: 'POST',
      headers: { ...bearer(), 'x-stream': '1', 'Content-Type': 'application/json' },
      body: '{}',
    });
    expect(answer.headers.get('cache-control')).toContain('no-transform');
    const reader = answer.body?.getReader();
    const first = await reader?.read();
    expect(new TextDecoder().decode(first?.value)).toBe('data: 1\n\n');
    sendSecondEvent();
    const second = await reader?.read();
    expect(new TextDecoder().decode(second?.value)).toBe('data: 2\n\n');
  });
});

it.each([
  [{}, ['localhost', '127.0.0.1', '[::1]']],
  [{ 'service.http.host': '0.0.0.0' }, undefined],
  [{ 'service.http.trustProxy': 'true' }, undefined],
  [{ 'service.http.allowedHosts': 'Data.example.com, localhost' }, ['data.example.com', 'localhost']],
] as const)('accepts with the settings %o the hosts %o', (overrides, expected) => {
  expect(allowedHosts(readConfig({ properties: '', environment: {}, overrides }).config)).toEqual(expected);
});
