import type { Warehouse } from '../../../../router/capabilities/warehouse.ts';
import type { CatalogOptions, MdxCatalog } from '../index.ts';
import { openSchema } from './open-schema.ts';

/**
 * A shop small enough to compute by hand.
 *
 * | store (region) | quarter | customer | units | amount |
 * | --- | --- | --- | ---: | ---: |
 * | Oslo (North) | 2023 Q1 | ann | 10 | 100.5 |
 * | Oslo (North) | 2023 Q2 | bob | 20 | 200 |
 * | Bergen (North) | 2023 Q1 | ann | 5 | 50 |
 * | Rome (South) | 2023 Q1 | cat | 7 | 70 |
 * | Rome (South) | 2024 Q1 | ann | 1 | 10 |
 * | Bergen (North) | 2024 Q2 | bob | 4 | 44 |
 *
 * Ada (salary 100) leads Bo (50) and Cy (40), Bo leads Di (10).
 */
export const SHOP_TABLES: readonly string[] = [
  'CREATE TABLE store (store_id INTEGER, region VARCHAR(20), name VARCHAR(20), sqft INTEGER NULL)',
  `INSERT INTO store VALUES (1, 'North', 'Oslo', 300), (2, 'North', 'Bergen', 200), (3, 'South', 'Rome', NULL)`,
  'CREATE TABLE period (period_id INTEGER, year INTEGER, quarter VARCHAR(2))',
  `INSERT INTO period VALUES (1, 2023, 'Q1'), (2, 2023, 'Q2'), (3, 2024, 'Q1'), (4, 2024, 'Q2')`,
  'CREATE TABLE sales (store_id INTEGER, period_id INTEGER, customer VARCHAR(20), units INTEGER, amount DECIMAL(10,2))',
  `INSERT INTO sales VALUES (1, 1, 'ann', 10, 100.5), (1, 2, 'bob', 20, 200), (2, 1, 'ann', 5, 50),
    (3, 1, 'cat', 7, 70), (3, 3, 'ann', 1, 10), (2, 4, 'bob', 4, 44)`,
  'CREATE TABLE employee (id INTEGER, boss INTEGER NULL, name VARCHAR(20), salary INTEGER)',
  `INSERT INTO employee VALUES (1, NULL, 'Ada', 100), (2, 1, 'Bo', 50), (3, 1, 'Cy', 40), (4, 2, 'Di', 10)`,
  'CREATE TABLE closure (boss INTEGER, id INTEGER)',
  'INSERT INTO closure VALUES (1, 1), (1, 2), (1, 3), (1, 4), (2, 2), (2, 4), (3, 3), (4, 4)',
];

const SHOP_SCHEMA = `<Schema name="Shop">
  <Cube name="Sales" defaultMeasure="Units">
    <Table name="sales"/>
    <Dimension name="Store" foreignKey="store_id">
      <Hierarchy hasAll="true" primaryKey="store_id">
        <Table name="store"/>
        <Level name="Region" column="region" uniqueMembers="true"/>
        <Level name="Name" column="name" uniqueMembers="true">
          <Property name="Size" column="sqft" type="Numeric"/>
        </Level>
      </Hierarchy>
    </Dimension>
    <Dimension name="Time" type="TimeDimension" foreignKey="period_id">
      <Hierarchy hasAll="false" primaryKey="period_id">
        <Table name="period"/>
        <Level name="Year" column="year" type="Numeric" uniqueMembers="true" levelType="TimeYears"/>
        <Level name="Quarter" column="quarter" uniqueMembers="false" levelType="TimeQuarters"/>
      </Hierarchy>
    </Dimension>
    <Dimension name="Customer">
      <Hierarchy hasAll="true"><Level name="Customer" column="customer" uniqueMembers="true"/></Hierarchy>
    </Dimension>
    <Measure name="Units" column="units" aggregator="sum" formatString="#,##0"/>
    <Measure name="Amount" column="amount" aggregator="sum" formatString="#,##0.00"/>
    <Measure name="Customers" column="customer" aggregator="distinct-count" formatString="#,##0"/>
    <CalculatedMember name="Price" dimension="Measures" formula="[Measures].[Amount] / [Measures].[Units]"/>
    <NamedSet name="Regions" formula="[Store].[Region].Members"/>
  </Cube>
  <Cube name="Staff">
    <Table name="employee"/>
    <Dimension name="Employee" foreignKey="id">
      <Hierarchy hasAll="true" allMemberName="All Staff" primaryKey="id">
        <Table name="employee"/>
        <Level name="Person" column="id" type="Numeric" uniqueMembers="true" parentColumn="boss" nameColumn="name">
          <Closure parentColumn="boss" childColumn="id"><Table name="closure"/></Closure>
        </Level>
      </Hierarchy>
    </Dimension>
    <Measure name="Salary" column="salary" aggregator="sum" formatString="#,##0"/>
  </Cube>
  <Cube name="Staff without closure">
    <Table name="employee"/>
    <Dimension name="Employee" foreignKey="id">
      <Hierarchy hasAll="true" allMemberName="All Staff" primaryKey="id">
        <Table name="employee"/>
        <Level name="Person" column="id" type="Numeric" uniqueMembers="true" parentColumn="boss" nameColumn="name"/>
      </Hierarchy>
    </Dimension>
    <Measure name="Salary" column="salary" aggregator="sum" formatString="#,##0"/>
  </Cube>
  <Role name="north">
    <SchemaGrant access="none">
      <CubeGrant cube="Sales" access="all">
        <HierarchyGrant hierarchy="[Store]" access="custom" rollupPolicy="partial">
          <MemberGrant member="[Store].[North]" access="all"/>
          <MemberGrant member="[Store].[North].[Bergen]" access="none"/>
        </HierarchyGrant>
        <HierarchyGrant hierarchy="[Customer]" access="none"/>
      </CubeGrant>
    </SchemaGrant>
  </Role>
</Schema>`;

export function openShop(warehouse: Warehouse, options: Partial<CatalogOptions> = {}): MdxCatalog {
  return openSchema(SHOP_SCHEMA, warehouse, options);
}
