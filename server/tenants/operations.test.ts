/** Tests the HTTP operations on tenants, for administrators of the installation. */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { TenantId } from '../../router/capabilities/identity.ts';
import { Clients } from '../oauth/clients.ts';
import { Grants } from '../oauth/grants.ts';
import { onEveryEngine } from '../state/testing/engines.ts';
import { clearLeftovers } from './leftovers.ts';
import { placesOf } from './tenant-folders.ts';
import { type Call, until } from './testing/client.ts';
import { answerOf, prepare } from './testing/things.ts';
import { startWorld, type World } from './testing/world.ts';

const Rows = z.object({ rows: z.array(z.record(z.string(), z.unknown())) });

let world: World;

const ask = async (operation: string, call: Call = {}) => {
  const { status, text } = await answerOf(world, 'default', operation, call);
  return { status, body: JSON.parse(text) };
};
const named = (name: string, more: Readonly<Record<string, string>> = {}) => ({ parameters: { name, ...more } });

describe('tenants by HTTP', () => {
  beforeAll(async () => {
    world = await startWorld(undefined);
  });
  afterAll(() => world.close());

  describe('an administrator of the installation', () => {
    it('creates a tenant with its folders, sees it, and removes it while it is empty', async () => {
      const made = await ask('tenants.create', { body: { name: 'acme' } });
      expect(made).toEqual({
        status: 201,
        body: {
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          name: 'acme',
          tier: 'starter',
          createdAt: expect.stringMatching(/^20.*Z$/),
          folders: ['datasources/acme', 'repository/tenants/acme', 'skills/tenants/acme', 'data/acme'],
        },
      });
      for (const folder of made.body.folders) expect(existsSync(join(world.home.root, folder))).toBe(true);
      const names = async () => (await ask('tenants.list')).body.map(({ name }: { name: string }) => name);
      expect(await names()).toEqual(['acme', 'alpha', 'beta', 'default']);
      expect(await ask('tenants.create', { body: { name: 'acme' } })).toMatchObject({
        status: 409,
        body: { error: 'TENANT_EXISTS' },
      });

      expect(await ask('tenants.remove', named('acme'))).toEqual({
        status: 200,
        body: { name: 'acme', removed: { rows: {}, files: {} } },
      });
      expect(await names()).toEqual(['alpha', 'beta', 'default']);
      for (const folder of made.body.folders) expect(existsSync(join(world.home.root, folder))).toBe(false);
    });

    it.each([
      ['tenants.create', { body: { name: 'shared' } }, 400, 'name'],
      ['tenants.create', { body: { name: '../up' } }, 400, 'name'],
      ['tenants.create', { body: {} }, 400, 'name'],
      ['tenants.create', { body: { name: 'Beta' } }, 409, undefined],
      ['tenants.remove', named('default', { force: 'true' }), 409, undefined],
      ['tenants.remove', named('nobody'), 404, undefined],
      ['tenants.remove', named('beta', { force: 'perhaps' }), 400, 'force'],
    ])('gets the mistake in %s of %j', async (operation, call, status, field) => {
      const answer = await ask(operation, call);
      expect([answer.status, answer.body.field]).toEqual([status, field]);
    });

    it('keeps a tenant with contents and gets a list of its contents', async () => {
      const { status, body } = await ask('tenants.remove', named('beta'));
      expect([status, body.error]).toEqual([409, 'TENANT_NOT_EMPTY']);
      expect(body.message).toMatch(
        /^The tenant beta has 1 row of api_keys, .*files? in datasources\/beta, .*force=true/,
      );
    });

    it('reads in the audit log who created and removed which tenant, also after its removal', async () => {
      const { body } = await ask('audit.list', { parameters: { kind: 'ADMINISTRATION' } });
      const recorded = body.entries.map((each: Record<string, unknown>) => [
        each.user,
        each.action,
        each.target,
        each.outcome,
      ]);
      expect(recorded).toContainEqual(['ann', 'tenants.create', 'name=acme', 'OK']);
      expect(recorded).toContainEqual(['ann', 'tenants.remove', 'name=acme', 'OK']);
      expect(recorded).toContainEqual(['ann', 'tenants.remove', 'name=beta', 'TENANT_NOT_EMPTY']);
    });
  });

  it('a caller without the role is refused, also in the default tenant', async () => {
    const { identity } = world;
    const { key } = await identity.apiKeys.create({
      tenant: world.tenants.default.id,
      label: 'x',
      roles: ['ROLE_USER'],
    });
    for (const headers of [{ authorization: `Bearer ${key}` }, {}]) {
      const { status } = await fetch(`${world.url}/rest/service/api/admin/tenants`, { headers });
      expect(status).toBe('authorization' in headers ? 403 : 401);
    }
  });

  it('rows and files written by unfinished requests after the removal are removed, and a new tenant of the name keeps its files', async () => {
    const { state, home, identity } = world;
    let looks = 0;
    const list = () => {
      looks += 1;
      return identity.tenants.list();
    };
    const stop = clearLeftovers({ state, home, tenants: { list }, log: world.log, everyMs: 20 });
    // A look may be running at the call, so the third one begins after the end of a whole look.
    const nextLook = (start = looks) => expect.poll(() => looks).toBeGreaterThanOrEqual(start + 3);
    try {
      const { body: made } = await ask('tenants.create', { body: { name: 'late' } });
      await nextLook();
      expect((await ask('tenants.remove', named('late'))).status).toBe(200);
      await sql`insert into rate_windows (tenant_id, length_ms, begins_at, calls) values (${made.id}, 1, 1, 1)`.execute(
        state.tables<unknown>(),
      );
      const { repository } = placesOf(home, 'late');
      mkdirSync(repository, { recursive: true });
      writeFileSync(join(repository, 'late.service'), '{}');
      await until(
        async () => ({ status: (await tablesWithId(made.id)).length + Number(existsSync(repository)), text: '' }),
        (left) => left.status === 0,
      );
      await ask('tenants.create', { body: { name: 'late' } });
      writeFileSync(join(repository, 'mine.service'), '{}');
      await nextLook();
      expect(existsSync(join(repository, 'mine.service'))).toBe(true);
    } finally {
      await stop();
    }
  });
});

onEveryEngine((fixture) => {
  it('a removed tenant leaves no row in any table and no file, and its users and keys are refused', async () => {
    world = await startWorld(fixture);
    const alpha = await prepare(world, 'alpha');
    const { id } = world.tenants.alpha;
    const session = await signedIn('alpha/ann');
    await allowAgent(id, 'ann');
    const owned = await fillOwnedTables(id);
    expect(owned).toEqual(
      expect.arrayContaining([
        'api_keys',
        'audit_log',
        'billing_ended_subscriptions',
        'billing_records',
        'embed_tokens',
        'llm_spend',
        'jobs',
        'users',
      ]),
    );
    expect(await tablesWithId(id)).toEqual(expect.arrayContaining([...owned]));
    const reads = [
      () => answerOf(world, 'alpha', 'semantic.models', {}),
      () => answerOf(world, 'alpha', 'inference.listConnections', {}),
      () => get('/rest/service/api/session', { cookie: session }),
      () =>
        answerOf(world, 'beta', 'embed.readQuery', {
          parameters: { path: alpha.things.query },
          embedToken: alpha.holdings.tokens.query,
          isAnonymous: true,
        }),
      () =>
        answerOf(world, 'beta', 'embed.readQuery', {
          parameters: { path: `tenants/alpha/${alpha.things.publicQuery}` },
          isAnonymous: true,
        }),
    ];
    for (const read of reads) expect((await read()).status).toBe(200);

    // A server without a key of the payment processor cannot end its subscription.
    expect(await ask('tenants.remove', named('alpha', { force: 'true' }))).toMatchObject({
      status: 409,
      body: { error: 'TENANT_SUBSCRIBED', message: expect.stringContaining('keepSubscription=true') },
    });
    for (const read of reads) expect((await read()).status).toBe(200);
    const all = named('alpha', { force: 'true', keepSubscription: 'true' });
    const { status, body } = await ask('tenants.remove', all);
    expect(status).toBe(200);
    expect(Object.keys(body.removed.rows)).toEqual(owned);
    for (const read of reads) expect([401, 404]).toContain((await read()).status);
    expect((await post('/login', { username: 'alpha/ann', password: 'Quarry-lantern-77' })).status).toBe(401);
    // An entry of the audit log may not be written yet.
    await expect.poll(() => tablesWithId(id)).toEqual([]);
    for (const folder of Object.values(placesOf(world.home, 'alpha'))) expect(existsSync(folder)).toBe(false);
    await world.close();
  });
});

/** Lists the tables of the state. On PostgreSQL the engine's own tables are left out. */
async function tablesOfState() {
  const all = await world.state.tables<unknown>().introspection.getTables();
  const schema = all.find(({ name }) => name === 'service_migrations')?.schema;
  return all.filter((table) => !table.isView && table.schema === schema);
}

/** Allows an agent for a user. Its row refers to an agent and to the user, so it cannot be made up. */
async function allowAgent(tenant: TenantId, name: string): Promise<void> {
  const parts = { state: world.state, clock: Date.now };
  const user = await world.identity.users.find(tenant, name);
  if (user === undefined) throw new Error(`there is no user ${name}`);
  const redirectUri = 'https://agent.example/';
  const { id: clientId } = await new Clients(parts).register({ redirect_uris: [redirectUri] });
  const resource = `${world.url}/rest/service/api/mcp`;
  await new Grants(parts).allow(user, { clientId, redirectUri, challenge: 'x', scopes: ['query'], resource });
}

/** Gives the tenant a row in every table with tenants' rows, so that removal has a row to remove in each. */
async function fillOwnedTables(id: string): Promise<readonly string[]> {
  const database = world.state.tables<unknown>();
  const owned = (await tablesOfState()).filter(({ columns }) => columns.some(({ name }) => name === 'tenant_id'));
  for (const { name, columns } of owned) {
    if ((await tablesWithId(id)).includes(name)) continue;
    const names = sql.join(columns.map((column) => sql.ref(column.name)));
    const values = columns.map((column) =>
      column.name === 'tenant_id' ? sql`${id}` : /int|real|double|numeric/i.test(column.dataType) ? sql`1` : sql`'1'`,
    );
    await sql`insert into ${sql.table(name)} (${names}) values (${sql.join(values)})`.execute(database);
  }
  return owned.map(({ name }) => name).sort();
}

/** Lists every table of the state with the tenant's id in any column. */
async function tablesWithId(id: string): Promise<readonly string[]> {
  const database = world.state.tables<unknown>();
  const tables: string[] = [];
  for (const { name } of await tablesOfState()) {
    const { rows } = Rows.parse(await sql`select * from ${sql.table(name)}`.execute(database));
    if (JSON.stringify(rows).includes(id)) tables.push(name);
  }
  return tables.sort();
}

async function get(path: string, headers: Readonly<Record<string, string>>) {
  const response = await fetch(world.url + path, { headers });
  return { status: response.status };
}

function post(path: string, body: object) {
  return fetch(world.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

async function signedIn(username: string): Promise<string> {
  const response = await post('/login', { username, password: 'Quarry-lantern-77' });
  expect(response.status).toBe(200);
  return response.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}
