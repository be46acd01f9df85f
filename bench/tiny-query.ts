/** Measures a small query over HTTP: a semantic query by a key, beside bare Express that runs the same statement on the same file. */
import { type Read, readAll } from './http-load.ts';
import { head, median, row } from './print.ts';
import { answered, inHome, listening, processorMs, type Running, startScript, startService } from './processes.ts';
import { field, makeKey, stageModel, statementOf } from './staging.ts';

const PORT = 28_501;
const BASELINE_PORT = 28_502;
const ITEMS = 10_000;
const WARM_UP = 3_000;
const ROUNDS = 9;
/** Requests of a round, one after the other. */
const REQUESTS = 500;
const QUERY = '/rest/service/api/ai/semantic/query';

const TABLE = `CREATE TABLE item AS SELECT i AS id, 'item ' || i AS name, ((hash(i) % 10000) / 100.0)::DECIMAL(10,2) AS amount FROM range(${ITEMS}) t(i)`;
const DOCUMENT = `semantic_model:
  - name: items
    datasets:
      - { name: item, source: item, primary_key: [id], fields: [${['id', 'name'].map(field).join(', ')}] }
    metrics:
      - { name: amount, expression: [{ dialect: ANSI_SQL, expression: SUM(item.amount) }] }
`;
const requestFor = (id: number) => ({
  connection: 'items',
  model: 'items',
  rows: [{ dataset: 'item', field: 'name' }],
  values: [{ metric: 'amount' }],
  filters: [{ dataset: 'item', field: 'id', op: 'EQ', value: id }],
});

interface Measured {
  readonly clockMs: number;
  readonly processorMs: number;
}

export async function tinyQueryPart(): Promise<void> {
  await inHome(async (home) => {
    const database = await stageModel(home, 'items', { table: TABLE, document: DOCUMENT });
    const service = startService(home, PORT, { isDemo: false });
    let baseline: Running | undefined;
    try {
      await answered(`${service.url}/readyz`);
      const headers = { Authorization: `Bearer ${makeKey(home)}`, 'Content-Type': 'application/json' };
      const asked = (path: string, id: number): Read => ({ path, headers, body: JSON.stringify(requestFor(id)) });
      const sql = await statementOf(service.url, asked(`${QUERY}/preview`, 1));
      baseline = startScript('bare-statements.ts', BASELINE_PORT, [database, sql]);
      await listening(BASELINE_PORT);
      let next = 0;
      // Each key once, so that no answer is a kept one.
      const keys = (count: number) => Array.from({ length: count }, () => ++next);
      const measure = async ({ pid }: Running, port: number, reads: readonly Read[]): Promise<Measured> => {
        const before = processorMs(pid);
        const { times } = await readAll({ port, connections: [reads], reads: reads.length });
        return { clockMs: median(times), processorMs: (processorMs(pid) - before) / reads.length };
      };
      const same = (count: number) => Array.from({ length: count }, () => asked(QUERY, 1));
      const [bare, ours, kept]: [Measured[], Measured[], Measured[]] = [[], [], []];
      for (let round = -1; round < ROUNDS; round++) {
        const count = round < 0 ? WARM_UP : REQUESTS;
        const ids = keys(count);
        const runs = [
          await measure(
            baseline,
            BASELINE_PORT,
            ids.map((id) => asked('/0', id)),
          ),
          await measure(
            service,
            PORT,
            ids.map((id) => asked(QUERY, id)),
          ),
          await measure(service, PORT, same(count)),
        ] as const;
        if (round < 0) continue;
        bare.push(runs[0]);
        ours.push(runs[1]);
        kept.push(runs[2]);
      }
      head('a row by its key', 'clock', 'processor time', 'more clock than bare', 'more processor time');
      for (const [name, runs] of [
        ['bare Express', bare],
        ['semantic query', ours],
        ['the same, kept', kept],
      ] as const) {
        const more = (of: (one: Measured) => number) =>
          median(runs.map((one, i) => of(one) - of(bare[i] ?? one))).toFixed(2);
        row(
          name,
          `${median(runs.map(({ clockMs }) => clockMs)).toFixed(2)} ms`,
          `${median(runs.map((one) => one.processorMs)).toFixed(2)} ms`,
          ...(runs === bare ? ['', ''] : [`${more((one) => one.clockMs)} ms`, `${more((one) => one.processorMs)} ms`]),
        );
      }
    } finally {
      await baseline?.stop();
      await service.stop();
    }
  });
}
