/** An answer of a million rows: time, memory and the longest wait of another caller, beside a bare script that sends the same rows. */
import { head, median, mib, row } from './print.ts';
import { answered, inHome, processorMs, type Running, residentBytes, startScript, startService } from './processes.ts';
import { field, makeKey, stageModel } from './staging.ts';

const PORT = 28_491;
const BASELINE_PORT = 28_492;
const ROWS = 1_000_000;
const RUNS = 3;
const LOOK_MS = 10;

const TABLE = `CREATE TABLE sale AS SELECT i AS id, DATE '2023-01-01' + (hash(i) % 1096)::INTEGER AS day, 'city ' || (hash(i * 7) % 1000) AS city,
  ((hash(i * 3) % 10000) / 100.0)::DECIMAL(10,2) AS amount FROM range(${ROWS}) t(i)`;
const DOCUMENT = `semantic_model:
  - name: big
    datasets:
      - { name: sale, source: sale, primary_key: [id], fields: [${['id', 'day', 'city'].map(field).join(', ')}] }
    metrics:
      - { name: amount, expression: [{ dialect: ANSI_SQL, expression: SUM(sale.amount) }] }
`;
const REQUEST = {
  connection: 'big',
  model: 'big',
  rows: ['id', 'day', 'city'].map((name) => ({ dataset: 'sale', field: name })),
  values: [{ metric: 'amount' }],
};

interface Measured {
  readonly ms: number;
  readonly bytes: number;
  readonly grownBytes: number;
  readonly processorMs: number;
  readonly longestWaitMs: number;
}

export async function streamedRowsPart(): Promise<void> {
  await inHome(async (home) => {
    const database = await stageModel(home, 'big', { table: TABLE, document: DOCUMENT });
    const service = startService(home, PORT, { isDemo: false });
    const baseline = startScript('bare-stream.ts', BASELINE_PORT, [database]);
    try {
      await answered(`${service.url}/readyz`);
      const key = makeKey(home);
      head(
        `${ROWS.toLocaleString('en')} rows of 4 columns`,
        'time',
        'bytes',
        'more memory',
        'processor time',
        'longest /healthz',
      );
      const bare = await each(baseline, () => fetch(`${baseline.url}/rows`));
      report('bare script: DuckDB, Express, NDJSON', bare);
      for (const format of ['ndjson', 'csv', 'arrow']) {
        const path = `/rest/service/api/ai/semantic/query/stream?format=${format}`;
        const ours = await each(service, () =>
          fetch(`${service.url}${path}`, {
            method: 'POST',
            headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
            body: JSON.stringify(REQUEST),
          }),
        );
        report(`\`${format}\``, ours);
      }
    } finally {
      await baseline.stop();
      await service.stop();
    }
  });
}

async function each(process: Running, ask: () => Promise<Response>): Promise<readonly Measured[]> {
  const runs: Measured[] = [];
  await measured(process, ask);
  for (let run = 0; run < RUNS; run++) runs.push(await measured(process, ask));
  return runs;
}

async function measured({ pid, url }: Running, ask: () => Promise<Response>): Promise<Measured> {
  const before = { resident: residentBytes(pid), processor: processorMs(pid) };
  let most = before.resident;
  let longestWaitMs = 0;
  let isOver = false;
  const looking = (async () => {
    while (!isOver) {
      const asked = performance.now();
      await (await fetch(`${url}/healthz`)).arrayBuffer();
      longestWaitMs = Math.max(longestWaitMs, performance.now() - asked);
      most = Math.max(most, residentBytes(pid));
      await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    }
  })();
  const begun = performance.now();
  const response = await ask();
  if (!response.ok || response.body === null) throw new Error(await response.text());
  let bytes = 0;
  for await (const piece of response.body) bytes += piece.length;
  const ms = performance.now() - begun;
  isOver = true;
  await looking;
  const grownBytes = most - before.resident;
  return { ms, bytes, grownBytes, processorMs: processorMs(pid) - before.processor, longestWaitMs };
}

function report(name: string, runs: readonly Measured[]): void {
  const of = (read: (each: Measured) => number) => median(runs.map(read));
  row(
    name,
    `${of(({ ms }) => ms).toFixed(0)} ms`,
    mib(of(({ bytes }) => bytes)),
    mib(of(({ grownBytes }) => grownBytes)),
    `${of((each) => each.processorMs).toFixed(0)} ms`,
    `${of(({ longestWaitMs }) => longestWaitMs).toFixed(0)} ms`,
  );
}
