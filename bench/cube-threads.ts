/** The engine of cubes in a thread, beside the same engine in the thread of the requests. */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { type EngineMessage, EngineThreads, type ThreadedSchema } from '../plugins/cube/engine/engine-threads.ts';
import { inlineEngine } from '../plugins/cube/engine/inline-engine.ts';
import { readSchema } from '../plugins/cube/schema/read-schema.ts';
import { silentLog } from '../router/testing/silent-log.ts';
import { entryPoint } from '../server/entry-points.ts';
import { startWarehouse } from '../server/warehouse/testing/engines.ts';
import { threadOf } from '../server/workers/worker-thread.ts';
import { CROSSTAB, SALES_SCHEMA, salesTable } from './mdx-sets.ts';
import { head, median, row } from './print.ts';
import { timesOf } from './times.ts';

const SALES = 400_000;
const RUNS = 5;
const SMALL_QUERIES = 400;
/** 10 members, whose cells are in memory after the first query. */
const SMALL = 'SELECT [Measures].[Amount] ON 0, Head([Product].[Product].Members, 10) ON 1 FROM Few';
const MEASURES = ['[Measures].[Amount]'];

/** Time in which the thread of the requests did something, and its longest hold, in milliseconds. */
interface Held {
  readonly active: number;
  readonly longest: number;
}

async function heldBy(work: () => Promise<unknown>): Promise<Held> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const before = performance.eventLoopUtilization();
  delay.enable();
  await work();
  delay.disable();
  return { active: performance.eventLoopUtilization(before).active, longest: delay.max / 1_000_000 };
}

export async function cubeThreadsPart(): Promise<void> {
  const { schema: model } = readSchema(SALES_SCHEMA);
  if (model === undefined) throw new Error('The schema was not read.');
  const { warehouse, stop } = await startWarehouse('duckdb', [salesTable('sale', 10), salesTable('few', SALES)]);
  const threads = new EngineThreads({
    start: threadOf<EngineMessage>(entryPoint('cube-engine-worker').module),
    size: 1,
    log: silentLog,
  });
  const schema: ThreadedSchema = { schema: model, warehouse };
  const engines = {
    'in the thread of the requests': () => inlineEngine(schema),
    'in its own thread': () => threads.engine(schema),
  };
  try {
    head(
      `All pairs of ${SALES.toLocaleString('en')} sales, 335,000 rows`,
      'time',
      'thread of the requests: active',
      'longest hold',
    );
    for (const [name, open] of Object.entries(engines)) {
      const [cold, warm]: [Held[], Held[]] = [[], []];
      const times: Record<string, number[]> = { cold: [], warm: [] };
      for (let run = 0; run < RUNS; run++) {
        const engine = open();
        for (const [held, each] of [
          [cold, 'cold'],
          [warm, 'warm'],
        ] as const) {
          const begun = performance.now();
          held.push(await heldBy(() => engine.grid({ mdx: CROSSTAB.mdx, measures: MEASURES }, {})));
          times[each]?.push(performance.now() - begun);
        }
        await engine.close();
      }
      for (const [each, held] of [
        ['cold', cold],
        ['warm', warm],
      ] as const)
        row(
          `${name}, ${each}`,
          `${median(times[each] ?? []).toFixed(0)} ms`,
          `${median(held.map(({ active }) => active)).toFixed(0)} ms`,
          `${median(held.map(({ longest }) => longest)).toFixed(0)} ms`,
        );
    }
    head(`${SMALL_QUERIES} warm queries of ten cells`, 'median', 'processor time of one');
    for (const [name, open] of Object.entries(engines)) {
      const engine = open();
      const ask = () => engine.grid({ mdx: SMALL, measures: MEASURES }, {});
      for (let run = 0; run < SMALL_QUERIES; run++) await ask();
      const clocks: number[] = [];
      const { processor } = await timesOf(async () => {
        for (let run = 0; run < SMALL_QUERIES; run++) {
          const begun = performance.now();
          await ask();
          clocks.push(performance.now() - begun);
        }
      });
      row(name, `${median(clocks).toFixed(2)} ms`, `${(processor / SMALL_QUERIES).toFixed(2)} ms`);
      await engine.close();
    }
  } finally {
    await threads.close();
    await stop();
  }
}
