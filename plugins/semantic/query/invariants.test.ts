/** Tests properties of every answer, whatever the model, the data and the query. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TabularAnswer } from '../../../router/capabilities/query-source.ts';
import { ValidationError } from '../../../router/errors.ts';
import { SEED } from '../../../router/testing/seed.ts';
import { openCache } from '../../../server/cache/cache.ts';
import { describeEngines } from '../../../server/warehouse/testing/describe-engines.ts';
import { ALL_ENGINES, type AnyEngineName, startWarehouse } from '../../../server/warehouse/testing/engines.ts';
import { runsOn } from '../../../server/warehouse/testing/runs-on.ts';
import type { SemanticSettings } from '../index.ts';
import type { Reference, Row, Shop } from '../testing/brute-force.ts';
import { Fixture } from '../testing/fixture.ts';
import {
  type Asked,
  randomQueries,
  requestOf,
  rounded,
  SHOP_DOCUMENT,
  shops,
  shopTables,
} from '../testing/random-shop.ts';
import { statementsFor } from '../testing/tables.ts';

const numRuns = runsOn('duckdb', 150);

const opened: Fixture[] = [];
afterAll(async () => {
  for (const fixture of opened) await fixture.close();
});

async function open(engine: AnyEngineName, shop: Shop, settings: Partial<SemanticSettings> = {}): Promise<Fixture> {
  const warehouse = await startWarehouse(engine, statementsFor(engine, shopTables(shop)), { poolSize: 2 });
  const cache = openCache({ maxBytes: 10_000_000, clock: Date.now });
  const fixture = await Fixture.open({ warehouse, cache, document: SHOP_DOCUMENT, settings });
  opened.push(fixture);
  return fixture;
}

/** Returns the records with means and ratios rounded, or the places of a refusal. */
async function outcome(fixture: Fixture, request: object): Promise<unknown> {
  try {
    const { columns, records, meta } = await fixture.run(request);
    return { keys: columns.map(({ key }) => key), records: plain({ records }), meta };
  } catch (error) {
    if (error instanceof ValidationError) return { refused: error.problems };
    throw error;
  }
}

function plain({ records }: Pick<TabularAnswer, 'records'>) {
  return records.map((record) =>
    Object.fromEntries(
      Object.entries(record).map(([key, cell]) => [
        key,
        typeof cell === 'object' && cell !== null ? { ...cell, value: rounded(cell.value) } : cell,
      ]),
    ),
  );
}

/** Removes sorts and limit from the query. */
function whole(query: Asked): Asked {
  return { ...query, sorts: [], limit: undefined };
}

const [shop] = fc.sample(shops, { seed: SEED, numRuns: 1 });
if (shop === undefined) throw new Error('no shop was made');

describe(`of every answer (SEED=${SEED})`, () => {
  let base: Fixture;
  beforeAll(async () => {
    base = await open('duckdb', shop);
  });

  it('the groups of an additive metric add up to its total', { timeout: 300_000 }, async () => {
    const additive = fc.constantFrom('sales_amount', 'sale_count', 'list_value');
    const everyGroup = ['regions', 'stores', 'products', 'sales'];
    await fc.assert(
      fc.asyncProperty(randomQueries, additive, async (query, metric) => {
        const inReach = ({ dataset, via }: Reference) => everyGroup.includes(dataset) && via === undefined;
        const asks = { ...whole(query), metrics: [metric], filters: query.filters.filter(inReach) };
        const groups = query.groups.filter(inReach);
        const parts = await base.table(requestOf({ ...asks, groups }));
        const totals = await base.table(requestOf({ ...asks, groups: [], down: 0 }));
        const sum = parts.map((row) => Number(row.at(-1) ?? 0)).reduce((left, right) => left + right, 0);
        expect(rounded(sum)).toEqual(rounded(Number(totals[0]?.[0] ?? 0)));
      }),
      { seed: SEED, numRuns },
    );
  });

  it('a metric has the same values beside other metrics', { timeout: 300_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(randomQueries, async (query) => {
        const [first, ...others] = query.metrics;
        if (first === undefined || others.length === 0) return;
        const key = (row: readonly unknown[]) => JSON.stringify(row.slice(0, query.groups.length));
        const alone = requestOf({ ...whole(query), metrics: [first] });
        const beside = requestOf(whole(query));
        const refusals = [await outcome(base, alone), await outcome(base, beside)];
        if (refusals.some((one) => typeof one === 'object' && one !== null && 'refused' in one)) return;
        const valuesAlone = new Map(
          (await base.table(alone)).map((row) => [key(row), rounded(row[query.groups.length])]),
        );
        const shared = new Map((await base.table(beside)).map((row) => [key(row), rounded(row[query.groups.length])]));
        for (const [group, value] of valuesAlone) expect(shared.get(group)).toEqual(value);
        // In a group that only other metrics have, the metric has no rows.
        for (const [group, value] of shared) if (!valuesAlone.has(group)) expect(value).toBeNull();
      }),
      { seed: SEED, numRuns },
    );
  });

  it('the order of rows in their tables does not matter', { timeout: 300_000 }, async () => {
    const turned = (rows: readonly Row[]) => rows.toReversed();
    const reversed = await open('duckdb', {
      regions: turned(shop.regions),
      stores: turned(shop.stores),
      products: turned(shop.products),
      sales: turned(shop.sales),
      returns: turned(shop.returns),
      calendar: turned(shop.calendar),
      seasons: turned(shop.seasons),
    });
    await fc.assert(
      fc.asyncProperty(randomQueries, async (query) => {
        expect(await outcome(reversed, requestOf(query))).toEqual(await outcome(base, requestOf(query)));
      }),
      { seed: SEED, numRuns },
    );
  });

  it('an answer from the cache is the answer', { timeout: 300_000 }, async () => {
    const kept = await open('duckdb', shop, { cacheTtlMs: 3_600_000 });
    await fc.assert(
      fc.asyncProperty(randomQueries, async (query) => {
        const expected = await outcome(base, requestOf(query));
        expect(await outcome(kept, requestOf(query))).toEqual(expected);
        expect(await outcome(kept, requestOf(query))).toEqual(expected);
      }),
      { seed: SEED, numRuns },
    );
  });

  describeEngines(
    'on $engine',
    (engine) => {
      it('an answer is exactly DuckDB’s', async () => {
        const other = await open(engine, shop);
        await fc.assert(
          fc.asyncProperty(randomQueries, async (query) => {
            expect(await outcome(other, requestOf(query))).toEqual(await outcome(base, requestOf(query)));
          }),
          { seed: SEED, numRuns: runsOn(engine, 150) },
        );
      });
    },
    { engines: ALL_ENGINES.filter((engine) => engine !== 'duckdb'), timeout: 300_000 },
  );
});
