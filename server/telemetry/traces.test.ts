import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import express from 'express';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import type { UserCaller } from '../../router/capabilities/identity.ts';
import { NotFoundError } from '../../router/errors.ts';
import { observers } from './observers.ts';
import { openTracing, type Tracing } from './traces.ts';
import { isTracingEnabled } from './tracing-enabled.ts';

const Sent = z.object({
  resourceSpans: z.array(
    z.object({
      scopeSpans: z.array(
        z.object({
          spans: z.array(
            z.object({
              traceId: z.string(),
              spanId: z.string(),
              parentSpanId: z.string().optional(),
              name: z.string(),
              attributes: z.array(z.object({ key: z.string(), value: z.record(z.string(), z.unknown()) })),
              status: z.object({ code: z.number().optional() }).optional(),
            }),
          ),
        }),
      ),
    }),
  ),
});
type SentSpan = z.output<typeof Sent>['resourceSpans'][number]['scopeSpans'][number]['spans'][number];

let collector: Server;
let received: SentSpan[];
let paths: string[];
let tracing: Tracing;
let app: Server;

const open = (server: Server) =>
  new Promise<string>((resolve) =>
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)),
  );
let endpoint: string;
let url: string;

beforeAll(async () => {
  collector = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const text = request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
    paths.push(request.url ?? '');
    for (const { scopeSpans } of Sent.parse(JSON.parse(text.toString())).resourceSpans)
      for (const { spans } of scopeSpans) received.push(...spans);
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  endpoint = await open(collector);
});

const caller: UserCaller = {
  kind: 'user',
  via: 'api-key',
  tenant: 't' as UserCaller['tenant'],
  user: 'ann.secret',
  roles: [],
};

beforeEach(async () => {
  received = [];
  paths = [];
  tracing = await openTracing(`${endpoint}/`, '1.2.3');
  const observer = observers([tracing]);
  const served = express();
  served.use(tracing.requests);
  served.get('/:outcome', async (request, response) => {
    const operation = {
      kind: 'operation',
      operation: 'toy.ask',
      access: 'user',
      writes: false,
      caller,
      address: '',
      requestId: 'r-1',
      input: async () => undefined,
    } as const;
    const work = async () => {
      await observer.around({ kind: 'statement', engine: 'duckdb', warehouse: 'shop.duckdb' }, async () => 1);
      if (request.params.outcome === 'missing') throw new NotFoundError('no document of ann.secret');
      if (request.params.outcome === 'bug') throw new TypeError('a bug at ann.secret');
      return observer.around(
        { kind: 'llm', provider: 'openai', model: 'm-1', tenant: caller.tenant, purpose: 'ask' },
        async () => ({ usage: { inputTokens: 12, outputTokens: 3 } }),
      );
    };
    await observer.around(operation, work).then(
      () => response.json({}),
      (error: unknown) => response.status(error instanceof NotFoundError ? 404 : 500).json({}),
    );
  });
  app = createServer(served);
  url = await open(app);
});

afterAll(() => {
  collector.close();
});

async function spansOf(
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<ReadonlyMap<string, SentSpan>> {
  await (await fetch(url + path, { headers })).text();
  await new Promise((resolve) => setImmediate(resolve));
  await tracing.close();
  app.close();
  app.closeAllConnections();
  return new Map(received.map((span) => [span.name, span]));
}

const attribute = (span: SentSpan | undefined, key: string) =>
  Object.values(span?.attributes.find((each) => each.key === key)?.value ?? {})[0];

test('a request, its operation, its statement and its call of a language model are nested spans of one trace', async () => {
  const spans = await spansOf('/fine');
  expect(paths).toEqual(['/v1/traces']);
  expect([...spans.keys()].toSorted()).toEqual(['HTTP GET', 'chat m-1', 'duckdb statement', 'toy.ask']);
  const request = spans.get('HTTP GET');
  const operation = spans.get('toy.ask');
  expect(request?.parentSpanId ?? '').toBe('');
  expect(operation?.parentSpanId).toBe(request?.spanId);
  for (const inner of ['duckdb statement', 'chat m-1']) expect(spans.get(inner)?.parentSpanId).toBe(operation?.spanId);
  expect(new Set([...spans.values()].map(({ traceId }) => traceId)).size).toBe(1);
  expect(attribute(request, 'http.response.status_code')).toBe(200);
  expect(attribute(spans.get('chat m-1'), 'gen_ai.usage.output_tokens')).toBe(3);
});

test('a traceparent is continued', async () => {
  const traceparent = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';
  const request = (await spansOf('/fine', { traceparent, tracestate: 'a=1' })).get('HTTP GET');
  expect(request).toMatchObject({ traceId: '0af7651916cd43dd8448eb211c80319c', parentSpanId: 'b7ad6b7169203331' });
});

test.each([
  '00-00000000000000000000000000000000-b7ad6b7169203331-01',
  '00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01',
  'ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more',
  '00-0AF7651916CD43DD8448EB211C80319C-B7AD6B7169203331-01',
  'nonsense',
])('%s begins a new trace', async (traceparent) => {
  const request = (await spansOf('/fine', { traceparent })).get('HTTP GET');
  expect(request?.traceId).not.toBe('0af7651916cd43dd8448eb211c80319c');
  expect(request?.parentSpanId ?? '').toBe('');
});

test('failures have their kind, and only internal ones are errors; no message and no user leaves', async () => {
  const spans = await spansOf('/missing');
  expect(attribute(spans.get('toy.ask'), 'error.type')).toBe('NOT_FOUND');
  expect(spans.get('toy.ask')?.status?.code ?? 0).toBe(0);
  expect(JSON.stringify(received)).not.toContain('ann.secret');
});

test('an internal error is an error of the span and of the request', async () => {
  const spans = await spansOf('/bug');
  expect(spans.get('toy.ask')?.status?.code).toBe(2);
  expect(spans.get('HTTP GET')?.status?.code).toBe(2);
  expect(JSON.stringify(received)).not.toContain('ann.secret');
});

test.each([
  ['', {}, false],
  ['http://c:4318', {}, true],
  ['', { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://c:4318' }, true],
  ['', { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://c:4318/v1/traces' }, true],
  ['', { OTEL_EXPORTER_OTLP_ENDPOINT: '' }, false],
  ['http://c:4318', { OTEL_SDK_DISABLED: 'true' }, false],
])('with the setting %j and %j traces are made: %j', (setting, environment, expected) => {
  expect(isTracingEnabled(setting, environment)).toBe(expected);
});
