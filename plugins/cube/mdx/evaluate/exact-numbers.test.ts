import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEngines } from '../../../../server/warehouse/testing/describe-engines.ts';
import { startWarehouse, type TestWarehouse } from '../../../../server/warehouse/testing/engines.ts';
import type { MdxCatalog } from '../index.ts';
import { openSchema } from '../testing/open-schema.ts';

/** Whole numbers around 2^53 = 9007199254740992, and sums that no double represents. */
const TABLES = [
  'CREATE TABLE deal (region VARCHAR(10), town VARCHAR(10), units BIGINT, amount DECIMAL(30, 2))',
  `INSERT INTO deal VALUES ('N', 'a', 9007199254740992, 90071992547409930.25), ('N', 'b', 1, 0.50), ('S', 'c', 9007199254740993, 1.00), ('S', 'd', NULL, NULL)`,
];

const SCHEMA = `<Schema name="S"><Cube name="Deals"><Table name="deal"/>
  <Dimension name="Place"><Hierarchy hasAll="true"><Level name="Region" column="region" uniqueMembers="true"/><Level name="Town" column="town" uniqueMembers="true"/></Hierarchy></Dimension>
  <Measure name="Units" column="units" aggregator="sum" formatString="#,##0"/><Measure name="Amount" column="amount" aggregator="sum" formatString="#,##0.00"/>
  <Measure name="Most" column="units" aggregator="max"/>
</Cube></Schema>`;

describeEngines('sums beyond 2^53 on $engine', (engine) => {
  let on: TestWarehouse;
  let catalog: MdxCatalog;
  beforeAll(async () => {
    on = await startWarehouse(engine, TABLES, { poolSize: 1 });
    catalog = openSchema(SCHEMA, on.warehouse);
  });
  afterAll(() => on?.stop());

  const value = async (expression: string, slicer = '[Place].DefaultMember') => {
    const { cells } = await catalog.query(
      `with member [Measures].[X] as ${expression} select [Measures].[X] on 0 from Deals where ${slicer}`,
    );
    return String(cells[0]?.error ?? cells[0]?.value);
  };

  it.each([
    ['[Measures].[Units]', '18014398509481986'],
    ['([Measures].[Units], [Place].[N])', '9007199254740993'],
    ['[Measures].[Units] + 1', '18014398509481987'],
    ['-[Measures].[Units]', '-18014398509481986'],
    ['[Measures].[Units] - ([Measures].[Units], [Place].[N])', '9007199254740993'],
    ['[Measures].[Units] - [Measures].[Units]', '0'],
    ['[Measures].[Units] * 3', '54043195528445958'],
    ['Sum([Place].[Town].Members, [Measures].[Units])', '18014398509481986'],
    ['Aggregate({[Place].[N], [Place].[S].[c]}, [Measures].[Units])', '18014398509481986'],
    ['Max([Place].[Town].Members, [Measures].[Units])', '9007199254740993'],
    ['Min([Place].[Region].Members, [Measures].[Units])', '9007199254740993'],
    ['[Measures].[Most]', '9007199254740993'],
    ['IIf([Measures].[Units] > 18014398509481985, [Measures].[Units], 0)', '18014398509481986'],
    ['IIf(([Measures].[Units], [Place].[N].[a]) < ([Measures].[Units], [Place].[S].[c]), 1, 0)', '1'],
    ['Order([Place].[Town].Members, [Measures].[Units], BDESC).Item(0).Name', 'c'],
    ['[Measures].[Units] / 2', '9007199254740992'],
  ])('%s is %s', async (expression, expected) => {
    expect(await value(expression)).toBe(expected);
  });

  it('are exact in a slicer of several members, and in formatted values', async () => {
    expect(await value('[Measures].[Units]', '{[Place].[N].[a], [Place].[S].[c]}')).toBe('18014398509481985');
    const { cells } = await catalog.query('select {[Measures].[Units]} on 0 from Deals');
    expect(cells[0]?.formatted).toBe('18,014,398,509,481,986');
  });

  // SQLite has no decimal type and returns doubles.
  const decimals = engine === 'sqlite' ? [] : ['[Measures].[Amount]'];
  it.each(decimals)('are exact with the decimals of %s', async () => {
    expect(await value('[Measures].[Amount]')).toBe('90071992547409931.75');
    expect(await value('[Measures].[Amount] + ([Measures].[Amount], [Place].[N].[b])')).toBe('90071992547409932.25');
    expect(await value('Sum([Place].[Town].Members, [Measures].[Amount])')).toBe('90071992547409931.75');
    const { cells } = await catalog.query('select {[Measures].[Amount]} on 0 from Deals');
    expect(cells[0]?.formatted).toBe('90,071,992,547,409,931.75');
  });
});
