/** Compares the engine in a thread with the engine in the calling thread, and ends threads at bad moments. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Warehouse } from '../../../router/capabilities/warehouse.ts';
import { CancelledError, ServiceError, WarehouseError } from '../../../router/errors.ts';
import { silentLog } from '../../../router/testing/silent-log.ts';
import { startWarehouse, type TestWarehouse } from '../../../server/warehouse/testing/engines.ts';
import { inlineSqlTexts } from '../../query-surface/index.ts';
import { MdxError, MdxLimitError, MdxSchemaError } from '../mdx/index.ts';
import { translateSchema } from '../schema/dialect-sql.ts';
import type { Schema } from '../schema/model.ts';
import { readSchema } from '../schema/read-schema.ts';
import { ENGINE_THREADS } from '../testing/engine-fixture.ts';
import type { CubeEngine } from './cube-engine.ts';
import { type EngineThreadOptions, EngineThreads } from './engine-threads.ts';
import { tupleAt } from './grid.ts';
import { inlineEngine } from './inline-engine.ts';

const PLACES = 90;
const DAYS = 100;
/** 9,000 cells by place and day. The name of a place is SQL of the schema, in backticks. */
const SCHEMA = `<Schema name="Shop"><Cube name="Sales"><Table name="sales"/>
  <Dimension name="Place"><Hierarchy hasAll="true"><Level name="Place" column="place" type="Numeric" uniqueMembers="true">
    <NameExpression><SQL dialect="generic">concat('p', \`sales\`.\`place\`)</SQL></NameExpression></Level></Hierarchy></Dimension>
  <Dimension name="Day"><Hierarchy hasAll="true"><Level name="Decade" column="decade" type="Numeric" uniqueMembers="true"/>
    <Level name="Day" column="day" type="Numeric" uniqueMembers="true"/></Hierarchy></Dimension>
  <Measure name="Units" column="units" aggregator="sum" formatString="#,##0"/>
  <CalculatedMember name="Later" dimension="Measures"><Formula>([Measures].[Units], [Day].CurrentMember.NextMember)</Formula></CalculatedMember>
  <CalculatedMember name="Wrong" dimension="Measures"><Formula>Vat([Measures].[Units])</Formula></CalculatedMember>
</Cube></Schema>`;
const TABLES = [
  `CREATE TABLE sales AS SELECT p AS place, d AS day, d // 10 AS decade, p * d AS units
     FROM range(${PLACES}) places(p), range(${DAYS}) days(d)`,
];

let on: TestWarehouse;
let schema: Schema;
beforeAll(async () => {
  on = await startWarehouse('duckdb', TABLES);
  const read = readSchema(SCHEMA).schema;
  if (read === undefined) throw new Error('the schema was not read');
  schema = read;
  await translateSchema(schema, on.warehouse.dialect, inlineSqlTexts);
});
afterAll(() => on?.stop());

const opened: EngineThreads[] = [];
function threads(options: Partial<EngineThreadOptions> = {}): EngineThreads {
  const made = new EngineThreads({ ...ENGINE_THREADS, log: silentLog, ...options });
  opened.push(made);
  return made;
}
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

/** Returns a warehouse that answers `query` otherwise. */
function withQuery(query: Warehouse['query']): Warehouse {
  const { warehouse } = on;
  return {
    ...warehouse,
    dialect: warehouse.dialect,
    query,
    tables: (options) => warehouse.tables(options),
    dataVersion: () => warehouse.dataVersion(),
  };
}

async function outcomeOf(work: Promise<unknown>): Promise<unknown> {
  try {
    return await work;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { message, path, available, kind, code } = error;
    const mdx = error instanceof MdxError ? { position: error.position, problems: error.problems } : {};
    const wrong = error instanceof MdxSchemaError ? { line: error.line, reason: error.reason } : {};
    return { type: error.constructor, message, path, available, kind, code, ...mdx, ...wrong };
  }
}

const UNITS = { measures: ['[Measures].[Units]'] };
const rows = (set: string, measure = 'Units') =>
  `SELECT {[Measures].[${measure}]} ON COLUMNS, ${set} ON ROWS FROM [Sales]`;
const EVERYTHING = rows('CrossJoin([Place].[Place].Members, [Day].[Day].Members)');

describe('an engine in a thread', () => {
  it('has the answers of the calling thread, in every form', { timeout: 120_000 }, async () => {
    const threaded = threads().engine({ schema, warehouse: on.warehouse });
    const inline = inlineEngine({ schema, warehouse: on.warehouse });
    const both = (call: (engine: CubeEngine) => Promise<unknown>) =>
      Promise.all([outcomeOf(call(threaded)), outcomeOf(call(inline))]);
    const calls: readonly ((engine: CubeEngine) => Promise<unknown>)[] = [
      (engine) => engine.grid({ ...UNITS, mdx: EVERYTHING }, {}),
      (engine) => engine.grid({ ...UNITS, mdx: rows('{}') }, {}),
      (engine) =>
        engine.grid({ measures: [], mdx: 'SELECT {} ON COLUMNS, [Place].[Place].Members ON ROWS FROM [Sales]' }, {}),
      (engine) => engine.grid({ ...UNITS, mdx: 'SELECT {[Measures].[Units]} ON COLUMNS FROM [Sales]' }, {}),
      (engine) => engine.grid({ measures: ['[Measures].[Later]'], mdx: rows('[Day].[Decade].Members', 'Later') }, {}),
      (engine) => engine.members('SELECT {} ON COLUMNS, [Day].[Day].Members ON ROWS FROM [Sales]', {}),
      (engine) => engine.members('SELECT {} ON COLUMNS, {} ON ROWS FROM [Sales]', {}),
      (engine) =>
        engine.drillthrough('DRILLTHROUGH SELECT {[Measures].[Units]} ON COLUMNS FROM [Sales]', { maxRows: 5_000 }),
      (engine) => engine.searchMembers({ cube: 'Sales', level: '[Place].[Place]', text: 'p1', limit: 100 }, {}),
      (engine) =>
        engine.findMembers({ cube: 'Sales', names: ['[Place].[p7]', '[Place].[none]', '[Day].[3].[31]'] }, {}),
      (engine) => engine.explainCells({ cube: 'Sales', levels: [], measures: ['Units'] }, {}),
      // Mistakes, of every class that an engine throws.
      (engine) => engine.grid({ ...UNITS, mdx: 'SELECT {[Measures].[Unit]} ON COLUMNS\n FROM [Sales]' }, {}),
      (engine) => engine.grid({ ...UNITS, mdx: 'SELECT FROM' }, {}),
      (engine) => engine.grid({ ...UNITS, mdx: 'SELECT {[Measures].[Units]} ON COLUMNS FROM [Sale]' }, {}),
      (engine) => engine.grid({ ...UNITS, mdx: rows('[Place].[Place].Members', 'Wrong') }, {}),
      (engine) =>
        engine.grid({ ...UNITS, mdx: rows('Filter([Day].[Day].Members, [Measures].[Units] > Val("x"))') }, {}),
      (engine) =>
        engine.grid({ ...UNITS, mdx: rows('Order([Day].[Decade].Members, [Day].CurrentMember.Lag("x"), DESC)') }, {}),
      (engine) => engine.grid({ ...UNITS, mdx: EVERYTHING }, { parameters: { p: '((' } }),
      (engine) => engine.searchMembers({ cube: 'Sales', level: '[Place].[Town]', limit: 1 }, {}),
    ];
    for (const [index, call] of calls.entries()) {
      const [inThread, called] = await both(call);
      expect(inThread, `call ${index}`).toEqual(called);
    }
    const limits = { cells: 100 };
    const [small, smallInline] = [
      threads().engine({ schema, warehouse: on.warehouse, limits }),
      inlineEngine({ schema, warehouse: on.warehouse, limits }),
    ];
    const refused = await outcomeOf(small.grid({ ...UNITS, mdx: EVERYTHING }, {}));
    expect(refused).toMatchObject({ type: MdxLimitError });
    expect(refused).toEqual(await outcomeOf(smallInline.grid({ ...UNITS, mdx: EVERYTHING }, {})));
    // The comparisons saw answers, and three classes of mistakes.
    const grid = await threaded.grid({ ...UNITS, mdx: EVERYTHING }, {});
    expect([grid.rows.length, grid.cells.values.length]).toEqual([PLACES * DAYS, PLACES * DAYS]);
    expect(tupleAt(grid.rows, 101).map(({ caption }) => caption)).toEqual(['p1', '1']);
    const at = 7 * DAYS + 31;
    expect([grid.cells.values[at], grid.cells.formatted[at]]).toEqual([217, '217']);
    const wrong = threaded.grid({ ...UNITS, mdx: rows('[Place].[Place].Members', 'Wrong') }, {});
    await expect(wrong).rejects.toBeInstanceOf(MdxSchemaError);
    await inline.close();
    await smallInline.close();
  });

  it('reads the warehouse in the context of the caller', async () => {
    const present = new AsyncLocalStorage<string>();
    const seen: (string | undefined)[] = [];
    const warehouse = withQuery((statement, options) => {
      seen.push(present.getStore());
      return on.warehouse.query(statement, options);
    });
    const starters: (string | undefined)[] = [];
    const start: EngineThreadOptions['start'] = (events) => {
      starters.push(present.getStore());
      return ENGINE_THREADS.start(events);
    };
    const engine = threads({ start }).engine({ schema, warehouse });
    const query = (set: string) => engine.grid({ ...UNITS, mdx: rows(set) }, {});
    // The thread starts for one caller, and reads for the others, too.
    await present.run('ann', () => query('[Day].[Decade].Members'));
    const ofAnn = seen.splice(0);
    await present.run('bob', () => query('[Place].[Place].Members'));
    expect([new Set(ofAnn), new Set(seen)]).toEqual([new Set(['ann']), new Set(['bob'])]);
    // What it reads without a query of its own counts for nobody.
    expect(starters).toEqual([undefined]);
  });

  it('rejects with the error of the warehouse', async () => {
    const refused = new WarehouseError('The warehouse refused the query.', { cause: new Error('relation 42') });
    const engine = threads().engine({ schema, warehouse: withQuery(() => Promise.reject(refused)) });
    const failed = await engine
      .grid({ ...UNITS, mdx: rows('[Day].[Day].Members') }, {})
      .catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(WarehouseError);
    expect(failed).toMatchObject({ message: refused.message, cause: { message: 'relation 42' } });
  });

  it('a cancel stops the statement, and the error says what it waited for', async () => {
    let isStopped = false;
    let begun: () => void = () => undefined;
    const hasBegun = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const warehouse = withQuery(
      (_, { signal }) =>
        new Promise((_resolve, reject) => {
          begun();
          signal?.addEventListener('abort', () => {
            isStopped = true;
            reject(new CancelledError('The query was cancelled.', { waitedFor: 'It waited for a connection.' }));
          });
        }),
    );
    const engine = threads().engine({ schema, warehouse });
    const stop = new AbortController();
    const answer = engine.grid({ ...UNITS, mdx: rows('[Day].[Day].Members') }, { signal: stop.signal });
    await hasBegun;
    stop.abort();
    await expect(answer).rejects.toMatchObject({ kind: 'CANCELLED', waitedFor: 'It waited for a connection.' });
    expect(isStopped).toBe(true);
  });

  it('that ends interrupts its queries; the next query starts another one', async () => {
    const ends: (() => Promise<void>)[] = [];
    const start: EngineThreadOptions['start'] = (events) => {
      const thread = ENGINE_THREADS.start(events);
      ends.push(() => thread.end());
      return thread;
    };
    let isFirst = true;
    const warehouse = withQuery(async (statement, options) => {
      if (isFirst) await ends[0]?.();
      isFirst = false;
      return on.warehouse.query(statement, options);
    });
    const engine = threads({ start }).engine({ schema, warehouse });
    const query = () => engine.grid({ ...UNITS, mdx: rows('[Day].[Decade].Members') }, {});
    await expect(query()).rejects.toMatchObject({ kind: 'UNAVAILABLE', code: 'CUBE_INTERRUPTED' });
    expect((await query()).rows).toHaveLength(DAYS / 10);
    expect(ends).toHaveLength(2);
  });

  it('that does not answer a cancel is ended', async () => {
    let ended: (() => void) | undefined;
    const deaf: EngineThreadOptions['start'] = (events) => ({
      send: () => undefined,
      async end() {
        ended?.();
        events.ended(undefined);
      },
    });
    const isEnded = new Promise<void>((resolve) => {
      ended = resolve;
    });
    const engine = threads({ start: deaf, cancelMs: 5 }).engine({ schema, warehouse: on.warehouse });
    const stop = new AbortController();
    const answer = engine.grid({ ...UNITS, mdx: EVERYTHING }, { signal: stop.signal });
    stop.abort();
    await expect(answer).rejects.toMatchObject({ code: 'CUBE_INTERRUPTED' });
    await isEnded;
  });

  it('is shared by schemas once there are as many threads as allowed; a closed schema has no more answers', async () => {
    let started = 0;
    const start: EngineThreadOptions['start'] = (events) => {
      started++;
      return ENGINE_THREADS.start(events);
    };
    const pool = threads({ start });
    const engines = [1, 2, 3].map(() => pool.engine({ schema, warehouse: on.warehouse }));
    expect(started).toBe(0);
    const query = (engine: CubeEngine) => engine.grid({ ...UNITS, mdx: rows('[Day].[Decade].Members') }, {});
    for (const engine of engines) expect((await query(engine)).rows).toHaveLength(DAYS / 10);
    expect(started).toBe(2);
    const [first, ...others] = engines;
    if (first === undefined) throw new Error('There is no engine.');
    await first.close();
    await expect(query(first)).rejects.toBeInstanceOf(CancelledError);
    for (const engine of others) expect((await query(engine)).rows).toHaveLength(DAYS / 10);
    await pool.close();
    for (const engine of others) await expect(query(engine)).rejects.toBeInstanceOf(CancelledError);
  });
});
