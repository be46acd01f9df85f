import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWarehouse, type TestWarehouse } from '../../../../server/warehouse/testing/engines.ts';
import type { MdxCatalog } from '../index.ts';
import { openShop, SHOP_TABLES } from '../testing/shop.ts';

/**
 * Customers are a distinct count, so they are not added up. Over both years: Oslo ann, bob; Bergen ann, bob; Rome cat,
 * ann.
 */

let started: TestWarehouse;
let shop: MdxCatalog;
beforeAll(async () => {
  started = await startWarehouse('duckdb', SHOP_TABLES);
  shop = openShop(started.warehouse);
});
afterAll(() => started.stop());

const YEARS = '{[Time].[2023], [Time].[2024]}';
const TREE =
  '{[Store].[All Stores], [Store].[North], [Store].[North].[Oslo], [Store].[North].[Bergen], [Store].[South], [Store].[South].[Rome]}';

async function customers(rows: string, where = YEARS, definitions = ''): Promise<readonly unknown[]> {
  const query = `with ${definitions} set [Rows] as ${rows} select {[Measures].[Customers]} on 0, [Rows] on 1 from Sales where ${where}`;
  return (await shop.query(query)).cells.map(({ value, error }) => error ?? value);
}

describe('visual totals of a distinct count', () => {
  it('count over the shown members, including members below other totals', async () => {
    expect(await customers(`VisualTotals(${TREE})`)).toEqual([3, 2, 2, 2, 2, 2]);
  });

  it('count the same way next to another hierarchy, and within a tuple', async () => {
    expect(await customers(`Crossjoin(Head(VisualTotals(${TREE})), ${YEARS})`, '[Customer].[All Customers]')).toEqual([
      3, // ann, bob, cat
      2, // ann, bob
    ]);
    expect(
      await customers(
        `Crossjoin(Head(VisualTotals({[Store].[All Stores], [Store].[North], [Store].[North].[Bergen]})), {[Time].[2023]})`,
        '[Customer].[All Customers]',
      ),
    ).toEqual([1]); // ann
  });

  it('count the same way if a total is in an aggregated set', async () => {
    const definitions = 'member [Store].[X] as Aggregate({Head([Totals]), [Store].[South]})';
    expect(await customers('{[Store].[X]}', YEARS, `set [Totals] as VisualTotals(${TREE}) ${definitions}`)).toEqual([
      3,
    ]);
  });

  it('count the same way if two hierarchies have totals', async () => {
    const times = 'VisualTotals({[Time].[2023], [Time].[2023].[Q1]})';
    const rows = `Crossjoin(Head(VisualTotals(${TREE})), Head(${times}))`;
    expect(await customers(rows, '[Customer].[All Customers]')).toEqual([2]); // ann and cat: bob bought in the second quarter
  });
});

describe('calculated members in a slicer of several members', () => {
  it('count what they aggregate', async () => {
    const definitions = 'member [Time].[Both] as Aggregate({[Time].[2023], [Time].[2024]})';
    expect(await customers('{[Store].[All Stores]}', '{[Time].[Both], [Time].[2024]}', definitions)).toEqual([3]);
  });

  it('cannot be counted if they do not aggregate a set', async () => {
    const definitions = 'member [Time].[Change] as [Time].[2024] - [Time].[2023]';
    await expect(customers('{[Store].[All Stores]}', '{[Time].[Change], [Time].[2024]}', definitions)).rejects.toThrow(
      "The calculated member [Time].[Change] cannot be in a set over which 'Customers' (distinct-count) is aggregated.",
    );
  });

  it('report an error if they refer to themselves', async () => {
    const definitions = 'member [Time].[A] as Aggregate({[Time].[B]}) member [Time].[B] as Aggregate({[Time].[A]})';
    await expect(customers('{[Store].[All Stores]}', '{[Time].[A], [Time].[2024]}', definitions)).rejects.toThrow(
      'The calculated member',
    );
  });
});
