import { afterAll, beforeAll, expect, it } from 'vitest';
import { startWarehouse, type TestWarehouse } from '../../../../server/warehouse/testing/engines.ts';
import type { MdxCatalog } from '../index.ts';
import { openShop, SHOP_TABLES } from '../testing/shop.ts';

/** The formatted texts of cells. In the second quarter of 2024 the South sold nothing, and the North sold for 44. */

let started: TestWarehouse;
let shop: MdxCatalog;
beforeAll(async () => {
  started = await startWarehouse('duckdb', SHOP_TABLES);
  shop = openShop(started.warehouse);
});
afterAll(() => started.stop());

async function shown(formula: string, format?: string, where = '[Time].[2024].[Q2]'): Promise<readonly string[]> {
  const property = format === undefined ? '' : `, FORMAT_STRING = ${format}`;
  const query = `with member [Measures].[X] as ${formula}${property}
    select {[Measures].[X]} on 0, [Store].[Region].Members on 1 from Sales where ${where}`;
  return (await shop.query(query)).cells.map(({ formatted }) => formatted);
}

it('the fourth section is for empty cells', async () => {
  expect(await shown('[Measures].[Amount]', "'$#,##0.00;($#,##0.00);ZERO;NULL'")).toEqual(['$44.00', 'NULL']);
  expect(await shown('[Measures].[Amount]', "'$#,##0.00;($#,##0.00);ZERO'")).toEqual(['$44.00', '']);
  expect(await shown('[Measures].[Amount]')).toEqual(['44.00', '']);
  expect(await shown('Format([Measures].[Amount], "0;-0;0;none")')).toEqual(['44', 'none']);
});

it('an empty cell whose format cannot be computed stays empty', async () => {
  expect(await shown('[Measures].[Amount]', 'Error("no format")')).toEqual(['#ERR: MdxEvaluationError: no format', '']);
});

it('whole numbers have no decimals, whichever measures their formula uses', async () => {
  const year = '[Time].[2023]';
  expect(
    await shown('Rank([Store].CurrentMember, [Store].[Region].Members, [Measures].[Amount])', undefined, year),
  ).toEqual(['1', '2']);
  expect(await shown('Cast([Measures].[Amount] * 1000 AS Integer)', undefined, year)).toEqual(['350,500', '70,000']);
  expect(await shown('Int([Measures].[Amount] * 100)', undefined, year)).toEqual(['35,050', '7,000']);
  expect(await shown('[Measures].[Amount] * 1000', undefined, year)).toEqual(['350,500.00', '70,000.00']);
});

it.each(['[Store].[North].Level.Ordinal', '[Store].[North].Level_Number', 'Len("a")'])(
  'the format of a calculated member also holds for %s at it',
  async (formula) => {
    const { cells } = await shop.query(`with member [Measures].[X] as ${formula}
      member [Store].[Y] as [Store].[North], FORMAT_STRING = '0.00'
      select {[Measures].[X]} on 0, {[Store].[Y], [Store].[North]} on 1 from Sales`);
    expect(cells.map(({ formatted }) => formatted)).toEqual(['1.00', '1']);
    expect(await shown(formula, "'0.00'")).toEqual(['1.00', '1.00']);
  },
);

it('formats change the letter case of texts and pad them', async () => {
  expect(await shown('[Store].CurrentMember.Name', "'>'")).toEqual(['NORTH', 'SOUTH']);
  expect(await shown('[Store].CurrentMember.Name', "'<@@@@@@@'")).toEqual(['  north', '  south']);
  expect(await shown('[Store].CurrentMember.Name', "'!@@@@@@@|'")).toEqual(['North  |', 'South  |']);
});
