/** How long other callers wait: the slowest answers of `/healthz` while the service does each kind of heavy work, beside a server that does nothing. */
import { writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { salesTable } from './mdx-sets.ts';
import { head, row } from './print.ts';
import { answered, inHome, listening, processorMs, startScript, startService } from './processes.ts';
import { field, makeKey, stageModel } from './staging.ts';

const PORT = 28_511;
const BASELINE_PORT = 28_512;
const SALES = 3_000_000;
const API = '/rest/service/api';
const PAUSE_MS = 5;
/** A kind of work is repeated until this time has passed. */
const WORK_MS = 8_000;

const DOCUMENT = `semantic_model:
  - name: big
    datasets:
      - { name: sale, source: sale, primary_key: [id], fields: [${['id', 'day', 'product', 'date'].map(field).join(', ')}] }
    metrics:
      - { name: amount, expression: [{ dialect: ANSI_SQL, expression: SUM(sale.amount) }] }
`;
/** Few enough sales that their pairs of day and product fit into one answer. */
const SALES_OF_THE_CUBE = 90_000;
const CUBES = `<Schema name="Few"><Cube name="Few"><Table name="few"/>
  <Dimension name="Day"><Hierarchy hasAll="true"><Level name="Day" column="day" uniqueMembers="true"/></Hierarchy></Dimension>
  <Dimension name="Product"><Hierarchy hasAll="true"><Level name="Product" column="product" type="Numeric" uniqueMembers="true"/></Hierarchy></Dimension>
  <Measure name="Amount" column="amount" aggregator="sum"/></Cube></Schema>`;

const rows = (...names: readonly string[]) => names.map((name) => ({ dataset: 'sale', field: name }));
const semantic = (query: object) => ({ connection: 'big', model: 'big', values: [{ metric: 'amount' }], ...query });
const levels = (...names: readonly string[]) => names.map((name) => ({ dimension: name, level: name }));

type Ask = (path: string, body?: object) => Promise<void>;

/** Kinds of work by their names. `turn` counts the repetitions, so that no answer is a kept one. */
const WORK: Readonly<Record<string, (ask: Ask, turn: number) => Promise<unknown>>> = {
  nothing: () => new Promise((resolve) => setTimeout(resolve, 100)),
  'six groupings of 3 million sales at once': (ask, turn) =>
    Promise.all(
      Array.from({ length: 6 }, (_, i) =>
        ask(
          `${API}/ai/semantic/query`,
          semantic({
            rows: rows('product'),
            filters: [{ dataset: 'sale', field: 'id', op: 'NEQ', value: turn * 6 + i }],
          }),
        ),
      ),
    ),
  'an answer of 100,000 rows': (ask, turn) =>
    ask(
      `${API}/ai/semantic/query`,
      semantic({
        rows: rows('id', 'day', 'product'),
        limit: 100_000,
        filters: [{ dataset: 'sale', field: 'id', op: 'NEQ', value: turn }],
      }),
    ),
  'a stream of a million rows': (ask, turn) =>
    ask(
      `${API}/ai/semantic/query/stream?format=ndjson`,
      semantic({
        rows: rows('id', 'day', 'product'),
        filters: [{ dataset: 'sale', field: 'id', op: 'LT', value: 1_000_000 + turn }],
      }),
    ),
  'a cube query of 86,000 rows': (ask, turn) =>
    ask(`${API}/ai/query`, {
      cube: 'few/Few/Few/Few',
      measures: [{ name: 'Amount' }],
      rows: levels('Day', 'Product'),
      limit: 100_000 - turn,
    }),
  'the top ten of a million pairs in a cube': (ask, turn) =>
    ask(`${API}/ai/query`, {
      cube: 'few/Few/Few/Few',
      measures: [{ name: 'Amount' }],
      rows: levels('Day', 'Product'),
      order: [{ by: 'Amount', direction: 'desc' }],
      limit: 10 + turn,
    }),
  'forecasts of 250 products by month': (ask, turn) =>
    ask(`${API}/ai/semantic/forecast`, {
      query: semantic({
        rows: [{ dataset: 'sale', field: 'date', grain: 'month' }, ...rows('product')],
        filters: [{ dataset: 'sale', field: 'product', op: 'LT', value: 250 - turn }],
      }),
      timeAxis: 'sale.date.month',
      method: 'ets',
      horizon: 6,
    }),
};

/** The waits of one kind of work, in milliseconds. */
interface Waits {
  readonly ours: readonly number[];
  readonly bare: readonly number[];
  readonly processorMs: number;
  readonly times: number;
}

export async function stallsPart(): Promise<void> {
  await inHome(async (home) => {
    const table = `${salesTable('few', SALES_OF_THE_CUBE)}; ${salesTable('plain', SALES)};
      CREATE TABLE sale AS SELECT row_number() OVER () AS id, CAST(day AS DATE) AS date, * FROM plain; DROP TABLE plain`;
    await stageModel(home, 'big', { table, document: DOCUMENT });
    writeFileSync(join(home, 'datasources', 'few.xml'), CUBES);
    writeFileSync(
      join(home, 'datasources', 'few.sds'),
      `<?xml version="1.0" encoding="UTF-8"?>
<dataSource><id>few</id><name>few</name><type>OLAP</type><cubeSchema>few.xml</cubeSchema><location>jdbc:duckdb:data/big.duckdb</location><enabled>true</enabled></dataSource>
`,
    );
    const service = startService(home, PORT, { isDemo: false });
    const baseline = startScript('bare-health.ts', BASELINE_PORT);
    try {
      await answered(`${service.url}/readyz`);
      await listening(BASELINE_PORT);
      const headers = { Authorization: `Bearer ${makeKey(home)}`, 'Content-Type': 'application/json' };
      const ask: Ask = async (path, body) => {
        const response = await fetch(`${service.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
        if (!response.ok || response.body === null) throw new Error(`${path}: ${await response.text()}`);
        for await (const _ of response.body);
      };
      head(
        'while the service does',
        'times',
        'processor time',
        'longest wait',
        '99.9 %',
        'a server that does nothing: longest',
        '99.9 %',
      );
      for (const [name, work] of Object.entries(WORK)) {
        const {
          ours,
          bare,
          processorMs: used,
          times,
        } = await waitsDuring((turn) => work(ask, turn), [service.url, baseline.url], service.pid);
        row(
          name,
          String(times),
          `${used.toFixed(0)} ms`,
          ...[ours, bare].flatMap((waits) => [longest(waits), share(waits)]),
        );
      }
    } finally {
      await baseline.stop();
      await service.stop();
    }
  });
}

/** Repeats the work, after once without a measure, and asks both servers for their health meanwhile. The client reads its own clock late while it is busy, for both alike. */
async function waitsDuring(
  work: (turn: number) => Promise<unknown>,
  urls: readonly [string, string],
  pid: number,
): Promise<Waits> {
  await work(0);
  const [ours, bare]: [number[], number[]] = [[], []];
  let isOver = false;
  const asking = Promise.all(
    ([ours, bare] as const).map(async (waits, i) => {
      while (!isOver) {
        const asked = performance.now();
        await health(urls[i] ?? '');
        waits.push(performance.now() - asked);
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
    }),
  );
  const before = processorMs(pid);
  let times = 0;
  try {
    for (const end = performance.now() + WORK_MS; performance.now() < end; ) await work(++times);
  } finally {
    isOver = true;
    await asking;
  }
  return { ours, bare, processorMs: processorMs(pid) - before, times };
}

/** Asks for health on a connection of its own, as a load balancer does. */
function health(url: string): Promise<void> {
  return new Promise((resolve, reject) => {
    get(`${url}/healthz`, { agent: false }, (response) => response.on('end', resolve).resume()).on('error', reject);
  });
}

function longest(waits: readonly number[]): string {
  return `${Math.max(...waits).toFixed(0)} ms`;
}

/** Returns the wait that 999 of 1,000 do not exceed. */
function share(waits: readonly number[]): string {
  const sorted = waits.toSorted((left, right) => left - right);
  return `${(sorted[Math.floor(sorted.length * 0.999)] ?? Number.NaN).toFixed(0)} ms`;
}
