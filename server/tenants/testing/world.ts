/** A server with three tenants: `alpha` has one thing of each kind, and `beta` and the default tenant have a datasource each. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Log } from '../../../router/capabilities/log.ts';
import { silentLog } from '../../../router/testing/silent-log.ts';
import { readConfig } from '../../config/read-config.ts';
import { type Home, locateHome, makeHome, stateFile } from '../../home-directory/home-directory.ts';
import { openPort } from '../../http/port.ts';
import { type Identity, identityMigrations, openIdentity, type Tenant } from '../../identity/index.ts';
import { basic, CHEAP } from '../../identity/testing/fixture.ts';
import { launch } from '../../launcher.ts';
import { standIn } from '../../llm/testing/stand-in.ts';
import { openState, type StateStore } from '../../state/index.ts';
import type { StateFixture } from '../../state/testing/engines.ts';
import { writeDuckdb } from '../../warehouse/testing/engines.ts';
import { placesOf } from '../tenant-folders.ts';
import { ApiClient, type Call, type Caller, type DeclaredOperation, declaredOperations } from './client.ts';

/** A text in everything of `alpha`, and in no name: an answer with this text shows data of `alpha`. */
export const SECRET = 'Zanzibar';

const PASSWORD = 'Quarry-lantern-77';
const NAMES = ['alpha', 'beta', 'default'] as const;
export type TenantName = (typeof NAMES)[number];

const model = (tenant: string) => `version: "0.1.1"
semantic_model:
  - name: ${tenant}_model
    description: ${secretOf(tenant)}
    datasets:
      - name: sales
        source: sales
        primary_key: [id]
        fields:
          - { name: place, expression: { dialects: [{ dialect: ANSI_SQL, expression: place }] } }
          - { name: day, expression: { dialects: [{ dialect: ANSI_SQL, expression: day }] }, dimension: { is_time: true } }
    metrics:
      - { name: amount, expression: { dialects: [{ dialect: ANSI_SQL, expression: SUM(sales.amount) }] } }
`;
const cubes = (tenant: string) => `<Schema name="Shops">
  <Cube name="Sales" caption="${secretOf(tenant)}"><Table name="sales"/>
    <Dimension name="Place"><Hierarchy hasAll="true"><Level name="Place" column="place"/></Hierarchy></Dimension>
    <Dimension name="Time" type="TimeDimension"><Hierarchy hasAll="true"><Level name="Day" column="day" type="Date" levelType="TimeDays"/></Hierarchy></Dimension>
    <Measure name="Amount" column="amount" aggregator="sum"/>
  </Cube>
</Schema>`;
const descriptor = (name: string, type: string, document: string, location: string) =>
  `<dataSource><id>${name}</id><name>${name}</name><type>${type}</type>${document}<location>${location}</location></dataSource>`;

function secretOf(tenant: string): string {
  return tenant === 'alpha' ? SECRET : `Nothing of ${tenant}`;
}

export interface World {
  readonly home: Home;
  readonly url: string;
  readonly state: StateStore;
  readonly identity: Identity;
  readonly log: Log;
  readonly operations: ReadonlyMap<string, DeclaredOperation>;
  readonly tenants: Readonly<Record<TenantName, Tenant>>;
  readonly clients: Readonly<Record<TenantName, ApiClient>>;
  close(): Promise<void>;
}

export interface WorldOptions {
  readonly log?: Log;
  /** Returns settings in addition to the settings of every test, from the address of the server. */
  readonly settings?: (url: string) => Promise<Readonly<Record<string, string>>>;
  readonly environment?: Readonly<Record<string, string>>;
}

/** Starts the whole process, with accounts and files of three tenants; on SQLite without a `fixture`. */
export async function startWorld(
  fixture: StateFixture | undefined,
  { log = silentLog, settings, environment }: WorldOptions = {},
): Promise<World> {
  const root = mkdtempSync(join(tmpdir(), 'service-isolation-'));
  const home = locateHome(join(root, 'home'));
  makeHome(home);
  const stateUrl = fixture?.options().url;
  const state = await openState({ url: stateUrl, sqliteFile: stateFile(home), log: silentLog });
  await state.migrate({ identity: identityMigrations });
  const identity = await openIdentity({ state, clock: Date.now, log: silentLog, hashCost: CHEAP });
  const made = await Promise.all(NAMES.map(async (name) => ({ name, ...(await settle(identity, home, name)) })));
  mkdirSync(join(root, 'ui'));
  writeFileSync(join(root, 'ui/index.html'), '<!doctype html><title>home</title>');
  const provider = await standIn('anthropic', () => ({ text: 'I do not know.' }));
  const port = await openPort('127.0.0.1', 0);
  const url = `http://127.0.0.1:${port.port}`;
  const { config } = readConfig({
    properties: '',
    environment: {},
    overrides: {
      'service.http.port': '0',
      ...(stateUrl === undefined ? {} : { 'service.state.url': stateUrl }),
      // With PostgreSQL, the server counts as hosted.
      'service.connections.allowHosts': '127.0.0.1',
      'service.ai.ask.provider': 'anthropic',
      'service.ai.ask.endpoint': provider.endpoint,
      'service.ai.propose.provider': 'rules',
      'service.rateLimit.starter': '0/0',
      'service.login.maxFailures': '0',
      ...(await settings?.(url)),
    },
  });
  const launched = await launch({
    home,
    config,
    log,
    port,
    environment: { ANTHROPIC_API_KEY: 'sk-test', ...environment },
    adminPassword: PASSWORD,
    uiDirectory: pathToFileURL(`${join(root, 'ui')}/`),
    exampleSkillsDirectory: new URL('../../../skills/', import.meta.url),
    showcase: [],
    newlyStaged: [],
  });
  const operations = await declaredOperations(url, made[0]?.caller.basic ?? '');
  return {
    home,
    url,
    state,
    identity,
    log,
    operations: new Map(operations.map((each) => [each.operationId, each])),
    tenants: Object.fromEntries(made.map(({ name, tenant }) => [name, tenant])) as World['tenants'],
    clients: Object.fromEntries(
      made.map(({ name, caller }) => [name, new ApiClient(url, caller)]),
    ) as unknown as World['clients'],
    async close() {
      await launched.stop(0);
      await provider.close();
      await state.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

/** Creates a tenant with an administrator, a key and files. */
async function settle(identity: Identity, home: Home, name: string): Promise<{ tenant: Tenant; caller: Caller }> {
  const tenant = await identity.tenants.ensure(name);
  const roles = ['ROLE_USER', 'ROLE_ADMIN'];
  for (const user of ['ann', 'ben'])
    await identity.users.add({ tenant: tenant.id, name: user, password: PASSWORD, roles });
  const { key } = await identity.apiKeys.create({ tenant: tenant.id, label: name, roles });
  await placeFiles(home, name);
  return { tenant, caller: { basic: basic(name === 'default' ? 'ann' : `${name}/ann`, PASSWORD), key } };
}

/** Creates one more tenant while the server runs, like a command. */
export async function enter({ state, home, url }: World, name: string) {
  const identity = await openIdentity({ state, clock: Date.now, log: silentLog, hashCost: CHEAP });
  const { tenant, caller } = await settle(identity, home, name);
  const client = new ApiClient(url, caller);
  return { tenant, call: (operation: DeclaredOperation, call: Call) => client.call(operation, call) };
}

async function placeFiles(home: Home, name: string): Promise<void> {
  const places = placesOf(home, name === 'default' ? undefined : name);
  for (const folder of Object.values(places)) mkdirSync(folder, { recursive: true });
  const value = name === 'alpha' ? SECRET : 'Rome';
  await writeDuckdb(join(places.data, 'shop.duckdb'), [
    'CREATE TABLE sales (id INTEGER, place VARCHAR, amount INTEGER, day DATE)',
    `INSERT INTO sales SELECT range, '${value}', ${name === 'alpha' ? 7 : 3}, DATE '2026-01-01' + CAST(range AS INTEGER) FROM range(1, 31)`,
  ]);
  const location = `jdbc:duckdb:${places.data}/shop.duckdb`;
  const put = (file: string, text: string) => writeFileSync(join(places.datasources, file), text);
  put('shop.yaml', model(name));
  put('shop.xml', cubes(name));
  put('shop.sds', descriptor(`${name}-shop`, 'SEMANTIC', '<semanticYaml>shop.yaml</semanticYaml>', location));
  put('same.sds', descriptor('same', 'SEMANTIC', '<semanticYaml>shop.yaml</semanticYaml>', location));
  put('cubes.sds', descriptor(`${name}-cubes`, 'OLAP', '<cubeSchema>shop.xml</cubeSchema>', location));
  for (const skill of [`${name}-skill`, 'same']) {
    const text = `---\nname: ${skill}\ndescription: ${secretOf(name)}\n---\nThe skill of ${name}. ${secretOf(name)}\n`;
    writeFileSync(join(places.skills, `${skill}.md`), text);
  }
}
