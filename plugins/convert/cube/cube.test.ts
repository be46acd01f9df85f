/**
 * Converts cubes to documents and compares the warehouse's answers with figures by hand, or from the data set's
 * description.
 */

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { titleNeeding } from '../../../router/testing/not-run.ts';
import { loadSqlLibrary } from '../../query-surface/index.ts';
import { lintDocument, writeOsi } from '../../semantic/index.ts';
import { openOn } from '../../semantic/testing/engine-fixture.ts';
import type { Fixture } from '../../semantic/testing/fixture.ts';
import { convertCube } from './convert-cube.ts';

await loadSqlLibrary();

async function open(tables: readonly string[], schema: string, cube?: string): Promise<Fixture> {
  const { model, problems } = convertCube({ name: 'schema.xml', text: schema }, { cube });
  if (model === undefined) throw new Error(JSON.stringify(problems));
  return openOn('duckdb', tables, { document: writeOsi(model) });
}
const group = (dataset: string, field: string) => ({ rows: [{ dataset, field }] });
const values = (...metrics: readonly string[]) => ({ values: metrics.map((metric) => ({ metric })) });

const SHIPPING = `<?xml version="1.0"?>
<Schema name="shipping">
  <Dimension name="Day" type="TimeDimension">
    <Hierarchy hasAll="true" primaryKey="id">
      <Table name="days"/>
      <Level name="Year" column="year" type="Integer" uniqueMembers="true" levelType="TimeYears"/>
    </Hierarchy>
  </Dimension>
  <Cube name="Orders">
    <Table name="orders"/>
    <DimensionUsage name="Day" source="Day" foreignKey="ordered_on"/>
    <DimensionUsage name="Shipped" source="Day" foreignKey="shipped_on"/>
    <Dimension name="Product" foreignKey="product_id">
      <Hierarchy hasAll="true" primaryKey="id" primaryKeyTable="products">
        <Join leftKey="maker_id" rightKey="id">
          <Table name="products"/>
          <View alias="makers"><SQL dialect="generic">SELECT * FROM all_makers WHERE active</SQL></View>
        </Join>
        <Level name="Maker" table="makers" column="name" caption="Made by" uniqueMembers="true"/>
        <Level name="Product" table="products" column="id" nameColumn="title" uniqueMembers="true">
          <Property name="Weight (kg)" column="weight" type="Numeric"/>
        </Level>
      </Hierarchy>
    </Dimension>
    <Dimension name="Channel">
      <Hierarchy hasAll="true"><Level name="Channel" column="channel" uniqueMembers="true"/></Hierarchy>
    </Dimension>
    <Measure name="Amount" column="amount" aggregator="sum" formatString="#,##0.00"/>
    <Measure name="Lines" aggregator="count" column="id"/>
    <Measure name="Dearest" column="amount" aggregator="max"/>
    <Measure name="Cheapest" column="amount" aggregator="min"/>
    <Measure name="Mean" column="amount" aggregator="avg"/>
    <Measure name="Products" column="product_id" aggregator="distinct-count"/>
    <Measure name="Net" aggregator="sum">
      <MeasureExpression>
        <SQL dialect="mysql">\`orders\`.\`amount\` - fee</SQL>
        <SQL dialect="generic">"orders"."amount" - fee</SQL>
      </MeasureExpression>
    </Measure>
    <CalculatedMember name="Per Line" dimension="Measures" formula="[Measures].[Amount] / [Measures].[Lines]"/>
    <CalculatedMember name="Twice the Fees" dimension="Measures" formula="2 * ([Measures].[Amount] - Measures.[Net])"/>
    <CalculatedMember name="Share" dimension="Measures" formula="[Measures].[Amount] / ([Measures].[Amount], [Channel].Parent)"/>
  </Cube>
  <Cube name="Returns">
    <Table name="returns"/>
    <DimensionUsage name="Day" source="Day" foreignKey="day_id"/>
    <Measure name="Returned" column="pieces" aggregator="sum"/>
  </Cube>
  <VirtualCube name="Both">
    <VirtualCubeDimension name="Day"/>
    <VirtualCubeMeasure cubeName="Orders" name="[Measures].[Amount]"/>
    <VirtualCubeMeasure cubeName="Returns" name="[Measures].[Returned]"/>
  </VirtualCube>
</Schema>`;

const TABLES = [
  'CREATE TABLE days (id INTEGER, year INTEGER)',
  'INSERT INTO days VALUES (1, 2023), (2, 2024)',
  'CREATE TABLE all_makers (id INTEGER, name VARCHAR, active BOOLEAN)',
  "INSERT INTO all_makers VALUES (1, 'Acme', TRUE), (2, 'Bolt', TRUE), (3, 'Gone', FALSE)",
  'CREATE TABLE products (id INTEGER, title VARCHAR, maker_id INTEGER, weight INTEGER)',
  "INSERT INTO products VALUES (1, 'Anvil', 1, 50), (2, 'Screw', 2, 1), (3, 'Nut', 2, 1)",
  'CREATE TABLE orders (id INTEGER, ordered_on INTEGER, shipped_on INTEGER, product_id INTEGER, channel VARCHAR, amount INTEGER, fee INTEGER)',
  "INSERT INTO orders VALUES (1, 1, 1, 1, 'web', 100, 10), (2, 1, 2, 2, 'web', 20, 2), (3, 2, 2, 3, 'shop', 30, 3)",
  'CREATE TABLE returns (day_id INTEGER, pieces INTEGER)',
  'INSERT INTO returns VALUES (1, 4), (2, 5), (2, 1)',
];

describe('a cube', () => {
  let orders: Fixture;
  beforeAll(async () => {
    orders = await open(TABLES, SHIPPING, 'Orders');
  });
  afterAll(() => orders.close());

  it('becomes a document that loads completely and without remarks', async () => {
    expect(orders.problems).toEqual([]);
    const { model } = convertCube({ name: 'schema.xml', text: SHIPPING }, { cube: 'Orders' });
    expect(model && (await lintDocument(writeOsi(model))).problems).toEqual([]);
  });

  it('answers every kind of measure over a snowflake', async () => {
    const request = {
      ...group('makers', 'maker'),
      ...values('amount', 'lines', 'dearest', 'cheapest', 'mean', 'products', 'net'),
    };
    expect(await orders.table(request)).toEqual([
      ['Acme', 100, 1, 100, 100, 100, 1, 90],
      ['Bolt', 50, 2, 30, 20, 25, 2, 45],
    ]);
  });

  it('computes calculated members that are arithmetic', async () => {
    // 150 / 3 lines; 2 * (10 + 2 + 3).
    expect(await orders.table(values('per_line', 'twice_the_fees'))).toEqual([[50, 30]]);
  });

  it('keeps roles of one table apart, and degenerate dimensions in the facts', async () => {
    expect(await orders.table({ ...group('days', 'year'), ...values('amount') })).toEqual([
      [2023, 120],
      [2024, 30],
    ]);
    expect(await orders.table({ ...group('shipped', 'year'), ...values('amount') })).toEqual([
      [2023, 100],
      [2024, 50],
    ]);
    expect(await orders.table({ ...group('orders', 'channel'), ...values('amount') })).toEqual([
      ['shop', 30],
      ['web', 120],
    ]);
  });

  it('keeps captions, and finds elements by their names in the cube', async () => {
    const request = { ...group('products', 'Weight (kg)'), ...values('Per Line') };
    const { columns } = await orders.run({
      rows: [...request.rows, ...group('makers', 'maker').rows],
      values: request.values,
    });
    expect(columns.map(({ label }) => label)).toEqual(['Weight (kg)', 'Made by', 'Per Line']);
  });

  it('with several facts answers each at the grain of the query', async () => {
    const both = await open(TABLES, SHIPPING, 'Both');
    expect(await both.table({ ...group('days', 'year'), ...values('amount', 'returned') })).toEqual([
      [2023, 120, 4],
      [2024, 30, 6],
    ]);
    await both.close();
  });
});

it('an element that the document cannot contain is a warning with its line', () => {
  const { problems } = convertCube({ name: 'schema.xml', text: SHIPPING }, { cube: 'Orders' });
  const line = SHIPPING.split('\n').findIndex((text) => text.includes('name="Share"')) + 1;
  expect(problems).toEqual([
    {
      severity: 'warning',
      file: 'schema.xml',
      line,
      message: 'measure Share: left out: it is more than arithmetic over measures.',
    },
  ]);
});

it('a schema of several cubes is refused without a name, and with an unknown name', () => {
  const of = (cube?: string) =>
    convertCube({ name: 'schema.xml', text: SHIPPING }, { cube }).problems.map(({ message }) => message);
  expect(of()).toEqual(['The schema has several cubes; name one with --cube: Orders, Returns, Both.']);
  expect(of('Sales')).toEqual(['There is no cube Sales in the schema; it has: Orders, Returns, Both.']);
});

const CALENDAR = `<Schema name="time">
  <Cube name="Visits">
    <Table name="visits"/>
    <Dimension name="Day" type="TimeDimension" foreignKey="day">
      <Hierarchy hasAll="true" primaryKey="date">
        <Table name="days"/>
        <Level name="Year" column="y" type="Numeric" uniqueMembers="true" levelType="TimeYears"/>
        <Level name="Fiscal Quarter" column="fq" uniqueMembers="false" levelType="TimeQuarters"/>
        <Level name="Month" column="m" type="Numeric" captionColumn="month_name" uniqueMembers="false" levelType="TimeMonths">
          <Property name="Season" column="season"/>
        </Level>
        <Level name="Week" column="week" type="Numeric" uniqueMembers="false" levelType="TimeWeeks"/>
        <Level name="Date" column="date" type="Date" uniqueMembers="true" levelType="TimeDays"/>
      </Hierarchy>
    </Dimension>
    <Dimension name="Ended" type="TimeDimension">
      <Hierarchy hasAll="true">
        <Level name="End Year" uniqueMembers="true" levelType="TimeYears">
          <KeyExpression><SQL dialect="generic">EXTRACT(YEAR FROM "visits"."ended_at")</SQL></KeyExpression>
        </Level>
        <Level name="End Month" uniqueMembers="false" levelType="TimeMonths">
          <KeyExpression><SQL dialect="generic">EXTRACT(MONTH FROM "visits"."ended_at")</SQL></KeyExpression>
        </Level>
      </Hierarchy>
    </Dimension>
    <Measure name="Visits" column="id" aggregator="count"/>
  </Cube>
</Schema>`;

describe('levels of time', () => {
  let visits: Fixture;
  beforeAll(async () => {
    visits = await open(
      [
        'CREATE TABLE days (date DATE, y INTEGER, fq VARCHAR, m INTEGER, month_name VARCHAR, season VARCHAR, week INTEGER)',
        `INSERT INTO days VALUES ('2024-01-31', 2024, 'Q4', 1, 'January', 'winter', 5), ('2024-02-01', 2024, 'Q4', 2, 'February', 'winter', 5),
          ('2024-04-01', 2024, 'Q1', 4, 'April', 'spring', 14)`,
        'CREATE TABLE visits (id INTEGER, day DATE, ended_at TIMESTAMP)',
        `INSERT INTO visits VALUES (1, '2024-01-31', '2024-02-01 00:10:00'), (2, '2024-02-01', '2024-02-01 09:00:00'),
          (3, '2024-02-01', '2024-02-01 10:00:00'), (4, '2024-04-01', '2024-04-01 10:00:00')`,
      ],
      CALENDAR,
    );
  });
  afterAll(() => visits.close());

  it('that are years and months of a date are its grains; other levels stay fields', () => {
    const { model, problems } = convertCube({ name: 'time.xml', text: CALENDAR });
    expect(problems).toEqual([]);
    const fields = model?.datasets.map(({ name, fields }) => [name, fields?.map((field) => field.name)]);
    expect(fields).toEqual([
      ['visits', ['ended_at']],
      ['days', ['fiscal_quarter', 'season', 'week', 'date']],
    ]);
    const [date] = model?.datasets[1]?.fields?.slice(-1) ?? [];
    expect(date).toMatchObject({
      dimension: { is_time: true },
      description: 'Its grains are levels of the cube: year (Year), month (Month).',
    });
  });

  it('answer as the levels did', async () => {
    expect(visits.problems).toEqual([]);
    const by = (dataset: string, field: string, grain: string) => ({
      rows: [{ dataset, field, grain }],
      ...values('visits'),
    });
    expect(await visits.table(by('days', 'date', 'month'))).toEqual([
      ['2024-01-01', 1],
      ['2024-02-01', 2],
      ['2024-04-01', 1],
    ]);
    // The first visit ended after midnight.
    expect(await visits.table(by('visits', 'ended_at', 'month_of_year'))).toEqual([
      [2, 3],
      [4, 1],
    ]);
    expect(await visits.table({ ...group('days', 'season'), ...values('visits') })).toEqual([
      ['spring', 1],
      ['winter', 3],
    ]);
  });
});

const FOODMART = new URL('../../../../shared/foodmart/', import.meta.url);
const FOODMART_MISSING = existsSync(FOODMART)
  ? undefined
  : 'the data set FoodMart is not here: put it into ../shared/foodmart';

describe.skipIf(FOODMART_MISSING !== undefined)(titleNeeding('FoodMart', FOODMART_MISSING), () => {
  const schema = FOODMART_MISSING === undefined ? readFileSync(new URL('FoodMart.xml', FOODMART), 'utf8') : '';
  let sales: Fixture;
  const tables = () => [
    readFileSync(new URL('schema.sql', FOODMART), 'utf8'),
    ...readdirSync(FOODMART)
      .filter((name) => name.endsWith('.csv'))
      .map((name) => {
        const file = fileURLToPath(new URL(name, FOODMART)).replaceAll("'", "''");
        return `COPY "${name.replace(/\.csv$/, '')}" FROM '${file}' (HEADER, DELIMITER ',', QUOTE '"', ESCAPE '"', NULLSTR '')`;
      }),
  ];
  beforeAll(async () => {
    sales = await open(tables(), schema, 'Sales');
  });
  afterAll(() => sales.close());

  it('gives its known totals', async () => {
    expect(sales.problems).toEqual([]);
    expect(await sales.table({ ...group('customer', 'gender'), ...values('unit_sales') })).toEqual([
      ['F', 131_558],
      ['M', 135_215],
    ]);
    expect(await sales.table({ ...group('product_class', 'Product Family'), ...values('Unit Sales') })).toEqual([
      ['Drink', 24_597],
      ['Food', 191_940],
      ['Non-Consumable', 50_236],
    ]);
    expect(await sales.table(values('customer_count', 'store_sales', 'promotion_sales', 'profit'))).toEqual([
      [5_581, 565_238.13, 151_211.21, expect.closeTo(565_238.13 - 225_627.2336, 4)],
    ]);
  });

  it.each(['Warehouse', 'Store', 'HR', 'Sales Ragged', 'Sales 2', 'Warehouse and Sales'])(
    'the cube %s becomes a document with remarks only on names of personal data',
    async (cube) => {
      const { model } = convertCube({ name: 'FoodMart.xml', text: schema }, { cube });
      const problems = model && (await lintDocument(writeOsi(model))).problems;
      expect(problems?.filter(({ message }) => !message.includes('by its name it may hold'))).toEqual([]);
    },
  );
});
