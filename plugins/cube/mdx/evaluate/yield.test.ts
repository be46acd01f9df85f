import fc from 'fast-check';
import { afterEach, expect, it, vi } from 'vitest';
import { SEED } from '../../../../router/testing/seed.ts';
import { startWarehouse } from '../../../../server/warehouse/testing/engines.ts';
import { resultText } from '../query/result-text.ts';
import { openShop, SHOP_TABLES } from '../testing/shop.ts';

/** Iterations inside iterations, some of which are asked for more than once at one place. */
const QUERIES: readonly string[] = [
  'with member Measures.N as Count(NonEmptyCrossJoin([Customer].[Customer].Members, [Store].[Name].Members)) member Measures.T as Measures.N + Measures.N select {Measures.N, Measures.T} on 0, [Time].[Quarter].Members on 1 from Sales',
  'with member Measures.N as Count(Filter([Customer].[Customer].Members * [Store].[Name].Members, [Measures].[Units] > 1)) select {Measures.N, [Measures].[Units]} on 0, [Time].Members on 1 from Sales',
  'with member Measures.S as Sum(Generate([Store].[Name].Members, Filter({[Store].CurrentMember} * [Customer].[Customer].Members, [Measures].[Amount] > 0)), [Measures].[Amount]) select {Measures.S} on 0, Order([Time].[Quarter].Members, Measures.S, BDESC) on 1 from Sales',
  'select NonEmptyCrossJoin([Customer].[Customer].Members, [Store].[Name].Members) on 0, TopCount([Time].[Quarter].Members, 3, [Measures].[Units]) on 1 from Sales',
];

afterEach(() => vi.restoreAllMocks());

it(`has the same answers wherever other work of the process takes its turn (seed ${SEED})`, async () => {
  const { warehouse, stop } = await startWarehouse('duckdb', SHOP_TABLES);
  try {
    const expected: string[] = [];
    for (const mdx of QUERIES) expected.push(resultText(await openShop(warehouse).query(mdx)));
    // A clock that stands still, ticks, or jumps past the end of a turn.
    const clocks = fc.sample(fc.array(fc.constantFrom(0, 0, 0.1, 1, 9, 30), { minLength: 5, maxLength: 60 }), {
      numRuns: 40,
      seed: SEED,
    });
    for (const ticks of clocks) {
      let now = 0;
      let calls = 0;
      vi.spyOn(performance, 'now').mockImplementation(() => {
        now += (ticks[calls++ % ticks.length] ?? 0) + 0.001;
        return now;
      });
      const answers: string[] = [];
      for (const mdx of QUERIES) answers.push(resultText(await openShop(warehouse).query(mdx)));
      vi.restoreAllMocks();
      expect(answers, JSON.stringify(ticks)).toEqual(expected);
    }
  } finally {
    await stop();
  }
}, 60_000);
