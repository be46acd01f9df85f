import { createHash } from 'node:crypto';
import { auth } from '@modelcontextprotocol/client';
import { afterEach, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { MAX_REGISTRATIONS_A_MINUTE } from '../oauth/limits.ts';
import { TestAgent, TestPerson } from '../oauth/testing/agent.ts';
import { type AgentNode, serveAgentNode } from '../oauth/testing/node.ts';
import { onEveryEngine } from '../state/testing/engines.ts';
import { MCP_PATH } from './mcp.ts';

const PASSWORD = 'Quarry-lantern-77';
const VERIFIER = 'v'.repeat(43);
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');
const BACK = 'https://agent.example/cb';
const PAGE = { origin: 'https://agent.example' };
const REQUEST = '/rest/service/api/agents/request';
const AGENTS = '/rest/service/api/agents';

const Metadata = z.record(z.string(), z.unknown());
const Refused = z.object({ error: z.string() });
const Registered = z.object({ client_id: z.string() });
const Issued = z.object({ access_token: z.string(), refresh_token: z.string(), scope: z.string() });
const Listed = z.object({ signIn: z.string(), agents: z.array(z.object({ id: z.string(), agent: z.string() })) });

onEveryEngine((state) => {
  let node: AgentNode;
  afterEach(() => node.stop());

  async function start(settings?: Readonly<Record<string, string>>) {
    node = await serveAgentNode(state, PASSWORD, settings);
    const { url } = node;
    const person = new TestPerson(url);
    await person.signIn('ann', PASSWORD);
    const form = (path: string, fields: Readonly<Record<string, string>>) =>
      fetch(url + path, { method: 'POST', body: new URLSearchParams(fields) });
    const register = async (metadata: object = { client_name: 'Robot', redirect_uris: [BACK] }) =>
      fetch(`${url}/oauth/register`, { method: 'POST', body: JSON.stringify(metadata) });
    const call = (token: string, headers: Readonly<Record<string, string>> = {}) =>
      fetch(url + MCP_PATH, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
        body: '{}',
      });
    const connect = async () => {
      const { client_id } = Registered.parse(await (await register()).json());
      const asked = new URL(`${url}/ui/authorize/`);
      const request = { client_id, redirect_uri: BACK, response_type: 'code', scope: 'query' };
      asked.search = String(
        new URLSearchParams({ ...request, code_challenge: CHALLENGE, code_challenge_method: 'S256' }),
      );
      const code = (await person.answer(asked)).get('code') ?? '';
      const exchange = {
        grant_type: 'authorization_code',
        client_id,
        code,
        redirect_uri: BACK,
        code_verifier: VERIFIER,
      };
      const issued = Issued.parse(await (await form('/oauth/token', exchange)).json());
      return { client_id, exchange, asked, issued };
    };
    return { url, person, form, register, call, connect };
  }

  it.each(['', '/analytics'])('the official client connects from nothing, below the path "%s"', async (basePath) => {
    const { url, person, call } = await start({ 'service.http.basePath': basePath });
    const agent = new TestAgent();
    const challenge = (await call('')).headers.get('www-authenticate') ?? '';
    const resourceMetadataUrl = new URL(/resource_metadata="([^"]+)"/.exec(challenge)?.[1] ?? '');
    const options = { serverUrl: url + MCP_PATH, resourceMetadataUrl };
    expect(await auth(agent, options)).toBe('REDIRECT');
    expect(`${agent.opened?.origin}${agent.opened?.pathname}`).toBe(`${url}/ui/authorize/`);
    const answer = await person.answer(agent.opened ?? new URL(url));
    expect(answer.get('state')).toBe('a state of the agent');
    const iss = answer.get('iss') ?? '';
    expect(await auth(agent, { ...options, authorizationCode: answer.get('code') ?? '', iss })).toBe('AUTHORIZED');
    const called = await call(agent.granted?.access_token ?? '');
    expect(await called.json()).toEqual({ user: 'ann', scopes: ['query', 'documents'] });
    const before = agent.granted?.access_token;
    expect(await auth(agent, options)).toBe('AUTHORIZED');
    expect(agent.granted?.access_token).not.toBe(before);
    expect((await call(agent.granted?.access_token ?? '')).status).toBe(200);
  });

  it('finds its metadata where a proxy passes on only its path', async () => {
    const { url } = await start({ 'service.http.basePath': '/analytics' });
    const { origin } = new URL(url);
    const read = async (address: string) => Metadata.parse(await (await fetch(address)).json());
    const metadata = await read(`${origin}/.well-known/oauth-authorization-server/analytics`);
    expect(metadata).toMatchObject({
      issuer: url,
      token_endpoint: `${url}/oauth/token`,
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
    });
    expect(await read(`${url}/.well-known/openid-configuration`)).toMatchObject(metadata);
    expect(await read(`${origin}/.well-known/oauth-protected-resource/analytics${MCP_PATH}`)).toMatchObject({
      resource: url + MCP_PATH,
      authorization_servers: [url],
    });
  });

  it('names the address by which an agent came, of a server on loopback, and no foreign one', async () => {
    const { url } = await start();
    const { port } = new URL(url);
    const issuer = async (address: string) =>
      z
        .object({ issuer: z.string() })
        .parse(await (await fetch(`${address}/.well-known/oauth-authorization-server`)).json());
    expect(await issuer(`http://localhost:${port}`)).toEqual({ issuer: `http://localhost:${port}` });
    expect(await issuer(url)).toEqual({ issuer: url });
  });

  it('shows the request to its user, and answers it only for a session with the CSRF pair', async () => {
    const { url, person, connect } = await start();
    const { asked } = await connect();
    const described = await person.get(`${REQUEST}${asked.search}`);
    expect(await described.json()).toEqual({
      agent: 'Robot',
      receiver: { kind: 'site', name: 'agent.example' },
      scopes: ['query'],
    });
    const body = { ...Object.fromEntries(asked.searchParams), allow: true };
    expect((await person.post(REQUEST, body, { isPaired: false })).status).toBe(403);
    const { identity } = node;
    const tenant = await identity.tenants.ensure('default');
    const { key } = await identity.apiKeys.create({ tenant: tenant.id, label: 'k', roles: ['ROLE_ADMIN'] });
    for (const authorization of [`Bearer ${key}`, `Basic ${btoa(`ann:${PASSWORD}`)}`]) {
      const headers = { authorization, 'content-type': 'application/json' };
      const answer = await fetch(url + REQUEST, { method: 'POST', headers, body: JSON.stringify(body) });
      expect(answer.status).toBe(403);
    }
    expect((await fetch(url + REQUEST + asked.search)).status).toBe(401);
    expect((await person.answer(asked, false)).get('error')).toBe('access_denied');
    // Nothing is sent to an address that was not registered.
    for (const wrong of [{ redirect_uri: 'https://evil.example/' }, { client_id: 'x' }]) {
      const refused = await person.post(REQUEST, { ...body, ...wrong });
      expect(refused.status).toBe(400);
      expect(await refused.text()).not.toContain('location');
    }
  });

  it('refuses a wrong verifier and a second use of a code, which ends the tokens', async () => {
    const { form, call, connect } = await start();
    const { exchange, issued } = await connect();
    expect((await call(issued.access_token)).status).toBe(200);
    const again = await form('/oauth/token', exchange);
    expect(again.status).toBe(400);
    expect(await again.json()).toMatchObject({ error: 'invalid_grant' });
    expect((await call(issued.access_token)).status).toBe(401);
    const names = node.observed.map(({ operation, outcome, owner }) => `${operation} ${outcome} ${owner ?? ''}`);
    expect(names).toContain('oauth.register OK ');
    expect(names).toContain('oauth.exchange OK ann');
    expect(names).toContain('oauth.exchange REUSED_TOKEN ');
    expect(JSON.stringify(node.observed)).not.toContain(exchange.code);
  });

  it('lists an agent, and ends it by its user, by itself, and by nobody else', async () => {
    const { person, form, call, connect } = await start();
    const { issued, client_id } = await connect();
    const listed = async (by: TestPerson) => Listed.parse(await (await by.get(AGENTS)).json());
    const { signIn, agents } = await listed(person);
    expect([signIn, agents.map(({ agent }) => agent)]).toEqual(['here', ['Robot']]);
    const acme = await node.identity.tenants.ensure('acme');
    await node.identity.users.add({ tenant: acme.id, name: 'eve', password: PASSWORD, roles: ['ROLE_ADMIN'] });
    const eve = new TestPerson(node.url);
    await eve.signIn('acme/eve', PASSWORD);
    expect((await listed(eve)).agents).toEqual([]);
    expect((await eve.delete(`${AGENTS}/${agents[0]?.id}`)).status).toBe(404);
    // Its token is for the MCP endpoint alone, not for the list of agents.
    const withToken = { headers: { authorization: `Bearer ${issued.access_token}` } };
    expect((await fetch(node.url + AGENTS, withToken)).status).toBe(401);
    expect((await person.delete(`${AGENTS}/${agents[0]?.id}`)).status).toBe(200);
    expect((await call(issued.access_token)).status).toBe(401);
    const second = await connect();
    const revoked = await form('/oauth/revoke', { client_id: second.client_id, token: second.issued.refresh_token });
    expect(revoked.status).toBe(200);
    expect((await call(second.issued.access_token)).status).toBe(401);
    expect((await form('/oauth/revoke', { client_id, token: 'unknown' })).status).toBe(200);
  });

  it('answers mistakes with the codes of the standard', async () => {
    const { url, form, register, connect } = await start();
    const { client_id, issued } = await connect();
    const refresh = { grant_type: 'refresh_token', client_id, refresh_token: issued.refresh_token };
    const outcome = async (answered: Promise<Response>) => {
      const answer = await answered;
      return [answer.status, Refused.parse(await answer.json()).error];
    };
    expect(await outcome(form('/oauth/token', { ...refresh, grant_type: 'password' }))).toEqual([
      400,
      'unsupported_grant_type',
    ]);
    expect(await outcome(form('/oauth/token', { ...refresh, client_id: 'gone' }))).toEqual([401, 'invalid_client']);
    expect(await outcome(form('/oauth/token', { ...refresh, resource: 'https://x.example' }))).toEqual([
      400,
      'invalid_target',
    ]);
    expect(await outcome(form('/oauth/token', { grant_type: 'refresh_token' }))).toEqual([400, 'invalid_request']);
    expect(await outcome(form('/oauth/token', { ...refresh, refresh_token: '\u0000' }))).toEqual([
      400,
      'invalid_grant',
    ]);
    expect(await outcome(fetch(`${url}/oauth/token`))).toEqual([405, 'invalid_request']);
    expect(await outcome(register({ redirect_uris: [] }))).toEqual([400, 'invalid_redirect_uri']);
    const broken = { method: 'POST', body: '{' };
    expect(await outcome(fetch(`${url}/oauth/register`, broken))).toEqual([400, 'invalid_request']);
    const huge = { method: 'POST', body: JSON.stringify({ client_name: 'x'.repeat(20_000) }) };
    expect(await outcome(fetch(`${url}/oauth/register`, huge))).toEqual([400, 'invalid_request']);
  });

  it('limits registrations of one address, and behind a proxy of each client', async () => {
    const { register, url } = await start({
      'service.http.trustProxy': 'true',
      'service.http.publicUrl': 'https://data.example.com',
    });
    let refused = 0;
    for (let count = 0; count <= MAX_REGISTRATIONS_A_MINUTE; count++) if ((await register()).status === 429) refused++;
    expect(refused).toBe(1);
    const elsewhere = await fetch(`${url}/oauth/register`, {
      method: 'POST',
      headers: { 'x-forwarded-for': '203.0.113.9' },
      body: JSON.stringify({ redirect_uris: [BACK] }),
    });
    expect(elsewhere.status).toBe(201);
  });

  it('lets a page of another origin sign in and call with its token, and with nothing that the browser has', async () => {
    const { url, person, call, connect } = await start();
    const preflight = async (path: string, method: string) => {
      const headers = { ...PAGE, 'access-control-request-method': method };
      const answer = await fetch(url + path, { method: 'OPTIONS', headers });
      return [answer.status, answer.headers.get('access-control-allow-origin')];
    };
    for (const [path, method] of [
      ['/.well-known/oauth-authorization-server', 'GET'],
      [`/.well-known/oauth-protected-resource${MCP_PATH}`, 'GET'],
      ['/oauth/register', 'POST'],
      ['/oauth/token', 'POST'],
      [MCP_PATH, 'POST'],
    ] as const)
      expect(await preflight(path, method), path).toEqual([204, '*']);
    const { issued } = await connect();
    const called = await call(issued.access_token, PAGE);
    expect([called.status, called.headers.get('access-control-allow-origin')]).toEqual([200, '*']);
    expect(called.headers.get('access-control-allow-credentials')).toBeNull();
    const challenged = await fetch(url + MCP_PATH, { method: 'POST', headers: PAGE, body: '{}' });
    expect(challenged.status).toBe(401);
    expect(challenged.headers.get('access-control-expose-headers')).toContain('WWW-Authenticate');
    const basic = { ...PAGE, authorization: `Basic ${btoa(`ann:${PASSWORD}`)}` };
    expect((await fetch(url + MCP_PATH, { method: 'POST', headers: basic, body: '{}' })).status).toBe(403);
    // The cookie of a session does not count there, and the consent is not open to other origins at all.
    const cookie = `SERVICE_SESSION=${person.cookie('SERVICE_SESSION')}; XSRF-TOKEN=${person.cookie('XSRF-TOKEN')}`;
    const paired = { ...PAGE, cookie, 'x-xsrf-token': person.cookie('XSRF-TOKEN') };
    expect((await fetch(url + MCP_PATH, { method: 'POST', headers: paired, body: '{}' })).status).toBe(401);
    expect((await fetch(url + REQUEST, { headers: PAGE })).headers.get('access-control-allow-origin')).toBeNull();
  });

  it('answers an expired access token with 401 and the address of the metadata', async () => {
    const { call, connect } = await start();
    const { issued } = await connect();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 16 * 60_000 });
    try {
      const answer = await call(issued.access_token);
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toMatch(/^Bearer error="invalid_token", resource_metadata="http/);
    } finally {
      vi.useRealTimers();
    }
  });
});
