/** Aggregate tables: the same answers as from the facts, and never the figures of a table that differs from them. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { TabularAnswer } from '../../../router/capabilities/query-source.ts';
import { SEED } from '../../../router/testing/seed.ts';
import { openCache } from '../../../server/cache/cache.ts';
import { openState, type StateStore } from '../../../server/state/index.ts';
import { describeEngines } from '../../../server/warehouse/testing/describe-engines.ts';
import { type AnyEngineName, startWarehouse, type TestWarehouse } from '../../../server/warehouse/testing/engines.ts';
import { type Recorded, recorded } from '../mdx/testing/recorded.ts';
import { recentQueryMigrations } from '../recent-queries.ts';
import { Fixture, scope, silent } from '../testing/fixture.ts';
import { expectedRecords, randomRequests, TODAY } from '../testing/random-requests.ts';
import { CUBE } from '../testing/trade.ts';
import { AGGREGATED_SCHEMA, AGGREGATED_TABLES, BY_MONTH, tradeWith } from '../testing/trade-aggregates.ts';

const REQUESTS = Number(process.env.REQUESTS ?? 120);
const UNITS = [{ name: 'Units' }];
const BY_YEAR = { cube: CUBE, measures: UNITS, rows: [{ dimension: 'Time', level: 'Year' }] };
const everything = scope('everything');

/** A served schema, with the statements that ran. */
interface Served {
  readonly cubes: Fixture;
  readonly ran: Recorded;
}

let state: StateStore;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'service-cube-'));
  state = await openState({ url: undefined, sqliteFile: join(folder, 'state.sqlite'), log: silent });
  await state.migrate({ cube: recentQueryMigrations });
});
afterAll(async () => {
  await state.close();
  await rm(folder, { recursive: true });
});

async function serve({ warehouse, warehouses, address }: TestWarehouse, schema = AGGREGATED_SCHEMA): Promise<Served> {
  const ran = recorded(warehouse);
  const cubes = await Fixture.open({
    warehouses: {
      supported: warehouses.supported,
      open: async () => ran.warehouse,
      check: (of) => warehouses.check(of),
      isSame: (left, right) => warehouses.isSame(left, right),
      release: (of) => warehouses.release(of),
    },
    address,
    cache: openCache({ maxBytes: 0, clock: Date.now }),
    state,
    schema,
    clock: () => TODAY,
  });
  return { cubes, ran };
}

/** Returns what the preview of a request says about its tables, once no comparison is pending. */
async function stepsOf({ cubes }: Served, request: object, as = everything): Promise<readonly string[]> {
  return vi.waitFor(
    async () => {
      const { status, body } = await cubes.call('POST /query/preview', request, as);
      expect(status, JSON.stringify(body)).toBe(200);
      expect(JSON.stringify(body.steps)).not.toContain('has not been compared');
      return body.steps;
    },
    { timeout: 30_000, interval: 50 },
  );
}

/** Returns the statements that aggregate facts. Statements that compare tables are left out. */
function factStatements({ statements }: Recorded): readonly string[] {
  return statements.filter(
    (text) => /FROM "?trade/.test(text) && /GROUP BY|HAVING/.test(text) && !/differs/.test(text),
  );
}

/** The aggregate tables that random requests read. SQLite compares texts by a collation, so it reads no levels of texts. */
const READ: Readonly<Partial<Record<AnyEngineName, readonly string[]>>> = {
  duckdb: ['trade_by_month', 'trade_by_town'],
  postgresql: ['trade_by_month', 'trade_by_town'],
  sqlite: ['trade_by_town'],
};

describeEngines(
  `aggregate tables on $engine (SEED=${SEED})`,
  (engine) => {
    let warehouse: TestWarehouse;
    let served: Served;
    beforeAll(async () => {
      warehouse = await startWarehouse(engine, AGGREGATED_TABLES);
      served = await serve(warehouse);
    });
    afterAll(async () => {
      await served.cubes.close();
      await warehouse.stop();
    });

    it('answer random requests as loops over the rows do', { timeout: 120_000 }, async () => {
      await stepsOf(served, BY_YEAR);
      served.ran.clear();
      await served.cubes.table(BY_YEAR, everything);
      await served.cubes.table({ ...BY_YEAR, rows: [{ dimension: 'Time', level: 'Quarter' }] }, everything);
      await fc.assert(
        fc.asyncProperty(randomRequests, async (drawn) => {
          const answer = await served.cubes.surface.source
            .prepare(drawn.request)
            .run(scope(drawn.role), { runtimeFilters: [] });
          expect(rounded(rowsOf(answer))).toEqual(rounded(expectedRecords(drawn)));
        }),
        { seed: SEED, numRuns: REQUESTS },
      );
      const statements = factStatements(served.ran);
      const read = ['trade_by_month', 'trade_by_town'].filter((name) => statements.some((text) => text.includes(name)));
      expect(read).toEqual(READ[engine]);
    });
  },
  { engines: ['duckdb', 'postgresql', 'sqlite'] },
);

function rowsOf({ columns, records }: TabularAnswer): readonly (readonly unknown[])[] {
  return records.map((record) =>
    columns.map(({ key }) => {
      const cell = record[key];
      return typeof cell === 'object' && cell !== null ? cell.value : cell;
    }),
  );
}

function rounded(rows: readonly (readonly unknown[])[]): readonly (readonly unknown[])[] {
  return rows.map((row) => row.map((cell) => (typeof cell === 'number' ? Number(cell.toPrecision(12)) : cell)));
}

describe('an aggregate table', () => {
  let warehouse: TestWarehouse;
  beforeAll(async () => {
    warehouse = await startWarehouse('duckdb', AGGREGATED_TABLES);
  });
  afterAll(() => warehouse.stop());

  it('is read for levels, foreign keys and distinct counts that it has, and the preview says so', async () => {
    const served = await serve(warehouse);
    const { cubes, ran } = served;
    const read = async (request: object, as = everything) => {
      ran.clear();
      await cubes.table({ cube: CUBE, measures: UNITS, ...request }, as);
      return [...new Set(factStatements(ran).map((text) => /trade\w*/.exec(text)?.[0]))];
    };
    const by = (dimension: string, level: string, hierarchy?: string) => ({
      dimension,
      level,
      ...(hierarchy && { hierarchy }),
    });
    const buyers = { measures: [{ name: 'Buyers' }] };
    expect(await stepsOf(served, BY_YEAR)).toEqual([
      'In place of trade, the aggregate table trade_by_town is read, which agrees with trade in this version of the data.',
    ]);
    expect(cubes.problems.filter(({ message }) => message.includes('aggregate'))).toEqual([]);
    // By town and year, there are fewer columns than by month and town.
    expect(await read({ rows: [by('Time', 'Year')] })).toEqual(['trade_by_town']);
    expect(await read({ rows: [by('Time', 'Quarter')] })).toEqual(['trade_by_month']);
    expect(await read({ rows: [by('Place', 'Region')] })).toEqual(['trade_by_town']);
    // The table by person declares 30 rows, which is compared with no other number of rows.
    expect(await read({ rows: [by('Buyer', 'Person')] })).toEqual(['trade_by_person']);
    expect(await read({ rows: [by('Buyer', 'Person')], columns: [by('Time', 'Year')] })).toEqual(['trade']);
    expect(await read({ rows: [by('Time', 'Code', 'Codes'), by('Buyer', 'Person')] })).toEqual(['trade_by_person']);
    // Distinct buyers of a region, or of all towns in a month, are no sum of those of its towns.
    expect(await read({ ...buyers, rows: [by('Place', 'Town')], columns: [by('Time', 'Month')] })).toEqual([
      'trade_by_month',
    ]);
    expect(await read({ ...buyers, rows: [by('Place', 'Region')], columns: [by('Time', 'Month')] })).toEqual(['trade']);
    expect(await read({ ...buyers, rows: [by('Time', 'Month')] })).toEqual(['trade']);
    expect(await stepsOf(served, { ...BY_YEAR, ...buyers })).toEqual([
      'trade is read, because no aggregate table has all levels and measures of the query.',
    ]);
    await cubes.close();
  });

  it('gives a restricted role the figures of its members alone', async () => {
    const served = await serve(warehouse);
    const { cubes, ran } = served;
    await stepsOf(served, BY_YEAR);
    const seen = async (role: string) => {
      ran.clear();
      return cubes.table(BY_YEAR, scope(role));
    };
    const facts = (
      towns: readonly number[],
    ) => `SELECT m.year, SUM(f.units) FROM trade AS f JOIN month AS m ON m.id = f.month
      WHERE f.town IN (${towns.join(', ')}) GROUP BY m.year ORDER BY m.year`;
    for (const [role, towns] of [
      ['north', [1, 2]],
      ['towns', [1, 4]],
      ['everything', [1, 2, 3, 4, 5]],
    ] as const) {
      const table = await seen(role);
      const { values } = await warehouse.warehouse.query({ sql: facts(towns), parameters: [] }, { maxRows: 10 });
      expect(table).toEqual([0, 1].map((row) => [String(values[0]?.[row]), Number(values[1]?.[row])]));
      expect(factStatements(ran).some((text) => text.includes('trade_by_'))).toBe(true);
    }
    await cubes.close();
  });

  it('is not read while it differs from the facts', async () => {
    const own = await startWarehouse('duckdb', AGGREGATED_TABLES);
    const served = await serve(own);
    const { cubes, ran } = served;
    const request = { cube: CUBE, measures: UNITS, rows: [{ dimension: 'Time', level: 'Quarter' }] };
    const agrees = await stepsOf(served, request);
    const before = await cubes.table(request, everything);
    await own.administer(["UPDATE trade_by_month SET units = units + 1000 WHERE town = 'Rome' AND year = 2025"]);
    ran.clear();
    // The first answer after a change does not wait for the comparison.
    expect(await cubes.table(request, everything)).toEqual(before);
    expect(await stepsOf(served, request)).toEqual([
      'trade is read, because the aggregate table trade_by_month differs from it: load it again.',
    ]);
    expect(await cubes.table(request, everything)).toEqual(before);
    expect(factStatements(ran).filter((text) => text.includes('trade_by_month'))).toEqual([]);
    await own.administer(["UPDATE trade_by_month SET units = units - 1000 WHERE town = 'Rome' AND year = 2025"]);
    await cubes.table(request, everything);
    expect(await stepsOf(served, request)).toEqual(agrees);
    // A fact of an unknown month is in no month, but in the total of all time.
    await own.administer(["INSERT INTO trade VALUES (1, 999, 'ann', 5, 1)"]);
    await cubes.table(request, everything);
    const total = { cube: CUBE, measures: UNITS, rows: [{ dimension: 'Place', level: 'Region' }] };
    expect(await stepsOf(served, request)).toEqual([
      'trade is read, because the aggregate table trade_by_month differs from it: load it again.',
    ]);
    const inNorth = (await cubes.table(total, everything))[0];
    const { values } = await own.warehouse.query(
      { sql: 'SELECT SUM(units) FROM trade WHERE town IN (1, 2)', parameters: [] },
      { maxRows: 1 },
    );
    expect(inNorth).toEqual(['North', Number(values[0]?.[0])]);
    await cubes.close();
    await own.stop();
  });

  const named = (content: string) =>
    tradeWith(`<AggName name="trade_by_month"><AggFactCount column="n"/>${content}</AggName>`);
  const units = '<AggMeasure name="[Measures].[Units]" column="units"/>';
  it.each<readonly [string, string]>([
    [
      tradeWith('<AggName name="trade_by_moth"><AggFactCount column="n"/></AggName>'),
      'The aggregate table trade_by_moth is not used: the warehouse has no such table. It has trade_by_month',
    ],
    [
      named('<AggMeasure name="[Measures].[Unit]" column="units"/>'),
      'The aggregate table trade_by_month is not used: the cube "Trade" has no stored measure "[Measures].[Unit]". Did you mean "[Measures].[Units]"?',
    ],
    [
      named(`${units}<AggLevel name="[Time].[Yeer]" column="year"/>`),
      'The aggregate table trade_by_month is not used: the cube "Trade" has no level "[Time].[Yeer]". Did you mean "[Time].[Year]"?',
    ],
    [
      named(`${units}<AggLevel name="[Time].[Year]" column="yeer"/>`),
      'The aggregate table trade_by_month is not used: it has no column yeer. It has year, ',
    ],
    [
      named(`${units}<AggForeignKey factColumn="twon" aggColumn="town"/>`),
      'The aggregate table trade_by_month is not used: no dimension of the cube "Trade" is joined by the column "twon". Did you mean "town"?',
    ],
    [
      named(`${units}<AggForeignKey factColumn="town" aggColumn="town"/>`),
      'The aggregate table trade_by_month is not used: its column town has the type VARCHAR, and the foreign key town has INTEGER.',
    ],
    [
      named('<AggMeasure name="[Measures].[Buyers]" column="buyers"/><AggLevel name="[Time].[Year]" column="year"/>'),
      'The aggregate table trade_by_month is not used for the measure Buyers: distinct values of several rows do not add up, and the column ',
    ],
    [
      named('<AggMeasure name="[Measures].[Units]" column="units" rollupType="SumFromAvg"/>'),
      'The aggregate table trade_by_month is not used for the measure Units: its rollupType is SumFromAvg.',
    ],
    [
      tradeWith('<AggPattern pattern="trade_(?=x)"><AggFactCount column="n"/></AggPattern>'),
      'The pattern "trade_(?=x)" of aggregate tables cannot be used: looking ahead, ',
    ],
  ])('is left out with the reason: %#', async (schema, reason) => {
    const { cubes } = await serve(warehouse, schema);
    const messages = cubes.problems.filter(({ severity }) => severity === 'warning').map(({ message }) => message);
    expect(messages.map((message) => message.slice(0, reason.length))).toContain(reason);
    expect(await cubes.table(BY_YEAR, everything)).toHaveLength(2);
    await cubes.close();
  });

  it('is not used if the fact table excludes it', async () => {
    const { cubes } = await serve(warehouse, tradeWith(`<AggExclude name="TRADE_BY_MONTH"/>${BY_MONTH}`));
    const { body } = await cubes.call('POST /query/preview', BY_YEAR, everything);
    expect(body.steps).toEqual([]);
    await cubes.close();
  });
});
