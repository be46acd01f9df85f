import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Warehouse } from '../../../router/capabilities/warehouse.ts';
import { ENGINES, startWarehouse, type TestWarehouse } from '../../../server/warehouse/testing/engines.ts';
import { readSchema } from '../schema/read-schema.ts';
import { type CellSet, type MdxCatalog, MdxError, openCatalog } from './index.ts';
import { resultText, tupleText } from './query/cell-set-text.ts';
import { openShop, SHOP_TABLES } from './testing/shop.ts';

// Names, sets and cells are the product's own work; `dialects.test.ts` runs the statements of MDX on every engine, for roles too.
describe.each(ENGINES)('MDX on %s', (engine) => {
  let started: TestWarehouse;
  let shop: MdxCatalog;

  beforeAll(async () => {
    started = await startWarehouse(engine, SHOP_TABLES);
    shop = openShop(started.warehouse);
  });
  afterAll(() => started.stop());

  async function value(expression: string, cube = 'Sales'): Promise<string> {
    const result = await shop.query(`with member Measures.X as ${expression} select {Measures.X} on 0 from [${cube}]`);
    return result.cells[0]?.formatted ?? '';
  }
  async function set(expression: string, cube = 'Sales'): Promise<string> {
    return names(await shop.query(`select {${expression}} on 0 from [${cube}]`));
  }

  it('writes axes and cells, with columns changing fastest', async () => {
    const result = await shop.query(
      'select {[Measures].[Units], [Measures].[Price]} on 0, [Regions] on 1 from Sales where [Time].[2023]',
    );
    expect(resultText(result)).toBe(
      [
        'Axis #0:',
        '{[Time].[2023]}',
        'Axis #1:',
        '{[Measures].[Units]}',
        '{[Measures].[Price]}',
        'Axis #2:',
        '{[Store].[North]}',
        '{[Store].[South]}',
        'Row #0: 35',
        'Row #0: 10.01', // (100.5 + 200 + 50) / 35, in the format of Amount
        'Row #1: 7',
        'Row #1: 10.00',
        '',
      ].join('\n'),
    );
  });

  it.each([
    ['members of a level', '[Store].[Name].Members', 'North.Bergen North.Oslo South.Rome'],
    [
      'members of a hierarchy, parents first',
      '[Store].Members',
      'All Stores North North.Bergen North.Oslo South South.Rome',
    ],
    ['children', '[Store].[North].Children', 'North.Bergen North.Oslo'],
    ['a range in its level', '[Time].[2023].[Q2] : [Time].[2024].[Q1]', '2023.Q2 2024.Q1'],
    ['a null member dropped by braces', '[Store].Parent', ''],
    ['the next member across parents', '[Time].[2023].[Q2].NextMember', '2024.Q1'],
    ['a parallel period', 'ParallelPeriod([Time].[Year], 1, [Time].[2024].[Q2])', '2023.Q2'],
    ['periods to date', 'Ytd([Time].[2023].[Q2])', '2023.Q1 2023.Q2'],
    ['descendants at a level', 'Descendants([Store], [Store].[Name])', 'North.Bergen North.Oslo South.Rome'],
    ['leaves', 'Descendants([Store].[South],, LEAVES)', 'South.Rome'],
    [
      'the tuples with the biggest values',
      'TopCount([Store].[Name].Members, 2, [Measures].[Units])',
      'North.Oslo South.Rome',
    ],
    ['the smallest', 'BottomCount([Store].[Name].Members, 1, [Measures].[Units])', 'North.Bergen'],
    [
      'order within the hierarchy',
      'Order([Store].Members, [Measures].[Units], DESC)',
      'All Stores North North.Oslo North.Bergen South South.Rome',
    ],
    [
      'order that breaks it',
      'Order([Store].[Name].Members, [Measures].[Units], BDESC)',
      'North.Oslo South.Rome North.Bergen',
    ],
    ['a filter by value', 'Filter([Store].[Name].Members, [Measures].[Units] > 6)', 'North.Oslo South.Rome'],
    ['a union without repetition', 'Union({[Store].[North]}, {[Store].[South], [Store].[North]})', 'North South'],
    ['a difference', 'Except([Store].[Region].Members, {[Store].[North]})', 'South'],
    [
      'what exists with the context',
      'Generate({[Store].[North]}, Existing [Store].[Name].Members)',
      'North.Bergen North.Oslo',
    ],
    [
      'a drilled set',
      'DrilldownLevel({[Store].[North], [Store].[South]})',
      'North North.Bergen North.Oslo South South.Rome',
    ],
    ['names without a prefix, in any letter case', '{[north], [SOUTH]}', 'North South'],
    ['a member by its key', '[Time].[Year].&[2024]', '2024'],
    [
      'what is not empty',
      'NonEmptyCrossJoin([Store].[Region].Members, [Customer].[Customer].Members)',
      '(North ann) (North bob) (South cat)',
    ],
  ])('yields %s', async (_, expression, expected) => {
    expect(await set(expression)).toBe(expected);
  });

  it.each([
    ['adds an empty cell as nothing', '5 + ([Measures].[Units], [Store].[South], [Time].[2024].[Q2])', '5'],
    ['is empty when both operands are', '([Measures].[Units], [Store].[South], [Time].[2024].[Q2]) * 2', ''],
    [
      'divides by an empty cell to infinity',
      '1 / ([Measures].[Units], [Store].[South], [Time].[2024].[Q2])',
      'Infinity',
    ],
    ['sums', 'Sum([Store].[Name].Members, [Measures].[Units])', '42'],
    ['averages the values that are not empty', 'Avg([Time].Members, ([Measures].[Units], [Store].[South]))', '4'], // (7 + 7 + 1 + 1) / 4
    ['counts', 'Count([Store].Members)', '6'],
    ['ranks', 'Rank([Store].[South], Order([Store].[Region].Members, [Measures].[Units], BDESC))', '2'],
    ['recounts distinct customers over a set', '([Measures].[Customers], [Store].[All Stores])', '3'],
    ['reads names', '[Store].[North].Name || "/" || [Store].[North].Level.Name', 'North/Region'],
    ['reads member properties', '[Store].[North].[Oslo].Properties("Size")', '300'],
    ['chooses by case', 'CASE WHEN 1 > 2 THEN "a" ELSE "b" END', 'b'],
    [
      'distinguishes an empty cell from a full one',
      'IIf(IsEmpty(([Measures].[Units], [Time].[2024].[Q2], [Store].[South])), "empty", "full")',
      'empty',
    ],
    ['writes sets', 'SetToStr([Regions])', '{[Store].[North], [Store].[South]}'],
  ])('%s', async (_, expression, expected) => {
    expect(await value(expression)).toBe(expected);
  });

  it('counts each customer once over aggregated members', async () => {
    const result = await shop.query(
      `with member [Time].[All] as Aggregate({[Time].[2023], [Time].[2024]})
       select {[Measures].[Customers], [Measures].[Units]} on 0, {[Time].[2023], [Time].[2024], [Time].[All]} on 1 from Sales`,
    );
    expect(cells(result)).toEqual(['3', '42', '2', '5', '3', '47']);
  });

  it('aggregates a slicer of several tuples, and counts each part once', async () => {
    expect(
      cells(
        await shop.query(
          'select {[Measures].[Units], [Measures].[Customers]} on 0 from Sales where {[Time].[2023].[Q1], [Time].[2024].[Q1]}',
        ),
      ),
    ).toEqual(['23', '2']);
    expect(
      cells(await shop.query('select {[Measures].[Units]} on 0 from Sales where {[Time].[2023], [Time].[2023].[Q1]}')),
    ).toEqual(['42']);
  });

  it('leaves empty positions out of NON EMPTY axes', async () => {
    const result = await shop.query(
      'select non empty [Time].[Quarter].Members on 0 from Sales where [Store].[North].[Oslo]',
    );
    expect(names(result)).toBe('2023.Q1 2023.Q2');
  });

  it('applies the member with the higher solve order last', async () => {
    const query = (order: number) =>
      `with member [Store].[Both] as [Store].[North] + [Store].[South], solve_order = ${order}
       member Measures.P as [Measures].[Amount] / [Measures].[Units], solve_order = 5, format_string = '0.000'
       select {[Store].[Both]} on 0, {Measures.P} on 1 from Sales`;
    expect(cells(await shop.query(query(1)))).toEqual(['10.012']); // 420.5 / 42
    expect(cells(await shop.query(query(9)))).toEqual(['20.014']); // 350.5 / 35 + 70 / 7
  });

  it('adds up a parent-child hierarchy and separates own data', async () => {
    const result = await shop.query('select [Employee].Members on 0 from Staff');
    expect(names(result)).toBe('All Staff Ada Ada.Bo Ada.Bo.Di Ada.Cy');
    expect(cells(result)).toEqual(['200', '200', '60', '10', '40']);
    expect(await value('([Employee].[Ada].[Bo].DataMember, [Measures].[Salary])', 'Staff')).toBe('50');
  });

  it('adds up without a closure table, too', async () => {
    const result = await shop.query('select [Employee].Members on 0 from [Staff without closure]');
    expect(cells(result)).toEqual(['200', '200', '60', '10', '40']);
  });

  it('replaces parents by visual totals', async () => {
    const result = await shop.query(
      'select VisualTotals({[Store].[North], [Store].[North].[Oslo]}, "* in part") on 0 from Sales',
    );
    expect(names(result)).toBe('North in part North.Oslo');
    expect(cells(result)).toEqual(['30', '30']);
  });

  it('shows a role its part and the totals of this part', async () => {
    const result = await shop.query('select [Store].Members on 0 from Sales', { roles: ['north'] });
    expect(names(result)).toBe('All Stores North North.Oslo');
    expect(cells(result)).toEqual(['30', '30', '30']);
    await expect(shop.query('select [Customer].Members on 0 from Sales', { roles: ['north'] })).rejects.toThrow(
      "'[Customer].Members' not found",
    );
    await expect(shop.query('select from Staff', { roles: ['north'] })).rejects.toThrow("cube 'Staff' not found");
    await expect(shop.query('select from Sales', { roles: ['south'] })).rejects.toThrow("Unknown role 'south'");
  });

  it('uses parameters of the schema, with defaults and values from the caller', async () => {
    const text = `<Schema name="P">
      <Parameter name="Rate" type="Numeric" defaultValue="2"/><Parameter name="Fixed" type="String" modifiable="false" defaultValue="'x'"/>
      <Parameter name="Wrong" type="Numeric" defaultValue="'x'"/>
      <Cube name="Sales"><Table name="sales"/>
        <Dimension name="Customer"><Hierarchy hasAll="true"><Level name="Customer" column="customer" uniqueMembers="true"/></Hierarchy></Dimension>
        <Measure name="Units" column="units" aggregator="sum"/>
        <CalculatedMember name="Rated" dimension="Measures" formula="[Measures].[Units] * ParamRef(&quot;Rate&quot;)"/>
      </Cube></Schema>`;
    const { schema } = readSchema(text);
    if (schema === undefined) throw new Error('The schema cannot be read.');
    const catalog = openCatalog({ schema, warehouse: started.warehouse });
    const value = async (formula: string, parameters: Readonly<Record<string, string>> = {}) => {
      const query = `with member Measures.X as ${formula} select {Measures.X} on 0 from Sales`;
      return (await catalog.query(query, { parameters })).cells[0]?.value;
    };
    expect(await value('[Measures].[Rated]')).toBe(94);
    expect(await value('[Measures].[Rated]', { rate: '3' })).toBe(141);
    expect(await value('ParamRef("Fixed")')).toBe('x');
    await expect(value('ParamRef("Fixed")', { Fixed: '"y"' })).rejects.toThrow("does not let parameter 'Fixed' be set");
    await expect(value('[Measures].[Rated]', { Rate: '"y"' })).rejects.toThrow("Value of parameter 'Rate'");
    await expect(value('ParamRef("Wrong")')).rejects.toThrow(/schema, line 3: Default value of parameter 'Wrong'/);
    await catalog.close();
  });

  it('uses parameters from the caller', async () => {
    const query = 'select {Parameter("Where", [Store], [Store].[North], "")} on 0 from Sales';
    expect(names(await shop.query(query))).toBe('North');
    expect(names(await shop.query(query, { parameters: { Where: '[Store].[South]' } }))).toBe('South');
  });

  it.each([
    ['select [Store].[East] on 0 from Sales', "MDX object '[Store].[East]' not found in cube 'Sales'", 8],
    [
      'select {[Store].[North], [Time].[2023]} on 0 from Sales',
      "All arguments to function '{}' must have same hierarchy.",
      8,
    ],
    ['select Head([Store].[North], "x", 3) on 0 from Sales', 'No function matches signature', 8],
    [
      'select [Store].Members on 0, [Store].Members on 1 from Sales',
      "Hierarchy '[Store]' appears in more than one",
      undefined,
    ],
    ['select ([Store].[North], [Store].[South]) on 0 from Sales', 'more than one member of hierarchy', 8],
  ])('refuses %s', async (mdx, message, column) => {
    const error = await shop.query(mdx).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(MdxError);
    expect(error).toMatchObject({ message: expect.stringContaining(message) });
    if (column !== undefined) expect(error).toMatchObject({ position: { line: 1, column } });
  });

  it('shows an error of one cell in that cell', async () => {
    const result = await shop.query(
      'with member Measures.X as "a" member Measures.Y as [Measures].[X] / 2 select {[Measures].[Units], Measures.Y} on 0 from Sales',
    );
    expect(result.cells.map(({ error }) => error !== undefined)).toEqual([false, true]);
  });

  it('stops a calculation that refers to itself', async () => {
    const result = await shop.query(
      'with member Measures.X as Measures.Y member Measures.Y as Measures.X select {Measures.X} on 0 from Sales',
    );
    expect(result.cells[0]?.error).toContain('Infinite loop');
  });

  it('reads all cells of a query with one statement for each grain, and no cell twice', async () => {
    const counted = openShop(started.warehouse);
    const query =
      'select {[Measures].[Units], [Measures].[Amount], [Measures].[Price]} on 0, [Store].[Name].Members on 1 from Sales';
    await counted.query(query);
    expect(counted.statements).toBe(1);
    await counted.query(query);
    expect(counted.statements).toBe(1);
    await counted.query(
      'select TopCount([Store].[Name].Members, 2, [Measures].[Units]) on 0, [Time].[Quarter].Members on 1 from Sales',
    );
    expect(counted.statements).toBe(2); // The values that decide the top were already loaded; the quarters are another grain.
  });

  it('answers many queries at once', async () => {
    const fresh = openShop(started.warehouse);
    const queries = Array.from({ length: 8 }, (_, index) =>
      fresh.query(
        `select Filter([Store].[Name].Members, [Measures].[Units] > ${index}) on 0, [Time].Members on 1 from Sales`,
      ),
    );
    const results = await Promise.all(queries);
    expect(results.map(names)).toEqual([
      ...Array.from({ length: 5 }, () => 'North.Bergen North.Oslo South.Rome'),
      'North.Oslo South.Rome',
      'North.Oslo South.Rome',
      'North.Oslo',
    ]);
  });

  it('stops when the caller cancels, and at its limits', async () => {
    const aborted = AbortSignal.abort();
    await expect(shop.query('select [Store].Members on 0 from Sales', { signal: aborted })).rejects.toThrow(
      'cancelled',
    );
    const small = openShop(started.warehouse, { limits: { cells: 10 } });
    await expect(small.query('select [Store].Members * [Customer].Members on 0 from Sales')).rejects.toThrow(
      'limit of 10',
    );
  });

  it('reads the present data in a newly opened catalog', async () => {
    const warehouse: Warehouse = started.warehouse;
    expect(cells(await openShop(warehouse).query('select from Sales'))).toEqual(['42']);
  });
});

/** Writes unique names without their hierarchy and brackets: `North.Oslo`, tuples in parentheses. */
function names(result: CellSet): string {
  const short = (text: string) =>
    text.replaceAll(/\[(?:Store|Time|Customer|Employee)\]\./g, '').replaceAll(/[[\]{}]/g, '');
  return (result.axes[0]?.tuples ?? [])
    .map((tuple) => (tuple.length === 1 ? short(tupleText(tuple)) : `(${short(tupleText(tuple)).replaceAll(',', '')})`))
    .join(' ');
}

function cells(result: CellSet): readonly string[] {
  return result.cells.map(({ formatted }) => formatted);
}
