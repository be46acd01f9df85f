import { beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import type { Caller, TenantId } from '../capabilities/identity.ts';
import { standardErrorFormat } from '../error-body.ts';
import { NotFoundError, RateLimitedError, type ServiceError, ValidationError, WarehouseError } from '../errors.ts';
import { documented, type OperationContext, operation, operations } from '../operation.ts';
import { plugin, routersOf } from '../plugin.ts';
import { Reply } from '../reply.ts';
import { uploadedFile } from './input.ts';
import { type RestAnswer, restAdapter } from './run-rest-call.ts';

const BASE = '/rest/service/api/toy';

/** Declares one operation of each kind that the documented paths need. */
const toy = plugin({
  name: 'toy',
  title: 'Toy',
  errorFormat: standardErrorFormat,
  router: operations({
    cube: operation({
      summary: 'Several segments',
      access: 'public',
      rest: { method: 'GET', path: `${BASE}/schema/{cubeId+}` },
    })
      .input(z.strictObject({ cubeId: z.string() }))
      .output(z.object({ cubeId: z.string() }))
      .query(({ input }) => ({ ...input, secret: 'never leaves' })),
    suggestions: operation({
      summary: 'Several segments with their own end',
      access: 'public',
      rest: { method: 'GET', path: `${BASE}/schema/{cubeId+}/pii-suggestions` },
    })
      .input(z.strictObject({ cubeId: z.string() }))
      .output(z.object({ suggestionsFor: z.string() }))
      .query(({ input }) => ({ suggestionsFor: input.cubeId })),
    query: operation({
      summary: 'Body as one member',
      access: 'user',
      rest: { method: 'POST', path: `${BASE}/query`, query: ['format', 'refresh', 'maxrows'], body: 'request' },
    })
      .input(
        z.strictObject({
          request: z.strictObject({
            rows: z.array(z.strictObject({ field: z.enum(['a', 'b']) })),
            limit: z.number().min(1).optional(),
          }),
          format: z.enum(['records', 'matrix']).default('records'),
          refresh: z.boolean().optional(),
          maxrows: z.number().int().max(10).optional(),
        }),
      )
      .output(documented(z.object({ format: z.string() })))
      .query(({ input }) => {
        if (input.request.limit === 13) throw ValidationError.at(['rows', 0, 'field'], 'unlucky', ['b', 'a']);
        return { format: input.format, refresh: input.refresh, maxrows: input.maxrows };
      }),
    result: operation({
      summary: '202 while running',
      access: 'public',
      rest: {
        method: 'GET',
        path: `${BASE}/result/{id}`,
        status: {
          codes: [200, 202],
          of: (output: { readonly status: string }) => (output.status === 'DONE' ? 200 : 202),
        },
      },
    })
      .input(z.strictObject({ id: z.string() }))
      .output(z.object({ status: z.string() }))
      .query(({ input, ctx }) => {
        ctx.reply.header('Set-Cookie', 'a=1');
        ctx.reply.header('Set-Cookie', 'b=2');
        return { status: input.id === 'done' ? 'DONE' : 'RUNNING' };
      }),
    skill: operation({
      summary: 'Markdown',
      access: 'public',
      rest: {
        method: 'GET',
        path: `${BASE}/skills/{name}`,
        contentType: 'text/markdown; charset=utf-8',
        headers: { 'X-Toy': 'yes' },
      },
    })
      .input(z.strictObject({ name: z.string() }))
      .output(z.string())
      .query(({ input }) => {
        if (input.name === 'none') throw new NotFoundError('There is no such skill.', { available: ['one'] });
        return `# ${input.name}`;
      }),
    file: operation({
      summary: 'Multipart',
      access: 'public',
      rest: { method: 'POST', path: `${BASE}/file`, files: ['file'], body: '*' },
    })
      .input(z.strictObject({ file: uploadedFile, tableTypes: z.string().default('TABLE') }))
      .output(z.object({ name: z.string(), tableTypes: z.string() }))
      .mutation(({ input }) => ({ name: input.file.name, tableTypes: input.tableTypes })),
    broken: operation({ summary: 'Fails', access: 'public', rest: { method: 'GET', path: `${BASE}/broken/{how}` } })
      .input(z.strictObject({ how: z.string() }))
      .output(z.object({ n: z.number() }))
      .query(({ input }) => {
        if (input.how === 'busy') throw new RateLimitedError('Later, please.', { retryAfterSeconds: 30 });
        if (input.how === 'warehouse')
          throw new WarehouseError('The warehouse refused the query.', { cause: new Error('secret sql') });
        if (input.how === 'output') return { n: 'not a number' } as unknown as { n: number };
        throw new Error('a stack trace with /secret/path');
      }),
    drop: operation({
      summary: 'Deletes',
      access: 'administrator',
      rest: { method: 'DELETE', path: `${BASE}/things/{id}` },
    })
      .input(z.strictObject({ id: z.string() }))
      .output(z.object({ status: z.literal('OK') }))
      .mutation(() => ({ status: 'OK' as const })),
  }),
});

const user = (via: 'session' | 'basic' | 'api-key', roles = ['ROLE_USER']): Caller => ({
  kind: 'user',
  via,
  tenant: 't' as TenantId,
  user: 'ann',
  roles,
});

const errors: ServiceError[] = [];
const adapter = restAdapter({
  router: operations(routersOf([toy])),
  plugins: [toy],
  onError: (_route, error) => errors.push(error),
});

interface Call {
  readonly body?: unknown;
  readonly caller?: Caller;
  readonly csrf?: boolean;
  readonly files?: Record<string, { name: string; size: number; path: string }>;
}

async function call(method: string, url: string, { body, caller, csrf, files }: Call = {}): Promise<RestAnswer> {
  const { pathname, searchParams } = new URL(url, 'http://localhost');
  const lookup = adapter.lookup(method, pathname);
  if (!lookup.isFound) throw new Error(`no route for ${url}, only ${lookup.allowed.join()}`);
  const context: OperationContext = {
    caller: caller ?? { kind: 'anonymous' },
    csrfVerified: csrf ?? false,
    jsonBody: true,
    embedToken: undefined,
    address: '127.0.0.1',
    secure: false,
    requestId: 'r',
    cookies: {},
    reply: new Reply(),
  };
  const signal = new AbortController().signal;
  return adapter.call({ ...lookup, query: searchParams, body, files: files ?? {}, context, signal });
}

beforeEach(() => errors.splice(0));

describe('paths', () => {
  test('a parameter of several segments keeps its slashes, and each segment is decoded separately', async () => {
    const answer = await call('GET', `${BASE}/schema/shop/cat%20one/sch/Sales%20%26%20Co`);
    expect(answer).toMatchObject({ status: 200, body: { cubeId: 'shop/cat one/sch/Sales & Co' } });
  });

  test('a longer template is preferred to a parameter that would match its last segment', async () => {
    const answer = await call('GET', `${BASE}/schema/c/d/e/f/pii-suggestions`);
    expect(answer.body).toEqual({ suggestionsFor: 'c/d/e/f' });
  });

  test.each([`${BASE}/schema/`, `${BASE}/schema`, `${BASE}/schema/%E0%A4%A`, `${BASE}/nowhere`])(
    'no operation is at %s',
    (path) => {
      expect(adapter.lookup('GET', path)).toEqual({ isFound: false, allowed: [] });
    },
  );

  test('another method at an existing path is answered with the allowed method', () => {
    expect(adapter.lookup('GET', `${BASE}/query`)).toEqual({ isFound: false, allowed: ['POST'] });
  });

  test('two operations at one address stop the start', () => {
    const twin = { ...toy, name: 'twin' };
    expect(() => restAdapter({ router: operations({}), plugins: [toy, twin], onError: () => {} })).toThrow(
      /are both at/,
    );
  });
});

describe('input', () => {
  const caller = user('api-key');

  test('the body fills its member, and query parameters are converted to the types of their members', async () => {
    const answer = await call('POST', `${BASE}/query?format=matrix&refresh=true&maxrows=7`, {
      body: { rows: [{ field: 'a' }] },
      caller,
    });
    expect(answer.body).toEqual({ format: 'matrix', refresh: true, maxrows: 7 });
  });

  test('a wrong member is reported with its path in the body and the candidates', async () => {
    const answer = await call('POST', `${BASE}/query`, { body: { rows: [{ field: 'a' }, { field: 'c' }] }, caller });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ error: 'VALIDATION_ERROR', field: 'rows[1].field', available: ['a', 'b'] });
  });

  test('an unknown member is reported with its name', async () => {
    const answer = await call('POST', `${BASE}/query`, { body: { rows: [], sql: 'drop' }, caller });
    expect(answer.body).toMatchObject({ error: 'VALIDATION_ERROR', field: 'sql' });
  });

  test('an unknown member is answered with the legal members, nearest first', async () => {
    const top = await call('POST', `${BASE}/query`, { body: { rows: [], limits: 3 }, caller });
    expect(top.body).toEqual({
      error: 'VALIDATION_ERROR',
      field: 'limits',
      message: 'There is no member "limits" here.',
      available: ['limit', 'rows'],
    });
    const within = await call('POST', `${BASE}/query`, { body: { rows: [{ field: 'a', feld: 1 }] }, caller });
    expect(within.body).toMatchObject({ field: 'rows[0].feld', available: ['field'] });
  });

  test('members of the path, the query or a file are not suggested as members of the body', async () => {
    const file = { name: 'x.csv', size: 3, path: '/tmp/x' };
    const answer = await call('POST', `${BASE}/file`, { body: { tableType: 'VIEW' }, files: { file } });
    expect(answer.body).toMatchObject({ field: 'tableType', available: ['tableTypes'] });
  });

  test('a query parameter that is not a number is refused by name', async () => {
    const answer = await call('POST', `${BASE}/query?maxrows=many`, { body: { rows: [] }, caller });
    expect(answer.body).toMatchObject({ error: 'VALIDATION_ERROR', field: 'maxrows' });
  });

  test('an error of the handler keeps its path', async () => {
    const answer = await call('POST', `${BASE}/query`, { body: { rows: [], limit: 13 }, caller });
    expect(answer.body).toEqual({
      error: 'VALIDATION_ERROR',
      field: 'rows[0].field',
      message: 'unlucky',
      available: ['b', 'a'],
    });
  });

  test('a missing body is reported as missing', async () => {
    expect(await call('POST', `${BASE}/query`, { caller })).toMatchObject({
      status: 400,
      body: { error: 'MALFORMED_BODY' },
    });
  });

  test('a multipart request has files and fields, and a field cannot pose as a file', async () => {
    const file = { name: 'x.csv', size: 3, path: '/tmp/x' };
    expect((await call('POST', `${BASE}/file`, { body: { tableTypes: 'VIEW' }, files: { file } })).body).toEqual({
      name: 'x.csv',
      tableTypes: 'VIEW',
    });
    expect(await call('POST', `${BASE}/file`, { body: { file } })).toMatchObject({
      status: 400,
      body: { field: 'file' },
    });
  });
});

describe('answers', () => {
  test('an output contains only the members of its schema', async () => {
    expect((await call('GET', `${BASE}/schema/x`)).body).toEqual({ cubeId: 'x' });
  });

  test('the output decides between 202 (running) and 200 (done); a header may repeat', async () => {
    const running = await call('GET', `${BASE}/result/r`);
    expect(running.status).toBe(202);
    expect(running.headers).toEqual([
      ['Set-Cookie', 'a=1'],
      ['Set-Cookie', 'b=2'],
    ]);
    expect((await call('GET', `${BASE}/result/done`)).status).toBe(200);
  });

  test('Markdown is text with its content type; fixed headers are on successes and on errors', async () => {
    const answer = await call('GET', `${BASE}/skills/one`);
    expect(answer).toMatchObject({
      body: '# one',
      contentType: 'text/markdown; charset=utf-8',
      headers: [['X-Toy', 'yes']],
    });
    const missing = await call('GET', `${BASE}/skills/none`);
    expect(missing).toMatchObject({
      status: 404,
      headers: [['X-Toy', 'yes']],
      body: { error: 'NOT_FOUND', available: ['one'] },
    });
  });

  test('an error with a time to retry has the header Retry-After', async () => {
    const answer = await call('GET', `${BASE}/broken/busy`);
    expect(answer).toMatchObject({ status: 429, headers: [['Retry-After', '30']], body: { error: 'RATE_LIMITED' } });
  });

  test.each([
    ['bug', 500, 'EXECUTION_ERROR'],
    ['output', 500, 'EXECUTION_ERROR'],
    ['warehouse', 502, 'WAREHOUSE_ERROR'],
  ])('a failure of kind %s reveals nothing internal', async (how, status, code) => {
    const answer = await call('GET', `${BASE}/broken/${how}`);
    expect(answer).toMatchObject({ status, body: { error: code } });
    expect(JSON.stringify(answer.body)).not.toMatch(/secret|stack|number/);
    expect(errors).toHaveLength(1);
    expect(errors[0]?.cause).toBeDefined();
  });
});

describe('access', () => {
  const body = { rows: [] };

  test('an anonymous caller of a user operation gets a 401 before the input is checked', async () => {
    expect(await call('POST', `${BASE}/query`, { body: 'nonsense' })).toMatchObject({
      status: 401,
      body: { error: 'UNAUTHENTICATED' },
    });
  });

  test.each(['session', 'basic'] as const)('a write by %s needs the CSRF pair', async (via) => {
    expect(await call('POST', `${BASE}/query`, { body, caller: user(via) })).toMatchObject({
      status: 403,
      body: { error: 'CSRF_REJECTED' },
    });
    expect((await call('POST', `${BASE}/query`, { body, caller: user(via), csrf: true })).status).toBe(200);
  });

  test('a write by API key needs no CSRF pair', async () => {
    expect((await call('POST', `${BASE}/query`, { body, caller: user('api-key') })).status).toBe(200);
  });

  test('a user who calls an administrator operation gets a 403', async () => {
    expect(await call('DELETE', `${BASE}/things/1`, { caller: user('api-key') })).toMatchObject({
      status: 403,
      body: { error: 'FORBIDDEN' },
    });
    expect((await call('DELETE', `${BASE}/things/1`, { caller: user('api-key', ['ROLE_ADMIN']) })).status).toBe(200);
  });
});
