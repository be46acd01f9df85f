/**
 * Runs the product with secrets in their proper places and in the places where careless callers put them, and searches the log at its most verbose,
 * the metrics, the traces and the audit log for them.
 */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Browser } from '../oidc/testing/browser.ts';
import { CLIENT_ID, CLIENT_SECRET, startProvider, type TestProvider } from '../oidc/testing/provider.ts';
import { until } from '../tenants/testing/client.ts';
import { answerOf } from '../tenants/testing/things.ts';
import { startWorld, type World } from '../tenants/testing/world.ts';
import { openLog } from './log.ts';

/** The secrets that must not appear, by their names. The running product adds more. */
const secrets = new Map<string, string>([
  ['the password of a user', 'Quarry-lantern-77'],
  ['a wrong password', 'wrong!Password 5521'],
  ['a password in the place of a name', 'typed!Too early 5522'],
  ['an unknown API key', 'svc-unknown-key-5523'],
  ['an unknown embed token', `tx-${'Q5524'.repeat(8)}aaa`],
  ['the password of a warehouse', 'warehouse-pass-5525'],
  ['the key of a language model', 'sk-ant-llm-key-5526'],
  ['the key of the payment processor', 'sk_test_payment5527'],
  ['the secret of webhooks', 'whsec_payment5528'],
  ['the signature of a webhook', 'signature5529'],
  ['the secret of the client at the provider', CLIENT_SECRET],
  ['a forged authorization code', 'forged-code-5530'],
  ['a value in an unknown place', 'value-elsewhere-5531'],
  ['the token of the metrics', 'metrics-token-5532'],
  ['a value that is asked for', 'filter-value-5533'],
]);
const secret = (name: string): string => secrets.get(name) ?? '';

let world: World;
let provider: TestProvider;
const logged: string[] = [];
let spans = '';
const requestIds = new Set<string>();
const closing: (() => Promise<unknown>)[] = [];

/** Answers like a provider of language models that echoes the refused key, and collects spans. */
async function echo(): Promise<string> {
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      if (request.url === '/v1/traces') spans += Buffer.concat(parts).toString('utf8');
      const message = `invalid x-api-key: ${request.headers['x-api-key']}`;
      response.writeHead(request.url === '/v1/traces' ? 200 : 401, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ type: 'error', error: { type: 'authentication_error', message } }));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(async () => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  const endpoint = await echo();
  world = await startWorld(undefined, {
    log: openLog('debug', { write: (line: string) => void logged.push(line) }),
    environment: {
      ANTHROPIC_API_KEY: secret('the key of a language model'),
      STRIPE_SECRET_KEY: secret('the key of the payment processor'),
      STRIPE_WEBHOOK_SECRET: secret('the secret of webhooks'),
    },
    async settings(url) {
      provider = await startProvider(`${url}/login/oidc/callback`, []);
      provider.people.set('sub-eve', { preferred_username: 'eve', roles: [] });
      provider.person = 'sub-eve';
      return {
        'service.http.publicUrl': url,
        'service.oidc.issuer': provider.issuer,
        'service.oidc.clientId': CLIENT_ID,
        'service.oidc.clientSecret': CLIENT_SECRET,
        'service.ai.ask.endpoint': endpoint,
        'service.billing.endpoint': endpoint,
        'service.telemetry.endpoint': endpoint,
        'service.metrics.readers': 'token',
        'service.metrics.token': secret('the token of the metrics'),
      };
    },
  });
});
afterAll(async () => {
  for (const close of closing) await close();
  await provider.stop();
});

async function send(path: string, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(world.url + path, { redirect: 'manual', ...init });
  const id = response.headers.get('x-request-id');
  if (id !== null) requestIds.add(id);
  return response;
}

const json = (body: unknown, headers: Readonly<Record<string, string>> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: typeof body === 'string' ? body : JSON.stringify(body),
});
const API = '/rest/service/api';

/** Puts a secret into every place of a request. */
async function carelessly(value: string): Promise<void> {
  const coded = encodeURIComponent(value);
  for (const path of [
    `${API}/models?api_key=${coded}`,
    `${API}/${coded}`,
    `/me/connections/${coded}`,
    `${API}/embed/tokens/${coded}`,
    `${API}/trpc/${coded}?input=${coded}`,
    `/ui/${coded}.html?token=${coded}`,
    `/${coded}/%zz`,
    `/login/oidc?next=${coded}`,
    `/login/ways?refusal=${coded}`,
    `/healthz?${coded}=${coded}`,
  ])
    for (const method of ['GET', 'DELETE', 'POST']) await send(path, { method });
  const basic = Buffer.from(`ann:${value}`).toString('base64');
  for (const authorization of [`Bearer ${coded}`, `Basic ${basic}`, `Token ${coded}`, coded, `Basic ${coded}`])
    await send(`${API}/session`, { headers: { authorization } });
  for (const name of [
    'x-service-embed-token',
    'cookie',
    'x-xsrf-token',
    'user-agent',
    'traceparent',
    'referer',
    'stripe-signature',
  ])
    await send(`${API}/embed/query/shared/none.service`, {
      headers: { [name]: name === 'cookie' ? `SERVICE_SESSION=${coded}` : coded },
    });
  for (const body of [
    { username: value, password: value },
    { username: `alpha/${value}`, password: value },
    { username: 'ann', password: value, [value]: value },
    `{"password": "${value}" oops`,
    `${value}`,
  ]) {
    await send('/login', json(body));
    await send(world.operations.get('semantic.query')?.path ?? '', json(body, { authorization: admin }));
    await send('/me/connections', json(body, { authorization: admin }));
    await send(`${API}/mcp`, json(body, { authorization: admin, accept: 'application/json, text/event-stream' }));
    await send(`${API}/trpc/semantic.query`, json(body, { authorization: admin }));
  }
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: value, arguments: { [value]: value } } };
  await send(`${API}/mcp`, json(call, { authorization: admin, accept: 'application/json, text/event-stream' }));
}

let admin = '';

it('no secret is in the log, the metrics, the traces or the audit log, and every request has its id in the log', async () => {
  const { key } = await world.identity.apiKeys.create({
    tenant: world.tenants.default.id,
    label: 'mine',
    roles: ['ROLE_USER', 'ROLE_ADMIN'],
  });
  secrets.set('an API key', key);
  admin = `Bearer ${key}`;
  const ask = (operation: string, call: Parameters<typeof answerOf>[3] = {}) =>
    answerOf(world, 'default', operation, call);

  // Secrets in their proper places.
  const signedIn = await send('/login', json({ username: 'ann', password: secret('the password of a user') }));
  expect(signedIn.status).toBe(200);
  for (const cookie of signedIn.headers.getSetCookie()) {
    const [, name = '', value = ''] = /^([^=]+)=([^;]+)/.exec(cookie) ?? [];
    secrets.set(`the cookie ${name}`, decodeURIComponent(value));
  }
  const query = { connection: 'same', rows: [{ dataset: 'sales', field: 'place' }], values: [{ metric: 'amount' }] };
  const document = { version: 1, title: 'T', source: { surface: 'semantic', request: query } };
  expect((await ask('repository.write', { parameters: { path: 'shared/q.service' }, body: document })).status).toBe(
    200,
  );
  const made = await ask('embed.createToken', { body: { resourceKind: 'query', resourcePath: 'shared/q.service' } });
  const token = JSON.parse(made.text).token;
  secrets.set('an embed token', token);
  await until(
    () => ask('embed.readQuery', { parameters: { path: 'shared/q.service' }, embedToken: token, isAnonymous: true }),
    ({ status }) => status === 200,
  );
  expect((await ask('embed.revokeToken', { parameters: { token } })).status).toBe(200);
  await send(
    world.operations.get('semantic.query')?.path ?? '',
    json(
      {
        ...query,
        filters: [{ dataset: 'sales', field: 'place', operator: 'IN', values: [secret('a value that is asked for')] }],
      },
      { authorization: admin },
    ),
  );
  await send('/metrics', { headers: { authorization: `Bearer ${secret('the token of the metrics')}` } });

  // Single sign-on: once completed, and once with forged values.
  const browser = new Browser();
  let code = '';
  const landed = await browser.go(`${world.url}/login/oidc`, (next) => {
    code = next.searchParams.get('code') ?? code;
    return false;
  });
  expect(`${landed.url.pathname}${landed.url.search}`).toBe('/ui/');
  secrets.set('an authorization code', code);
  await send(`/login/oidc/callback?code=${code}&state=x`);
  await send(
    `/login/oidc/callback?code=${secret('a forged authorization code')}&state=${secret('a value in an unknown place')}`,
  );
  await send(`/login/oidc/callback?error=access_denied&error_description=${secret('a value in an unknown place')}`);
  const forged = `${Buffer.from('{"alg":"RS256","kid":"x"}').toString('base64url')}.${Buffer.from('{"iss":"x"}').toString('base64url')}.Zm9yZ2Vk5534`;
  secrets.set('a forged access token', forged);
  await send(`${API}/session`, { headers: { authorization: `Bearer ${forged}` } });
  provider.isDown = true;
  await send('/login/oidc');
  provider.isDown = false;

  // Webhooks and calls of a processor and a language model that echo the refused key.
  const event = json(
    { id: 'evt', secret: secret('a value in an unknown place') },
    { 'stripe-signature': `t=1,v1=${secret('the signature of a webhook')}` },
  );
  const [billing] = [...world.operations.values()].filter(({ operationId }) => operationId === 'billing.webhook');
  expect((await send(billing?.path ?? '', event)).status).toBe(400);
  await ask('billing.checkoutSession', {
    body: { tier: 'team', successUrl: 'https://a.example/', cancelUrl: 'https://a.example/' },
  });
  expect(
    (await ask('semanticAsk.ask', { body: { question: 'How much?', connection: 'same', model: 'default_model' } }))
      .status,
  ).toBeGreaterThanOrEqual(500);

  // Warehouses: registered, saved and on disk, with the password in every place of an address.
  const password = secret('the password of a warehouse');
  for (const location of [
    `jdbc:postgresql://reader:${password}@127.0.0.1:1/shop?password=${password}`,
    `jdbc:mysql://reader:${password}@127.0.0.1:1/shop?password=${password}`,
    `jdbc:mariadb://127.0.0.1:1/shop?user=reader&password=${password}`,
    `jdbc:clickhouse://reader:${password}@127.0.0.1:1/shop?password=${password}`,
    `jdbc:trino://reader:${password}@127.0.0.1:1/shop?password=${password}`,
    `jdbc:postgresql://reader:${password}@@bad host:xx/${password}`,
    `jdbc:nothing://${password}`,
    `jdbc:duckdb:data/${password}.duckdb?password=${password}`,
  ]) {
    const id = `w${Math.abs(location.length)}-${/^jdbc:(\w+)/.exec(location)?.[1]}`;
    const credentials = { username: 'reader', password };
    await ask('datasources.add', {
      body: { id, name: id, type: 'SEMANTIC', semanticYaml: 'shop.yaml', location, ...credentials },
    });
    await ask('inference.addConnection', { body: { name: id, url: location, ...credentials } });
    writeFileSync(
      join(world.home.datasources, `disk-${id}.sds`),
      `<dataSource><name>disk-${id}</name><type>SEMANTIC</type><semanticYaml>shop.yaml</semanticYaml><location>${location.replaceAll('&', '&amp;')}</location><username>reader</username><password>${password}</password></dataSource>`,
    );
    await ask('semantic.query', { body: { ...query, connection: id } });
  }
  await ask('datasources.refresh');
  await ask('tenants.create', { body: { name: 'made', password } });

  // Errors of others that echo a secret, in several encodings.
  for (const name of [
    'the password of a warehouse',
    'the key of a language model',
    'the key of the payment processor',
    'the secret of webhooks',
    'the secret of the client at the provider',
    'the token of the metrics',
  ]) {
    const value = secret(name);
    const basic = Buffer.from(`ann:${value}`).toString('base64');
    const text = `invalid x-api-key: ${value}; Basic ${basic}; ${JSON.stringify({ value })}`;
    world.log.error({ err: new Error(text, { cause: { url: `https://x/?k=${encodeURIComponent(value)}` } }) }, text);
  }
  expect(logged.filter((line) => line.includes('invalid x-api-key: [hidden]; Basic ')).length).toBe(6);

  // Secrets in the places where careless callers put them.
  for (const name of ['a password in the place of a name', 'an API key', 'an embed token', 'a forged access token'])
    await carelessly(secret(name));
  const unloggedRequests = () => {
    const text = logged.join('');
    return [...requestIds].filter((id) => !text.includes(id));
  };
  await expect.poll(unloggedRequests).toEqual([]);

  const metrics = await (
    await send('/metrics', { headers: { authorization: `Bearer ${secret('the token of the metrics')}` } })
  ).text();
  expect(metrics).toContain('service_http_requests_total');
  // Writes the waiting entries.
  expect((await ask('audit.list')).text).toContain('QUERY');
  const audit = await world.state.tables<{ audit_log: object }>().selectFrom('audit_log').selectAll().execute();
  await world.close();
  const kept = { log: logged.join(''), metrics, spans, audit: JSON.stringify(audit) };
  expect(audit.length).toBeGreaterThan(100);
  expect(spans).toContain('semantic.query');
  for (const [name, value] of secrets)
    for (const [where, text] of Object.entries(kept))
      for (const form of [
        value,
        encodeURIComponent(value),
        JSON.stringify(value).slice(1, -1),
        Buffer.from(`ann:${value}`).toString('base64'),
      ])
        expect.soft(excerpt(text, form), `${name} is in the ${where}`).toBe('');

  // Each line is JSON, and each request is logged with the id of its answer.
  const lines = logged.map((line) => JSON.parse(line));
  const requests = lines.filter(({ msg }) => msg === 'request');
  for (const line of requests) expect(line.requestId).toMatch(/^[0-9a-f-]{36}$/);
  const loggedIds = new Set(requests.map(({ requestId }) => requestId));
  expect([...requestIds].filter((id) => !loggedIds.has(id))).toEqual([]);
  expect(requestIds.size).toBeGreaterThan(200);
  for (const operation of ['semantic.query', 'identity.login', 'mcp', 'typed-client', 'single-sign-on'])
    expect(requests).toContainEqual(expect.objectContaining({ level: 'info', operation, status: expect.any(Number) }));
});

function excerpt(text: string, form: string): string {
  const at = text.indexOf(form);
  return at < 0 ? '' : text.slice(Math.max(0, at - 150), at + form.length + 50);
}
