import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import { readConfig } from '../config/read-config.ts';
import { identityMigrations } from '../identity/index.ts';
import { HOUR, node as identityNode, MINUTE } from '../identity/testing/fixture.ts';
import { onEveryEngine } from '../state/testing/engines.ts';
import { agentAddresses } from './addresses.ts';
import { AuthorizationRequest, checkRequest, type Permission, returnTo } from './authorization-request.ts';
import { OAuthError, openAgentAuthorization } from './index.ts';
import { type OAuthTables, oauthMigrations } from './tables.ts';

const URL_HERE = 'https://data.example.com';
const MCP = '/mcp';
const RESOURCE = URL_HERE + MCP;
const BACK = 'http://127.0.0.1/callback';
const VERIFIER = 'v'.repeat(43);
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');
const DAY = 24 * HOUR;
const PASSWORD = 'Quarry-lantern-77';

const configOf = (settings: Readonly<Record<string, string>>) =>
  readConfig({ properties: '', environment: {}, overrides: settings }).config;

const refusalOf = async (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'no refusal',
    (error: unknown) => (error instanceof OAuthError ? error.code : String(error)),
  );

onEveryEngine((state) => {
  async function start() {
    const { identity, clock, tenant } = await identityNode(state);
    const store = await state.open({ identity: identityMigrations, oauth: oauthMigrations });
    const parts = openAgentAuthorization(configOf({ 'service.http.publicUrl': URL_HERE }), MCP, {
      state: store,
      clock: () => clock.now,
      port: undefined,
    });
    if (parts === undefined) throw new Error('the authorization is off');
    const ann = await identity.users.add({ tenant, name: 'ann', password: PASSWORD });
    const client = await parts.clients.register({ client_name: 'Robot', redirect_uris: [BACK] });
    const permission: Permission = {
      clientId: client.id,
      redirectUri: BACK,
      challenge: CHALLENGE,
      scopes: ['query'],
      resource: RESOURCE,
    };
    const exchange = (code: string, changes: Partial<Parameters<typeof parts.tokens.exchange>[0]> = {}) =>
      parts.tokens.exchange({
        code,
        clientId: client.id,
        redirectUri: BACK,
        verifier: VERIFIER,
        resource: RESOURCE,
        ...changes,
      });
    const connect = async () => exchange(await parts.grants.allow(ann, permission));
    const callsWith = (token: string) =>
      parts.tokens.resolve(token, 'mcp').then(
        ({ user }) => user,
        () => 'nobody',
      );
    return { ...parts, identity, store, clock, tenant, ann, client, permission, exchange, connect, callsWith };
  }

  it('makes an agent call as its user, with the scopes that were allowed, at the MCP endpoint alone', async () => {
    const { connect, tokens, tenant, client } = await start();
    const issued = await connect();
    expect(issued).toMatchObject({ expiresInSeconds: 900, scopes: ['query'], owner: { tenant, user: 'ann' } });
    expect(await tokens.resolve(issued.accessToken, 'mcp')).toEqual({
      kind: 'user',
      via: 'access-token',
      tenant,
      user: 'ann',
      roles: ['ROLE_USER'],
      attributes: {},
      isAccount: true,
      scopes: ['query'],
    });
    await expect(tokens.resolve(issued.accessToken)).rejects.toThrow('for the MCP endpoint');
    expect(await refusalOf(tokens.refresh(issued.refreshToken, client.id, 'https://other.example/mcp'))).toBe(
      'invalid_target',
    );
  });

  it('stores no token and no code, only hashes', async () => {
    const { connect, store, grants, ann, permission } = await start();
    const { accessToken, refreshToken } = await connect();
    const code = await grants.allow(ann, permission);
    const tables = store.tables<OAuthTables>();
    const stored = JSON.stringify([
      await tables.selectFrom('oauth_grants').selectAll().execute(),
      await tables.selectFrom('oauth_tokens').selectAll().execute(),
    ]);
    const [, family = '', secret = ''] = /^servicerefresh_(.+)\.(.+)$/.exec(refreshToken) ?? [];
    for (const text of [accessToken.replace('serviceagent_', ''), family, secret, code]) {
      expect(text).toHaveLength(43);
      expect(stored).not.toContain(text);
    }
    expect(stored).toContain(createHash('sha256').update(accessToken).digest('hex'));
  });

  it('refuses a code with another verifier, client or address, and after a minute, and the code is then spent', async () => {
    const { exchange, grants, ann, permission, clients, clock } = await start();
    const other = await clients.register({ redirect_uris: [BACK] });
    for (const wrong of [
      { verifier: 'w'.repeat(43) },
      { clientId: other.id },
      { redirectUri: 'http://127.0.0.1:99/callback' },
    ]) {
      const code = await grants.allow(ann, permission);
      expect(await refusalOf(exchange(code, wrong)), JSON.stringify(wrong)).toBe('invalid_grant');
      expect(await refusalOf(exchange(code)), JSON.stringify(wrong)).toBe('invalid_grant');
    }
    const code = await grants.allow(ann, permission);
    expect(await refusalOf(exchange(code, { resource: 'https://other.example/mcp' }))).toBe('invalid_target');
    clock.now += MINUTE;
    expect(await refusalOf(exchange(code))).toBe('invalid_grant');
  });

  it('ends the tokens of a code that is used again', async () => {
    const { exchange, grants, ann, permission, callsWith, tokens, client } = await start();
    const code = await grants.allow(ann, permission);
    const { accessToken, refreshToken } = await exchange(code);
    expect(await callsWith(accessToken)).toBe('ann');
    const error = await exchange(code).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'invalid_grant', isReuse: true });
    expect(await callsWith(accessToken)).toBe('nobody');
    expect(await refusalOf(tokens.refresh(refreshToken, client.id, undefined))).toBe('invalid_grant');
  });

  it('of simultaneous exchanges of one code at most one succeeds', async () => {
    const { exchange, grants, ann, permission } = await start();
    const code = await grants.allow(ann, permission);
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => refusalOf(exchange(code))));
    expect(outcomes.filter((outcome) => outcome === 'no refusal').length).toBeLessThanOrEqual(1);
    expect(outcomes.filter((outcome) => outcome === 'invalid_grant').length).toBeGreaterThanOrEqual(7);
  });

  it('replaces refresh tokens, accepts one again for ten seconds, and then ends everything at a second use', async () => {
    const { connect, tokens, client, clock, callsWith } = await start();
    const first = await connect();
    const second = await tokens.refresh(first.refreshToken, client.id, RESOURCE);
    clock.now += 9_000;
    // Two calls of one agent that found the access token expired.
    const sibling = await tokens.refresh(first.refreshToken, client.id, RESOURCE);
    expect(await callsWith(second.accessToken)).toBe('ann');
    expect(await callsWith(sibling.accessToken)).toBe('ann');
    clock.now += 15 * MINUTE;
    expect(await callsWith(second.accessToken)).toBe('nobody');
    const third = await tokens.refresh(second.refreshToken, client.id, RESOURCE);
    const fourth = await tokens.refresh(sibling.refreshToken, client.id, RESOURCE);
    clock.now += MINUTE;
    // A thief with the first token. It was deleted long ago.
    const error = await tokens.refresh(first.refreshToken, client.id, RESOURCE).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'invalid_grant', isReuse: true });
    expect(await callsWith(third.accessToken)).toBe('nobody');
    expect(await refusalOf(tokens.refresh(fourth.refreshToken, client.id, RESOURCE))).toBe('invalid_grant');
  });

  it('keeps few rows of an agent that refreshes for a long time', async () => {
    const { connect, tokens, client, clock, store } = await start();
    let { refreshToken } = await connect();
    for (let times = 0; times < 20; times++) {
      clock.now += 14 * MINUTE;
      ({ refreshToken } = await tokens.refresh(refreshToken, client.id, undefined));
    }
    const rows = await store.tables<OAuthTables>().selectFrom('oauth_tokens').selectAll().execute();
    expect(rows.length).toBeLessThan(6);
  });

  it('ends an agent that has not called for 30 days', async () => {
    const { connect, tokens, client, clock, grants, tenant } = await start();
    const { refreshToken } = await connect();
    clock.now += 29 * DAY;
    const renewed = await tokens.refresh(refreshToken, client.id, undefined);
    clock.now += 30 * DAY;
    expect(await grants.list({ tenant })).toEqual([]);
    expect(await refusalOf(tokens.refresh(renewed.refreshToken, client.id, undefined))).toBe('invalid_grant');
  });

  it('stops for a disabled user, and for good after a change of the password', async () => {
    const { connect, callsWith, identity, tenant, tokens, client, grants } = await start();
    const { accessToken, refreshToken } = await connect();
    await identity.users.setDisabled(tenant, 'ann', true);
    expect(await callsWith(accessToken)).toBe('nobody');
    expect(await refusalOf(tokens.refresh(refreshToken, client.id, undefined))).toBe('invalid_grant');
    await identity.users.setDisabled(tenant, 'ann', false);
    expect(await callsWith(accessToken)).toBe('ann');
    await identity.users.passwd(tenant, 'ann', 'Another-lantern-78');
    expect(await callsWith(accessToken)).toBe('nobody');
    expect(await refusalOf(tokens.refresh(refreshToken, client.id, undefined))).toBe('invalid_grant');
    expect(await grants.list({ tenant })).toEqual([]);
  });

  it('revokes by either token, of the same client alone, and forgets the agents of a removed user', async () => {
    const { connect, tokens, client, clients, callsWith, identity, tenant, grants } = await start();
    const other = await clients.register({ redirect_uris: [BACK] });
    for (const which of ['accessToken', 'refreshToken'] as const) {
      const issued = await connect();
      expect(await tokens.revoke(issued[which], other.id)).toBeUndefined();
      expect(await callsWith(issued.accessToken)).toBe('ann');
      expect(await tokens.revoke(issued[which], client.id)).toMatchObject({ user: 'ann' });
      expect(await callsWith(issued.accessToken)).toBe('nobody');
    }
    for (const unknown of ['', 'x', `serviceagent_${'a'.repeat(43)}`, 'a\u0000b'])
      expect(await tokens.revoke(unknown, client.id)).toBeUndefined();
    const { accessToken } = await connect();
    await identity.users.remove(tenant, 'ann');
    expect(await callsWith(accessToken)).toBe('nobody');
    expect(await grants.list({ tenant })).toEqual([]);
  });

  it("lists and ends a user's agents, and for administrators their tenant's, never another tenant's", async () => {
    const { connect, grants, tenant, identity, permission, exchange, callsWith, clock } = await start();
    const { accessToken } = await connect();
    clock.now += MINUTE;
    await callsWith(accessToken);
    const acme = await identity.tenants.ensure('acme');
    const eve = await identity.users.add({ tenant: acme.id, name: 'ann', password: PASSWORD });
    await exchange(await grants.allow(eve, permission));
    const [mine] = await grants.list({ tenant, user: 'ann' });
    expect(mine).toMatchObject({ agent: 'Robot', user: 'ann', scopes: ['query'], lastUsedAtMillis: clock.now });
    expect(await grants.list({ tenant, user: 'bob' })).toEqual([]);
    expect(await grants.list({ tenant })).toHaveLength(1);
    const id = mine?.id ?? '';
    for (const stranger of [{ tenant: acme.id }, { tenant: acme.id, user: 'ann' }, { tenant, user: 'bob' }])
      await expect(grants.revoke(id, stranger)).rejects.toThrow('no connected agent');
    expect(await callsWith(accessToken)).toBe('ann');
    await grants.revoke(id, { tenant });
    expect(await callsWith(accessToken)).toBe('nobody');
  });

  it('keeps at most 50 agents of a user, the latest ones', async () => {
    const { grants, ann, permission, exchange, clock, tenant } = await start();
    for (let count = 0; count < 52; count++) {
      clock.now += 1_000;
      await exchange(await grants.allow(ann, permission));
    }
    const left = await grants.list({ tenant });
    expect(left).toHaveLength(50);
    expect(Math.min(...left.map(({ createdAtMillis }) => createdAtMillis))).toBe(clock.now - 49_000);
  });

  it('keeps 1,000 of 10,000 registrations, the latest ones, and each agent that somebody uses', async () => {
    const { clients, client, connect, store, clock } = await start();
    await connect();
    const tables = store.tables<OAuthTables>();
    const names = async () =>
      (await tables.selectFrom('oauth_clients').select('name').execute()).map(({ name }) => name);
    // Ten thousand are in the table at once, such as from nodes that registered at the same time.
    for (let from = 0; from < 9_900; from += 100)
      await tables
        .insertInto('oauth_clients')
        .values(
          Array.from({ length: 100 }, (_, at) => ({
            id: `flood-${from + at}`,
            name: `flood ${from + at}`,
            redirect_uris: '["https://flood.example/"]',
            created_at: clock.now + from + at,
            used_at: null,
          })),
        )
        .execute();
    clock.now += 10_000;
    for (let count = 0; count < 100; count++)
      await clients.register({ client_name: `late ${count}`, redirect_uris: ['https://late.example/'] });
    const left = await names();
    expect(left).toHaveLength(1_001);
    expect(left.filter((name) => name.startsWith('late'))).toHaveLength(100);
    expect(left).toContain('flood 9899');
    expect(left).not.toContain('flood 8999');
    expect(await clients.find(client.id)).toMatchObject({ name: 'Robot' });
    clock.now += DAY + 1;
    for (let count = 0; count < 11; count++) await clients.register({ redirect_uris: ['https://late.example/'] });
    expect(await names()).toHaveLength(12);
  });

  it('forgets an agent half a year after its last permission', async () => {
    const { clients, client, connect, tokens, clock } = await start();
    const { accessToken } = await connect();
    await tokens.revoke(accessToken, client.id);
    clock.now += 179 * DAY;
    await clients.register({ redirect_uris: [BACK] });
    expect(await clients.find(client.id)).toBeDefined();
    clock.now += 2 * DAY;
    await clients.register({ redirect_uris: [BACK] });
    expect(await clients.find(client.id)).toBeUndefined();
  });

  it('reads a registration, and refuses addresses that a code must not go to', async () => {
    const { clients } = await start();
    const asked = {
      client_name: ' Robot\u202e\n 2 ',
      redirect_uris: [BACK, BACK],
      token_endpoint_auth_method: 'basic',
    };
    expect(await clients.register(asked)).toMatchObject({ name: 'Robot 2', redirectUris: [BACK] });
    for (const right of [
      'https://a.example/x?y=1',
      'http://localhost:99/',
      'http://[::1]/c',
      'cursor://a/b',
      'com.example.app:/cb',
    ])
      expect(await refusalOf(clients.register({ redirect_uris: [right] })), right).toBe('no refusal');
    for (const wrong of [
      'http://a.example/',
      'https://a.example/#x',
      'https://u:p@a.example/',
      'javascript:alert(1)',
      'JavaScript:/alert(1)',
      'data:text/html,x',
      'app:cb',
      '/callback',
      'https://a.example/a b',
      `https://a.example/${'x'.repeat(500)}`,
    ])
      expect(await refusalOf(clients.register({ redirect_uris: [wrong] })), wrong).toBe('invalid_redirect_uri');
    for (const wrong of [undefined, [], 'x', { client_name: 'x'.repeat(101), redirect_uris: [BACK] }])
      expect(await refusalOf(clients.register(wrong))).toMatch(/^invalid_(client_metadata|redirect_uri)$/);
  });

  it('checks the request of an agent', async () => {
    const { clients, client, resources } = await start();
    const right = {
      client_id: client.id,
      redirect_uri: 'http://127.0.0.1:4711/callback',
      response_type: 'code',
      code_challenge: CHALLENGE,
      code_challenge_method: 'S256',
      scope: 'query administration',
      resource: RESOURCE,
    };
    const outcomeOf = async (changes: Readonly<Record<string, string | undefined>>) => {
      const { outcome } = await checkRequest(AuthorizationRequest.parse({ ...right, ...changes }), {
        clients,
        resources,
      });
      return outcome instanceof OAuthError ? outcome.code : outcome.scopes.join(' ');
    };
    // A program on the user's machine takes any port; an unknown scope gives nothing.
    expect(await outcomeOf({})).toBe('query');
    expect(await outcomeOf({ scope: undefined, resource: undefined })).toBe('query documents');
    expect(await outcomeOf({ scope: 'administration' })).toBe('invalid_scope');
    expect(await outcomeOf({ response_type: 'token' })).toBe('unsupported_response_type');
    expect(await outcomeOf({ code_challenge_method: 'plain' })).toBe('invalid_request');
    expect(await outcomeOf({ code_challenge_method: undefined })).toBe('invalid_request');
    expect(await outcomeOf({ code_challenge: 'short' })).toBe('invalid_request');
    expect(await outcomeOf({ resource: 'https://other.example/mcp' })).toBe('invalid_target');
    for (const redirect_uri of [
      'http://127.0.0.1:4711/other',
      'http://127.0.0.1.evil.example/callback',
      'http://localhost/callback',
      'http://127.0.0.1:1@evil.example/callback',
      'https://127.0.0.1/callback',
      'http://127.0.0.1/callback?x=1',
      '',
    ])
      expect(await refusalOf(outcomeOf({ redirect_uri })), redirect_uri).toBe('invalid_redirect_uri');
    for (const client_id of ['', 'x', '\u0000', '00000000-0000-0000-0000-000000000000'])
      expect(await refusalOf(outcomeOf({ client_id })), client_id).toBe('invalid_client');
  });
});

it('returns to the agent with its state and the name of this server', () => {
  const request = AuthorizationRequest.parse({ redirect_uri: 'https://a.example/cb?x=1', state: 's&t' });
  expect(returnTo(request, { code: 'c' }, URL_HERE)).toBe(
    'https://a.example/cb?x=1&code=c&state=s%26t&iss=https%3A%2F%2Fdata.example.com',
  );
  expect(returnTo(request, new OAuthError('access_denied', 'No.'), URL_HERE)).toBe(
    'https://a.example/cb?x=1&error=access_denied&error_description=No.&state=s%26t&iss=https%3A%2F%2Fdata.example.com',
  );
});

it.each([
  [{}, 8080, ['http://localhost:8080', 'http://127.0.0.1:8080', 'http://[::1]:8080']],
  [{ 'service.http.basePath': '/a' }, 1, ['http://localhost:1/a', 'http://127.0.0.1:1/a', 'http://[::1]:1/a']],
  [{}, undefined, undefined],
  [{ 'service.http.host': '0.0.0.0' }, 8080, undefined],
  [{ 'service.http.trustProxy': 'true' }, 8080, undefined],
  [{ 'service.http.publicUrl': 'https://Data.Example.com/' }, 8080, ['https://data.example.com']],
  [{ 'service.http.publicUrl': 'https://x.example/a/', 'service.http.basePath': '/a' }, 8080, ['https://x.example/a']],
  // Tokens would travel in the clear.
  [{ 'service.http.publicUrl': 'http://data.example.com' }, 8080, undefined],
] as const)('with the settings %o and the port %s, agents know the addresses %o', (settings, port, expected) => {
  expect(agentAddresses(configOf(settings), port)).toEqual(expected);
});

it('refuses to start with a public address that lacks the base path', () => {
  const config = configOf({ 'service.http.publicUrl': 'https://x.example', 'service.http.basePath': '/a' });
  expect(() => agentAddresses(config, 8080)).toThrow('must end with service.http.basePath');
});
