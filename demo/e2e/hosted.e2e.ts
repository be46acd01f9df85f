/** Several nodes of the product on one PostgreSQL and one home, some of which are killed in the middle of their work. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startPostgres, type TestDatabase } from '../../server/state/testing/postgres.ts';
import { type Product, startProduct } from './product.ts';

const API = '/rest/service/api';
const DOCUMENT = 'shared/demo/top-products.service';

/** 40,000 million rows: longer than any of these tests. */
const SLOW_MODEL = `version: "0.1.1"
semantic_model:
  - name: slow
    datasets:
      - name: pairs
        source: SELECT a.range AS n FROM range(200000) AS a, range(200000) AS b
        fields:
          - { name: n, expression: { dialects: [{ dialect: ANSI_SQL, expression: n }] } }
    metrics:
      - { name: total, expression: { dialects: [{ dialect: ANSI_SQL, expression: SUM(pairs.n * pairs.n) }] } }
`;
const slowDatasource = (id: string) => `<dataSource>
  <id>${id}</id><name>${id}</name><type>SEMANTIC</type><semanticYaml>slow.yaml</semanticYaml>
  <location>jdbc:duckdb:data/demo-shop.duckdb</location><schema>slow</schema><enabled>true</enabled>
</dataSource>
`;
const SLOW_QUESTION = { connection: 'slow', model: 'slow', values: [{ metric: 'total' }] };

/** A node of a busy machine takes its time to start, which is not what is measured. */
const MINUTES_MS = 300_000;

const Started = z.object({ queryId: z.string() });
const Status = z.looseObject({ status: z.string(), error: z.unknown().optional() });
const Minted = z.looseObject({ token: z.string() });
const Listed = z.array(z.looseObject({ id: z.string(), label: z.string().nullable(), revoked: z.boolean() }));

interface Answer {
  readonly status: number;
  readonly body: unknown;
}

describe('three nodes', () => {
  let database: TestDatabase;
  let home: string;
  let key: string;
  /** Slots, because a node that was killed is started anew. */
  const nodes: Product[] = [];
  const node = (index: number): Product => {
    const found = nodes[index];
    if (found === undefined) throw new Error(`there is no node ${index}`);
    return found;
  };
  const environment = () => ({
    SERVICE_STATE_URL: database.url,
    SERVICE_QUERY_TIMEOUTSECONDS: '300',
    // As on a network folder, which tells no node of what another has written.
    CHOKIDAR_USEPOLLING: 'true',
    CHOKIDAR_INTERVAL: '500',
  });
  const start = (args: readonly string[] = []) => startProduct({ home, args, environment: environment() });

  beforeAll(async () => {
    database = await startPostgres();
    home = mkdtempSync(join(tmpdir(), 'service-hosted-'));
    nodes.push(await start(['--demo']));
    nodes.push(...(await Promise.all([start(), start()])));
    const made = spawnSync(
      process.execPath,
      ['dist/service.js', 'api-key', 'create', '--label', 'hosted', '--role', 'ROLE_ADMIN', '--json', '--home', home],
      { env: { ...process.env, ...environment() }, encoding: 'utf8' },
    );
    key = z.object({ key: z.string() }).parse(JSON.parse(made.stdout)).key;
  });
  afterAll(async () => {
    await Promise.all(nodes.map((one) => one.stop()));
    await database.stop();
    rmSync(home, { recursive: true, force: true });
  });

  /** Calls a node, with the API key or, for embeds, which belong to accounts, as the administrator; `undefined` where it died before it answered. */
  async function call(at: Product, method: string, path: string, body?: unknown): Promise<Answer | undefined> {
    try {
      const response = await fetch(at.url + API + path, {
        method,
        headers: {
          authorization: path.startsWith('/embed') ? `Basic ${btoa(`admin:${at.password}`)}` : `Bearer ${key}`,
          'content-type': 'application/json',
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        signal: AbortSignal.timeout(20_000),
      });
      const text = await response.text();
      return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
    } catch {
      return undefined;
    }
  }
  const embed = async (at: Product, token: string) =>
    (await fetch(`${at.url}${API}/embed/query/${DOCUMENT}`, { headers: { 'x-service-embed-token': token } })).status;
  const mint = (at: Product, label: string) =>
    call(at, 'POST', '/embed/tokens', { resourceKind: 'query', resourcePath: DOCUMENT, label });
  const tokens = async (at: Product, label: string) =>
    Listed.parse((await call(at, 'GET', '/embed/tokens'))?.body).filter((token) => token.label === label);
  const submit = async (at: Product) =>
    Started.parse((await call(at, 'POST', '/ai/semantic/query/execute-async', SLOW_QUESTION))?.body).queryId;
  const status = async (at: Product, id: string) =>
    Status.parse((await call(at, 'GET', `/ai/semantic/query/status/${id}`))?.body);

  /** Asks again until `isRight`, and returns how long that took in milliseconds. */
  async function until(isRight: () => Promise<boolean>, limitMs: number): Promise<number> {
    const begun = performance.now();
    while (!(await isRight())) {
      if (performance.now() - begun > limitMs) throw new Error(`not within ${limitMs} ms`);
      await sleep(50);
    }
    return performance.now() - begun;
  }

  it('know one another’s sessions, tokens and what was ended, with the next request', async () => {
    const [a, b, c] = [node(0), node(1), node(2)];
    const signedIn = await fetch(`${a.url}/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: 'admin', password: a.password }),
    });
    const cookies = signedIn.headers.getSetCookie().map((cookie) => cookie.split(';')[0] ?? '');
    const csrf = cookies.find((cookie) => cookie.startsWith('XSRF-TOKEN='))?.slice('XSRF-TOKEN='.length) ?? '';
    const headers = { cookie: cookies.join('; '), 'x-xsrf-token': decodeURIComponent(csrf) };
    const session = async (at: Product) => (await fetch(`${at.url}${API}/session`, { headers })).status;
    expect(await session(b)).toBe(200);
    expect((await fetch(`${c.url}/logout`, { method: 'POST', headers })).status).toBe(200);
    expect([await session(a), await session(b)]).toEqual([401, 401]);

    const { token } = Minted.parse((await mint(a, 'shared'))?.body);
    expect([await embed(b, token), await embed(c, token)]).toEqual([200, 200]);
    expect((await call(c, 'DELETE', `/embed/tokens/${token}`))?.status).toBe(200);
    expect([await embed(a, token), await embed(b, token), await embed(c, token)]).toEqual([401, 401, 401]);
  });

  it('know a datasource and a document that one of them was given within two seconds', async () => {
    mkdirSync(join(home, 'datasources'), { recursive: true });
    writeFileSync(join(home, 'datasources/slow.yaml'), SLOW_MODEL);
    const knows = async (at: Product, id: string) =>
      JSON.stringify((await call(at, 'GET', '/ai/semantic/models'))?.body).includes(`"${id}"`);
    let longest = Number.POSITIVE_INFINITY;
    // Again before it is said that it takes longer: a machine with other work does so too, though not every time.
    for (const id of ['slow', 'slow-2', 'slow-3', 'slow-4']) {
      writeFileSync(join(home, `datasources/${id}.sds`), slowDatasource(id));
      const took = await Promise.all(nodes.map((one) => until(() => knows(one, id), 20_000)));
      longest = Math.min(longest, Math.max(...took));
      if (longest < 2_000) break;
    }
    expect(longest).toBeLessThan(2_000);

    const path = 'shared/hosted.service';
    const document = (await call(node(0), 'GET', `/repository/${DOCUMENT}`))?.body;
    expect((await call(node(0), 'PUT', `/repository/${path}`, document))?.status).toBeLessThan(300);
    for (const one of nodes) expect((await call(one, 'GET', `/repository/${path}`))?.status).toBe(200);
    expect((await call(node(2), 'DELETE', `/repository/${path}`))?.status).toBeLessThan(300);
    for (const one of nodes) expect((await call(one, 'GET', `/repository/${path}`))?.status).toBe(404);
  });

  it('poll and cancel one another’s queries', async () => {
    const id = await submit(node(0));
    await until(async () => (await status(node(1), id)).status === 'RUNNING', 10_000);
    expect((await call(node(2), 'DELETE', `/ai/semantic/query/${id}`))?.status).toBe(200);
    for (const one of nodes) expect((await status(one, id)).status).toBe('CANCELLED');
  });

  it(
    'tell a query of a node that was killed as failed, with the reason, within a minute',
    async () => {
      const id = await submit(node(2));
      await until(async () => (await status(node(0), id)).status === 'RUNNING', 10_000);
      await node(2).kill();
      await until(async () => (await status(node(0), id)).status === 'FAILED', 60_000);
      const { error } = await status(node(1), id);
      expect(JSON.stringify(error)).toMatch(/node|stopped|ended|lost/i);
      nodes[2] = await start();
      expect((await status(node(2), id)).status).toBe('FAILED');
    },
    MINUTES_MS,
  );

  it(
    'lose no token and make none twice when one of them is killed while tokens are made and ended',
    async () => {
      const label = 'storm';
      const sent = 40;
      let answered = 0;
      const minting = Array.from({ length: sent }, async (_, index) => {
        await sleep(index * 5);
        const answer = await mint(node(index % 2), label);
        if (answer !== undefined && ++answered === sent / 4) void node(1).kill();
        return answer;
      });
      const answers = await Promise.all(minting);
      await node(1).kill();
      const minted = answers.flatMap((answer) => (answer?.status === 200 ? [Minted.parse(answer.body).token] : []));
      expect(minted.length).toBeGreaterThanOrEqual(sent / 4);
      expect(minted.length).toBeLessThan(sent);
      expect(new Set(minted).size).toBe(minted.length);
      for (const token of minted) expect(await embed(node(2), token)).toBe(200);
      // What was made and not told is there once at most.
      const listed = await tokens(node(0), label);
      expect(listed.length).toBeGreaterThanOrEqual(minted.length);
      expect(listed.length).toBeLessThanOrEqual(sent);
      expect(new Set(listed.map(({ id }) => id)).size).toBe(listed.length);

      nodes[1] = await start();
      let ended = 0;
      const ending = await Promise.all(
        minted.map(async (token, index) => {
          const answer = await call(node(index % 2), 'DELETE', `/embed/tokens/${token}`);
          if (answer !== undefined && ++ended === 3) void node(1).kill();
          return { token, status: answer?.status };
        }),
      );
      await node(1).kill();
      // Who was told that a token is ended may rely on it, wherever it was told.
      for (const { token } of ending.filter((one) => one.status === 200)) expect(await embed(node(2), token)).toBe(401);
      nodes[1] = await start();
      for (const { token } of ending) await call(node(1), 'DELETE', `/embed/tokens/${token}`);
      for (const token of minted) expect(await embed(node(0), token)).toBe(401);
    },
    MINUTES_MS,
  );

  it('answer every request while PostgreSQL is restarted under load, and go on by themselves', async () => {
    const { token } = Minted.parse((await mint(node(0), 'outage'))?.body);
    const seen = new Set<number>();
    let isOver = false;
    const load = nodes.map(async (one) => {
      while (!isOver) {
        seen.add(await embed(one, token));
        await sleep(10);
      }
    });
    const { pathname } = new URL(database.url);
    const administrator = new pg.Client({ connectionString: database.url.replace(pathname, '/postgres') });
    await administrator.connect();
    const name = pathname.slice(1);
    await administrator.query(`alter database ${name} with allow_connections false`);
    await administrator.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name]);
    await until(async () => seen.has(503), 10_000);
    await sleep(500);
    await administrator.query(`alter database ${name} with allow_connections true`);
    await administrator.end();
    for (const one of nodes) await until(async () => (await embed(one, token)) === 200, 15_000);
    isOver = true;
    await Promise.all(load);
    expect([...seen].sort()).toEqual([200, 503]);
    expect((await mint(node(1), 'after'))?.status).toBe(200);
  });
});
