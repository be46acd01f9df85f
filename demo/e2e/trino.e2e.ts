/** The built product over TPC-H in a real Trino: eight tiles at once, many readers, cancelled queries, and a server that is killed. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { titleNeeding } from '../../router/testing/not-run.ts';
import { startTrinoServer, type TestTrinoServer, trinoMissing } from '../../server/warehouse/testing/trino.ts';
import { violationsInBothThemes } from './accessibility.ts';
import { complaints, openBrowser, openPage } from './browser.ts';
import { connectionForm } from './connection-form.ts';
import { type Product, startProduct } from './product.ts';
import { signInTo } from './sign-in.ts';

const missing =
  process.env.SERVICE_TEST_TRINO_URL === undefined
    ? trinoMissing()
    : 'a Trino of its own, which SERVICE_TEST_TRINO_URL replaces';
const QUERY = '/rest/service/api/ai/semantic/query';
const READERS = 16;
const QUERIES = 200;
/** A Trino that has just started compiles its first queries for many seconds. */
const TIMEOUT_S = 120;

const fields = (...names: readonly string[]) =>
  `[${names.map((name) => `{ name: ${name}, expression: { dialects: [{ dialect: ANSI_SQL, expression: ${name} }] } }`).join(', ')}]`;
const metric = (name: string, expression: string, kind?: object) =>
  `      - { name: ${name}, expression: { dialects: [{ dialect: ANSI_SQL, expression: "${expression}" }] }${kind === undefined ? '' : `, custom_extensions: [{ vendor_name: SERVICE, data: '${JSON.stringify(kind)}' }]`} }`;
const MODEL = `version: "0.1.1"
semantic_model:
  - name: trade
    datasets:
      - { name: orders, source: tpch.tiny.orders, primary_key: [orderkey], fields: ${fields('orderkey', 'orderdate', 'orderpriority')} }
      - { name: customers, source: customer, primary_key: [custkey], fields: ${fields('custkey', 'mktsegment')} }
      - { name: nations, source: nation, primary_key: [nationkey], fields: ${fields('nationkey', 'name')} }
      - name: pairs
        source: SELECT a.orderkey AS id, a.quantity * b.quantity AS weight FROM tpch.sf1.lineitem a CROSS JOIN tpch.sf1.lineitem b
        fields: ${fields('id')}
    relationships:
      - { name: by, from: orders, to: customers, from_columns: [custkey], to_columns: [custkey] }
      - { name: of, from: customers, to: nations, from_columns: [nationkey], to_columns: [nationkey] }
    metrics:
${metric('revenue', 'SUM(orders.totalprice)')}
${metric('order_count', 'COUNT(orders.orderkey)')}
${metric('year_to_date', 'revenue', { cumulative: { by: 'orders.orderdate', to_date: 'year' } })}
${metric('buyers_of_28_days', 'COUNT(DISTINCT orders.custkey)', { cumulative: { by: 'orders.orderdate', window: { count: 28, grain: 'day' } } })}
${metric('endless', 'SUM(pairs.weight)')}
`;

const date = { dataset: 'orders', field: 'orderdate' };
const byGrain = (grain: string) => [{ ...date, grain }];
const within = (from: string, to: string) => [{ ...date, op: 'BETWEEN', values: [from, to] }];
const ask = (request: object) => ({ connection: 'trade', model: 'trade', ...request });
const IN_1997 = within('1997-01-01', '1997-12-31');
/** A dashboard: time, comparisons and cumulative metrics among them. Expected figures come from SQL that is written by hand. */
const TILES: readonly { readonly request: object; readonly metric: string; readonly sql: string }[] = [
  { request: { values: [{ metric: 'revenue' }] }, metric: 'revenue', sql: 'SELECT sum(totalprice) FROM orders' },
  {
    request: { rows: byGrain('year'), values: [{ metric: 'revenue', compare: { to: 'previous_year' } }] },
    metric: 'revenue.base',
    sql: 'SELECT lag(sum(totalprice)) OVER (ORDER BY year(orderdate)) FROM orders GROUP BY year(orderdate) ORDER BY year(orderdate)',
  },
  {
    request: { rows: byGrain('month'), values: [{ metric: 'revenue' }], filters: within('1996-01-01', '1996-12-31') },
    metric: 'revenue',
    sql: 'SELECT sum(totalprice) FROM orders WHERE year(orderdate) = 1996 GROUP BY month(orderdate) ORDER BY month(orderdate)',
  },
  {
    request: { rows: byGrain('month'), values: [{ metric: 'year_to_date' }], filters: IN_1997 },
    metric: 'year_to_date',
    sql: 'SELECT sum(sum(totalprice)) OVER (ORDER BY month(orderdate)) FROM orders WHERE year(orderdate) = 1997 GROUP BY month(orderdate) ORDER BY month(orderdate)',
  },
  {
    request: { rows: byGrain('month'), values: [{ metric: 'buyers_of_28_days' }], filters: IN_1997 },
    metric: 'buyers_of_28_days',
    sql: `SELECT count(DISTINCT custkey) FROM orders JOIN (SELECT last_day_of_month(day) AS last FROM UNNEST(sequence(DATE '1997-01-01', DATE '1997-12-01', INTERVAL '1' MONTH)) AS t (day))
      ON orderdate > last - INTERVAL '28' DAY AND orderdate <= last GROUP BY last ORDER BY last`,
  },
  {
    request: {
      rows: [{ dataset: 'nations', field: 'name' }],
      values: [{ metric: 'revenue' }],
      sorts: [{ metric: 'revenue', direction: 'DESC' }],
      limit: 10,
    },
    metric: 'revenue',
    sql: 'SELECT sum(totalprice) FROM orders JOIN customer ON customer.custkey = orders.custkey GROUP BY nationkey ORDER BY 1 DESC LIMIT 10',
  },
  {
    request: {
      rows: [...byGrain('quarter'), { dataset: 'orders', field: 'orderpriority' }],
      values: [{ metric: 'order_count' }],
      filters: IN_1997,
    },
    metric: 'order_count',
    sql: 'SELECT count(*) FROM orders WHERE year(orderdate) = 1997 GROUP BY quarter(orderdate), orderpriority ORDER BY quarter(orderdate), orderpriority',
  },
  {
    request: {
      rows: [{ dataset: 'customers', field: 'mktsegment' }],
      values: [{ metric: 'order_count' }],
      filters: IN_1997,
    },
    metric: 'order_count',
    sql: 'SELECT count(*) FROM orders JOIN customer ON customer.custkey = orders.custkey WHERE year(orderdate) = 1997 GROUP BY mktsegment ORDER BY mktsegment',
  },
];

interface Answer {
  readonly records?: readonly Readonly<Record<string, unknown>>[];
}

/** A port that leads to a server, which may be killed and started again elsewhere. */
class Door {
  readonly #sockets = new Set<Socket>();
  #server: Server | undefined;
  #port = 0;
  get port() {
    return this.#port;
  }

  async open(to: number): Promise<void> {
    const server = createServer((socket) => {
      const beyond = connect(to, '127.0.0.1');
      for (const each of [socket, beyond]) {
        this.#sockets.add(each);
        each.on('error', () => undefined).once('close', () => this.#sockets.delete(each));
      }
      socket.pipe(beyond).once('close', () => socket.destroy());
      beyond.pipe(socket).once('close', () => beyond.destroy());
    });
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve));
    const address = server.address();
    if (address !== null && typeof address === 'object') this.#port = address.port;
    this.#server = server;
  }

  close(): void {
    this.#server?.close();
    for (const socket of this.#sockets) socket.destroy();
  }
}

/** Runs a statement as another client and returns the first column. */
async function directly(url: string, sql: string): Promise<readonly unknown[]> {
  const headers = { 'x-trino-user': 'admin', 'x-trino-catalog': 'tpch', 'x-trino-schema': 'tiny' };
  const values: unknown[] = [];
  let next: string | undefined = `${url}/v1/statement`;
  let init: RequestInit = { method: 'POST', headers, body: sql };
  while (next !== undefined) {
    const page = (await (await fetch(next, init)).json()) as {
      readonly nextUri?: string;
      readonly data?: readonly (readonly unknown[])[];
      readonly error?: { readonly message: string };
    };
    if (page.error !== undefined) throw new Error(page.error.message);
    values.push(...(page.data ?? []).map(([value]) => value));
    next = page.nextUri;
    init = { headers };
  }
  return values;
}

const seconds = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now();
  await work();
  return (performance.now() - start) / 1000;
};
const figure = (text: string) => console.log(`Trino: ${text}`);

describe.skipIf(missing !== undefined)(titleNeeding('TPC-H over Trino', missing), () => {
  const door = new Door();
  let trino: TestTrinoServer;
  let product: Product;
  let home: string;
  let apiKey: string;
  const send = (request: object, signal?: AbortSignal) =>
    fetch(product.url + QUERY, {
      method: 'POST',
      headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(ask(request)),
      ...(signal === undefined ? {} : { signal }),
    });
  const query = async (request: object) => {
    const response = await send(request);
    return { status: response.status, body: (await response.json()) as Answer };
  };
  const running = async () =>
    Number(
      (
        await directly(
          trino.url,
          "SELECT count(*) FROM system.runtime.queries WHERE source = 'service' AND state NOT IN ('FINISHED', 'FAILED')",
        )
      )[0],
    );

  beforeAll(async () => {
    trino = await startTrinoServer();
    await door.open(Number(new URL(trino.url).port));
    home = mkdtempSync(join(tmpdir(), 'service-trino-'));
    mkdirSync(join(home, 'datasources'), { mode: 0o700, recursive: true });
    writeFileSync(join(home, 'datasources/trade.yaml'), MODEL);
    writeFileSync(
      join(home, 'datasources/trade.sds'),
      `<dataSource><id>trade</id><name>trade</name><type>SEMANTIC</type><semanticYaml>trade.yaml</semanticYaml>
       <location>jdbc:trino://127.0.0.1:${door.port}/tpch/tiny</location><username>reader</username><enabled>true</enabled></dataSource>`,
    );
    product = await startProduct({
      home,
      args: [],
      environment: { SERVICE_QUERY_TIMEOUTSECONDS: String(TIMEOUT_S) },
    });
    apiKey = execFileSync(
      process.execPath,
      ['dist/service.js', 'api-key', 'create', '--home', home, '--label', 'trino'],
      { encoding: 'utf8' },
    ).trim();
    await vi.waitFor(
      async () => {
        const { body } = await product.call('GET', '/rest/service/api/admin/datasources');
        expect(body).toMatchObject([{ id: 'trade', status: 'READY', problems: [] }]);
      },
      { timeout: 120_000, interval: 200 },
    );
  });
  afterAll(async () => {
    await product?.stop();
    door.close();
    await trino?.stop();
    if (home !== undefined) rmSync(home, { recursive: true, force: true });
  });

  test('eight tiles at once have the figures of SQL that is written by hand', async () => {
    let answers: readonly Awaited<ReturnType<typeof query>>[] = [];
    const took = await seconds(async () => {
      answers = await Promise.all(TILES.map(({ request }) => query(request)));
    });
    figure(`eight tiles at once, right after the start: ${took.toFixed(1)} s`);
    for (const [index, { metric, sql }] of TILES.entries()) {
      const answer = answers[index];
      expect(answer?.status, JSON.stringify(answer?.body)).toBe(200);
      const records = answer?.body.records ?? [];
      const values = records.map((record) => {
        const cell = record[metric];
        return typeof cell === 'object' && cell !== null && 'value' in cell ? cell.value : cell;
      });
      const expected = await directly(trino.url, sql);
      expect(values.length, metric).toBe(expected.length);
      for (const [place, value] of values.entries()) {
        const other = expected[place];
        // Sums of doubles depend on their order in the last digits.
        if (other === null) expect([null, undefined]).toContain(value);
        else expect(Math.abs(Number(value) / Number(other) - 1), `${sql} ${place}`).toBeLessThan(1e-9);
      }
    }
  });

  test('two hundred queries of sixteen readers all answer', async () => {
    const days = Array.from({ length: QUERIES }, (_, index) =>
      new Date(Date.UTC(1996, 0, 1 + index)).toISOString().slice(0, 10),
    );
    const statuses: number[] = [];
    const durations: number[] = [];
    const took = await seconds(() =>
      Promise.all(
        Array.from({ length: READERS }, async () => {
          for (let day = days.pop(); day !== undefined; day = days.pop()) {
            const filters = within(day, '1998-12-31');
            durations.push(
              await seconds(async () => {
                statuses.push(
                  (await query({ rows: byGrain('quarter'), values: [{ metric: 'revenue' }], filters })).status,
                );
              }),
            );
          }
        }),
      ),
    );
    const median = durations.toSorted((left, right) => left - right)[QUERIES / 2] ?? 0;
    figure(`${QUERIES} queries of ${READERS} readers: ${took.toFixed(1)} s, median ${(median * 1000).toFixed(0)} ms`);
    expect(statuses.filter((status) => status !== 200)).toEqual([]);
    expect(statuses).toHaveLength(QUERIES);
    // Twenty seconds on two idle cores. The limit ends a hang: a machine that does much else stays below it.
  }, 900_000);

  test('cancelled queries leave no statement running', async () => {
    const leave = new AbortController();
    const asked = Array.from({ length: 6 }, (_, index) =>
      send({ values: [{ metric: 'endless' }], limit: index + 1 }, leave.signal).catch(() => undefined),
    );
    await expect.poll(running, { timeout: 60_000 }).toBeGreaterThanOrEqual(1);
    leave.abort();
    const took = await seconds(async () => {
      await Promise.all(asked);
      await expect.poll(running, { timeout: 30_000, interval: 100 }).toBe(0);
    });
    figure(`six cancelled queries: no statement runs after ${took.toFixed(1)} s`);
    expect(
      (await query({ values: [{ metric: 'order_count' }], filters: within('1998-01-01', '1998-03-01') })).status,
    ).toBe(200);
  });

  test('the form of a connection shows each mistake at its field, with the catalogs and schemas that exist', async () => {
    const browser = await openBrowser();
    try {
      const page = await openPage(browser, { reducedMotion: 'reduce', viewport: { width: 1280, height: 900 } });
      const complained = complaints(page);
      await signInTo(page, '/ui/data/', product);
      await page.getByRole('heading', { name: 'Data', level: 1 }).waitFor();
      const form = await connectionForm(page, 'Trino');
      await form.fill({
        host: '127.0.0.1',
        port: String(door.port),
        username: 'reader',
        catalog: 'tpchh',
        schema: 'tiny',
      });
      await form.refused('catalog', /no catalog/);
      expect(await violationsInBothThemes(page)).toEqual([]);
      await form.take('catalog', 'tpch');
      await form.fill({ schema: 'tinyy' });
      await form.refused('schema', /no schema/);
      await form.take('schema', 'tiny');
      await form.connected();
      await form.saved();
      expect(complained).toEqual([]);
    } finally {
      await browser.close();
    }
  });

  test('a killed server is 502 at once, and answers when it is back', async () => {
    const endless = query({ values: [{ metric: 'endless' }] });
    await expect.poll(running, { timeout: 60_000 }).toBeGreaterThanOrEqual(1);
    trino.child.kill('SIGKILL');
    door.close();
    let during: Awaited<typeof endless> | undefined;
    const broken = await seconds(async () => {
      during = await endless;
    });
    let after: Awaited<typeof endless> | undefined;
    const refused = await seconds(async () => {
      after = await query({ values: [{ metric: 'order_count' }], filters: within('1998-01-01', '1998-02-01') });
    });
    figure(
      `after kill -9: the running query is ${during?.status} after ${broken.toFixed(2)} s, the next ${after?.status} after ${refused.toFixed(2)} s`,
    );
    expect([during?.status, after?.status]).toEqual([502, 502]);
    expect(broken).toBeLessThan(1);
    expect(refused).toBeLessThan(1);

    trino = await startTrinoServer();
    await door.open(Number(new URL(trino.url).port));
    let back: Awaited<typeof endless> | undefined;
    const well = await seconds(async () => {
      back = await query({ values: [{ metric: 'order_count' }], filters: within('1998-01-01', '1998-02-01') });
    });
    figure(`the first query of the server that is back: ${back?.status} after ${well.toFixed(1)} s`);
    expect(back?.status).toBe(200);
  });
});
