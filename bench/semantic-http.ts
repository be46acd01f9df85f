/** Measures typed questions over HTTP, none of them kept, beside bare Express that runs SQL by hand for the same on the same file. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Read, readAll } from './http-load.ts';
import { head, median, row } from './print.ts';
import { answered, inHome, listening, startScript, startService } from './processes.ts';
import { ASKED, DOCUMENT, SALES, TABLES } from './semantic-sql.ts';
import { makeKey, stageModel } from './staging.ts';

const PORT = 28_521;
const BASELINE_PORT = 28_522;
/** Times that each question is asked before: code that ran seldom is not optimized yet. */
const WARM_UP = 30;
const RUNS = 15;
const QUERY = '/rest/service/api/ai/semantic/query';

export async function semanticHttpPart(): Promise<void> {
  await inHome(async (home) => {
    const database = await stageModel(home, 'shop', { table: TABLES.join(';\n'), document: DOCUMENT });
    // Each question is computed.
    writeFileSync(join(home, 'service.properties'), 'service.cache.ttlSeconds=0\n');
    const service = startService(home, PORT, { isDemo: false });
    const baseline = startScript('bare-statements.ts', BASELINE_PORT, [database, ...ASKED.map(({ sql }) => sql)]);
    try {
      await answered(`${service.url}/readyz`);
      await listening(BASELINE_PORT);
      const json = { 'Content-Type': 'application/json' };
      const headers = { ...json, Authorization: `Bearer ${makeKey(home)}` };
      const asked = ASKED.map(({ name, request }, at) => ({
        name,
        question: { path: QUERY, headers, body: JSON.stringify({ connection: 'shop', model: 'shop', ...request }) },
        statement: { path: `/${at}`, headers: json, body: '{}' },
      }));
      for (let run = 0; run < WARM_UP; run++)
        for (const { question, statement } of asked) {
          await timeOf(BASELINE_PORT, statement);
          await timeOf(PORT, question);
        }
      head(`${SALES.toLocaleString('en')} sales, clock`, 'question', 'by hand', 'ratio', 'more');
      for (const { name, question, statement } of asked) {
        const [ours, bare]: [number[], number[]] = [[], []];
        for (let run = 0; run < RUNS; run++) {
          bare.push(await timeOf(BASELINE_PORT, statement));
          ours.push(await timeOf(PORT, question));
        }
        const [one, other] = [median(ours), median(bare)];
        row(
          name,
          `${one.toFixed(1)} ms`,
          `${other.toFixed(1)} ms`,
          (one / other).toFixed(2),
          `${(one - other).toFixed(1)} ms`,
        );
      }
    } finally {
      await baseline.stop();
      await service.stop();
    }
  });
}

async function timeOf(port: number, read: Read): Promise<number> {
  const { times } = await readAll({ port, connections: [[read]], reads: 1 });
  return times[0] ?? Number.NaN;
}
