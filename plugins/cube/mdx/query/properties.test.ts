import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWarehouse, type TestWarehouse } from '../../../../server/warehouse/testing/engines.ts';
import type { MdxCatalog } from '../index.ts';
import { openShop, SHOP_TABLES } from '../testing/shop.ts';
import { cellSetJson } from './cell-set-table.ts';

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

  it('of members that NON EMPTY leaves out are not returned', async () => {
    const { axes } = await shop.query(
      'select non empty [Time].[Quarter].Members dimension properties MEMBER_NAME on 0 from Sales where [Store].[South]',
    );
    expect(axes[0]?.memberValues).toEqual([[['Q1']], [['Q1']]]);
  });

  it('are computed only if they are requested', async () => {
    const { axes, cells, cellProperties } = await shop.query('select {[Store].[North]} on 0 from Sales');
    expect([axes[0]?.memberProperties, axes[0]?.memberValues, cellProperties, cells[0]?.properties]).toEqual([
      [],
      [],
      [],
      [],
    ]);
  });

  it('of cells are in the order of CELL PROPERTIES, including properties of calculated members', async () => {
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

  it('of all members are the standard ones', async () => {
    const names =
      `UNIQUE_NAME PARENT_UNIQUE_NAME MEMBER_CAPTION LEVEL_NUMBER CHILDREN_CARDINALITY PARENT_LEVEL HIERARCHY_UNIQUE_NAME
      LEVEL_UNIQUE_NAME DIMENSION_UNIQUE_NAME MEMBER_TYPE PARENT_COUNT DESCRIPTION MEMBER_KEY MEMBER_VALUE MEMBER_NAME CUBE_NAME`.split(
        /\s+/,
      );
    const of = async (set: string, cube = 'Sales') => {
      const { axes } = await shop.query(`with member [Measures].[X] as 1, DESCRIPTION = 'one'
        select ${set} dimension properties ${names.join(', ')} on 0 from [${cube}]`);
      return axes[0]?.memberValues.map(([values]) => Object.fromEntries(names.map((name, at) => [name, values?.[at]])));
    };
    const time = {
      HIERARCHY_UNIQUE_NAME: '[Time]',
      DIMENSION_UNIQUE_NAME: '[Time]',
      DESCRIPTION: null,
      CUBE_NAME: 'Sales',
    };
    expect(await of('{[Time].[2023], [Time].[2023].[Q2]}')).toEqual([
      {
        ...time,
        UNIQUE_NAME: '[Time].[2023]',
        PARENT_UNIQUE_NAME: null,
        MEMBER_CAPTION: '2023',
        LEVEL_NUMBER: 0,
        CHILDREN_CARDINALITY: 2,
        PARENT_LEVEL: 0,
        LEVEL_UNIQUE_NAME: '[Time].[Year]',
        MEMBER_TYPE: 1,
        PARENT_COUNT: 0,
        MEMBER_KEY: 2023,
        MEMBER_VALUE: 2023,
        MEMBER_NAME: '2023',
      },
      {
        ...time,
        UNIQUE_NAME: '[Time].[2023].[Q2]',
        PARENT_UNIQUE_NAME: '[Time].[2023]',
        MEMBER_CAPTION: 'Q2',
        LEVEL_NUMBER: 1,
        CHILDREN_CARDINALITY: 0,
        PARENT_LEVEL: 0,
        LEVEL_UNIQUE_NAME: '[Time].[Quarter]',
        MEMBER_TYPE: 1,
        PARENT_COUNT: 1,
        MEMBER_KEY: 'Q2',
        MEMBER_VALUE: 'Q2',
        MEMBER_NAME: 'Q2',
      },
    ]);
    const [all, units, x] = [
      ...((await of('{[Store]}')) ?? []),
      ...((await of('{[Measures].[Units], [Measures].[X]}')) ?? []),
    ];
    expect([all?.MEMBER_TYPE, units?.MEMBER_TYPE, x?.MEMBER_TYPE]).toEqual([2, 3, 4]);
    expect(x?.DESCRIPTION).toBe('one');
    // Ada leads Bo, Bo leads Di. The level number in a parent-child hierarchy is the depth.
    const [di] = (await of('{[Employee].[Ada].[Bo].[Di]}', 'Staff')) ?? [];
    expect(di).toMatchObject({
      LEVEL_NUMBER: 3,
      PARENT_LEVEL: 2,
      PARENT_UNIQUE_NAME: '[Employee].[Ada].[Bo]',
      MEMBER_KEY: 4,
    });
  });

  it('of members show nothing that the role may not see', async () => {
    const { axes } = await shop.query(
      'select {[Store].[North], [Store].[North].[Oslo]} dimension properties CHILDREN_CARDINALITY, PARENT_UNIQUE_NAME on 0 from Sales',
      { roles: ['north'] },
    );
    expect(axes[0]?.memberValues).toEqual([[[1, '[Store].[All Stores]']], [[0, '[Store].[North]']]]);
  });

  it('are read by name, with or without TYPED', async () => {
    const { cells } = await shop.query(
      `with member [Measures].[A] as [Time].[2023].Properties("MEMBER_VALUE", TYPED) + 1
        member [Measures].[B] as [Time].[2023].Properties("UNIQUE_NAME")
        select {[Measures].[A], [Measures].[B]} on 0 from Sales`,
    );
    expect(cells.map(({ value }) => value)).toEqual([2024, '[Time].[2023]']);
  });

  it('are in the JSON of a result', async () => {
    const printed = cellSetJson(
      await shop.query(
        `select {[Measures].[Amount]} dimension properties MEMBER_TYPE on 0 from Sales where [Store].[South]
         cell properties VALUE, FORMAT_STRING, BACK_COLOR, LANGUAGE`,
      ),
    );
    expect(printed.axes[0]?.tuples).toEqual([
      [{ uniqueName: '[Measures].[Amount]', caption: 'Amount', properties: { MEMBER_TYPE: 3 } }],
    ]);
    expect(printed.cells[0]).toMatchObject({
      properties: { VALUE: 70, FORMAT_STRING: '#,##0.00', BACK_COLOR: null, LANGUAGE: null },
    });
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
