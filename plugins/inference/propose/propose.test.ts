/** Tests proposals by rules, and by a stand-in for a language model. Numbers are computed by hand. */
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { TenantId, UserCaller } from '../../../router/capabilities/identity.ts';
import type { Llm } from '../../../router/capabilities/llm.ts';
import type { Repository } from '../../../router/capabilities/repository.ts';
import { NO_LINKS } from '../../../router/testing/no-links.ts';
import { type RestCall, restClient } from '../../../router/testing/rest-client.ts';
import { silentLog } from '../../../router/testing/silent-log.ts';
import { openFileImport } from '../../../server/file-import/open-file-import.ts';
import { llmMigrations, openLlm } from '../../../server/llm/index.ts';
import { type Reply, type StandIn, standIn } from '../../../server/llm/testing/stand-in.ts';
import { openRepository } from '../../../server/repository/index.ts';
import { openState, type StateStore } from '../../../server/state/index.ts';
import { openVault } from '../../../server/vault/vault.ts';
import { startWarehouse, type TestWarehouse } from '../../../server/warehouse/testing/engines.ts';
import { inference } from '../index.ts';
import { acceptingRegistry } from '../testing/registry.ts';

const caller: UserCaller = {
  kind: 'user',
  via: 'api-key',
  tenant: 'tenant-1' as TenantId,
  user: 'api-key:1',
  roles: ['ROLE_ADMIN'],
};
const of = (tenant: string): UserCaller => ({ ...caller, tenant: tenant as TenantId });

const SHOP = [
  'CREATE TABLE customers (customer_id INTEGER, email VARCHAR, city VARCHAR, country VARCHAR)',
  "INSERT INTO customers SELECT range, 'c' || range || '@mail.example', 'City ' || (range % 12), 'Country ' || (range % 3) FROM range(1, 121)",
  'CREATE TABLE orders (order_id INTEGER, customer_id INTEGER, placed DATE, amount DECIMAL(10,2), channel VARCHAR)',
  "INSERT INTO orders SELECT range, 1 + range % 120, DATE '2023-01-01' + CAST(range % 730 AS INTEGER), (range % 100) + 0.5, CASE range % 2 WHEN 0 THEN 'web' ELSE 'shop' END FROM range(1, 2001)",
  // Ten thousand million rows to look at.
  'CREATE VIEW slow AS SELECT (a.range * b.range) % 7 AS n FROM range(100000) a, range(100000) b WHERE (a.range + b.range) % 3 = 1',
];
/** Sum of (n mod 100) + 0.5 over n = 1 … 2000: twenty times 0 + … + 99, and 2000 halves. */
const TOTAL = 20 * 4950 + 1000;

const PROPOSAL = {
  schemaName: 'Shop',
  cubes: [
    {
      name: 'Orders',
      factTableSchema: 'main',
      factTableName: 'orders',
      measures: [{ name: 'Amount', column: 'amount', aggregator: 'sum' }],
      dimensions: [
        {
          name: 'Customer',
          foreignKey: 'customer_id',
          tableSchema: 'main',
          tableName: 'customers',
          primaryKey: 'customer_id',
          // As many countries as the customers of this shop have.
          levels: [{ name: 'Country', column: 'country', type: 'String', uniqueMembers: true, members: 3 }],
        },
      ],
    },
  ],
};

const EMAIL = { tableSchema: 'main', tableName: 'customers', column: 'email' };
/** The proposal with what the detectors find in its tables. */
const MARKED = { ...PROPOSAL, cubes: PROPOSAL.cubes.map((cube) => ({ ...cube, personal: [EMAIL] })) };

let state: StateStore;
let datasources: Awaited<ReturnType<typeof acceptingRegistry>>;
let repository: Repository;
let folder: string;
let shop: TestWarehouse;
let now = Date.UTC(2026, 4, 10);
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'service-propose-'));
  state = await openState({ url: undefined, sqliteFile: join(folder, 'state.sqlite'), log: silentLog });
  datasources = await acceptingRegistry(join(folder, 'datasources'));
  repository = await openRepository({ directory: join(folder, 'repository'), defaultTenant: 'tenant-1' as TenantId });
  await state.migrate({ llm: llmMigrations });
  shop = await startWarehouse('duckdb', SHOP);
});
afterAll(async () => {
  await shop.stop();
  await datasources.registry.close();
  await state.close();
  rmSync(folder, { recursive: true });
});

async function surface(llm?: Llm, isSampled = false) {
  const plugin = inference({
    rateLimits: { take: async () => {} },
    llm,
    isSampled,
    warehouses: shop.warehouses,
    links: NO_LINKS,
    files: openFileImport({ log: silentLog, memoryBytes: 512_000_000, threads: 2, timeoutMs: 60_000 }),
    vault: openVault(randomBytes(32)),
    state,
    clock: () => now,
    log: silentLog,
    registryOf: async () => datasources.registry,
    marksOf: async () => [],
    repository,
    uploads: {
      directoryOf: async (of) => join(folder, 'imports', of),
      locationOf: (file) => file,
      fileOf: (location) => location,
    },
    directory: folder,
    explainsFailures: () => false,
    refusesLocation: async () => false,
  });
  await state.migrate({ inference: plugin.migrations ?? {} });
  const client = restClient(plugin);
  return async (request: string, options: RestCall = {}) => {
    const answer = await client.call(request, { caller, ...options });
    // biome-ignore lint/suspicious/noExplicitAny: a test reads the answer as a caller does.
    return answer as Omit<typeof answer, 'body'> & { body: any };
  };
}

let names = 0;
async function connected(call: Awaited<ReturnType<typeof surface>>, as: UserCaller = caller) {
  const { body: added } = await call('POST /me/connections', {
    caller: as,
    body: { name: `shop ${names++}`, url: shop.address.jdbcUrl },
  });
  const { body: profile } = await call(`POST /me/inference/profile/connection/${added.id}`, { caller: as });
  return { id: added.id as string, profile };
}

describe('without a language model', () => {
  it('rules propose what answers, and cost nothing', async () => {
    const call = await surface();
    const { id, profile } = await connected(call);
    const { status, body } = await call('POST /me/inference/propose', { body: { profile, intent: 'sales' } });
    expect(status).toBe(200);
    expect(body.usage).toEqual({
      model: 'rules',
      inputTokens: 0,
      outputTokens: 0,
      totalTokens: 0,
      estimatedCostUsd: 0,
      isPricingExact: true,
    });
    expect(body.validation).toEqual({ valid: true, cubeCount: 1, warnings: [] });
    expect(body.summary.joinGraph).toEqual([
      { from: 'orders', to: 'customers', fromColumn: 'customer_id', toColumn: 'customer_id' },
    ]);
    const [{ dimensions, personal }] = body.proposal.cubes;
    expect(JSON.stringify(dimensions)).not.toContain('email');
    expect(personal).toEqual([{ tableSchema: 'main', tableName: 'customers', column: 'email' }]);
    expect(body.schemaXml).not.toContain('email');
    expect(body.detectorFindings.personalData).toMatchObject([{ table: 'customers', column: 'email' }]);
    const answer = await call('POST /me/inference/try-query', {
      body: {
        proposal: body.proposal,
        connectionId: id,
        mdx: 'SELECT {[Measures].[Amount]} ON COLUMNS, [Placed].[Year].Members ON ROWS FROM [Orders]',
      },
    });
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    expect(answer.body.columns).toEqual(['Placed', 'Amount']);
    expect(answer.body.rows.map(([year]: string[]) => year)).toEqual(['2023', '2024']);
    const sum = answer.body.rows.reduce(
      (total: number, [, amount]: string[]) => total + Number(amount?.replaceAll(',', '')),
      0,
    );
    expect(sum).toBe(TOTAL);
    const trace = await call(`GET /me/inference/trace/${body.traceId}`);
    expect(trace).toMatchObject({ status: 200, body: { status: 'success', model: 'rules', traceId: body.traceId } });
    expect((await call(`GET /me/inference/trace/${body.traceId}`, { caller: of('other') })).status).toBe(404);
  });

  it('takes the profile in a member, a long intent and the fact table', async () => {
    const call = await surface();
    const { profile } = await connected(call);
    const wrapped = await call('POST /me/inference/propose', {
      body: { profile: { profile }, intent: 'x'.repeat(5_000) },
    });
    expect(wrapped.status).toBe(200);
    const answer = await call('POST /me/inference/propose', {
      body: { profile, factTable: { schema: 'main', name: 'customers' } },
    });
    expect(answer.body.proposal.cubes.map((cube: { factTableName: string }) => cube.factTableName)).toEqual([
      'customers',
    ]);
    expect(
      await call('POST /me/inference/propose', { body: { profile, factTable: { name: 'nothing' } } }),
    ).toMatchObject({
      status: 400,
      body: { error: 'validation_error', field: 'factTable.name', available: ['customers', 'orders'] },
    });
    expect(await call('POST /me/inference/propose', { body: {} })).toMatchObject({
      status: 400,
      body: { field: 'profile' },
    });
  });

  it.each([
    [{}, 'profile.databaseProductName'],
    [{ tables: [] }, 'profile.databaseProductName'],
    [{ tables: 5 }, 'profile.databaseProductName'],
    [{ profile: {} }, 'profile.profile.databaseProductName'],
    [{ profile: { tables: [] } }, 'profile.profile.databaseProductName'],
  ])('reports what the profile %j lacks, at the place that was meant', async (profile, field) => {
    const call = await surface();
    const { status, body } = await call('POST /me/inference/propose', { body: { profile } });
    expect([status, body.field]).toEqual([400, field]);
  });

  it.each([
    ['schema', (table: Named) => ({ ...table, schema: 'ma\u0000in' }), 'profile.tables[0].schema'],
    ['name', (table: Named) => ({ ...table, name: 'sa\u0007les' }), 'profile.tables[0].name'],
    ['name, as half a character,', (table: Named) => ({ ...table, name: 'sa\ud800les' }), 'profile.tables[0].name'],
    ['name, as none of Unicode,', (table: Named) => ({ ...table, name: 'sa\ufffeles' }), 'profile.tables[0].name'],
    [
      'column',
      (table: Named) => ({ ...table, columns: [{ ...table.columns[0], name: 'a\u0085b' }] }),
      'profile.tables[0].columns[0].name',
    ],
  ])('a control character in a %s of the profile is refused at its place', async (_, broken, field) => {
    const call = await surface();
    const { profile } = await connected(call);
    const [first, ...others] = profile.tables;
    const { status, body } = await call('POST /me/inference/propose', {
      body: { profile: { ...profile, tables: [broken(first), ...others] } },
    });
    expect([status, body.field]).toEqual([400, field]);
  });

  it('names of a profile that are too long for a cube are not a failure of the service', async () => {
    const call = await surface();
    const { profile } = await connected(call);
    const longer = (name: string) => name.padEnd(500, 'x');
    const tables = profile.tables.map((table: Named) => ({
      ...table,
      name: longer(table.name),
      columns: table.columns.map((column) => ({ ...column, name: longer(column.name) })),
    }));
    const { status } = await call('POST /me/inference/propose', { body: { profile: { ...profile, tables } } });
    expect([200, 400]).toContain(status);
  });

  it('a profile without tables has no proposal, and the trace reports it', async () => {
    const call = await surface();
    const { profile } = await connected(call);
    const { status, body } = await call('POST /me/inference/propose', {
      body: { profile: { ...profile, tables: [] } },
    });
    expect(status).toBe(400);
    expect(body).toMatchObject({ error: 'invalid_proposal', kind: 'INVALID_PROPOSAL', traceId: expect.any(String) });
    expect((await call(`GET /me/inference/trace/${body.traceId}`)).body.status).toBe('invalid_proposal');
  });

  it('a trace is purged after 30 days', async () => {
    const call = await surface();
    const { profile } = await connected(call);
    const { body } = await call('POST /me/inference/propose', { body: { profile } });
    const later = now;
    now += 30 * 86_400_000;
    expect((await call(`GET /me/inference/trace/${body.traceId}`)).status).toBe(404);
    await call('POST /me/inference/propose', { body: { profile } });
    const left = await state
      .tables<{ inference_traces: { id: string } }>()
      .selectFrom('inference_traces')
      .select('id')
      .execute();
    expect(left.map(({ id }) => id)).not.toContain(body.traceId);
    now = later;
  });
});

/** What the tests change of a table of a profile. */
interface Named {
  readonly name: string;
  readonly columns: readonly { readonly name: string }[];
}

describe('render', () => {
  it('writes a schema that the cube surface reads', async () => {
    const call = await surface();
    const { status, body } = await call('POST /me/inference/render', { body: PROPOSAL });
    expect(status).toBe(200);
    expect(body.validation).toEqual({ valid: true, cubeCount: 1, warnings: [] });
    expect(body.schemaXml).toContain('<Measure name="Amount" column="amount" aggregator="sum"/>');
    expect(body.summary).toEqual({
      measures: ['Amount'],
      dimensions: ['Customer'],
      joinGraph: [{ from: 'orders', to: 'customers', fromColumn: 'customer_id', toColumn: 'customer_id' }],
    });
  });

  it('keeps names that XML and SQL would read otherwise', async () => {
    const call = await surface();
    const hostile = structuredClone(PROPOSAL);
    const [cube] = hostile.cubes;
    if (cube !== undefined) cube.name = `"><Role name='x'/> & ]`;
    const { body } = await call('POST /me/inference/render', { body: hostile });
    expect(body.schemaXml).not.toContain('<Role');
    expect(body.validation.cubeCount).toBe(1);
  });

  it.each([
    ['nothing', undefined, 'empty_proposal'],
    ['an empty object', {}, 'empty_proposal'],
    ['no schema name', { cubes: PROPOSAL.cubes }, 'invalid_proposal'],
    ['no cubes', { schemaName: 'x', cubes: [] }, 'invalid_proposal'],
    [
      'another aggregator',
      {
        schemaName: 'x',
        cubes: [{ ...PROPOSAL.cubes[0], measures: [{ name: 'a', column: 'b', aggregator: 'median' }] }],
      },
      'invalid_proposal',
    ],
    [
      'a foreign key without a primary key',
      {
        schemaName: 'x',
        cubes: [{ ...PROPOSAL.cubes[0], dimensions: [{ ...PROPOSAL.cubes[0]?.dimensions[0], primaryKey: '' }] }],
      },
      'invalid_proposal',
    ],
    [
      'another table without a foreign key',
      {
        schemaName: 'x',
        cubes: [
          {
            ...PROPOSAL.cubes[0],
            dimensions: [{ ...PROPOSAL.cubes[0]?.dimensions[0], foreignKey: '', primaryKey: '' }],
          },
        ],
      },
      'invalid_proposal',
    ],
    ['two cubes of one name', { schemaName: 'x', cubes: [PROPOSAL.cubes[0], PROPOSAL.cubes[0]] }, 'invalid_proposal'],
  ])('refuses %s', async (_, body, error) => {
    const call = await surface();
    const answer = await call('POST /me/inference/render', { body });
    expect(answer).toMatchObject({
      status: 400,
      body: { error, kind: error.toUpperCase(), message: expect.any(String) },
    });
  });
});

it('try-query refuses invalid MDX and unknown connections', async () => {
  const call = await surface();
  const { id } = await connected(call);
  const body = { proposal: PROPOSAL, connectionId: id, mdx: 'SELECT FROM WHERE' };
  expect(await call('POST /me/inference/try-query', { body })).toMatchObject({ status: 400, body: { field: 'mdx' } });
  const other = await call('POST /me/inference/try-query', { caller: of('other'), body });
  expect(other).toMatchObject({ status: 404, body: { error: 'not_found' } });
});

describe('try-query of a view that would take minutes', () => {
  const slow = {
    schemaName: 'Slow',
    cubes: [
      {
        name: 'Slow',
        factTableSchema: 'main',
        factTableName: 'slow',
        measures: [{ name: 'Sum', column: 'n', aggregator: 'sum' }],
        dimensions: [],
      },
    ],
  };
  const bodyOf = (connectionId: string) => ({
    proposal: slow,
    connectionId,
    mdx: 'SELECT {[Measures].[Sum]} ON COLUMNS FROM [Slow]',
  });

  it('is stopped at its time limit, and answered 504', async () => {
    const call = await surface();
    const { id } = await connected(call);
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    // The limit of half a minute comes at once.
    const brief = vi.spyOn(AbortSignal, 'timeout').mockImplementation((ms) => timeout(ms === 30_000 ? 300 : ms));
    try {
      const answer = await call('POST /me/inference/try-query', { body: bodyOf(id) });
      expect(answer).toMatchObject({ status: 504, body: { error: 'timeout', message: expect.stringMatching(/30 s/) } });
    } finally {
      brief.mockRestore();
    }
  });

  it('ends when its client goes away, and the warehouse answers the next one', async () => {
    const call = await surface();
    const { id } = await connected(call);
    const stop = new AbortController();
    const open = vi.spyOn(shop.warehouses, 'open');
    try {
      const answering = call('POST /me/inference/try-query', { body: bodyOf(id), signal: stop.signal });
      await expect.poll(() => open.mock.calls.length, { timeout: 20_000 }).toBeGreaterThan(0);
      stop.abort();
      expect((await answering).status).toBeGreaterThanOrEqual(400);
    } finally {
      open.mockRestore();
    }
    const mdx = 'SELECT {[Measures].[Amount]} ON COLUMNS FROM [Orders]';
    const next = await call('POST /me/inference/try-query', { body: { proposal: PROPOSAL, connectionId: id, mdx } });
    expect(next).toMatchObject({ status: 200, body: { rows: [[expect.stringContaining('100')]] } });
  });
});

describe('with a language model', () => {
  const started: StandIn[] = [];
  afterAll(() => Promise.all(started.map((each) => each.close())));

  async function model(reply: (index: number) => Reply | Promise<Reply>, budget = 5, price = { input: 1, output: 5 }) {
    const provider = await standIn('anthropic', (_, index) => reply(index));
    started.push(provider);
    const llm = openLlm({
      provider: 'anthropic',
      apiKey: 'key',
      model: 'claude-haiku-4-5',
      endpoint: provider.endpoint,
      price,
      ceilings: { ask: 0, propose: budget },
      timeoutMs: 20_000,
      state,
      clock: () => now,
      log: silentLog,
    });
    return { provider, llm };
  }

  it('its proposal is checked, rendered and traced', async () => {
    const { llm, provider } = await model(() => ({ tool: 'propose_cubes', input: PROPOSAL }));
    const call = await surface(llm);
    const tenant = of('llm-1');
    const { profile } = await connected(call, tenant);
    const { status, body } = await call('POST /me/inference/propose', {
      caller: tenant,
      body: { profile, intent: ' sales by country ' },
    });
    expect(status, JSON.stringify(body)).toBe(200);
    // Every other column of the two tables is an attribute; the mark of `email` and the sum of `amount` are none.
    const attributesOf = (tableName: string, reasons: Readonly<Record<string, string>>) =>
      Object.entries(reasons).map(([column, reason]) => ({
        tableSchema: 'main',
        tableName,
        column,
        reason,
        ...(column === 'placed' ? { isTime: true } : {}),
      }));
    const attributes = [
      ...attributesOf('orders', {
        order_id: 'It has 2000 different values, too many for a dimension.',
        customer_id: 'It joins tables.',
        placed: 'It has 730 different values, too many for a dimension.',
        channel: 'No measure and no dimension needs it.',
      }),
      ...attributesOf('customers', {
        customer_id: 'It joins tables.',
        city: 'No measure and no dimension needs it.',
      }),
    ];
    expect(body.proposal).toEqual({ ...MARKED, cubes: MARKED.cubes.map((cube) => ({ ...cube, attributes })) });
    // The stand-in counts 1,000 tokens in and 100 out: at 1 and 5 dollars a million.
    expect(body.usage).toEqual({
      model: 'claude-haiku-4-5',
      inputTokens: 1_000,
      outputTokens: 100,
      totalTokens: 1_100,
      estimatedCostUsd: 0.0015,
      isPricingExact: true,
    });
    expect(body.quota).toMatchObject({ budgetUsd: 5, spentUsd: 0.0015, resetAt: '2026-06-01T00:00:00.000Z' });
    const trace = (await call(`GET /me/inference/trace/${body.traceId}`, { caller: tenant })).body;
    expect(trace).toMatchObject({ status: 'success', inputTokens: 1_000, outputTokens: 100 });
    expect(trace.promptText).toContain('sales by country');
    expect(trace.responseText).toContain('Orders');
    expect(provider.requests[0]?.body.tool_choice).toMatchObject({ type: 'tool', name: 'propose_cubes' });
  });

  it('its levels over personal data warn and are hidden, unless it says that they are none', async () => {
    const levels = [
      { name: 'Country', column: 'country', type: 'String', uniqueMembers: true },
      { name: 'Mail', column: 'email', type: 'String', uniqueMembers: true },
    ];
    const shown = PROPOSAL.cubes.map((cube) => ({
      ...cube,
      dimensions: cube.dimensions.map((dimension) => ({ ...dimension, levels })),
    }));
    const answerTo = async (cubes: readonly object[]) => {
      const { llm } = await model(() => ({ tool: 'propose_cubes', input: { ...PROPOSAL, cubes } }));
      const call = await surface(llm);
      const { profile } = await connected(call);
      const { status, body } = await call('POST /me/inference/propose', { body: { profile } });
      expect(status, JSON.stringify(body)).toBe(200);
      return body;
    };
    // An empty list makes no statement about the column.
    for (const cubes of [shown, shown.map((cube) => ({ ...cube, personal: [] }))]) {
      const hidden = await answerTo(cubes);
      expect(hidden.proposal.cubes[0].personal).toEqual([EMAIL]);
      expect(hidden.validation.warnings).toEqual([
        'Cube "Orders", dimension "Customer", level "Mail": its column "email" is marked as personal, so the cube leaves it out.',
      ]);
      expect(hidden.schemaXml).not.toContain('email');
      expect(hidden.schemaXml).toContain('country');
    }
    const said = await answerTo(shown.map((cube) => ({ ...cube, notPersonal: [EMAIL] })));
    expect(said.validation.warnings).toEqual([]);
    expect(said.proposal.cubes[0].personal).toBeUndefined();
    expect(said.schemaXml).toContain('email');
  });

  it('receives values only if they may leave the server, and never personal data', async () => {
    for (const isSampled of [false, true]) {
      const { llm, provider } = await model(() => ({ tool: 'propose_cubes', input: PROPOSAL }));
      const call = await surface(llm, isSampled);
      const { profile } = await connected(call);
      await call('POST /me/inference/propose', { body: { profile } });
      const sent = JSON.stringify(provider.requests[0]?.body);
      expect(sent.includes('City 1')).toBe(isSampled);
      expect(sent).not.toContain('@mail.example');
    }
  });

  it('may mend its proposal once', async () => {
    const wrong = structuredClone(PROPOSAL);
    if (wrong.cubes[0]?.measures[0] !== undefined) wrong.cubes[0].measures[0].column = 'umsatz';
    const { llm, provider } = await model((index) => ({
      tool: 'propose_cubes',
      input: index === 0 ? wrong : PROPOSAL,
    }));
    const call = await surface(llm);
    const { profile } = await connected(call);
    const { status, body } = await call('POST /me/inference/propose', { body: { profile } });
    expect(status).toBe(200);
    expect(body.usage.inputTokens).toBe(2_000);
    expect(JSON.stringify(provider.requests[1]?.body)).toContain('has no column');
  });

  it.each([
    [
      'names what is not there',
      { tool: 'propose_cubes', input: { ...PROPOSAL, cubes: [{ ...PROPOSAL.cubes[0], factTableName: 'nowhere' }] } },
    ],
    ['has another shape', { tool: 'propose_cubes', input: { cubes: 7 } }],
    ['is text', { text: 'I cannot.' }],
    ['is cut off', { tool: 'propose_cubes', rawInput: '{"schemaName": "Sh' }],
  ] satisfies [string, Reply][])('a proposal that %s is invalid_proposal, with its trace', async (_, reply) => {
    const { llm } = await model(() => reply);
    const call = await surface(llm);
    const { profile } = await connected(call);
    const { status, body } = await call('POST /me/inference/propose', { body: { profile } });
    expect(status).toBe(400);
    expect(body).toMatchObject({ error: 'invalid_proposal', kind: 'INVALID_PROPOSAL', traceId: expect.any(String) });
    expect((await call(`GET /me/inference/trace/${body.traceId}`)).body.status).toBe('invalid_proposal');
  });

  it('nulls of a proposal for optional members mean that they are left out', async () => {
    const [cube] = PROPOSAL.cubes;
    const input = { ...PROPOSAL, cubes: [{ ...cube, compositeKeys: null, personal: null }] };
    const { llm } = await model(() => ({ tool: 'propose_cubes', input }));
    const call = await surface(llm);
    const { profile } = await connected(call);
    expect((await call('POST /me/inference/propose', { body: { profile } })).status).toBe(200);
  });

  it.each([
    ['fails', { status: 500 }],
    ['refuses', { refusal: 'no' }],
    ['hangs up', 'hang up'],
    ['answers 200 and a page of HTML', { raw: '<html>', type: 'text/html' }],
    ['answers 200 and an error', { raw: '{"error":{"message":"no"}}', type: 'application/json' }],
  ] satisfies [string, Reply][])('a model that %s is upstream_error, with its trace', async (_, reply) => {
    const { llm } = await model(() => reply);
    const call = await surface(llm);
    const { profile } = await connected(call);
    const { status, body } = await call('POST /me/inference/propose', { body: { profile } });
    expect(status).toBe(502);
    expect(body).toMatchObject({ error: 'upstream_error', traceId: expect.any(String) });
    expect((await call(`GET /me/inference/trace/${body.traceId}`)).body.status).toBe('upstream_error');
  });

  it('fifty at once never spend more than the budget; the others learn when it is renewed', async () => {
    const tenant = of('llm-budget');
    // A thousand times dearer: 1,000 tokens in and 100 out are 1.5 dollars.
    const { llm } = await model(() => ({ tool: 'propose_cubes', input: PROPOSAL }), 200, {
      input: 1_000,
      output: 5_000,
    });
    const call = await surface(llm);
    const { profile } = await connected(call, tenant);
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => call('POST /me/inference/propose', { caller: tenant, body: { profile } })),
    );
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.every(({ status }) => status === 200 || status === 429)).toBe(true);
    expect(refused.length).toBeGreaterThan(0);
    expect(refused.length).toBeLessThan(50);
    const { spentUsd } = await llm.budget(tenant.tenant, 'propose');
    expect(spentUsd).toBeLessThanOrEqual(200);
    expect(spentUsd).toBeCloseTo(1.5 * (50 - refused.length), 6);
    const [first] = refused;
    expect(first?.body).toMatchObject({
      error: 'quota_exceeded',
      kind: 'QUOTA_EXCEEDED',
      budget_usd: 200,
      reset_at: '2026-06-01T00:00:00.000Z',
      traceId: expect.any(String),
      message: expect.any(String),
      current_spend_usd: expect.any(Number),
    });
    const retryAfter = first?.headers.find(([name]) => name === 'Retry-After')?.[1];
    expect(Number(retryAfter)).toBe((Date.UTC(2026, 5, 1) - now) / 1_000);
    expect((await call(`GET /me/inference/trace/${first?.body.traceId}`, { caller: tenant })).body.status).toBe(
      'quota_exceeded',
    );
  });
});

describe('publish', () => {
  it('makes a cube, a semantic model, saved queries and a dashboard of a proposal', async () => {
    const call = await surface();
    const { id, profile } = await connected(call);
    const { body: proposed } = await call('POST /me/inference/propose', { body: { profile } });
    const body = { proposal: proposed.proposal, connectionId: id, name: 'shop' };
    const user = { ...caller, roles: ['ROLE_USER'] };
    expect((await call('POST /me/inference/publish', { caller: user, body })).status).toBe(403);
    // An administrator of another tenant publishes, too, but over connections of its own.
    expect((await call('POST /me/inference/publish', { caller: of('other'), body })).status).toBe(404);
    const published = await call('POST /me/inference/publish', { body });
    expect(published.status, JSON.stringify(published.body)).toBe(201);
    expect(published.body.datasources).toEqual([
      { name: 'shop', as: 'cube', status: 'READY', problems: [] },
      { name: 'shop-model', as: 'semantic', status: 'READY', problems: [] },
    ]);
    expect(datasources.served.get('shop')).toBe(proposed.schemaXml);
    expect(datasources.served.get('shop-model')).toContain('semantic_model');
    expect(published.body.documents).toContain('shared/shop/overview.servicedash');
    expect(await repository.read(caller, 'shared/shop/overview.servicedash')).toBeDefined();
    expect(await call('POST /me/inference/publish', { body })).toMatchObject({
      status: 409,
      body: { error: 'datasource_exists' },
    });
  });

  it.each(['../evil', 'a b', ''])('refuses the name %j', async (name) => {
    const call = await surface();
    const { id } = await connected(call);
    const body = { proposal: PROPOSAL, connectionId: id, name };
    expect(await call('POST /me/inference/publish', { body })).toMatchObject({
      status: 400,
      body: { field: 'name' },
    });
  });
});
