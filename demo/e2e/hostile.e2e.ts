/**
 * Tests hostile requests: whatever a body, an address or a typed call contains, the process still answers others. The
 * process itself measures how long the event loop is blocked. A request counts only after a second try, because a busy
 * machine sometimes blocks the loop, too.
 */
import { spawnSync } from 'node:child_process';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MAX_FILTER_VALUES } from '../../plugins/semantic/limits.ts';
import { type Hostile, hostileRequests, listOperations, type Operation } from './hostile/catalogue.ts';
import { type Product, startProduct } from './product.ts';

/**
 * Maximum milliseconds that the loop may be blocked; 50 on a quiet machine. Waiting for a processor is subtracted, but
 * busy cores are still slower, because they share caches and memory.
 */
const MAX_HELD_MS = 200;
const ATTEMPTS = 4;
const MAX_ANSWER_BYTES = 1_000_000;
const MAX_GROWTH_BYTES = 200 * 1024 * 1024;

let product: Product;
let authorization: string;
let operations: readonly Operation[];
const socket = join(tmpdir(), `loop-delay-${process.pid}.sock`);

interface Measured {
  readonly heldMillis: number;
  readonly residentBytes: number;
}

function measured(): Promise<Measured> {
  return new Promise((resolve, reject) => {
    let text = '';
    createConnection(socket)
      .on('data', (chunk) => (text += chunk.toString()))
      .on('end', () => resolve(JSON.parse(text)))
      .on('error', reject);
  });
}

async function send({ method, path, body }: Hostile): Promise<{ readonly status: number; readonly text: string }> {
  const response = await fetch(product.url + path, {
    method,
    headers: {
      authorization,
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body }),
  });
  return { status: response.status, text: await response.text() };
}

/** Sends a request and describes its fault; undefined without one. */
async function findFault(request: Hostile): Promise<string | undefined> {
  let held = Number.POSITIVE_INFINITY;
  for (let attempt = 0; attempt < ATTEMPTS && held > MAX_HELD_MS; attempt++) {
    const before = await measured();
    const { status, text } = await send(request);
    const after = await measured();
    held = Math.min(held, after.heldMillis);
    if (status >= 500) return `answered ${status}: ${text.slice(0, 200)}`;
    if (request.expectedStatus !== undefined && status !== request.expectedStatus)
      return `answered ${status} instead of ${request.expectedStatus}: ${text.slice(0, 200)}`;
    if (status >= 400 && text.length > MAX_ANSWER_BYTES)
      return `an answer of ${text.length} bytes with status ${status}`;
    if (after.residentBytes - before.residentBytes > MAX_GROWTH_BYTES)
      return `${Math.round((after.residentBytes - before.residentBytes) / 2 ** 20)} MB more memory`;
  }
  return held > MAX_HELD_MS ? `held the event loop for ${Math.round(held)} ms` : undefined;
}

async function findFaults(requests: readonly Hostile[]): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const request of requests) {
    const fault = await findFault(request);
    if (fault !== undefined) faults.push(`${request.method} ${request.path.slice(0, 80)} (${request.what}): ${fault}`);
  }
  return faults;
}

let cubeRequest: Readonly<Record<string, unknown>>;
let semanticRequest: Readonly<Record<string, unknown>>;

async function json(path: string) {
  const { status, text } = await send({ what: path, method: 'GET', path });
  expect([status, path]).toEqual([200, path]);
  return JSON.parse(text);
}

/** Creates a body that the operation accepts, where the schema allows one. The catalogue inserts its values into it. */
function goodBody({ name, body }: Operation): Readonly<Record<string, unknown>> {
  const members = Object.keys((body?.properties as object | undefined) ?? {});
  if (members.includes('changes')) return { query: cubeRequest, changes: [{ measure: 'x', value: 1 }] };
  if (members.includes('measures')) return cubeRequest;
  if (members.includes('query')) return { query: semanticRequest };
  if (members.includes('rows')) return semanticRequest;
  if (name === 'repository.write')
    return { version: 1, title: 't', source: { surface: 'semantic', request: semanticRequest } };
  return {};
}

beforeAll(async () => {
  const preload = pathToFileURL(join(import.meta.dirname, 'hostile/loop-delay.mjs')).href;
  product = await startProduct({
    environment: {
      NODE_OPTIONS: `--import ${preload}`,
      LOOP_DELAY_SOCKET: socket,
      // Billing is on without anything to buy, so that its requests are read and none leaves the process.
      STRIPE_SECRET_KEY: 'sk_test_hostile',
      STRIPE_WEBHOOK_SECRET: 'whsec_hostile',
      SERVICE_BILLING_ENDPOINT: 'http://127.0.0.1:9',
      // Otherwise all but the first sixty requests of a minute would be refused before they are read.
      SERVICE_RATELIMIT_STARTER: '0/0',
    },
  });
  const made = spawnSync(
    process.execPath,
    [
      'dist/service.js',
      'api-key',
      'create',
      '--home',
      product.home,
      '--label',
      'hostile',
      '--role',
      'ROLE_ADMIN',
      '--json',
    ],
    { encoding: 'utf8' },
  );
  authorization = `Bearer ${JSON.parse(made.stdout).key}`;
  operations = listOperations(await json('/rest/service/api/openapi.json'));
  const [cube] = await json('/rest/service/api/ai/cubes');
  const cubeSchema = await json(`/rest/service/api/ai/schema/${cube.cubeId}`);
  const [model] = await json('/rest/service/api/ai/semantic/models');
  const modelSchema = await json(`/rest/service/api/ai/semantic/schema/${model.connectionName}/${model.modelName}`);
  cubeRequest = cubeSchema.examples[Object.keys(cubeSchema.examples)[0] ?? ''].body;
  semanticRequest = modelSchema.examples.simpleGroupBy.body;
});

afterAll(() => product.stop());

describe('hostile requests', () => {
  it('the measure sees a blocked loop', async () => {
    const { heldMillis } = await measured();
    expect(heldMillis).toBeGreaterThan(0);
  });

  it('a semantic query with the greatest number of values is answered', async () => {
    const [field] = semanticRequest.rows as readonly object[];
    const values = Array.from({ length: MAX_FILTER_VALUES / 2 }, (_, index) => `${'unknown '.repeat(10)}${index}`);
    const filter = { ...field, op: 'IN', values };
    const ask = (filters: readonly object[], expectedStatus: number) => ({
      what: `${filters.length} lists of ${values.length} values`,
      method: 'POST',
      path: '/rest/service/api/ai/semantic/query',
      body: JSON.stringify({ ...semanticRequest, filters }),
      expectedStatus,
    });
    expect(await findFaults([ask([filter, filter], 200), ask([filter, filter, filter], 400)])).toEqual([]);
  });

  it('a profile of hundreds of identical tables gets a proposal', async () => {
    const column = (name: string, distinctApprox: number) => ({
      name,
      type: 'BIGINT',
      nullable: false,
      distinctApprox,
      sampleValues: [],
    });
    const profile = {
      databaseProductName: 'DuckDB',
      databaseProductVersion: '1',
      sampledAt: '2026-01-01T00:00:00Z',
      sampleDurationMillis: 1,
      sampleCostUsd: 0,
      tables: Array.from({ length: 500 }, (_, table) => ({
        schema: 's',
        name: `entity_${table}_detail`,
        rowCount: 1_000,
        columns: Array.from({ length: 30 }, (_each, index) =>
          index === 0 ? column(`entity_${table}_id`, 1_000) : column(`field_${index}_id`, 300),
        ),
      })),
    };
    const request = { what: 'alike tables', method: 'POST', path: '/me/inference/propose' };
    expect(await findFaults([{ ...request, body: JSON.stringify({ profile }), expectedStatus: 200 }])).toEqual([]);
  });

  it('leave every operation answering', async () => {
    expect(operations.length).toBeGreaterThan(30);
    const faults: string[] = [];
    for (const operation of operations)
      faults.push(...(await findFaults(hostileRequests(operation, goodBody(operation)))));
    expect(faults).toEqual([]);
  }, 900_000);
});
