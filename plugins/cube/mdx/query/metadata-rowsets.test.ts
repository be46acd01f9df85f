import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWarehouse, type TestWarehouse } from '../../../../server/warehouse/testing/engines.ts';
import type { MdxCatalog } from '../index.ts';
import { openShop, SHOP_TABLES } from '../testing/shop.ts';

describe('$system', () => {
  let started: TestWarehouse;
  let shop: MdxCatalog;
  beforeAll(async () => {
    started = await startWarehouse('duckdb', SHOP_TABLES);
    shop = openShop(started.warehouse);
  });
  afterAll(async () => {
    await shop.close();
    await started.stop();
  });
  const rows = async (mdx: string, role?: string) =>
    (await shop.drillthrough(mdx, { maxRows: 100, roles: role === undefined ? undefined : [role] })).rows.map((row) =>
      row.map(String).join(' '),
    );

  it.each([
    ['SELECT CATALOG_NAME FROM $system.DBSCHEMA_CATALOGS', ['Shop']],
    [
      'select [CUBE_NAME], [CUBE_TYPE] from $SYSTEM.MDSCHEMA_CUBES',
      ['Sales CUBE', 'Staff CUBE', 'Staff without closure CUBE'],
    ],
    [
      "SELECT DIMENSION_UNIQUE_NAME, DIMENSION_TYPE, DEFAULT_HIERARCHY FROM $system.MDSCHEMA_DIMENSIONS WHERE CUBE_NAME = 'Sales'",
      ['[Measures] 2 [Measures]', '[Store] 3 [Store]', '[Time] 1 [Time]', '[Customer] 3 [Customer]'],
    ],
    [
      "SELECT HIERARCHY_UNIQUE_NAME, DEFAULT_MEMBER, ALL_MEMBER, STRUCTURE FROM $system.MDSCHEMA_HIERARCHIES WHERE CUBE_NAME = 'Sales' AND HIERARCHY_UNIQUE_NAME <> '[Measures]'",
      [
        '[Store] [Store].[All Stores] [Store].[All Stores] 0',
        '[Time] [Time].[2023] null 0',
        '[Customer] [Customer].[All Customers] [Customer].[All Customers] 0',
      ],
    ],
    [
      "SELECT LEVEL_UNIQUE_NAME, LEVEL_NUMBER, LEVEL_TYPE FROM $system.MDSCHEMA_LEVELS WHERE CUBE_NAME = 'sales' AND DIMENSION_UNIQUE_NAME = '[Time]'",
      ['[Time].[Year] 0 20', '[Time].[Quarter] 1 68'],
    ],
    [
      "SELECT MEASURE_UNIQUE_NAME, MEASURE_AGGREGATOR, DEFAULT_FORMAT_STRING FROM $system.MDSCHEMA_MEASURES WHERE CUBE_NAME = 'Sales'",
      [
        '[Measures].[Units] 1 #,##0',
        '[Measures].[Amount] 1 #,##0.00',
        '[Measures].[Customers] 8 #,##0',
        // The implied measure of a cube whose author counts nothing.
        '[Measures].[Fact Count] 2 null',
        '[Measures].[Price] 127 null',
      ],
    ],
    [
      "SELECT MEMBER_UNIQUE_NAME, MEMBER_TYPE, CHILDREN_CARDINALITY, PARENT_UNIQUE_NAME FROM $system.MDSCHEMA_MEMBERS WHERE CUBE_NAME = 'Sales' AND HIERARCHY_UNIQUE_NAME = '[Store]' AND LEVEL_NUMBER = 1",
      ['[Store].[North] 1 2 [Store].[All Stores]', '[Store].[South] 1 1 [Store].[All Stores]'],
    ],
    [
      "SELECT MEMBER_NAME, LEVEL_NUMBER, PARENT_LEVEL FROM $system.MDSCHEMA_MEMBERS WHERE CUBE_NAME = 'Staff' AND LEVEL_NUMBER = 3",
      ['Di 3 2'],
    ],
  ])('answers %s', async (mdx, expected) => {
    expect(await rows(mdx)).toEqual(expected);
  });

  it('shows all columns for a star, and at most the requested rows', async () => {
    const {
      columns,
      rows: answer,
      truncated,
    } = await shop.drillthrough('SELECT * FROM $system.MDSCHEMA_MEMBERS', { maxRows: 2 });
    expect(columns.map(({ name }) => name)).toContain('PARENT_UNIQUE_NAME');
    expect([answer.length, truncated]).toEqual([2, true]);
  });

  it('shows a role nothing that it does not see', async () => {
    const role = 'north'; // Sees Sales only, without the customers; of the stores, the North without Bergen.
    expect(await rows('SELECT CUBE_NAME FROM $system.MDSCHEMA_CUBES', role)).toEqual(['Sales']);
    expect(await rows('SELECT DIMENSION_NAME FROM $system.MDSCHEMA_DIMENSIONS', role)).toEqual([
      'Measures',
      'Store',
      'Time',
    ]);
    expect(await rows('SELECT HIERARCHY_NAME FROM $system.MDSCHEMA_HIERARCHIES', role)).toEqual([
      'Measures',
      'Store',
      'Time',
    ]);
    expect(
      await rows("SELECT LEVEL_NAME FROM $system.MDSCHEMA_LEVELS WHERE HIERARCHY_UNIQUE_NAME = '[Customer]'", role),
    ).toEqual([]);
    expect(
      await rows(
        "SELECT MEMBER_NAME, CHILDREN_CARDINALITY FROM $system.MDSCHEMA_MEMBERS WHERE DIMENSION_UNIQUE_NAME = '[Store]'",
        role,
      ),
    ).toEqual(['All Stores 1', 'North 1', 'Oslo 0']);
    expect(await rows("SELECT MEMBER_NAME FROM $system.MDSCHEMA_MEMBERS WHERE CUBE_NAME = 'Staff'", role)).toEqual([]);
  });

  it.each([
    ['SELECT * FROM $system.MDSCHEMA_CUBE', /no rowset '\$system\.MDSCHEMA_CUBE'/],
    ['SELECT CUBE FROM $system.MDSCHEMA_CUBES', /no column 'CUBE'/],
    ["SELECT * FROM $system.MDSCHEMA_CUBES WHERE CUBE = 'x'", /no column 'CUBE'/],
    ['SELECT * FROM $system.MDSCHEMA_CUBES WHERE CUBE_NAME = x', /expected a text in quotes/],
    ['SELECT * FROM $system.MDSCHEMA_CUBES ORDER BY CUBE_NAME', /ORDER/],
  ])('refuses %s', async (mdx, message) => {
    await expect(rows(mdx)).rejects.toThrow(message);
  });

  it('yields rows and no cells', async () => {
    await expect(shop.query('SELECT * FROM $system.MDSCHEMA_CUBES')).rejects.toThrow(/yields rows, not cells/);
  });
});
