import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEngines } from '../../../server/warehouse/testing/describe-engines.ts';
import {
  ALL_ENGINES,
  type AnyEngineName,
  startWarehouse,
  type TestWarehouse,
} from '../../../server/warehouse/testing/engines.ts';
import type { MdxCatalog } from './index.ts';
import { LARGE_LEVELS, openSchema } from './testing/open-schema.ts';

/**
 * Tests the member of facts without a row in a dimension's table. Orders: 10 of Ann and 20 of Bob in Oslo, 5 of Cy whose
 * city has no row, 3 and 2 of customers without a row.
 */
const TABLES = [
  'CREATE TABLE cities (city_id INTEGER, city VARCHAR(10), country VARCHAR(10))',
  "INSERT INTO cities VALUES (1, 'Oslo', 'Norway'), (2, 'Rome', 'Italy')",
  'CREATE TABLE customers (customer_id INTEGER, name VARCHAR(10), city_id INTEGER)',
  "INSERT INTO customers VALUES (1, 'Ann', 1), (2, 'Bob', 1), (3, 'Cy', 9)",
  'CREATE TABLE orders (customer_id INTEGER, channel VARCHAR(10), units INTEGER)',
  "INSERT INTO orders VALUES (1, 'web', 10), (2, 'shop', 20), (3, 'web', 5), (99, 'web', 3), (98, 'shop', 2)",
];

const schemaWith = (annotation: string) => `<Schema name="S"><Cube name="Sales"><Table name="orders"/>
  <Dimension name="Customer" foreignKey="customer_id">${annotation}
    <Hierarchy hasAll="true" primaryKey="customer_id" primaryKeyTable="customers">
      <Join leftKey="city_id" rightKey="city_id"><Table name="customers"/><Table name="cities"/></Join>
      <Level name="Country" table="cities" column="country" type="String" uniqueMembers="true"/>
      <Level name="Name" table="customers" column="name" type="String" uniqueMembers="false"/>
    </Hierarchy>
    <Hierarchy name="Number" hasAll="true" primaryKey="customer_id">
      <Table name="customers"/>
      <Level name="Number" column="customer_id" type="Integer" uniqueMembers="true"/>
    </Hierarchy></Dimension>
  <Dimension name="Channel"><Hierarchy hasAll="true"><Level name="Channel" column="channel" type="String" uniqueMembers="true"/></Hierarchy></Dimension>
  <Measure name="Units" column="units" aggregator="sum" formatString="0"/></Cube></Schema>`;
const AS_MEMBER = '<Annotations><Annotation name="service.unmatchedFacts">member</Annotation></Annotations>';

describeEngines('facts without a row in a dimension on $engine', suite, { engines: ALL_ENGINES });

function suite(engine: AnyEngineName): void {
  let on: TestWarehouse;
  const kept: MdxCatalog[] = [];
  let dropped: MdxCatalog;
  beforeAll(async () => {
    on = await startWarehouse(engine, TABLES);
    kept.push(...LARGE_LEVELS.map((largeLevel) => openSchema(schemaWith(AS_MEMBER), on.warehouse, { largeLevel })));
    dropped = openSchema(schemaWith(''), on.warehouse);
  });
  afterAll(() => on?.stop());

  const cellsOf = async (catalog: MdxCatalog, set: string): Promise<readonly string[]> => {
    const { axes, cells } = await catalog.query(`select {${set}} on 0 from [Sales]`);
    return (axes[0]?.tuples ?? []).map(
      (tuple, at) => `${tuple.map(({ name }) => name).join(' ')}: ${cells[at]?.value ?? ''}`,
    );
  };

  it.each([
    ['[Customer].[Country].Members', ['#null: 10', 'Norway: 30']],
    ['[Customer].[Name].Members', ['#null: 5', 'Cy: 5', 'Ann: 10', 'Bob: 20']],
    ['[Customer.Number].[Number].Members', ['#null: 5', '1: 10', '2: 20', '3: 5']],
    ['TopCount([Customer].[Name].Members, 1, [Measures].[Units])', ['Bob: 20']],
    ['NonEmptyCrossJoin({[Customer].[#null]}, [Channel].[Channel].Members)', ['#null shop: 2', '#null web: 8']],
  ])('are in the member without a key: %s', async (set, expected) => {
    for (const catalog of kept) expect(await cellsOf(catalog, set)).toEqual(expected);
  });

  it('are in no member without the annotation', async () => {
    expect(await cellsOf(dropped, '[Customer].[Country].Members')).toEqual(['Norway: 30']);
    expect(await cellsOf(dropped, '[Customer.Number].[Number].Members')).toEqual(['1: 10', '2: 20', '3: 5']);
  });
}
