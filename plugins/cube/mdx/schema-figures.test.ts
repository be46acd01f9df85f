import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWarehouse, type TestWarehouse } from '../../../server/warehouse/testing/engines.ts';
import type { MdxCatalog, QueryOptions } from './index.ts';
import { LARGE_LEVELS, openSchema } from './testing/open-schema.ts';

/** Features of members and measures in schemas. Expected figures are computed by SQL over the same rows. */
const TABLES = [
  'CREATE TABLE town (id INTEGER, country VARCHAR(10), state VARCHAR(10), town VARCHAR(10), label VARCHAR(20), rank INTEGER)',
  `INSERT INTO town VALUES (1, 'Italy', 'Lazio', 'Rome', 'Roma', 3), (2, 'Italy', 'Lazio', 'Ostia', 'Ostia Lido', 1), (3, 'Malta', 'Malta', 'Mdina', 'Imdina', 4),
    (4, 'Monaco', 'Monaco', 'Monaco', 'Monaco', 2), (5, 'Togo', NULL, 'Lome', 'Lomé', 6), (6, 'Italy', 'Umbria', 'Terni', 'Terni', 5)`,
  'CREATE TABLE visit (town_id INTEGER, kind INTEGER, month INTEGER, nights INTEGER, price DECIMAL(10,2))',
  `INSERT INTO visit VALUES (1, 1, 2, 2, 100.255), (1, 2, 11, 1, 60.5), (2, 1, 2, 4, -90), (3, 3, 10, 3, 33), (4, 2, 1, 5, NULL), (5, 9, 10, 7, 1234567.5), (6, 1, 1, 8, 0)`,
];

const SCHEMA = `<Schema name="Visits">
  <Parameter name="Least" type="Numeric" defaultValue="5" modifiable="true"/>
  <Parameter name="Fixed" type="Numeric" defaultValue="2 + 1" modifiable="false"/>
  <Cube name="Visits" defaultMeasure="Nights"><Table name="visit"/>
    <Dimension name="Place" foreignKey="town_id"><Hierarchy hasAll="true" primaryKey="id"><Table name="town"/>
      <Level name="Country" column="country" uniqueMembers="true"/>
      <Level name="State" column="state" uniqueMembers="false" hideMemberIf="IfParentsName"/>
      <Level name="Town" column="town" captionColumn="label" ordinalColumn="rank" uniqueMembers="false" hideMemberIf="IfParentsName"/>
    </Hierarchy></Dimension>
    <Dimension name="Blank" foreignKey="town_id"><Hierarchy hasAll="true" primaryKey="id"><Table name="town"/>
      <Level name="Land" column="country" uniqueMembers="true"/>
      <Level name="Region" column="state" uniqueMembers="false" hideMemberIf="IfBlankName"/>
      <Level name="Spot" column="town" uniqueMembers="false"/>
    </Hierarchy></Dimension>
    <Dimension name="Kind" foreignKey="kind"><Hierarchy hasAll="true" primaryKey="k"><InlineTable alias="kinds">
      <ColumnDefs><ColumnDef name="k" type="Integer"/><ColumnDef name="label" type="String"/><ColumnDef name="share" type="Numeric"/></ColumnDefs>
      <Rows>
        <Row><Value column="k">1</Value><Value column="label">Business</Value><Value column="share">0.5</Value></Row>
        <Row><Value column="k">2</Value><Value column="label">Joy's</Value></Row>
        <Row><Value column="k">3</Value><Value column="label">Rest</Value><Value column="share">1.25</Value></Row>
      </Rows>
    </InlineTable><Level name="Kind" column="k" nameColumn="label" type="Integer" uniqueMembers="true"><Property name="Share" column="share" type="Numeric"/></Level></Hierarchy></Dimension>
    <Dimension name="Month"><Hierarchy hasAll="true"><Level name="Month" column="month" type="Integer" uniqueMembers="true">
      <OrdinalExpression><SQL dialect="generic">12 - "month"</SQL></OrdinalExpression>
      <CaptionExpression><SQL dialect="generic">CONCAT('M', "month")</SQL></CaptionExpression></Level></Hierarchy></Dimension>
    <Measure name="Nights" column="nights" aggregator="sum" formatString="#,##0"/>
    <Measure name="Price" column="price" aggregator="sum" formatString="#,##0.00;(#,##0.00);zero;none"/>
    <Measure name="Share" column="nights" aggregator="sum" formatString="0.0%"/>
    <Measure name="Money" column="price" aggregator="max" formatString="Currency"/>
    <Measure name="Plain" column="price" aggregator="min"/>
    <CalculatedMember name="Enough" dimension="Measures" formatString="0"><Formula>Count(Filter([Place].[Town].Members, [Measures].[Nights] &gt;= ParamRef("Least")))</Formula></CalculatedMember>
    <CalculatedMember name="Fix" dimension="Measures" formatString="0"><Formula>ParamRef("Fixed") * 10</Formula></CalculatedMember>
  </Cube>
</Schema>`;

describe.each(LARGE_LEVELS)('figures of a schema on DuckDB, large from %i', (largeLevel) => {
  let on: TestWarehouse;
  let visits: MdxCatalog;
  beforeAll(async () => {
    on = await startWarehouse('duckdb', TABLES);
    visits = openSchema(SCHEMA, on.warehouse, { largeLevel });
  });
  afterAll(async () => {
    await visits.close();
    await on.stop();
  });

  /** Returns the captions of a set's members with their cells, formatted or as values. */
  async function ask(set: string, measure: string, options: QueryOptions = {}) {
    const { axes, cells } = await visits.query(`select ${set} on 0 from Visits where [Measures].[${measure}]`, options);
    return (axes[0]?.tuples ?? []).map(([member], index) => [member?.caption, cells[index]?.value ?? null] as const);
  }
  const formatted = async (set: string, measure: string, options: QueryOptions = {}) =>
    (await visits.query(`select ${set} on 0 from Visits where [Measures].[${measure}]`, options)).cells.map(
      (cell) => cell.formatted,
    );
  const NIGHTS = 'visit JOIN town ON town_id = id';

  /** Returns rows of SQL, each with a text and a number. */
  async function sql(text: string) {
    const { values, rowCount } = await on.warehouse.query({ sql: text, parameters: [] }, { maxRows: 100 });
    return Array.from({ length: rowCount }, (_, row) => [values[0]?.[row] ?? null, number(values[1]?.[row] ?? null)]);
  }
  const number = (value: unknown) => (value === null ? null : Number(value));

  it('hides members of ragged levels and keeps their figures', async () => {
    expect(await ask('[Place].[Country].Members', 'Nights')).toEqual(
      await sql(`SELECT country, SUM(nights) FROM ${NIGHTS} GROUP BY 1 ORDER BY 1`),
    );
    // Malta in Malta, Monaco in Monaco and the town Monaco are hidden. Their figures are part of the country's.
    expect(await ask('[Place].[State].Members', 'Nights')).toEqual(
      await sql(
        `SELECT state, SUM(nights) FROM ${NIGHTS} WHERE state <> country GROUP BY country, state ORDER BY country, state`,
      ),
    );
    expect(await ask('[Place].[Malta].Children', 'Nights')).toEqual(
      await sql(`SELECT label, SUM(nights) FROM ${NIGHTS} WHERE country = 'Malta' GROUP BY 1`),
    );
    expect(await ask('[Place].[Monaco].Children', 'Nights')).toEqual([]);
    expect(await ask('{[Place].[Malta].FirstChild.Parent}', 'Nights')).toEqual([['Malta', 3]]);
    expect(await ask('Descendants([Blank].[Togo])', 'Nights')).toEqual([
      ['Togo', 7],
      ['Lome', 7],
    ]);
  });

  it('reads inline tables, with an omitted value', async () => {
    // A visit of a kind that the table does not have counts only in the total of all visits.
    expect(await ask('[Kind].Members', 'Nights')).toEqual([
      ...(await sql("SELECT 'All Kinds', SUM(nights) FROM visit")),
      ...(await sql(
        "SELECT CASE kind WHEN 1 THEN 'Business' WHEN 2 THEN 'Joy''s' ELSE 'Rest' END, SUM(nights) FROM visit WHERE kind <> 9 GROUP BY kind ORDER BY 1",
      )),
    ]);
    const { axes } = await visits.query(
      'select [Kind].[Kind].Members dimension properties [Kind].[Share] on 0 from Visits',
    );
    expect(axes[0]?.memberValues.map(([values]) => values)).toEqual([[0.5], [null], [1.25]]);
  });

  it('sorts by an ordinal column and by an expression, numbers as numbers', async () => {
    expect(await ask('[Place].[Italy].[Lazio].Children', 'Nights')).toEqual(
      await sql(`SELECT label, SUM(nights) FROM ${NIGHTS} WHERE state = 'Lazio' GROUP BY label, rank ORDER BY rank`),
    );
    expect(await ask('[Month].[Month].Members', 'Nights')).toEqual(
      await sql("SELECT 'M' || month, SUM(nights) FROM visit GROUP BY month ORDER BY 12 - month"),
    );
  });

  it('shows captions of a column and of an expression, and finds members by their names', async () => {
    expect(await ask('{[Place].[Italy].[Lazio].[Rome], [Place].[Togo].[#null].[Lome]}', 'Nights')).toEqual(
      await sql(
        `SELECT label, SUM(nights) FROM ${NIGHTS} WHERE town IN ('Rome', 'Lome') GROUP BY label, id ORDER BY id`,
      ),
    );
    expect(await ask('{[Month].[11]}', 'Nights')).toEqual([['M11', 1]]);
    await expect(ask('{[Month].[M11]}', 'Nights')).rejects.toThrow("MDX object '[Month].[M11]' not found");
  });

  it('sets the values of parameters, and lets the caller set them if that is allowed', async () => {
    const [[, five] = []] = await sql(
      "SELECT 'n', COUNT(*) FROM (SELECT 1 FROM visit GROUP BY town_id HAVING SUM(nights) >= 5 AND town_id <> 4)",
    );
    const [[, seven] = []] = await sql(
      "SELECT 'n', COUNT(*) FROM (SELECT 1 FROM visit GROUP BY town_id HAVING SUM(nights) >= 7 AND town_id <> 4)",
    );
    expect(await ask('{[Place].DefaultMember}', 'Enough')).toEqual([['All Places', five]]);
    expect(await ask('{[Place].DefaultMember}', 'Enough', { parameters: { Least: '7' } })).toEqual([
      ['All Places', seven],
    ]);
    expect(await ask('{[Place].DefaultMember}', 'Fix')).toEqual([['All Places', 30]]);
    await expect(ask('{[Place].DefaultMember}', 'Fix', { parameters: { Fixed: '4' } })).rejects.toThrow('Fixed');
  });

  it('formats measures: with sections, in percent, by a named format, and without a format', async () => {
    const towns =
      '{[Place].[Italy].[Lazio].Children, [Place].[Italy].[Umbria].[Terni], [Place].[Monaco], [Place].[Togo]}';
    expect(await ask(towns, 'Price')).toEqual(
      await sql(
        `SELECT label, SUM(price) FROM ${NIGHTS} WHERE id IN (2, 1, 6) GROUP BY label, id ORDER BY CASE id WHEN 2 THEN 0 WHEN 1 THEN 1 ELSE 2 END`,
      ).then((rows) => [...rows, ['Monaco', null], ['Togo', 1_234_567.5]]),
    );
    expect(await formatted(towns, 'Price')).toEqual(['(90.00)', '160.76', 'zero', 'none', '1,234,567.50']);
    expect(await formatted(towns, 'Share')).toEqual(['400.0%', '300.0%', '800.0%', '500.0%', '700.0%']);
    expect(await formatted('{[Place].[Malta], [Place].[Togo]}', 'Money')).toEqual(['$33.00', '$1,234,567.50']);
    expect(await formatted('{[Place].[Italy].[Lazio], [Place].[Togo]}', 'Plain')).toEqual(['-90', '1,234,567.5']);
  });
});
