/** Tests that the files of docs/operate name existing settings, paths, ports and metrics. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { environmentName, SETTINGS, type SettingName } from '../server/config/settings.ts';
import { Metrics } from '../server/telemetry/metrics.ts';

const FOLDER = 'docs/operate';
const PAGE = '../guide/hosting.md';
const read = (file: string) => readFileSync(join(FOLDER, file), 'utf8');
const VARIABLES: ReadonlySet<string> = new Set([
  ...Object.keys(SETTINGS).map((name) => environmentName(name as SettingName)),
  'SERVICE_HOME',
  'SERVICE_ADMIN_PASSWORD',
]);

test.each(['service.unit', 'Dockerfile', 'compose.yaml', 'nginx.conf', 'Caddyfile', PAGE])(
  '%s names existing variables and settings',
  (file) => {
    const text = read(file);
    for (const [variable] of text.matchAll(/\bSERVICE_[A-Z_]+\b/g)) expect(VARIABLES).toContain(variable);
    for (const [name] of text.matchAll(
      /\bservice\.(?:http|metrics|state|secrets|jobs|query|cache|warehouse|duckdb|inference|audit)\.\w+/g,
    ))
      expect(Object.keys(SETTINGS)).toContain(name);
  },
);

test('the page about hosting links to each file of docs/operate', () => {
  const links = [...read(PAGE).matchAll(/\]\(([^)#]+)\)/g)].map(([, link = '']) => link);
  expect(links.filter((link) => link.startsWith('../operate/')).toSorted()).toEqual(
    [
      'Caddyfile',
      'Dockerfile',
      'alerts.yml',
      'compose.yaml',
      'grafana-dashboard.json',
      'nginx.conf',
      'prometheus.yml',
      'service.unit',
    ].map((file) => `../operate/${file}`),
  );
});

const Service = z.object({
  image: z.string(),
  environment: z.record(z.string(), z.string()).optional(),
  volumes: z.array(z.string()).optional(),
});
const Compose = z.object({ services: z.record(z.string(), Service), volumes: z.record(z.string(), z.unknown()) });

test('compose starts two nodes, a state, a warehouse and a proxy to both nodes', () => {
  const { services, volumes } = Compose.parse(parse(read('compose.yaml'), { merge: true }));
  expect(Object.keys(services)).toEqual(['node-1', 'node-2', 'state', 'warehouse', 'proxy']);
  expect(services['node-1']).toEqual(services['node-2']);
  const prefix = services['node-1']?.environment?.SERVICE_HTTP_BASEPATH;
  for (const file of ['nginx.conf', 'Caddyfile']) {
    const text = read(file);
    for (const node of ['node-1:8080', 'node-2:8080']) expect(text).toContain(node);
    expect(text).toContain(`${prefix}/`);
  }
  for (const target of ['node-1:8080', 'node-2:8080']) expect(read('prometheus.yml')).toContain(target);
  for (const each of Object.values(services))
    for (const volume of each.volumes ?? []) {
      const [from = ''] = volume.split(':');
      if (!from.startsWith('.')) expect(Object.keys(volumes)).toContain(from);
    }
});

test("the image runs the build's output, without rights, on the exposed port", () => {
  const text = read('Dockerfile');
  expect(text.match(/^FROM /gm)).toHaveLength(2);
  expect(text).toMatch(/^USER 10001$/m);
  expect(text).toContain('SERVICE_HTTP_PORT=8080');
  for (const [, from = ''] of text.matchAll(/--from=build \S+ \/build\/(\S+) /g))
    expect(['dist', 'node_modules'].includes(from) || existsSync(from), from).toBe(true);
  expect(JSON.parse(readFileSync('package.json', 'utf8')).scripts.build).toBeDefined();
});

test('the braces in the proxies’ files are balanced', () => {
  for (const file of ['nginx.conf', 'Caddyfile']) {
    let depth = 0;
    for (const character of read(file).replaceAll(/#.*$/gm, '')) {
      if (character === '{') depth++;
      if (character === '}') depth--;
      expect(depth).toBeGreaterThanOrEqual(0);
    }
    expect(depth).toBe(0);
  }
});

const Dashboard = z.object({
  panels: z.array(
    z.object({ id: z.number(), title: z.string(), targets: z.array(z.object({ expr: z.string() })).min(1) }),
  ),
});

const Alerts = z.object({
  groups: z.array(z.object({ rules: z.array(z.object({ alert: z.string(), expr: z.string() })).min(1) })),
});

test('/metrics contains every metric of the Grafana dashboard and of the alerts, with the labels they use', async () => {
  const metrics = new Metrics();
  metrics.watch({
    version: '1',
    cache: { use: { hits: 0, misses: 0, bytes: 0, entries: 0 } },
    jobs: async () => new Map([['DONE', 1]]),
    audit: { use: { written: 0, waiting: 0 } },
  });
  metrics.pool({ engine: 'e', warehouse: 'w' }, { use: { size: 1, leased: 0, idle: 0, waiting: 0 } });
  metrics.request('GET', 200);
  await metrics.around({ kind: 'statement', engine: 'e', warehouse: 'w' }, async () => 1);
  const usage = { estimatedCostUsd: 1, inputTokens: 1, outputTokens: 1 };
  await metrics.around({ kind: 'llm', provider: 'p', model: 'm', purpose: 'ask', tenant: 't' as never }, async () => ({
    usage,
  }));
  const call = { caller: { kind: 'anonymous' }, access: 'user', writes: false, address: '', requestId: '' } as const;
  await metrics.around({ kind: 'operation', operation: 'o', input: async () => undefined, ...call }, async () => 1);
  const failed = { kind: 'authentication', scheme: 'basic', address: '', requestId: '' } as const;
  await metrics.around(failed, () => Promise.reject(new Error())).catch(() => undefined);
  const labelsByName = new Map<string, string>();
  for (const line of (await metrics.text()).split('\n')) {
    const [, name, labels = ''] = /^(\w+)(\{.*\})? /.exec(line) ?? [];
    if (name !== undefined) labelsByName.set(name, labels);
  }
  const { panels } = Dashboard.parse(JSON.parse(read('grafana-dashboard.json')));
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  expect(panels.length).toBeGreaterThan(12);
  const { groups } = Alerts.parse(parse(read('alerts.yml')));
  expect(read('prometheus.yml')).toContain('rule_files: [alerts.yml]');
  const alerts = groups.flatMap(({ rules }) => rules.map(({ alert, expr }) => ({ title: alert, targets: [{ expr }] })));
  expect(new Set(alerts.map(({ title }) => title)).size).toBe(alerts.length);
  // Prometheus itself reports whether it reaches a node.
  for (const { title, targets } of [...panels, ...alerts.filter(({ title }) => title !== 'ServiceDown')])
    for (const { expr } of targets) {
      const names = [...expr.matchAll(/\b(?:service|nodejs|process)_\w+/g)].map(([name]) => name);
      expect(names.length, title).toBeGreaterThan(0);
      for (const name of names) expect([...labelsByName.keys()], title).toContain(name);
      const [, grouped = ''] = /by \(([^)]*)\)/.exec(expr) ?? [];
      for (const [, label] of expr.matchAll(/[{,](\w+)=~?"/g))
        if (label !== 'instance')
          expect(labelsByName.get(names[0] ?? ''), `${title}: ${label}`).toContain(`${label}="`);
      for (const label of grouped.split(', ').filter((each) => each !== '' && each !== 'instance'))
        expect(labelsByName.get(names[0] ?? ''), `${title}: ${label}`).toContain(`${label}="`);
    }
  for (const [name] of read(PAGE).matchAll(/\b(?:service|nodejs)_[a-z_\d]+/g))
    expect([...labelsByName.keys()]).toContain(name);
});

test('the context of the image contains no file that git ignores, and every file that the build copies', () => {
  const lines = (file: string) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .filter((line) => /^[^#\s]/.test(line));
  const ignored = lines('.dockerignore').map((line) => line.replace(/^\*\*\//, ''));
  for (const line of lines('.gitignore')) expect(ignored).toContain(line.replace(/\/$/, ''));
  expect(ignored).toContain('.git');
  for (const needed of [
    'package.json',
    'package-lock.json',
    'element',
    'router',
    'plugins',
    'server',
    'demo',
    'skills',
    'scripts',
  ])
    expect(ignored).not.toContain(needed);
});
