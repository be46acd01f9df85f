import fc from 'fast-check';
import { afterEach, expect, it, vi } from 'vitest';
import { SEED } from '../../../../router/testing/seed.ts';
import { startWarehouse } from '../../../../server/warehouse/testing/engines.ts';
import { resultText } from '../query/cell-set-text.ts';
import { openShop, SHOP_TABLES } from '../testing/shop.ts';

/** Nested iterations. Some are evaluated several times at one position. */
const QUERIES: readonly string[] = [
  'with member Measures.N as Count(NonEmptyCrossJoin({[Customer].CurrentMember}, [Store].[Name].Members)) select {Measures.N} on 0, [Customer].[Customer].Members on 1 from Sales',
  'with member Measures.N as Count(NonEmptyCrossJoin([Customer].[Customer].Members, [Store].[Name].Members)) member Measures.T as Measures.N + Measures.N select {Measures.N, Measures.T} on 0, [Time].[Quarter].Members on 1 from Sales',
  'with member Measures.N as Count(Filter([Customer].[Customer].Members * [Store].[Name].Members, [Measures].[Units] > 1)) select {Measures.N, [Measures].[Units]} on 0, [Time].Members on 1 from Sales',
  'with member Measures.S as Sum(Generate([Store].[Name].Members, Filter({[Store].CurrentMember} * [Customer].[Customer].Members, [Measures].[Amount] > 0)), [Measures].[Amount]) select {Measures.S} on 0, Order([Time].[Quarter].Members, Measures.S, BDESC) on 1 from Sales',
  'select NonEmptyCrossJoin([Customer].[Customer].Members, [Store].[Name].Members) on 0, TopCount([Time].[Quarter].Members, 3, [Measures].[Units]) on 1 from Sales',
];

afterEach(() => vi.restoreAllMocks());

it(`has the same answers wherever the query yields the event loop (seed ${SEED})`, async () => {
  const { warehouse, stop } = await startWarehouse('duckdb', SHOP_TABLES);
  try {
    const expected: string[] = [];
    for (const mdx of QUERIES) expected.push(resultText(await openShop(warehouse).query(mdx)));
    // A clock that stops, ticks, or jumps past the end of a turn.
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
});

it('computes combinations again when members of the context that their sets use have changed', async () => {
  const { warehouse, stop } = await startWarehouse('duckdb', [
    // Ann bought 31,000 stores, 3 of them in 2023. Bob bought 2 others.
    'CREATE TABLE store AS SELECT range AS store_id, CAST(range AS VARCHAR) AS name, NULL AS region, 1 AS sqft FROM range(31002)',
    "CREATE TABLE period AS SELECT * FROM (VALUES (1, 2023, 'Q1'), (2, 2024, 'Q1')) AS t(period_id, year, quarter)",
    `CREATE TABLE sales AS SELECT range AS store_id, CASE WHEN range < 3 OR range >= 31000 THEN 1 ELSE 2 END AS period_id,
      CASE WHEN range < 31000 THEN 'ann' ELSE 'bob' END AS customer, 1 AS units, 1.5 AS amount FROM range(31002)`,
  ]);
  try {
    const query =
      'with member Measures.N as Count(NonEmptyCrossJoin({[Customer].CurrentMember}, [Store].[Name].Members)) select {Measures.N} on 0, [Customer].[Customer].Members on 1 from Sales';
    for (const pushdown of [true, false]) {
      const { cells } = await openShop(warehouse, { pushdown }).query(query);
      expect(cells.map(({ value }) => value)).toEqual([3, 2]);
    }
  } finally {
    await stop();
  }
});
