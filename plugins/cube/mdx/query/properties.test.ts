import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWarehouse, type TestWarehouse } from '../../../../server/warehouse/testing/engines.ts';
import type { MdxCatalog } from '../index.ts';
import { openShop, SHOP_TABLES } from '../testing/shop.ts';

describe('properties', () => {
  let started: TestWarehouse;
  let shop: MdxCatalog;
  beforeAll(async () => {
    started = await startWarehouse('duckdb', SHOP_TABLES);
    shop = openShop(started.warehouse);
  });
  afterAll(() => started.stop());

  it('of members come with an axis, in the order of DIMENSION PROPERTIES', async () => {
    const { axes } = await shop.query(
      `select [Store].[North].Children * {[Time].[2023]}
         dimension properties [Store].[Name].[Size], MEMBER_CAPTION, [Time].[MEMBER_KEY], parent_unique_name on 0 from Sales`,
    );
    expect(axes[0]?.memberProperties).toEqual([
      '[Store].[Name].[Size]',
      'MEMBER_CAPTION',
      '[Time].[MEMBER_KEY]',
      'parent_unique_name',
    ]);
    expect(axes[0]?.memberValues).toEqual([
      [
        [200, 'Bergen', null, '[Store].[North]'],
        [null, '2023', 2023, null],
      ],
      [
        [300, 'Oslo', null, '[Store].[North]'],
        [null, '2023', 2023, null],
      ],
    ]);
  });

  it('of members that NON EMPTY leaves out do not come', async () => {
    const { axes } = await shop.query(
      'select non empty [Time].[Quarter].Members dimension properties MEMBER_NAME on 0 from Sales where [Store].[South]',
    );
    expect(axes[0]?.memberValues).toEqual([[['Q1']], [['Q1']]]);
  });

  it('are not computed unless they are asked for', async () => {
    const { axes, cells, cellProperties } = await shop.query('select {[Store].[North]} on 0 from Sales');
    expect([axes[0]?.memberProperties, axes[0]?.memberValues, cellProperties, cells[0]?.properties]).toEqual([
      [],
      [],
      [],
      [],
    ]);
  });

  it('of cells come in the order of CELL PROPERTIES, of calculated members too', async () => {
    const { cells, cellProperties } = await shop.query(
      `with member Measures.X as [Measures].[Amount] * 2, format_string = '0.0', fore_color = IIf([Measures].[Amount] > 100, "red", "blue"), solve_order = 3
       select {[Measures].[Amount], Measures.X} on 0, non empty [Time].[Quarter].Members on 1 from Sales where [Store].[South]
       cell properties VALUE, FORMATTED_VALUE, FORMAT_STRING, FORE_COLOR, SOLVE_ORDER, CELL_ORDINAL, FONT_NAME`,
    );
    expect(cellProperties).toEqual([
      'VALUE',
      'FORMATTED_VALUE',
      'FORMAT_STRING',
      'FORE_COLOR',
      'SOLVE_ORDER',
      'CELL_ORDINAL',
      'FONT_NAME',
    ]);
    expect(cells.map(({ properties }) => properties)).toEqual([
      [70, '70.00', '#,##0.00', null, 0, 0, null],
      [140, '140.0', '0.0', 'blue', 3, 1, null],
      [10, '10.00', '#,##0.00', null, 0, 2, null],
      [20, '20.0', '0.0', 'blue', 3, 3, null],
    ]);
  });

  it.each([
    ['[Store].[Name].[Sise]', "There is no property '[Store].[Name].[Sise]' of members.", 'Size'],
    ['[Stor].[Name].[Size]', "MDX object '[Stor].[Name]' not found in cube 'Sales'", '[Store].[Name]'],
  ])('that do not exist are refused: %s', async (name, message, nearest) => {
    const error: unknown = await shop
      .query(`select {[Store].[North]} dimension properties ${name} on 0 from Sales`)
      .catch((each: unknown) => each);
    expect(error).toMatchObject({ message, position: { line: 1, column: 47 } });
    expect(error).toHaveProperty('available.0', nearest);
  });
});
