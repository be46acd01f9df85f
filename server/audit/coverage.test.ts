/** Tests each kind of audit entry through the running product and its commands: user, action and outcome. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { service } from '../cli/testing/command.ts';
import { Browser } from '../oidc/testing/browser.ts';
import { CLIENT_ID, CLIENT_SECRET, startProvider, type TestProvider } from '../oidc/testing/provider.ts';
import { type Call, until } from '../tenants/testing/client.ts';
import { answerOf } from '../tenants/testing/things.ts';
import { startWorld, type TenantName, type World } from '../tenants/testing/world.ts';
import { OPERATIONS_OF_KINDS } from './operation-entry.ts';
import { AUDIT_KINDS } from './tables.ts';

const PASSWORD = 'Quarry-lantern-77';
const Page = z.object({
  entries: z.array(
    z.object({
      user: z.string().nullable(),
      via: z.string(),
      kind: z.string(),
      action: z.string(),
      outcome: z.string(),
      target: z.string().nullable(),
    }),
  ),
});

let world: World;
let provider: TestProvider;
beforeAll(async () => {
  process.env.SERVICE_LOG_LEVEL = 'silent';
  world = await startWorld(undefined, {
    async settings(url) {
      provider = await startProvider(`${url}/login/oidc/callback`, []);
      provider.people.set('sub-eve', { preferred_username: 'eve', org: 'beta' });
      provider.person = 'sub-eve';
      return {
        'service.http.publicUrl': url,
        'service.oidc.issuer': provider.issuer,
        'service.oidc.clientId': CLIENT_ID,
        'service.oidc.clientSecret': CLIENT_SECRET,
        'service.oidc.tenantClaim': 'org',
      };
    },
  });
});
afterAll(async () => {
  delete process.env.SERVICE_LOG_LEVEL;
  await world.close();
  await provider.stop();
});

const entriesOf = async (name: TenantName) => {
  const { text } = await answerOf(world, name, 'audit.list', { parameters: { limit: '500' } });
  return Page.parse(JSON.parse(text)).entries;
};

const post = (path: string, body: object, headers: Readonly<Record<string, string>> = {}) =>
  fetch(world.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

it("a tenant's administrator reads its sign-ins, tokens, grants, queries, refusals and changes", async () => {
  const ask = (operation: string, call: Call = {}) => answerOf(world, 'beta', operation, call);
  const succeed = async (operation: string, call: Call) => {
    const answer = await ask(operation, call);
    expect(answer.status, `${operation}: ${answer.text}`).toBeLessThan(300);
    return answer;
  };
  await post('/login', { username: 'beta/ann', password: PASSWORD });
  await post('/login', { username: 'beta/ann', password: 'a wrong one' });
  await post('/login', { username: 'beta/typed-here-by-mistake', password: 'a wrong one' });
  // The provider runs in this process. A busy machine may exceed the time limit for its answers.
  await until(
    async () => {
      const { url } = await new Browser().go(`${world.url}/login/oidc`);
      return { status: url.searchParams.has('sign-in') ? 503 : 200, text: url.search };
    },
    ({ status }) => status === 200,
  );
  await fetch(`${world.url}/login/oidc/callback?code=x&state=y`, { redirect: 'manual' });

  const query = { connection: 'same', rows: [{ dataset: 'sales', field: 'place' }], values: [{ metric: 'amount' }] };
  await until(
    () => ask('semantic.query', { body: query }),
    ({ status }) => status === 200,
  );
  const path = 'shared/recorded.service';
  const body = { version: 1, title: 'T', source: { surface: 'semantic', request: query } };
  await succeed('repository.write', { parameters: { path }, body });
  const made = await succeed('embed.createToken', { body: { resourceKind: 'query', resourcePath: path } });
  const { token } = z.object({ token: z.string() }).parse(JSON.parse(made.text));
  await succeed('embed.readQuery', { parameters: { path }, embedToken: token, isAnonymous: true });
  await succeed('embed.createGrant', { body: { resourceKind: 'query', resourcePath: path } });
  await succeed('embed.removeGrant', { parameters: { kind: 'query', path } });
  await succeed('embed.revokeToken', { parameters: { token } });
  const location = 'jdbc:postgresql://127.0.0.1:1/shop';
  await succeed('datasources.add', {
    body: { id: 'added', name: 'added', type: 'SEMANTIC', semanticYaml: 'shop.yaml', location },
  });
  await succeed('datasources.remove', { parameters: { id: 'added' } });
  await ask('tenants.list');

  // The entries name the tenant or a proven identity, and contain nothing of another tenant.
  const recorded = (await entriesOf('beta')).map(({ kind, action, outcome, user }) => [kind, action, outcome, user]);
  for (const entry of [
    ['SIGN_IN', 'identity.login', 'OK', 'ann'],
    ['SIGN_IN', 'identity.login', 'UNAUTHENTICATED', 'ann'],
    // A user name without an account may be a mistyped password, so it is not recorded.
    ['SIGN_IN', 'identity.login', 'UNAUTHENTICATED', null],
    ['SIGN_IN', 'identity.singleSignOn', 'OK', 'eve'],
    ['QUERY', 'semantic.query', 'OK', 'ann'],
    ['QUERY', 'embed.readQuery', 'OK', null],
    ['TOKEN', 'embed.createToken', 'OK', 'ann'],
    ['TOKEN', 'embed.revokeToken', 'OK', 'ann'],
    ['GRANT', 'embed.createGrant', 'OK', 'ann'],
    ['GRANT', 'embed.removeGrant', 'OK', 'ann'],
    ['CHANGE', 'repository.write', 'OK', 'ann'],
    ['ADMINISTRATION', 'datasources.add', 'OK', 'ann'],
    ['ADMINISTRATION', 'datasources.remove', 'OK', 'ann'],
    ['REFUSAL', 'tenants.list', 'FORBIDDEN', 'ann'],
  ])
    expect.soft(recorded, JSON.stringify(entry)).toContainEqual(entry);
  expect(JSON.stringify(await entriesOf('beta'))).not.toContain('mistake');
  expect((await entriesOf('alpha')).filter(({ kind }) => kind !== 'REFUSAL')).toEqual([]);
});

it("the installation's administrators read failed authentications, anonymous refusals and commands", async () => {
  const headers = { authorization: 'Bearer nobody-has-this-key' };
  const path = world.operations.get('semantic.query')?.path ?? '';
  await post(path, {}, headers);
  await post(path, {});
  await post('/rest/service/api/mcp', {});
  await fetch(`${world.url}/rest/service/api/embed/query/shared/none.service`);
  await fetch(`${world.url}/login/oidc/callback?code=x&state=y`, { redirect: 'manual' });

  const command = async (args: readonly string[], input?: string) => {
    const ended = await service([...args, '--home', world.home.root], input);
    expect([args.join(' '), ended.code, ended.err]).toEqual([args.join(' '), 0, ended.err]);
    return ended.out;
  };
  const password = `${PASSWORD}-of-bob\n`;
  await command(['tenant', 'create', 'acme']);
  const { id } = JSON.parse(await command(['api-key', 'create', '--label', 'loader', '--json']));
  await command(['api-key', 'revoke', id]);
  await command(['user', 'add', 'bob'], password);
  await command(['user', 'passwd', 'bob'], password);
  await command(['user', 'remove', 'bob']);
  writeFileSync(join(world.home.root, 'sold.csv'), 'place,amount\nRome,1\n');
  await command(['import', join(world.home.root, 'sold.csv'), '--name', 'sold']);
  await command(['user', 'add', 'zoe', '--tenant', 'newly'], password);
  await command(['tenant', 'remove', 'acme']);
  await command(['backup', join(world.home.root, 'backup')]);

  const entries = await entriesOf('default');
  const recorded = entries.map(({ kind, action, outcome, target, via }) => [via, kind, action, outcome, target]);
  for (const entry of [
    ['bearer', 'SIGN_IN', 'authenticate', 'UNAUTHENTICATED', null],
    ['anonymous', 'REFUSAL', 'semantic.query', 'UNAUTHENTICATED', null],
    ['anonymous', 'REFUSAL', 'mcp', 'UNAUTHENTICATED', null],
    ['embed', 'REFUSAL', 'embed.readQuery', 'EMBED_INVALID', 'path=shared/none.service'],
    ['single-sign-on', 'SIGN_IN', 'identity.singleSignOn', 'SIGN_ON_EXPIRED', null],
    ['command', 'ADMINISTRATION', 'tenant create', 'OK', 'name=acme'],
    ['command', 'ADMINISTRATION', 'tenant create', 'OK', 'name=newly'],
    ['command', 'ADMINISTRATION', 'tenant remove', 'OK', 'name=acme'],
    ['command', 'API_KEY', 'api-key create', 'OK', `id=${id} label=loader`],
    ['command', 'API_KEY', 'api-key revoke', 'OK', `id=${id}`],
    ['command', 'ADMINISTRATION', 'user add', 'OK', 'name=bob'],
    ['command', 'ADMINISTRATION', 'user passwd', 'OK', 'name=bob'],
    ['command', 'ADMINISTRATION', 'user remove', 'OK', 'name=bob'],
    ['command', 'ADMINISTRATION', 'import', 'OK', 'name=sold'],
    ['command', 'ADMINISTRATION', 'backup', 'OK', null],
  ])
    expect.soft(recorded, JSON.stringify(entry)).toContainEqual(entry);
});

it('every operation with a kind exists in the product, and the tests above cover every kind', () => {
  // Sign-in at the provider and the endpoints of agents are beside the router; `server/http/agent-sign-in.test.ts` covers the latter.
  const audited = [...OPERATIONS_OF_KINDS].filter(
    (operation) => operation !== 'identity.singleSignOn' && !operation.startsWith('oauth.'),
  );
  expect(audited.filter((operation) => !world.operations.has(operation))).toEqual([]);
  expect([...AUDIT_KINDS].sort()).toEqual(
    ['SIGN_IN', 'API_KEY', 'TOKEN', 'GRANT', 'QUERY', 'CHANGE', 'ADMINISTRATION', 'REFUSAL'].sort(),
  );
});
