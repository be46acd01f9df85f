import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEngines } from '../../../../server/warehouse/testing/describe-engines.ts';
import {
  ALL_ENGINES,
  type AnyEngineName,
  startWarehouse,
  type TestWarehouse,
} from '../../../../server/warehouse/testing/engines.ts';
import type { MdxCatalog } from '../index.ts';
import { names } from '../testing/ask.ts';
import { LARGE_LEVELS, openSchema } from '../testing/open-schema.ts';

/**
 * Tests that members without a key are called `#null`, in levels that are read whole and in levels that are read in
 * parts.
 */
const TABLES = [
  'CREATE TABLE sales (region VARCHAR(10), city VARCHAR(10), zone INTEGER, share DOUBLE PRECISION, units INTEGER)',
  "INSERT INTO sales VALUES ('North', 'Oslo', 1, 0.5, 10), ('North', NULL, NULL, NULL, 3), ('South', 'Rome', 2, 1.5, 5), (NULL, NULL, 2, 0.5, 1)",
];

/** A column of ClickHouse has no nulls unless its type says so. */
const NULLABLE = ALL_ENGINES.filter((engine) => engine !== 'clickhouse');

const level = (name: string, column: string, type: string, unique: boolean) =>
  `<Level name="${name}" column="${column}" type="${type}" uniqueMembers="${unique}"/>`;
const SCHEMA = `<Schema name="S"><Cube name="Sales"><Table name="sales"/>
  <Dimension name="Store"><Hierarchy hasAll="true">${level('Region', 'region', 'String', true)}${level('City', 'city', 'String', false)}</Hierarchy></Dimension>
  <Dimension name="Time"><Hierarchy hasAll="true">${level('Zone', 'zone', 'Integer', true)}</Hierarchy></Dimension>
  <Dimension name="Customer"><Hierarchy hasAll="true">${level('Share', 'share', 'Numeric', true)}</Hierarchy></Dimension>
  <Measure name="Units" column="units" aggregator="sum" formatString="0"/></Cube></Schema>`;

describeEngines('a member without a key on $engine', suite, { engines: NULLABLE });

function suite(engine: AnyEngineName): void {
  let on: TestWarehouse;
  const catalogs: MdxCatalog[] = [];
  beforeAll(async () => {
    on = await startWarehouse(engine, TABLES);
    catalogs.push(...LARGE_LEVELS.map((largeLevel) => openSchema(SCHEMA, on.warehouse, { largeLevel })));
  });
  afterAll(() => on?.stop());

  it.each([
    ['{[Store].[North].[#null]}', 'North.#null: 3'],
    ['{[Store].[North].[#NULL]}', 'North.#null: 3'],
    ['{[Store].[North].&[#null]}', 'North.#null: 3'],
    ['{[Store].[#null]}', '#null: 1'],
    ['{[Store].[#null].[#null]}', '#null.#null: 1'],
    ['[Store].[#null].Children', '#null.#null: 1'],
    ['{[Store].[Region].[#null]}', '#null: 1'],
    ['{[Time].[#null]}', '#null: 3'],
    ['{[Time].[Zone].&[#null]}', '#null: 3'],
    ['{[Customer].[#null]}', '#null: 3'],
    ['{[Customer].[Share].&[#null]}', '#null: 3'],
    ['{StrToMember("[Time].[Zone].[#null]")}', '#null: 3'],
    ['Filter([Time].[Zone].Members, [Time].CurrentMember.Name = "#null")', '#null: 3'],
    ['Filter([Store].[City].Members, [Store].CurrentMember.Name = "#null")', '#null.#null North.#null: 1 3'],
    ['Filter([Store].[City].Members, [Measures].[Units] < 4)', '#null.#null North.#null: 1 3'],
    ['TopCount([Time].[Zone].Members, 2, [Measures].[Units])', '1 2: 10 6'],
  ])('is found as %s', async (set, expected) => {
    for (const catalog of catalogs) {
      const result = await catalog.query(`select ${set} on 0 from Sales`);
      expect(`${names(result)}: ${result.cells.map(({ formatted }) => formatted).join(' ')}`).toBe(expected);
    }
  });

  it.each([
    ['[Time].[Zone].Members', '#null 1 2'],
    ['[Time].Members', 'All Times #null 1 2'],
    ['[Customer].[Share].Members', '#null 0.5 1.5'],
    ['[Store].[City].Members', '#null.#null North.#null North.Oslo South.Rome'],
    ['Tail([Time].[Zone].Members, 1)', '2'],
    ['Head([Time].[Zone].Members, 1)', '#null'],
    ['[Time].[All Times].FirstChild', '#null'],
    ['[Time].[All Times].LastChild', '2'],
    ['[Store].[North].FirstChild', 'North.#null'],
    ['[Store].[North].[Oslo].FirstSibling', 'North.#null'],
    ['[Time].[1].PrevMember', '#null'],
    ['[Time].[2].NextMember', ''],
    ['[Store].[South].[Rome].Lag(2)', 'North.#null'],
    ['[Time].[#null] : [Time].[1]', '#null 1'],
    ['[Store].[City].[Oslo] : [Store].[#null].[#null]', '#null.#null North.#null North.Oslo'],
    ['LastPeriods(2, [Time].[1])', '#null 1'],
    ['Hierarchize({[Time].[2], [Time].[#null], [Time].[1]})', '#null 1 2'],
    // Ties keep the order of the hierarchy, in whichever order the warehouse returns the rows.
    ['Order({[Time].[2], [Time].[1], [Time].[#null]}, 1, ASC)', '#null 1 2'],
    ['Order([Store].[Region].Members, [Measures].[Units] > 100, BDESC)', '#null North South'],
    ['TopCount([Time].[Zone].Members, 3, 1)', '#null 1 2'],
    ['Head(Order([Time].[Zone].Members, [Time].CurrentMember.OrderKey, BDESC), 2)', '2 1'],
  ])('is first in its level: %s is %s', async (set, expected) => {
    for (const catalog of catalogs)
      expect(names(await catalog.query(`select {${set}} on 0 from Sales`))).toBe(expected);
  });

  it('is found by part of its name', async () => {
    for (const catalog of catalogs) {
      const members = await catalog.searchMembers({ cube: 'Sales', level: '[Time].[Zone]', text: 'NU', limit: 5 });
      expect(members.map(({ caption }) => caption)).toEqual(['#null']);
    }
  });
}
