/** Tenants with a model over a file of their own, from one to a thousand: start, first and later questions, memory, and memory when they are idle. */
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { withAccounts } from '../../server/cli/accounts.ts';
import { head, median, mib, row } from '../print.ts';
import { answered, inHome, processorMs, type Running, residentBytes, startService } from '../processes.ts';

const PORT = 28_531;
const SIZES = [1, 10, 100, 1_000] as const;
/** The sweep of idle tenants runs each minute, and idle is a minute here. */
const IDLE_MS = 130_000;

const FIELDS = Array.from({ length: 20 }, (_, at) => `c_${at}`);
const TABLE = `CREATE TABLE sale AS SELECT i AS id, (i % 97)::INTEGER AS amount, ${FIELDS.map((name, at) => `'v' || (i % ${at + 2}) AS ${name}`).join(', ')} FROM range(1000) t(i)`;
const expression = (text: string) => `expression: [{ dialect: ANSI_SQL, expression: ${text} }]`;
const DOCUMENT = `semantic_model:
  - name: shop
    datasets:
      - { name: sale, source: sale, primary_key: [id], fields: [${FIELDS.map((name) => `{ name: ${name}, ${expression(name)} }`).join(', ')}] }
    metrics:
      - { name: amount, ${expression('SUM(sale.amount)')} }
`;
const QUESTION = JSON.stringify({
  connection: 'shop',
  rows: [{ dataset: 'sale', field: 'c_3' }],
  values: [{ metric: 'amount' }],
});

export async function scaleTenantsPart(): Promise<void> {
  head(
    'tenants',
    'start until ready',
    'memory',
    'first question of a tenant',
    'second question',
    'memory, all asked',
    'memory, idle again',
  );
  for (const size of SIZES) await inHome((home) => measureTenants(home, size));
}

async function measureTenants(home: string, size: number): Promise<void> {
  const keys = await stageTenants(home, size);
  const service = startService(home, PORT, { isDemo: false });
  const { pid, url } = service;
  try {
    await answered(`${url}/readyz`);
    const started = [`${(processorMs(pid) / 1_000).toFixed(1)} s`, mib(residentBytes(pid))];
    const first = await askAll(service, keys);
    const second = await askAll(service, keys);
    const asked = mib(residentBytes(pid));
    const isLast = size === SIZES.at(-1);
    if (isLast) await new Promise((resolve) => setTimeout(resolve, IDLE_MS));
    row(
      size.toLocaleString('en'),
      ...started,
      `${first.toFixed(0)} ms`,
      `${second.toFixed(0)} ms`,
      asked,
      isLast ? mib(residentBytes(pid)) : '',
    );
  } finally {
    await service.stop();
  }
}

/** Asks for each tenant, one after the other. Returns the median processor time of a question in milliseconds. */
async function askAll({ pid, url }: Running, keys: readonly string[]): Promise<number> {
  const times: number[] = [];
  for (const key of keys) {
    const before = processorMs(pid);
    const response = await fetch(`${url}/rest/service/api/ai/semantic/query`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${key}` },
      body: QUESTION,
    });
    if (!response.ok) throw new Error(await response.text());
    await response.arrayBuffer();
    times.push(processorMs(pid) - before);
  }
  return median(times);
}

/** Makes the tenants, each with a model and a key. Returns the keys. */
async function stageTenants(home: string, size: number): Promise<readonly string[]> {
  mkdirSync(home, { recursive: true });
  writeFileSync(join(home, 'service.properties'), 'service.datasources.idleMinutes=1\n');
  const file = join(home, 'shop.duckdb');
  const instance = await DuckDBInstance.create(file);
  const connection = await instance.connect();
  await connection.run(TABLE);
  connection.closeSync();
  instance.closeSync();
  return withAccounts(
    home,
    async ({ tenants, apiKeys }) => {
      const keys: string[] = [];
      for (let at = 0; at < size; at++) {
        const name = `tenant-${at}`;
        const { id } = await tenants.ensure(name);
        const made = await apiKeys.create({ tenant: id, label: 'bench', roles: ['ROLE_USER'] });
        keys.push(made.key);
        const [data, datasources] = [join(home, 'data', name), join(home, 'datasources', name)];
        for (const folder of [data, datasources]) mkdirSync(folder, { recursive: true });
        copyFileSync(file, join(data, 'shop.duckdb'));
        writeFileSync(join(datasources, 'shop.yaml'), DOCUMENT);
        writeFileSync(
          join(datasources, 'shop.sds'),
          `<dataSource><id>shop</id><name>shop</name><type>SEMANTIC</type><semanticYaml>shop.yaml</semanticYaml><location>jdbc:duckdb:data/${name}/shop.duckdb</location><enabled>true</enabled></dataSource>`,
        );
      }
      return keys;
    },
    true,
  );
}
