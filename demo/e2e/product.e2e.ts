/** Tests the built product from outside: the command line, REST, the typed client. */
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { validate } from '@readme/openapi-parser';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serviceClient } from '../../server/client.ts';
import { type Product, startProduct } from './product.ts';

const BASE = '/rest/service/api';

function cli(
  args: readonly string[],
  options: { readonly input?: string; readonly env?: Record<string, string> } = {},
) {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['dist/service.js', ...args], {
    encoding: 'utf8',
    timeout: 240_000,
    // The process handles SIGTERM itself, so a process that hangs would hang the test.
    killSignal: 'SIGKILL',
    input: options.input ?? '',
    env: { ...process.env, SERVICE_LOG_LEVEL: 'error', ...options.env },
  });
  return { status, stdout, stderr };
}

/** Starts a foreign server on its own port. */
async function listening() {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const address = other.address();
  return { other, port: typeof address === 'object' && address !== null ? address.port : 0 };
}

async function freePort(): Promise<number> {
  const { other, port } = await listening();
  other.close();
  await once(other, 'close');
  return port;
}

describe('the product with the demo', () => {
  let product: Product;
  let apiKey: string;

  beforeAll(async () => {
    product = await startProduct({ fresh: true });
    const made = cli(['api-key', 'create', '--home', product.home, '--label', 'e2e', '--json']);
    apiKey = (JSON.parse(made.stdout) as { key: string }).key;
  });
  afterAll(() => product?.stop());

  const ask = async (path: string, body: unknown) => {
    const response = await fetch(`${product.url}${BASE}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };

  test('an independent validator accepts the OpenAPI document it serves', async () => {
    const document: unknown = await (await fetch(`${product.url}${BASE}/openapi.json`)).json();
    expect(await validate(document as Parameters<typeof validate>[0])).toMatchObject({ valid: true });
    expect(Object.keys((document as { paths: object }).paths)).toEqual(
      expect.arrayContaining([
        `${BASE}/ai/semantic/models`,
        `${BASE}/ai/semantic/schema/{connection}/{model}`,
        `${BASE}/ai/semantic/query`,
        `${BASE}/embed/tokens`,
        `${BASE}/embed/public`,
        `${BASE}/embed/query/{path}`,
        `${BASE}/repository/{path}`,
        `${BASE}/admin/datasources`,
        '/login',
      ]),
    );
  });

  test('the typed client calls the same operations', async () => {
    const service = serviceClient({ url: product.url, apiKey });
    const [model] = await service.semantic.models.query();
    expect(model).toMatchObject({ connectionName: 'demo', modelName: 'shop', factDataset: 'sales' });
    await expect(service.semantic.schema.query({ connection: 'demo', model: 'nothing' })).rejects.toMatchObject({
      data: { kind: 'NOT_FOUND' },
    });
  });

  test('groups by fields of two datasets; the groups add up to the whole', async () => {
    const request = { connection: 'demo', model: 'shop', values: [{ metric: 'net_sales' }] };
    const rows = [
      { dataset: 'stores', field: 'region' },
      { dataset: 'products', field: 'category' },
    ];
    const groups = await ask('/ai/semantic/query', { ...request, rows });
    const total = await ask('/ai/semantic/query', request);
    const cell = (record: unknown) => (record as { net_sales: { value: number } }).net_sales.value;
    const sum = (groups.body.records as unknown[]).reduce((all: number, record) => all + cell(record), 0);
    expect((groups.body.records as unknown[]).length).toBe(4 * 8);
    expect(sum).toBeCloseTo(cell((total.body.records as unknown[])[0]), 2);
  });

  test('a wrong name is answered with its place and the legal names, nearest first', async () => {
    const { status, body } = await ask('/ai/semantic/query', {
      connection: 'demo',
      model: 'shop',
      rows: [{ dataset: 'stores', field: 'regoin' }],
      values: [{ metric: 'net_sales' }],
    });
    expect(status).toBe(400);
    expect(body).toMatchObject({ error: 'VALIDATION_ERROR', field: 'rows[0].field' });
    expect((body.available as string[])[0]).toBe('region');
  });

  test('every example in the schema runs unchanged', async () => {
    const schema = await product.call('GET', `${BASE}/ai/semantic/schema/demo/shop`);
    const { examples } = schema.body as { examples: Record<string, { body: unknown }> };
    expect(Object.keys(examples)).toEqual(expect.arrayContaining(['simpleGroupBy', 'topN']));
    for (const example of Object.values(examples))
      expect(await ask('/ai/semantic/query', example.body)).toMatchObject({ status: 200 });
  });

  test('personal data is in no view and cannot be queried', async () => {
    const schema = await product.call('GET', `${BASE}/ai/semantic/schema/demo/shop`);
    expect(JSON.stringify(schema.body)).not.toMatch(/e-?mail|full_name/i);
    const { status, body } = await ask('/ai/semantic/query', {
      connection: 'demo',
      model: 'shop',
      rows: [{ dataset: 'customers', field: 'email' }],
    });
    expect(status).toBe(400);
    expect(body.available).not.toContain('email');
  });

  test('a broken datasource is reported and stops no other; once repaired, it is served', async () => {
    const file = join(product.home, 'datasources', 'second.sds');
    writeFileSync(file, '<dataSource><id>second</id><name>second</name><type>SEMANTIC</type></dataSource>');
    const readStatus = async (id: string) => {
      const { body } = await product.call('GET', `${BASE}/admin/datasources`);
      return (body as { id: string; status: string; problems: object[] }[]).find((each) => each.id === id);
    };
    await expect.poll(() => readStatus('second'), { timeout: 10_000 }).toMatchObject({ status: 'BROKEN' });
    expect((await readStatus('second'))?.problems.length).toBeGreaterThan(0);
    expect(await readStatus('demo')).toMatchObject({ status: 'READY' });
    writeFileSync(
      file,
      `<dataSource><id>second</id><name>second</name><type>SEMANTIC</type><semanticYaml>shop.yaml</semanticYaml>
       <location>jdbc:duckdb:data/demo-shop.duckdb</location><schema>shop</schema><enabled>true</enabled></dataSource>`,
    );
    await expect.poll(() => readStatus('second'), { timeout: 20_000 }).toMatchObject({ status: 'READY' });
    const models = await product.call('GET', `${BASE}/ai/semantic/models`);
    expect((models.body as { connectionName: string }[]).map((each) => each.connectionName).sort()).toEqual([
      'demo',
      'second',
    ]);
  });

  test('messages to a caller contain no paths, no SQL and no secrets', async () => {
    const answers = await Promise.all([
      product.call('GET', `${BASE}/admin/datasources`),
      product.call('GET', `${BASE}/repository/shared/..%2f..%2fservice.properties`),
      product.call('GET', `${BASE}/repository/shared/%2e%2e/%2e%2e/data/state.sqlite`),
      ask('/ai/semantic/query', {
        connection: "demo'; drop table sales",
        model: 'shop',
        values: [{ metric: 'net_sales' }],
      }),
    ]);
    for (const { body } of answers) expect(JSON.stringify(body)).not.toMatch(/\/tmp\/|select |node_modules|password/i);
    expect(answers.slice(1).map(({ status }) => status)).toEqual([404, 404, 404]);
  });
});

describe('the command line', () => {
  const home = mkdtempSync(join(tmpdir(), 'service-cli-'));
  afterAll(() => rmSync(home, { recursive: true, force: true }));

  test('every command explains itself', () => {
    for (const args of [[], ['start'], ['user'], ['user', 'add'], ['api-key'], ['api-key', 'create']]) {
      const { status, stdout } = cli([...args, '--help']);
      expect(status).toBe(0);
      expect(stdout).toMatch(/^Usage: service/);
    }
  });

  test('users are added with a password from standard input, listed, and removed', () => {
    const password = 'correct horse battery staple';
    expect(
      cli(['user', 'add', 'ann', '--home', home, '--create', '--admin'], { input: `${password}\n` }),
    ).toMatchObject({
      status: 0,
    });
    expect(cli(['user', 'add', 'bob', '--home', home], { input: `${password}\n` })).toMatchObject({ status: 0 });
    expect(cli(['user', 'add', 'bob', '--home', home], { input: `${password}\n` })).toMatchObject({
      status: 1,
      stdout: '',
    });
    const list = JSON.parse(cli(['user', 'list', '--home', home, '--json']).stdout) as {
      name: string;
      roles: string[];
    }[];
    expect(list.map(({ name, roles }) => [name, roles])).toEqual([
      ['ann', ['ROLE_USER', 'ROLE_ADMIN']],
      ['bob', ['ROLE_USER']],
    ]);
    expect(cli(['user', 'remove', 'ann', '--home', home])).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('last administrator'),
    });
    expect(cli(['user', 'remove', 'bob', '--home', home]).status).toBe(0);
  });

  test('an API key is shown once and can be revoked', () => {
    const made = JSON.parse(
      cli(['api-key', 'create', '--home', home, '--tenant', 'acme', '--label', 'ci', '--json']).stdout,
    ) as {
      id: string;
      key: string;
    };
    const list = () => cli(['api-key', 'list', '--home', home, '--json']).stdout;
    expect(list()).toContain(made.id);
    expect(list()).not.toContain(made.key);
    expect(cli(['api-key', 'revoke', made.id, '--home', home]).status).toBe(0);
    expect((JSON.parse(list()) as { revokedAt: string | null }[])[0]?.revokedAt).not.toBeNull();
  });

  test('a first start on a taken port creates nothing, and reports the reason in one line', async () => {
    const { other, port } = await listening();
    const elsewhere = join(home, 'never');
    const { status, stdout, stderr } = cli(['start', '--demo', '--home', elsewhere, '--port', String(port)]);
    other.close();
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toBe(`service: Port ${port} is taken; choose another with --port N.\n`);
    expect(existsSync(elsewhere)).toBe(false);
  });

  test('a wrong command line is one line and a hint, exit code 2', () => {
    const { status, stderr } = cli(['start', '--prot', '1']);
    expect(status).toBe(2);
    expect(stderr).toMatch(/unknown option '--prot'/);
  });

  describe('a start that fails after listening closes everything that it opened, and exits', () => {
    // Without process.exit() a failed start that left something open would run until its time limit.
    const fail = async (args: readonly string[], env: Record<string, string> = {}) => {
      const port = await freePort();
      const noExit = '--import=data:text/javascript,process.exit=()=>{}';
      const ended = cli(['start', '--port', String(port), ...args], { env: { NODE_OPTIONS: noExit, ...env } });
      const again = createServer().listen(port, '127.0.0.1');
      await once(again, 'listening');
      again.close();
      return ended;
    };

    test('because its state file is no database, before anything else is open', async () => {
      const broken = join(home, 'broken');
      for (const folder of ['skills', 'repository/shared', 'repository/homes', 'datasources', 'data'])
        mkdirSync(join(broken, folder), { recursive: true });
      const file = join(broken, 'data/state.sqlite');
      const text = 'no database\n'.repeat(1_000);
      writeFileSync(file, text);
      const entries = () => readdirSync(broken, { recursive: true }).toSorted();
      const before = entries();
      expect(await fail(['--home', broken])).toEqual({
        status: 1,
        stdout: '',
        stderr: `service: The state database ${file} cannot be opened: file is not a database.\n`,
      });
      expect(entries()).toEqual(before);
      expect(readFileSync(file, 'utf8')).toBe(text);
    });

    test('because others reach it and the administrator password is weak, when everything else is open', async () => {
      const weak = { SERVICE_ADMIN_PASSWORD: 'password' };
      const { status, stdout, stderr } = await fail(['--home', join(home, 'weak'), '--host', '0.0.0.0'], weak);
      expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
      expect(stderr).toMatch(/^service: Refusing to listen on 0\.0\.0\.0: [^\n]*\n$/);
    });
  });

  test('an invalid setting stops the start with its name', () => {
    const { status, stderr } = cli(['start', '--home', home], { env: { SERVICE_QUERY_MAXROWS: 'all' } });
    expect(status).toBe(1);
    expect(stderr.trim()).toBe('service: the variable SERVICE_QUERY_MAXROWS must be a whole number');
  });
});

describe('the first administrator', () => {
  test('gets a generated password that is printed once and works', async () => {
    const product = await startProduct({ args: [], environment: { SERVICE_ADMIN_PASSWORD: '' } });
    try {
      const password = /password\s+(\S+)\s+\(generated, shown only this once\)/.exec(product.output())?.[1];
      const response = await fetch(`${product.url}/login`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ username: 'admin', password }),
      });
      expect(response.status).toBe(200);
      expect(await (await fetch(`${product.url}/ui/showcase.json`)).json()).toEqual([]);
    } finally {
      await product.stop();
    }
  });
});
