import { describe, expect, test } from 'vitest';
import { type Browser, Client, RequestFailedError, readCsrfToken } from './client.ts';

interface Sent {
  readonly path: string;
  readonly init: RequestInit;
}

function createBrowser(answer: () => Response | Error, cookies = ''): Browser & { readonly sent: Sent[] } {
  const sent: Sent[] = [];
  return {
    sent,
    cookies: () => cookies,
    async fetch(path, init) {
      sent.push({ path, init });
      const response = answer();
      if (response instanceof Error) throw response;
      return response;
    },
  };
}

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}) =>
  () =>
    new Response(JSON.stringify(body), { status, headers });

const readHeaders = (sent: Sent | undefined) => new Headers(sent?.init.headers);

async function catchFailure(request: Promise<unknown>): Promise<RequestFailedError> {
  try {
    await request;
  } catch (error) {
    if (error instanceof RequestFailedError) return error;
    throw error;
  }
  throw new Error('It did not fail.');
}

describe('a call that answers in events', () => {
  const inPieces = (pieces: readonly string[]) => () =>
    new Response(
      new ReadableStream({
        start(controller) {
          for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
          controller.close();
        },
      }),
      { status: 200 },
    );

  test('gives each event once it is complete, whatever pieces it arrives in', async () => {
    const pieces = ['event: thinking\ndata: {"attempt":1}\n', '\nevent: que', 'ry\ndata: {"query":"ü"}\n\n: keep\n\n'];
    const at = createBrowser(inPieces(pieces), 'XSRF-TOKEN=abc');
    const events: unknown[] = [];
    for await (const event of new Client(at).postForEvents('/ask', { question: 'q' })) events.push(event);
    expect(events).toEqual([
      { event: 'thinking', data: { attempt: 1 } },
      { event: 'query', data: { query: 'ü' } },
    ]);
    expect(readHeaders(at.sent[0]).get('X-XSRF-TOKEN')).toBe('abc');
    expect(at.sent[0]?.init.body).toBe('{"question":"q"}');
  });

  test.each([
    ['before the first event', json(400, { error: 'VALIDATION_ERROR', message: 'No.', field: 'question' })],
    [
      'among them',
      inPieces([
        'event: thinking\ndata: {}\n\n',
        'event: error\ndata: {"error":"X","message":"No.","field":"question"}\n\n',
      ]),
    ],
  ])('throws an error %s', async (_, answer) => {
    const client = new Client(createBrowser(answer));
    const read = async () => {
      for await (const { event } of client.postForEvents('/ask', {})) expect(event).toBe('thinking');
    };
    expect(await catchFailure(read())).toMatchObject({ message: 'No.', field: 'question' });
  });
});

describe('a reading call', () => {
  test('asks for JSON, so that the server does not challenge with a password box', async () => {
    const at = createBrowser(json(200, [1]));
    expect(await new Client(at).get('/list', (value) => value)).toEqual([1]);
    expect(at.sent[0]?.path).toBe('/list');
    expect(at.sent[0]?.init.method).toBe('GET');
    expect(readHeaders(at.sent[0]).get('Accept')).toBe('application/json');
    expect(at.sent[0]?.init.credentials).toBe('same-origin');
  });

  test('does not carry the CSRF token', async () => {
    const at = createBrowser(json(200, {}), 'XSRF-TOKEN=abc');
    await new Client(at).get('/x', () => undefined);
    expect(readHeaders(at.sent[0]).has('X-XSRF-TOKEN')).toBe(false);
  });
});

test('a call while an administrator views as somebody says so, in letters of headers', async () => {
  const at = createBrowser(json(200, []));
  const client = new Client(at);
  await client.get('/list', (value) => value);
  client.viewAs = { role: 'ROLE_SALES', attributes: { regions: ['Süd'] } };
  await client.post('/query', {}, (value) => value);
  expect(readHeaders(at.sent[0]).has('X-Service-View-As')).toBe(false);
  const text = readHeaders(at.sent[1]).get('X-Service-View-As') ?? '';
  expect(text).toMatch(/^[ -~]+$/);
  expect(JSON.parse(text)).toEqual({ role: 'ROLE_SALES', attributes: { regions: ['Süd'] } });
});

describe('a writing call', () => {
  test('repeats the CSRF cookie in the header and sends JSON', async () => {
    const at = createBrowser(json(200, {}), 'theme=dark; XSRF-TOKEN=a%3Db.c; other=1');
    await new Client(at).post('/refresh', { all: true }, () => undefined);
    const headers = readHeaders(at.sent[0]);
    expect(at.sent[0]?.init.method).toBe('POST');
    expect(headers.get('X-XSRF-TOKEN')).toBe('a=b.c');
    expect(headers.get('Accept')).toBe('application/json');
    expect(headers.get('Content-Type')).toBe('application/json');
    expect(at.sent[0]?.init.body).toBe('{"all":true}');
  });

  test('without a cookie and a body sends neither header', async () => {
    const at = createBrowser(() => new Response(null, { status: 204 }));
    expect(await new Client(at).post('/logout', undefined, (value) => value)).toBeUndefined();
    expect(readHeaders(at.sent[0]).has('X-XSRF-TOKEN')).toBe(false);
    expect(readHeaders(at.sent[0]).has('Content-Type')).toBe(false);
    expect(at.sent[0]?.init.body).toBeUndefined();
  });
});

test('a deleting call repeats the CSRF cookie too, and has no body', async () => {
  const at = createBrowser(json(200, { status: 'OK' }), 'XSRF-TOKEN=abc');
  await new Client(at).delete('/tokens/1', () => undefined);
  expect(at.sent[0]?.init.method).toBe('DELETE');
  expect(readHeaders(at.sent[0]).get('X-XSRF-TOKEN')).toBe('abc');
  expect(at.sent[0]?.init.body).toBeUndefined();
});

describe('a failure', () => {
  test("shows the server's message", async () => {
    const failure = await catchFailure(
      new Client(createBrowser(json(403, { error: 'FORBIDDEN', message: 'Ask an administrator.' }))).get('/x', String),
    );
    expect(failure.message).toBe('Ask an administrator.');
    expect([failure.status, failure.code]).toEqual([403, 'FORBIDDEN']);
  });

  test('contains the time to wait', async () => {
    const failure = await catchFailure(
      new Client(createBrowser(json(429, {}, { 'Retry-After': '90' }))).post('/login', {}, String),
    );
    expect(failure.retryAfterSeconds).toBe(90);
  });

  test("that is a proxy's page is reported by its status", async () => {
    const failure = await catchFailure(
      new Client(createBrowser(() => new Response('<h1>Bad gateway</h1>', { status: 502 }))).get('/x', String),
    );
    expect(failure.message).toBe('The server answered with status 502.');
  });

  test('to reach the server is reported', async () => {
    const failure = await catchFailure(
      new Client(createBrowser(() => new TypeError('fetch failed'))).get('/x', String),
    );
    expect(failure.status).toBeUndefined();
    expect(failure.message).toContain('cannot be reached');
  });

  test('of a success that is not JSON is a failure, too', async () => {
    const failure = await catchFailure(
      new Client(createBrowser(() => new Response('<!doctype html>', { status: 200 }))).get('/x', String),
    );
    expect(failure.message).toContain('not JSON');
  });

  test('of an aborted call stays an abort', async () => {
    const stop = new AbortController();
    stop.abort();
    const aborted = new Error('aborted');
    await expect(new Client(createBrowser(() => aborted)).get('/x', String, stop.signal)).rejects.toBe(aborted);
  });
});

describe('the CSRF cookie', () => {
  test('is matched by its whole name', () => {
    expect(readCsrfToken('MY-XSRF-TOKEN=no; XSRF-TOKEN=yes')).toBe('yes');
    expect(readCsrfToken('XSRF-TOKEN2=no')).toBeUndefined();
    expect(readCsrfToken('')).toBeUndefined();
  });

  test('may contain equal signs and a stray percent sign', () => {
    expect(readCsrfToken('XSRF-TOKEN=a=b%')).toBe('a=b%');
  });
});
