/**
 * Tests that areas A and B are for the tenant's administrators: every declared operation of these areas is called over HTTP, as REST and as a typed
 * call, with credentials of other roles.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { silentLog } from '../../router/testing/silent-log.ts';
import { openIdentity } from '../identity/index.ts';
import { basic, CHEAP } from '../identity/testing/fixture.ts';
import { startKeys, type TestKeys } from '../oidc/testing/keys.ts';
import { CLIENT_ID, CLIENT_SECRET } from '../oidc/testing/provider.ts';
import type { DeclaredOperation } from './testing/client.ts';
import { startWorld, type World } from './testing/world.ts';

/** The only operation of areas A and B for any role of the tenant. */
const FOR_ANY_KEY = 'billing.state';
const PASSWORD = 'Quarry-lantern-78';

let issuer: TestKeys;
let world: World;
const bearers: Record<string, string> = {};
let areas: readonly DeclaredOperation[];

beforeAll(async () => {
  issuer = await startKeys();
  world = await startWorld(undefined, {
    settings: async (url) => ({
      'service.oidc.issuer': issuer.issuer,
      'service.oidc.clientId': CLIENT_ID,
      'service.oidc.clientSecret': CLIENT_SECRET,
      'service.oidc.roles': 'bi-admins=ROLE_ADMIN, sales=sales',
      'service.http.publicUrl': url,
    }),
  });
  const { apiKeys, users } = await openIdentity({
    state: world.state,
    clock: Date.now,
    log: silentLog,
    hashCost: CHEAP,
  });
  const tenant = world.tenants.default.id;
  const keyWith = async (...roles: string[]) => (await apiKeys.create({ tenant, label: 'x', roles })).key;
  const tokenWith = (...roles: string[]) => {
    const now = Math.floor(Date.now() / 1_000);
    return issuer.sign({ iss: issuer.issuer, aud: world.url, sub: `s-${roles}`, roles, iat: now, exp: now + 600 });
  };
  Object.assign(bearers, {
    'key of ROLE_USER': await keyWith('ROLE_USER'),
    'key of roles of a model': await keyWith('ROLE_USER', 'sales', 'role_admin', 'ADMIN'),
    'token of ROLE_USER': await tokenWith(),
    'token of another role': await tokenWith('sales'),
    'key of ROLE_ADMIN': await keyWith('ROLE_ADMIN'),
    'token of ROLE_ADMIN': await tokenWith('bi-admins'),
  });
  await users.add({ tenant, name: 'bob', password: PASSWORD, roles: ['ROLE_USER'] });
  areas = [...world.operations.values()].filter(({ path }) => path.startsWith('/me/'));
});
afterAll(async () => {
  await world?.close();
  await issuer?.stop();
});

const Refusal = z.object({ error: z.string(), message: z.string() });

function send(operation: DeclaredOperation, authorization: string) {
  const path = operation.path.replaceAll(/\{[^}]+\}/g, 'x');
  const body = operation.method === 'GET' || operation.method === 'DELETE' ? {} : { body: '{}' };
  const headers = { authorization, 'content-type': 'application/json' };
  return fetch(`${world.url}${path}`, { method: operation.method, headers, ...body });
}

/** Calls an operation like the typed client; returns its status. */
async function sendTyped({ operationId, method }: DeclaredOperation, authorization: string): Promise<number> {
  const url = `${world.url}/rest/service/api/trpc/${operationId}`;
  const headers = { authorization, 'content-type': 'application/json' };
  const response =
    method === 'GET'
      ? await fetch(`${url}?input=${encodeURIComponent('{}')}`, { headers })
      : await fetch(url, { method: 'POST', headers, body: '{}' });
  await response.text();
  return response.status;
}

describe('areas A and B', () => {
  it('are completely covered by this test', () => {
    expect(areas.map(({ path }) => path)).toEqual(
      expect.arrayContaining(['/me/connections', '/me/inference/try-query', '/me/billing/checkout-session']),
    );
    expect(areas.length).toBeGreaterThanOrEqual(14);
  });

  it.each(['key of ROLE_USER', 'key of roles of a model', 'token of ROLE_USER', 'token of another role'])(
    'answer a %s 403 forbidden, as REST and as a typed call',
    async (name) => {
      for (const operation of areas) {
        if (operation.operationId === FOR_ANY_KEY) continue;
        const response = await send(operation, `Bearer ${bearers[name]}`);
        expect.soft(response.status, operation.operationId).toBe(403);
        const { error, message } = Refusal.parse(await response.json());
        expect.soft(error, operation.operationId).toBe('forbidden');
        expect.soft(message, operation.operationId).toContain('ROLE_ADMIN');
        expect.soft(await sendTyped(operation, `Bearer ${bearers[name]}`), operation.operationId).toBe(403);
      }
    },
  );

  it.each(['key of ROLE_ADMIN', 'token of ROLE_ADMIN'])('accept a %s', async (name) => {
    for (const operation of areas) {
      const response = await send(operation, `Bearer ${bearers[name]}`);
      expect.soft([200, 400, 404, 415, 503], operation.operationId).toContain(response.status);
      expect
        .soft([401, 403], operation.operationId)
        .not.toContain(await sendTyped(operation, `Bearer ${bearers[name]}`));
    }
  });

  it('show the state of billing to any API key of the tenant', async () => {
    const state = world.operations.get(FOR_ANY_KEY);
    if (state === undefined) throw new Error('there is no such operation');
    // Without a payment processor billing is off, which only an accepted caller reads.
    for (const bearer of Object.values(bearers)) expect((await send(state, `Bearer ${bearer}`)).status).toBe(503);
  });

  it('refuse a password, also an administrator’s: they accept bearer credentials', async () => {
    for (const operation of areas)
      expect.soft((await send(operation, basic('ann', 'Quarry-lantern-77'))).status, operation.operationId).toBe(401);
  });

  it('have no agent tool', async () => {
    const tools = await fetch(`${world.url}/rest/service/api/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${bearers['key of ROLE_USER']}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2025-06-18',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });
    const text = await tools.text();
    expect(text).toContain('query');
    expect(text).not.toMatch(/"name":"[^"]*(connection|propose|publish|profile|checkout|portal|import)[^"]*"/);
  });

  it('name the role in the OpenAPI document', async () => {
    const document = await (await fetch(`${world.url}/rest/service/api/openapi.json`)).json();
    const Documented = z.object({ paths: z.record(z.string(), z.record(z.string(), z.looseObject({}))) });
    const { paths } = Documented.parse(document);
    for (const { path, method, operationId } of areas) {
      const { description, responses } = z
        .object({ description: z.string().default(''), responses: z.looseObject({}) })
        .parse(paths[path]?.[method.toLowerCase()]);
      const isForAnyKey = operationId === FOR_ANY_KEY;
      expect.soft(description.includes('Needs the role `ROLE_ADMIN`'), operationId).toBe(!isForAnyKey);
      // Also where every role may call it, a key of another scope may not.
      expect.soft('403' in responses, operationId).toBe(true);
    }
  });
});

describe('the pages’ operations of area B', () => {
  const OWN_FILE = ['designer.profileFile', 'designer.propose', 'designer.render'];
  const pages = () => [...world.operations.values()].filter(({ operationId }) => operationId.startsWith('designer.'));

  it('answer a key or token of a lower role 403, even where users may try out their own files', async () => {
    expect(pages().map(({ operationId }) => operationId)).toEqual(expect.arrayContaining(OWN_FILE));
    for (const name of ['key of ROLE_USER', 'token of another role'])
      for (const operation of pages()) {
        expect.soft((await send(operation, `Bearer ${bearers[name]}`)).status, operation.operationId).toBe(403);
        expect.soft(await sendTyped(operation, `Bearer ${bearers[name]}`), operation.operationId).toBe(403);
      }
  });

  it('let a user without the role try out their own file, and nothing else', async () => {
    const authorization = basic('bob', PASSWORD);
    const session = await fetch(`${world.url}/rest/service/api/session`, { headers: { authorization } });
    const csrf = /XSRF-TOKEN=([^;]+)/.exec(session.headers.getSetCookie().join('\n'))?.[1] ?? '';
    const pair = { cookie: `XSRF-TOKEN=${csrf}`, 'x-xsrf-token': csrf };
    for (const operation of pages()) {
      const path = operation.path.replaceAll(/\{[^}]+\}/g, 'x');
      const body = operation.method === 'GET' || operation.method === 'DELETE' ? {} : { body: '{}' };
      const headers = { authorization, 'content-type': 'application/json', ...pair };
      const { status } = await fetch(`${world.url}${path}`, { method: operation.method, headers, ...body });
      if (OWN_FILE.includes(operation.operationId)) expect.soft([400, 415], operation.operationId).toContain(status);
      else expect.soft(status, operation.operationId).toBe(403);
    }
  });
});
