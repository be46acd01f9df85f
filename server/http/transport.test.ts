/** Tests failures before any operation: each is the caller's mistake, has its status, and is no internal error. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { standardErrorFormat } from '../../router/error-body.ts';
import { MAX_BATCH_CALLS } from '../../router/limits.ts';
import { documented, operation, operations } from '../../router/operation.ts';
import { plugin } from '../../router/plugin.ts';
import { isHeld, longestHold } from '../../router/testing/loop-delay.ts';
import type { StateStore } from '../state/index.ts';
import type { OpenPort } from './port.ts';
import { serve, startIdentity } from './testing/serve.ts';

/** The length of the longest answers of the query surfaces. */
const LONG = {
  records: Array.from({ length: 100_000 }, (_, at) => ({
    city: `Città "${at}"`,
    net: { value: at / 3, formatted: `${at}` },
  })),
};

const toy = plugin({
  name: 'toy',
  title: 'Toy',
  errorFormat: standardErrorFormat,
  router: operations({
    echo: operation({
      summary: 'Echo',
      access: 'public',
      rest: { method: 'POST', path: '/toy/echo', body: '*', query: ['at'] },
    })
      .input(z.strictObject({ value: z.unknown(), at: z.string().optional() }))
      .output(z.unknown())
      .mutation(({ input }) => ({ value: input.value })),
    long: operation({ summary: 'A long answer', access: 'public', rest: { method: 'GET', path: '/toy/long' } })
      .output(documented(z.unknown()))
      .query(() => LONG),
    read: operation({ summary: 'Read', access: 'public', rest: { method: 'GET', path: '/toy/read/{name}' } })
      .input(z.strictObject({ name: z.string() }))
      .output(z.unknown())
      .query(({ input }) => input),
  }),
});

const TRPC = '/rest/service/api/trpc';
const JSON_TYPE = { 'content-type': 'application/json' };
let folder: string;
let state: StateStore;
let host: OpenPort;
let logged: readonly string[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'service-transport-'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>home</title>');
  const started = await startIdentity(folder, 'a password for this test');
  state = started.state;
  const served = await serve([toy], { folder, ...started });
  host = served;
  logged = served.errors;
});

afterAll(async () => {
  await host.stop(100);
  await state.close();
  rmSync(folder, { recursive: true, force: true });
});

interface Got {
  readonly status: number | undefined;
  readonly headers: NodeJS.Dict<string | readonly string[]>;
  readonly body: string;
}

/** Sends the path unchanged: fetch would normalize it. */
function send(
  method: string,
  path: string,
  headers: Readonly<Record<string, string>> = {},
  body?: string,
): Promise<Got> {
  return new Promise((resolve, reject) => {
    request({ host: '127.0.0.1', port: host.port, method, path, headers }, (response) => {
      const chunks: Buffer[] = [];
      response
        .on('data', (chunk: Buffer) => void chunks.push(chunk))
        .on('end', () => {
          const body = Buffer.concat(chunks).toString();
          resolve({ status: response.statusCode, headers: response.headers, body });
        });
    })
      .on('error', reject)
      .end(body);
  });
}

describe('the typed client’s calls keep their status', () => {
  const deep = `{"value":${'['.repeat(60)}${']'.repeat(60)}}`;
  const batch = (calls: number) => `${TRPC}/${Array(calls).fill('toy.echo').join(',')}?batch=1`;
  const inputs = (calls: number) => JSON.stringify(Object.fromEntries(Array(calls).fill({ value: 1 }).entries()));
  test.each([
    [
      'a reading operation called to change',
      'POST',
      `${TRPC}/toy.read`,
      JSON_TYPE,
      '{"name":"a"}',
      405,
      'METHOD_NOT_ALLOWED',
    ],
    ['a changing operation read', 'GET', `${TRPC}/toy.echo`, {}, undefined, 405, 'METHOD_NOT_ALLOWED'],
    [
      'a body that is too large',
      'POST',
      `${TRPC}/toy.echo`,
      JSON_TYPE,
      `{"value":"${'x'.repeat(3_000)}"}`,
      413,
      'BODY_TOO_LARGE',
    ],
    [
      'a body of another type',
      'POST',
      `${TRPC}/toy.echo`,
      { 'content-type': 'text/plain' },
      '{}',
      415,
      'UNSUPPORTED_MEDIA_TYPE',
    ],
    ['a body that is no JSON', 'POST', `${TRPC}/toy.echo`, JSON_TYPE, '{"value":', 400, 'MALFORMED_BODY'],
    [
      'an input in the address that is no JSON',
      'GET',
      `${TRPC}/toy.read?input=%7B`,
      {},
      undefined,
      400,
      'MALFORMED_BODY',
    ],
    ['a body that nests too deep', 'POST', `${TRPC}/toy.echo`, JSON_TYPE, deep, 400, 'MALFORMED_BODY'],
    [
      'an input in the address that nests 5,000 deep',
      'GET',
      `${TRPC}/toy.read?input=${'['.repeat(5_000)}${']'.repeat(5_000)}`,
      {},
      undefined,
      400,
      'MALFORMED_BODY',
    ],
    [
      'a batch of too many calls',
      'POST',
      batch(MAX_BATCH_CALLS + 1),
      JSON_TYPE,
      inputs(MAX_BATCH_CALLS + 1),
      400,
      'MALFORMED_BODY',
    ],
    ['__proto__ as a member', 'POST', `${TRPC}/toy.echo`, JSON_TYPE, '{"value":1,"__proto__":{}}', 400, 'VALIDATION'],
    ['an operation that is not there', 'GET', `${TRPC}/toy.nothing`, {}, undefined, 404, 'NOT_FOUND'],
  ] as const)('%s', async (_what, method, path, headers, body, status, kind) => {
    const before = logged.length;
    const got = await send(method, path, headers, body);
    expect(got.status).toBe(status);
    const answer: unknown = JSON.parse(got.body);
    const [one] = Array.isArray(answer) ? answer : [answer];
    expect(one).toMatchObject({ error: { data: { kind, httpStatus: status } } });
    expect(logged.slice(before)).toEqual([]);
  });

  test('a batch of as many calls as the client sends is answered completely', async () => {
    const { status, body } = await send('POST', batch(MAX_BATCH_CALLS), JSON_TYPE, inputs(MAX_BATCH_CALLS));
    expect(status).toBe(200);
    expect(JSON.parse(body)).toEqual(Array(MAX_BATCH_CALLS).fill({ result: { data: { value: 1 } } }));
  });

  test('a number that no double represents arrives exactly', async () => {
    const { body } = await send('POST', `${TRPC}/toy.echo`, JSON_TYPE, '{"value":9007199254740993}');
    expect(JSON.parse(body)).toEqual({ result: { data: { value: '9007199254740993' } } });
  });
});

describe('a long answer of a typed call', () => {
  test("equals tRPC's own output, beside a short answer, and does not block the event loop", async () => {
    const answers = [{ result: { data: LONG } }, { result: { data: { name: 'a' } } }, { result: { data: LONG } }];
    const path = `${TRPC}/toy.long,toy.read,toy.long?batch=1&input=${encodeURIComponent('{"1":{"name":"a"}}')}`;
    let got: Got | undefined;
    const hold = await longestHold(async () => {
      got = await send('GET', path);
    });
    expect([got?.status, got?.headers['content-type']]).toEqual([200, 'application/json']);
    expect(got?.body === JSON.stringify(answers)).toBe(true);
    expect(hold).not.toSatisfy(isHeld);
  });

  test('is complete where calls are answered line by line', async () => {
    const path = `${TRPC}/toy.long?batch=1`;
    const { status, body } = await send('GET', path, { 'trpc-accept': 'application/jsonl' });
    expect(status).toBe(200);
    expect(body.includes(JSON.stringify(LONG))).toBe(true);
    for (const line of body.split('\n')) if (line !== '') JSON.parse(line);
  });
});

describe('REST', () => {
  test.each(['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf', '__defineGetter__'])(
    '%s is an unknown member',
    async (name) => {
      const { status, body } = await send('POST', '/toy/echo', JSON_TYPE, `{"value":1,"${name}":{"at":"x"}}`);
      expect([status, JSON.parse(body)]).toMatchObject([400, { error: 'VALIDATION_ERROR', field: name }]);
    },
  );

  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'unknown'])(
    'the query-string parameter %s is ignored, like every unknown parameter',
    async (name) => {
      const [plain, other] = [await send('GET', '/toy/read/a'), await send('GET', `/toy/read/a?${name}=x`)];
      expect([other.status, other.body]).toEqual([plain.status, plain.body]);
    },
  );

  test('a body in an encoding that JSON does not have is a 415', async () => {
    const { status } = await send('POST', '/toy/echo', { 'content-type': 'application/json; charset=latin1' }, '{}');
    expect(status).toBe(415);
  });
});

describe('addresses', () => {
  test.each(['/%', '/ui/%', '/ui/%zz', '/ui/a%00b', '/toy/read/%', `${TRPC}/%`, '//', '/?%', '/toy/read/a?name=%'])(
    "%s has an answer in the product's own words",
    async (path) => {
      const before = logged.length;
      const { status, headers, body } = await send('GET', path);
      expect(status).toBeLessThan(500);
      if (status !== 302) expect(JSON.parse(body)).toBeTypeOf('object');
      expect(headers['x-powered-by']).toBeUndefined();
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(logged.slice(before)).toEqual([]);
    },
  );
});
