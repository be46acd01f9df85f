/** Measures a small query while six connections of another user group 3 million rows again and again, beside bare Express with the same statements. */
import { type Read, readAll } from './http-load.ts';
import { salesTable } from './mdx-sets.ts';
import { head, median, row } from './print.ts';
import { answered, inHome, listening, startScript, startService } from './processes.ts';
import { field, makeKey, stageModel, statementOf } from './staging.ts';

const PORT = 28_513;
const BASELINE_PORT = 28_514;
const SALES = 3_000_000;
const HEAVY_CONNECTIONS = 6;
const WARM_UP = 200;
/** Small queries of a round, one after the other. */
const QUERIES = 200;
const ROUNDS = 3;
const QUERY = '/rest/service/api/ai/semantic/query';

const TABLE = `${salesTable('plain', SALES)}; CREATE TABLE sale AS SELECT row_number() OVER () AS id, * FROM plain; DROP TABLE plain;
  CREATE TABLE item AS SELECT i AS id, 'item ' || i AS name, ((hash(i) % 10000) / 100.0)::DECIMAL(10,2) AS amount FROM range(10000) t(i)`;
const DOCUMENT = `semantic_model:
  - name: shop
    datasets:
      - { name: item, source: item, primary_key: [id], fields: [${['id', 'name'].map(field).join(', ')}] }
      - { name: sale, source: sale, primary_key: [id], fields: [${['id', 'product'].map(field).join(', ')}] }
    metrics:
      - { name: price, expression: [{ dialect: ANSI_SQL, expression: SUM(item.amount) }] }
      - { name: amount, expression: [{ dialect: ANSI_SQL, expression: SUM(sale.amount) }] }
`;
let lastKey = 0;
/** A query that nobody asked before, so that no answer is a kept one. */
const small = () => asking('item', 'name', 'price', 'EQ', ++lastKey);
const heavy = () => asking('sale', 'product', 'amount', 'NEQ', ++lastKey);

function asking(dataset: string, shown: string, metric: string, op: string, value: number): object {
  const target = { connection: 'shop', model: 'shop' };
  const filters = [{ dataset, field: 'id', op, value }];
  return { ...target, rows: [{ dataset, field: shown }], values: [{ metric }], filters };
}

interface Server {
  readonly port: number;
  readonly paths: { readonly small: string; readonly heavy: string };
  /** The headers of the caller of the small queries, and of the other one. */
  readonly headers: readonly [Readonly<Record<string, string>>, Readonly<Record<string, string>>];
}

export async function behindHeavyPart(): Promise<void> {
  await inHome(async (home) => {
    const database = await stageModel(home, 'shop', { table: TABLE, document: DOCUMENT });
    const service = startService(home, PORT, { isDemo: false });
    try {
      await answered(`${service.url}/readyz`);
      const [one, other] = [makeKey(home), makeKey(home)].map((key) => ({
        Authorization: `Bearer ${key}`,
        'Content-Type': 'application/json',
      }));
      if (one === undefined || other === undefined) throw new Error('no keys');
      const previewed = (query: object) =>
        statementOf(service.url, { path: `${QUERY}/preview`, headers: one, body: JSON.stringify(query) });
      const statements = [await previewed(small()), await previewed(heavy())];
      // The service has 16 threads for statements, too.
      process.env.UV_THREADPOOL_SIZE = '16';
      const baseline = startScript('bare-statements.ts', BASELINE_PORT, [database, ...statements]);
      try {
        await listening(BASELINE_PORT);
        const json = { 'Content-Type': 'application/json' };
        head('a row by its key', 'alone', `behind ${HEAVY_CONNECTIONS} groupings of another user`, 'more');
        for (const [name, server] of [
          ['bare Express', { port: BASELINE_PORT, paths: { small: '/0', heavy: '/1' }, headers: [json, json] }],
          ['semantic query', { port: PORT, paths: { small: QUERY, heavy: QUERY }, headers: [one, other] }],
        ] as const) {
          const { alone, behind } = await measured(server);
          row(name, `${alone.toFixed(1)} ms`, `${behind.toFixed(1)} ms`, `${(behind - alone).toFixed(1)} ms`);
        }
      } finally {
        await baseline.stop();
      }
    } finally {
      await service.stop();
    }
  });
}

async function measured(server: Server): Promise<{ readonly alone: number; readonly behind: number }> {
  const times = (count: number) => smallTimes(server, count);
  await times(WARM_UP);
  const [alone, behind]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    alone.push(median(await times(QUERIES)));
    const stop = startHeavy(server);
    try {
      await times(QUERIES / 10);
      behind.push(median(await times(QUERIES)));
    } finally {
      await stop();
    }
  }
  return { alone: median(alone), behind: median(behind) };
}

async function smallTimes({ port, paths, headers: [one] }: Server, count: number): Promise<number[]> {
  const reads = Array.from({ length: count }, (): Read => {
    return { path: paths.small, headers: one, body: JSON.stringify(small()) };
  });
  return [...(await readAll({ port, connections: [reads], reads: count })).times];
}

/** Asks heavy queries on all connections until the returned function is called. It ends with the last answer. */
function startHeavy({ port, paths, headers: [, other] }: Server): () => Promise<void> {
  let isOver = false;
  const asked = Array.from({ length: HEAVY_CONNECTIONS }, async () => {
    while (!isOver) {
      const read: Read = { path: paths.heavy, headers: other, body: JSON.stringify(heavy()) };
      await readAll({ port, connections: [[read]], reads: 1 });
    }
  });
  return async () => {
    isOver = true;
    await Promise.all(asked);
  };
}
