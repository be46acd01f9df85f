import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../config/read-config.ts';
import { configuredSecrets } from '../config/secrets.ts';
import { openLog } from './log.ts';
import { secretsOfUrl } from './url-secrets.ts';

function logWith(...secrets: readonly string[]) {
  const lines: string[] = [];
  const log = openLog('debug', { write: (line: string) => void lines.push(line) });
  log.hide(secrets);
  const written = (fields: object, message = 'm'): string => {
    log.warn(fields, message);
    return lines.at(-1) ?? '';
  };
  return { log, lines, written };
}

const KEY = 'sk-ant/Key+5526=="x\\y"&<z>é';

describe('the log leaves out a secret', () => {
  it.each([
    ['the message of a provider that echoes it', (key: string) => `401 invalid x-api-key: ${key}`],
    ['a body of JSON', (key: string) => JSON.stringify({ error: { message: `bad ${key}` } })],
    ['JSON in JSON', (key: string) => JSON.stringify({ body: JSON.stringify({ key }) })],
    ['a query', (key: string) => `https://h/?key=${encodeURIComponent(key)}&x=1`],
    ['a query in small letters', (key: string) => encodeURIComponent(key).replace(/%../g, (at) => at.toLowerCase())],
    ['an address', (key: string) => encodeURI(`https://h/${key}`)],
    ['a form', (key: string) => new URLSearchParams({ key, other: 'x' }).toString()],
    [
      'XML',
      (key: string) =>
        `<p>${key.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')}</p>`,
    ],
    ['credentials of HTTP basic', (key: string) => `Basic ${Buffer.from(`reader:${key}`).toString('base64')}`],
    ['credentials of another user', (key: string) => `Basic ${Buffer.from(`ann:${key}:`).toString('base64')}`],
    ['base64url', (key: string) => Buffer.from(`a${key}`).toString('base64url')],
    ['an address of JDBC', (key: string) => `jdbc:postgresql://reader:${key}@db/shop`],
  ])('in %s', (_, say) => {
    const text = say(KEY);
    const { written } = logWith(KEY);
    const line = written({ err: new Error(text), deep: [{ [text]: { text } }] }, text);
    expect(line).toContain('[hidden]');
    // No encoding of the secret is left, and the line is still JSON.
    expect(line).not.toContain('5526');
    expect(line).not.toContain(Buffer.from(KEY).toString('base64').slice(4, 16));
    expect(JSON.stringify(JSON.parse(line))).not.toContain(text);
    expect(JSON.parse(line)).toMatchObject({ level: 'warn', time: expect.stringMatching(/^20\d\d-/) });
  });

  it('that is registered later, also in entries of existing child logs', () => {
    const { log, lines } = logWith();
    const child = log.child({ tenant: 'acme' });
    child.warn({}, 'warehouse-pass-5525');
    log.hide(['warehouse-pass-5525']);
    child.warn({}, 'warehouse-pass-5525');
    expect(lines.map((line) => JSON.parse(line).msg)).toEqual(['warehouse-pass-5525', '[hidden]']);
  });

  it('completely when another secret is its prefix', () => {
    expect(JSON.parse(logWith('password-1', 'password-1-and-more').written({}, 'is password-1-and-more.')).msg).toBe(
      'is [hidden].',
    );
  });

  it('that is short only as a whole word', () => {
    const { written } = logWith('test');
    expect(JSON.parse(written({}, 'latest tests: reader:test@host and "test"')).msg).toBe(
      'latest tests: reader:[hidden]@host and "[hidden]"',
    );
  });

  it('and keeps the level, the time and the JSON, whatever the secret is', () => {
    for (const secret of [
      'warn',
      'level',
      '","',
      '{"level":',
      'true',
      ':null}',
      '2026',
      '[hidden]',
      '\\',
      '\ud800abcdefgh',
    ])
      expect(() => JSON.parse(logWith(secret).written({ ok: true, none: null }, 'a message')), secret).not.toThrow();
    expect(JSON.parse(logWith('warn').written({}, 'x')).level).toBe('warn');
  });

  it('in texts of any kind around any secret', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 8, maxLength: 40, unit: 'grapheme' }).filter((text) => text.length >= 8),
        fc.string({ maxLength: 20 }),
        fc.string({ maxLength: 20 }),
        (secret, before, after) => {
          const { written } = logWith(secret);
          const credentials = Buffer.from(`${before}${secret}${after}`).toString('base64');
          const entry = JSON.parse(written({ credentials, url: encodeURIComponent(secret) }, before + secret + after));
          expect(entry.msg).toContain('[hidden]');
          expect(entry.url).toContain('[hidden]');
          expect(entry.credentials).toContain('[hidden]');
        },
      ),
      { numRuns: 300 },
    );
  });
});

it('the secrets of an address are its password and the values of its parameters, both as written and decoded', () => {
  expect(secretsOfUrl('jdbc:postgresql://reader:p%40ss@db:5432/shop?user=x&password=q%20r&sslpassword=s')).toEqual([
    'p%40ss',
    'p@ss',
    'q%20r',
    'q r',
    's',
    's',
  ]);
  expect(secretsOfUrl('jdbc:postgresql://reader:p@@ss@bad host:xx/db')).toEqual(['p@@ss', 'p@@ss']);
  expect(secretsOfUrl('jdbc:clickhouse://h/db;access_token=t%zz')).toEqual(['t%zz', 't%zz']);
  expect(secretsOfUrl('jdbc:duckdb:/data/shop.duckdb')).toEqual([]);
  expect(secretsOfUrl('https://login.example.com/realms/corp')).toEqual([]);
});

it('the secrets of the configuration are the secret settings and secret environment variables', () => {
  const { config } = readConfig({
    properties: [
      'service.oidc.clientSecret=client-secret-1',
      'service.metrics.token=metrics-token-2-metrics-token',
      'service.state.url=postgres://state:state-pass-3@db/service',
      'service.oidc.label=no secret',
    ].join('\n'),
    environment: {},
  });
  const environment = {
    ANTHROPIC_API_KEY: 'sk-ant-4',
    STRIPE_SECRET_KEY: 'sk_test_5',
    STRIPE_WEBHOOK_SECRET: 'whsec_6',
    SERVICE_ADMIN_PASSWORD: 'admin-pass-7',
    PGPASSWORD: 'pg-pass-8',
    OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20collector-9,x-scope=tenant-10',
    HTTPS_PROXY: 'http://me:proxy-pass-11@proxy:3128',
    HOME: '/home/me',
    LANG: undefined,
  };
  const secrets = configuredSecrets(config, environment);
  for (const secret of [
    'client-secret-1',
    'metrics-token-2-metrics-token',
    'state-pass-3',
    'sk-ant-4',
    'sk_test_5',
    'whsec_6',
    'admin-pass-7',
    'pg-pass-8',
    'collector-9',
    'tenant-10',
    'proxy-pass-11',
  ])
    expect(secrets).toContain(secret);
  expect(secrets).not.toContain('no secret');
  expect(secrets).not.toContain('/home/me');
});
