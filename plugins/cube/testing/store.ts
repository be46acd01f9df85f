/**
 * A cube small enough to compute by hand.
 *
 * | store (region) | month | customer | units | amount |
 * | --- | --- | --- | ---: | ---: |
 * | Oslo (North) | 2025 Q3 September | ann | 10 | 100.5 |
 * | Oslo (North) | 2025 Q4 October | bob | 20 | 200 |
 * | Bergen (North) | 2025 Q3 September | ann | 5 | 50 |
 * | Rome (South) | 2025 Q3 September | cat | 7 | 70 |
 * | Rome (South) | 2025 Q4 November | ann | 1 | 10 |
 * | Bergen (North) | 2026 Q1 January | bob | 4 | 44 |
 *
 * Paris (South) has sold nothing.
 */
export const STORE_TABLES: readonly string[] = [
  'CREATE TABLE store (store_id INTEGER, region VARCHAR(20), name VARCHAR(20))',
  `INSERT INTO store VALUES (1, 'North', 'Oslo'), (2, 'North', 'Bergen'), (3, 'South', 'Rome'), (4, 'South', 'Paris')`,
  'CREATE TABLE period (period_id INTEGER, year INTEGER, quarter VARCHAR(2), month_no INTEGER, month_name VARCHAR(20))',
  `INSERT INTO period VALUES (1, 2025, 'Q3', 9, 'September'), (2, 2025, 'Q4', 10, 'October'),
     (3, 2025, 'Q4', 11, 'November'), (4, 2026, 'Q1', 1, 'January')`,
  'CREATE TABLE sales (store_id INTEGER, period_id INTEGER, customer VARCHAR(20), units INTEGER, amount DECIMAL(10,2))',
  `INSERT INTO sales VALUES (1, 1, 'ann', 10, 100.5), (1, 2, 'bob', 20, 200), (2, 1, 'ann', 5, 50),
     (3, 1, 'cat', 7, 70), (3, 3, 'ann', 1, 10), (2, 4, 'bob', 4, 44)`,
];

export const STORE_SCHEMA = `<Schema name="Shops">
  <Cube name="Sales" caption="Sales of shops" description="What shops sell." defaultMeasure="Units">
    <Table name="sales"/>
    <Dimension name="Store" foreignKey="store_id">
      <Hierarchy hasAll="true" primaryKey="store_id">
        <Table name="store"/>
        <Level name="Region" column="region" uniqueMembers="true">
          <Annotations><Annotation name="service.semantic.grain">one row for each sales region</Annotation><Annotation name="service.semantic.synonyms">territory, area</Annotation></Annotations>
        </Level>
        <Level name="Shop" caption="Name" column="name" uniqueMembers="true"/>
      </Hierarchy>
    </Dimension>
    <Dimension name="Time" type="TimeDimension" foreignKey="period_id">
      <Hierarchy hasAll="true" primaryKey="period_id">
        <Table name="period"/>
        <Level name="Year" column="year" type="Numeric" uniqueMembers="true" levelType="TimeYears"/>
        <Level name="Quarter" column="quarter" uniqueMembers="false" levelType="TimeQuarters"/>
        <Level name="Month" column="month_no" type="Numeric" captionColumn="month_name" uniqueMembers="false" levelType="TimeMonths"/>
      </Hierarchy>
    </Dimension>
    <Dimension name="Customer">
      <Hierarchy hasAll="true">
        <Level name="Person" caption="Name" column="customer" uniqueMembers="true">
          <Annotations><Annotation name="service.semantic.pii">false</Annotation></Annotations>
        </Level>
      </Hierarchy>
    </Dimension>
    <Dimension name="Buyer">
      <Hierarchy hasAll="true">
        <Level name="Secret Name" column="customer" uniqueMembers="true">
          <Annotations><Annotation name="service.semantic.pii">true</Annotation></Annotations>
        </Level>
      </Hierarchy>
    </Dimension>
    <Measure name="Units" column="units" aggregator="sum" formatString="#,##0" caption="Units sold">
      <Annotations>
        <Annotation name="service.semantic.description">Pieces that left the shop.</Annotation>
        <Annotation name="service.semantic.synonyms">quantity, pieces</Annotation>
        <Annotation name="service.semantic.unit">pcs</Annotation>
      </Annotations>
    </Measure>
    <Measure name="Amount" column="amount" aggregator="sum" formatString="$#,##0.00"/>
    <Measure name="Lines" column="units" aggregator="count" formatString="#,##0"/>
    <Measure name="Customers" column="customer" aggregator="distinct-count" formatString="#,##0"/>
    <Measure name="Margin" column="amount" aggregator="sum">
      <Annotations><Annotation name="service.semantic.pii">true</Annotation></Annotations>
    </Measure>
    <Measure name="Yearly" column="units" aggregator="sum">
      <Annotations><Annotation name="service.semantic.required_filters">Time</Annotation></Annotations>
    </Measure>
    <CalculatedMember name="Price" dimension="Measures" formula="[Measures].[Amount] / [Measures].[Units]" formatString="$#,##0.00"/>
    <CalculatedMember name="Twice Margin" dimension="Measures" formula="[Measures].[Margin] * 2"/>
    <CalculatedMember name="Four Margins" dimension="Measures" formula="[Measures].[Twice Margin] * 2"/>
  </Cube>
  <Cube name="Other"><Table name="sales"/>
    <Dimension name="Customer"><Hierarchy hasAll="true"><Level name="Person" column="customer" uniqueMembers="true"/></Hierarchy></Dimension>
    <Measure name="Units" column="units" aggregator="sum"/>
  </Cube>
  <Role name="north">
    <SchemaGrant access="none">
      <CubeGrant cube="Sales" access="all">
        <HierarchyGrant hierarchy="[Measures]" access="custom">
          <MemberGrant member="[Measures].[Units]" access="all"/>
        </HierarchyGrant>
        <HierarchyGrant hierarchy="[Store]" access="custom" rollupPolicy="partial">
          <MemberGrant member="[Store].[North]" access="all"/>
        </HierarchyGrant>
        <HierarchyGrant hierarchy="[Customer]" access="none"/>
      </CubeGrant>
    </SchemaGrant>
  </Role>
  <Role name="south">
    <SchemaGrant access="none">
      <CubeGrant cube="Sales" access="all">
        <HierarchyGrant hierarchy="[Store]" access="custom" topLevel="[Store].[Region]" bottomLevel="[Store].[Region]" rollupPolicy="partial">
          <MemberGrant member="[Store].[South]" access="all"/>
        </HierarchyGrant>
      </CubeGrant>
    </SchemaGrant>
  </Role>
</Schema>`;
