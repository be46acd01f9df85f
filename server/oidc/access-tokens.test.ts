import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  Client,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { mcp } from '../../plugins/mcp/index.ts';
import { callsInMemory, NO_PICTURES } from '../../plugins/mcp/testing/client.ts';
import { skills } from '../../plugins/skills/index.ts';
import { userOf } from '../../router/calling-user.ts';
import { standardErrorFormat } from '../../router/error-body.ts';
import { operation, operations } from '../../router/operation.ts';
import { plugin, routersOf } from '../../router/plugin.ts';
import { collectRoutes } from '../../router/rest/routes.ts';
import { silentLog } from '../../router/testing/silent-log.ts';
import { collectTools } from '../../router/tools/tools.ts';
import { MCP_PATH, type McpBinding } from '../http/mcp.ts';
import { onEveryEngine } from '../state/testing/engines.ts';
import { Browser } from './testing/browser.ts';
import { startKeys, type TestKeys, type TokenClaims } from './testing/keys.ts';
import { configOf, openPort, type SignOnNode, serveNode } from './testing/node.ts';
import { CLIENT_ID, CLIENT_SECRET, startProvider, type TestProvider } from './testing/provider.ts';

let folder: string;
let port: Awaited<ReturnType<typeof openPort>>;
let url: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'service-oidc-'));
  port = await openPort('127.0.0.1', 0);
  url = `http://127.0.0.1:${port.port}`;
});
afterAll(async () => {
  await port.stop(0);
  rmSync(folder, { recursive: true, force: true });
});

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });
const callSession = (token: string) => fetch(`${url}/rest/service/api/session`, { headers: bearer(token) });

onEveryEngine((state) => {
  describe('an access token that the test signs', () => {
    let issuer: TestKeys;
    let node: SignOnNode;
    let clock: { now: number };

    beforeAll(async () => {
      issuer = await startKeys();
    });
    afterAll(() => issuer.stop());
    beforeEach(async () => {
      clock = { now: Date.now() };
      const config = configOf(issuer.issuer, url, {
        'service.oidc.roles': 'bi-admins=ROLE_ADMIN',
        'service.oidc.audience': 'https://analytics.example.com/api',
      });
      node = await serveNode(state, port, { config, folder, clock: () => clock.now });
    });

    const claims = (others: TokenClaims = {}) => ({
      iss: issuer.issuer,
      aud: url,
      sub: 's-1',
      preferred_username: 'ann',
      iat: Math.floor(clock.now / 1_000),
      exp: Math.floor(clock.now / 1_000) + 300,
      ...others,
    });

    it('calls the API as its owner, with its roles, and needs no CSRF pair', async () => {
      const token = await issuer.sign(claims({ roles: ['bi-admins'] }));
      const response = await callSession(token);
      expect(response.status).toBe(200);
      expect(await response.json()).toEqual({
        user: 'ann',
        tenant: 'default',
        roles: ['ROLE_USER', 'ROLE_ADMIN'],
        administrator: true,
      });
      const write = await fetch(`${url}/me/write`, { method: 'POST', headers: bearer(token) });
      expect(write.status).toBe(204);
    });

    it.each([
      ['the address of this server', () => url],
      ['the address of the MCP endpoint', () => url + MCP_PATH],
      ['what the settings name', () => 'https://analytics.example.com/api'],
      ['one of several', () => ['https://other.example.com', url]],
    ])('may have the audience %s', async (_name, aud) => {
      expect((await callSession(await issuer.sign(claims({ aud: aud() })))).status).toBe(200);
    });

    it.each<[string, () => TokenClaims, RegExp]>([
      ['has another service as its audience', () => ({ aud: 'https://other.example.com' }), /another service/],
      ['is an identity token of this client', () => ({ aud: CLIENT_ID }), /another service/],
      ['has no audience', () => ({ aud: undefined }), /another service/],
      ['comes from another issuer', () => ({ iss: 'https://evil.example.com' }), /its claim iss/],
      ['has expired', () => ({ exp: Math.floor(clock.now / 1_000) - 31 }), /expired/],
      ['never ends', () => ({ exp: undefined }), /its claim exp/],
      ['is not valid yet', () => ({ nbf: Math.floor(clock.now / 1_000) + 60 }), /its claim nbf/],
      ['has no subject', () => ({ sub: undefined }), /its claim sub/],
    ])('is refused when it %s', async (_name, others, message) => {
      const response = await callSession(await issuer.sign(claims(others())));
      expect(response.status).toBe(401);
      expect(await response.json()).toEqual({ error: 'UNAUTHENTICATED', message: expect.stringMatching(message) });
    });

    it('is refused without a signature, with a shared secret, with another key, and when it was changed', async () => {
      const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
      const none = `${part({ alg: 'none' })}.${part(claims())}.`;
      // The provider's public key as the HS256 secret: the classic algorithm confusion.
      const signed = `${part({ alg: 'HS256', kid: issuer.kid })}.${part(claims())}`;
      const confused = `${signed}.${createHmac('sha256', issuer.publicPem).update(signed).digest('base64url')}`;
      const stranger = await generateKeyPair('RS256');
      const forged = await new SignJWT(claims())
        .setProtectedHeader({ alg: 'RS256', kid: issuer.kid })
        .sign(stranger.privateKey);
      const embedded = await new SignJWT(claims())
        .setProtectedHeader({ alg: 'RS256', jwk: await exportJWK(stranger.publicKey) })
        .sign(stranger.privateKey);
      const [header, , signature] = (await issuer.sign(claims())).split('.');
      const changed = `${header}.${part(claims({ roles: ['bi-admins'] }))}.${signature}`;
      for (const token of [none, confused, forged, embedded, changed, 'a.b.c', 'e30.e30.']) {
        const response = await callSession(token);
        expect(response.status, token).toBe(401);
      }
      expect(await node.identity.users.list()).toEqual([]);
    });

    it('is refused after it expires, even if it was accepted a moment ago', async () => {
      const token = await issuer.sign(claims({ exp: Math.floor(clock.now / 1_000) + 40 }));
      expect((await callSession(token)).status).toBe(200);
      clock.now += 71_000;
      expect((await callSession(token)).status).toBe(401);
    });

    it('is accepted when the provider has begun to sign with another key', async () => {
      expect((await callSession(await issuer.sign(claims()))).status).toBe(200);
      await issuer.rotate();
      // The keys are read again after half a minute at the earliest.
      const node2 = await serveNode(state, port, {
        config: configOf(issuer.issuer, url),
        folder,
        clock: () => clock.now,
      });
      expect((await callSession(await issuer.sign(claims({ jti: '2' })))).status).toBe(200);
      expect(await node2.identity.users.list()).toHaveLength(1);
    });

    it('is answered with a time to retry while the keys cannot be read, without the reason', async () => {
      issuer.isDown = true;
      const response = await callSession(await issuer.sign(claims()));
      issuer.isDown = false;
      expect(response.status).toBe(503);
      expect(response.headers.get('Retry-After')).toBe('5');
      const text = await response.text();
      expect(JSON.parse(text)).toMatchObject({ error: 'IDENTITY_PROVIDER_UNAVAILABLE' });
      expect(text).not.toContain('127.0.0.1');
      expect(node.log.lines.filter(({ level }) => level === 'warn')).toHaveLength(1);
    });

    it('cannot take the account of a local user', async () => {
      const tenant = await node.identity.tenants.ensure('default');
      await node.identity.users.add({ tenant: tenant.id, name: 'ann', password: 'Quarry-lantern-77' });
      const response = await callSession(await issuer.sign(claims()));
      expect(response.status).toBe(401);
      expect(await response.json()).toMatchObject({ message: expect.stringContaining('your user name') });
    });

    it('does not change how API keys work', async () => {
      const tenant = await node.identity.tenants.ensure('default');
      const { key } = await node.identity.apiKeys.create({ tenant: tenant.id, label: 'k' });
      expect((await callSession(key)).status).toBe(200);
      const unknown = await callSession('service_unknown');
      expect(await unknown.json()).toMatchObject({ message: 'This API key is unknown, has expired or was revoked.' });
    });
  });
});

describe('an agent', () => {
  onEveryEngine((state) => {
    let provider: TestProvider;
    beforeAll(async () => {
      provider = await startProvider(`${url}/login/oidc/callback`, [url, url + MCP_PATH]);
      provider.people.set('sub-ann', { preferred_username: 'ann', roles: ['bi-admins'] });
      provider.person = 'sub-ann';
    });
    afterAll(() => provider.stop());
    beforeEach(async () => {
      const config = configOf(provider.issuer, url, { 'service.oidc.roles': 'bi-admins=ROLE_ADMIN' });
      await serveNode(state, port, { config, folder, mcp: await agentEndpoint() });
    });

    it('learns from the 401 where the metadata are, and from the metadata where tokens are issued', async () => {
      const response = await fetch(url + MCP_PATH, { method: 'POST' });
      expect(response.status).toBe(401);
      const metadataUrl = `${url}/.well-known/oauth-protected-resource${MCP_PATH}`;
      expect(response.headers.get('WWW-Authenticate')).toBe(`Bearer resource_metadata="${metadataUrl}"`);
      const wrong = await fetch(url + MCP_PATH, { method: 'POST', headers: bearer('a.b.c') });
      expect(wrong.headers.get('WWW-Authenticate')).toBe(
        `Bearer error="invalid_token", resource_metadata="${metadataUrl}"`,
      );
      const metadata = await (await fetch(metadataUrl)).json();
      expect(metadata).toEqual({
        resource: url + MCP_PATH,
        authorization_servers: [provider.issuer],
        scopes_supported: ['openid', 'profile', 'email'],
        bearer_methods_supported: ['header'],
        resource_name: 'service',
      });
      expect(await (await fetch(`${url}/.well-known/oauth-protected-resource`)).json()).toEqual(metadata);
    });

    it('registers, lets its user sign in with PKCE, and calls as that user', async () => {
      const agent = new Agent(`http://127.0.0.1:${port.port}/agent/callback`);
      const transport = () => new StreamableHTTPClientTransport(new URL(url + MCP_PATH), { authProvider: agent });
      const first = transport();
      const client = new Client({ name: 'agent', version: '1' });
      await expect(client.connect(first)).rejects.toThrow(UnauthorizedError);
      expect(agent.authorizationUrl?.searchParams.get('code_challenge_method')).toBe('S256');
      expect(agent.authorizationUrl?.searchParams.get('resource')).toBe(url + MCP_PATH);
      const { url: back } = await new Browser().go(
        agent.authorizationUrl ?? '',
        ({ pathname }) => pathname === '/agent/callback',
      );
      await first.finishAuth(back.searchParams);
      const signedIn = new Client({ name: 'agent', version: '1' });
      await signedIn.connect(transport());
      const { content } = await signedIn.callTool({ name: 'who', arguments: {} });
      expect(content).toEqual([{ type: 'text', text: '{"who":"ann ROLE_USER,ROLE_ADMIN"}' }]);
      await signedIn.close();
    });

    it('with client credentials has a separate account', async () => {
      const token = async (resource: string) => {
        const response = await fetch(`${provider.issuer}/token`, {
          method: 'POST',
          headers: { Authorization: `Basic ${Buffer.from(`${CLIENT_ID}:${CLIENT_SECRET}`).toString('base64')}` },
          body: new URLSearchParams({ grant_type: 'client_credentials', resource }),
        });
        return z.object({ access_token: z.string() }).parse(await response.json()).access_token;
      };
      const response = await callSession(await token(url));
      expect(await response.json()).toMatchObject({ user: CLIENT_ID, roles: ['ROLE_USER'] });
    });
  });
});

/** An agent's store of its registration and tokens, as the SDK requires. */
class Agent implements OAuthClientProvider {
  readonly redirectUrl: string;
  /** The page that the agent would open in a browser. */
  authorizationUrl: URL | undefined;
  #client: StoredOAuthClientInformation | undefined;
  #tokens: StoredOAuthTokens | undefined;
  #discovered: OAuthDiscoveryState | undefined;
  #verifier = '';

  constructor(redirectUrl: string) {
    this.redirectUrl = redirectUrl;
  }

  get clientMetadata() {
    return {
      client_name: 'agent',
      redirect_uris: [this.redirectUrl],
      grant_types: ['authorization_code'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    };
  }

  clientInformation() {
    return this.#client;
  }
  saveClientInformation(client: StoredOAuthClientInformation): void {
    this.#client = client;
  }
  tokens() {
    return this.#tokens;
  }
  saveTokens(tokens: StoredOAuthTokens): void {
    this.#tokens = tokens;
  }
  redirectToAuthorization(address: URL): void {
    this.authorizationUrl = address;
  }
  saveDiscoveryState(state: OAuthDiscoveryState): void {
    this.#discovered = state;
  }
  discoveryState(): OAuthDiscoveryState | undefined {
    return this.#discovered;
  }
  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }
  codeVerifier(): string {
    return this.#verifier;
  }
}

/** Makes the real MCP endpoint with one tool, `who`, which returns the caller and its roles. */
async function agentEndpoint(): Promise<McpBinding> {
  const router = operations({
    who: operation({
      summary: 'w',
      access: 'user',
      tool: { name: 'who', title: 'Who', description: 'Reports the caller.' },
      rest: { method: 'GET', path: '/who' },
    })
      .output(z.object({ who: z.string() }))
      .query(({ ctx }) => ({ who: `${userOf(ctx).user} ${userOf(ctx).roles.join(',')}` })),
  });
  const made = plugin({ name: 'who', title: 'Who', router, errorFormat: standardErrorFormat });
  const { folders } = skills({ directoryOf: async () => '/nowhere', clock: Date.now });
  const tools = collectTools({
    router: operations(routersOf([made])),
    routes: collectRoutes([made]),
    onError: () => {},
  });
  return mcp({ tools, skills: folders, calls: callsInMemory(), ...NO_PICTURES, version: '1', log: silentLog });
}
