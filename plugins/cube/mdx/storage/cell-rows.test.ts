import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { startWarehouse, type TestWarehouse } from '../../../../server/warehouse/testing/engines.ts';
import type { MdxCatalog } from '../index.ts';
import { resultText } from '../query/cell-set-text.ts';
import { openSchema } from '../testing/open-schema.ts';
import { type Recorded, recorded } from '../testing/recorded.ts';

const SCHEMA = `<Schema name="S"><Cube name="Sales"><Table name="sale"/>
  <Dimension name="Day"><Hierarchy hasAll="true"><Level name="Day" column="day" uniqueMembers="true"/></Hierarchy></Dimension>
  <Dimension name="Product"><Hierarchy hasAll="true"><Level name="Product" column="product" type="Numeric" uniqueMembers="true"/></Hierarchy></Dimension>
  <Dimension name="Region"><Hierarchy hasAll="true"><Level name="Region" column="region" uniqueMembers="true"/></Hierarchy></Dimension>
  <Measure name="Amount" column="amount" aggregator="sum" formatString="#,##0.00"/>
  <Measure name="Cost" column="cost" aggregator="sum" formatString="0;(0);;none"/>
  <Measure name="Sales" column="product" aggregator="count"/>
  <Measure name="Days" column="day" aggregator="distinct-count"/>
  <CalculatedMember name="Margin" dimension="Measures" formula="[Measures].[Amount] - [Measures].[Cost]"/>
</Cube><Role name="north"><SchemaGrant access="all"><CubeGrant cube="Sales" access="all">
  <HierarchyGrant hierarchy="[Region]" access="custom" rollupPolicy="partial"><MemberGrant member="[Region].[north]" access="all"/></HierarchyGrant>
</CubeGrant></SchemaGrant></Role></Schema>`;

/** 33,000 pairs, of which about 9,000 have sales: enough that the warehouse finds them, and that their cells are kept in columns. */
const TABLE = `CREATE TABLE sale AS SELECT 'd' || (hash(i) % 300) AS day, (hash(i * 7 + 1) % 110)::INTEGER AS product,
  CASE hash(i * 11) % 3 WHEN 0 THEN 'north' WHEN 1 THEN 'south' END AS region,
  CASE WHEN hash(i * 13) % 5 > 0 THEN ((hash(i * 3) % 1000000) / 100.0)::DECIMAL(10,2) END AS amount,
  CASE WHEN hash(i * 17) % 5 > 2 THEN (hash(i * 5) % 9000)::INTEGER - 4500 END AS cost FROM range(10000) t(i)`;

const PAIRS = '[Day].[Day].Members * [Product].[Product].Members';
const [COLUMNS, SLICED, OTHER_WAY, THREE, CALCULATED, ROW_BY_ROW, ONE] = [
  `SELECT {[Measures].[Amount], [Measures].[Cost], [Measures].[Sales], [Measures].[Days]} ON 0, NON EMPTY ${PAIRS} ON 1 FROM Sales`,
  `SELECT {[Measures].[Amount], [Measures].[Cost]} ON 0, NON EMPTY ${PAIRS} ON 1 FROM Sales WHERE [Region].[north]`,
  `SELECT NON EMPTY ${PAIRS} ON 0, {[Measures].[Cost], [Measures].[Amount]} ON 1 FROM Sales`,
  `SELECT {[Measures].[Amount], [Measures].[Cost]} ON 0, [Region].Members ON 1, NON EMPTY ${PAIRS} ON 2 FROM Sales`,
  `SELECT {[Measures].[Margin], [Measures].[Amount]} ON 0, NON EMPTY ${PAIRS} ON 1 FROM Sales`,
  `SELECT {[Measures].[Amount]} ON 0, Filter(${PAIRS}, [Measures].[Cost] > 4000) ON 1 FROM Sales`,
  'SELECT {[Measures].[Amount], [Measures].[Cost]} ON 0, {[Day].[d7]} * [Product].[Product].Members ON 1 FROM Sales',
];
const FILLED = `NonEmptyCrossJoin([Day].[Day].Members, [Product].[Product].Members)`;
/** Sets of which a condition leaves out tuples without a value, as the typed queries write them. */
const CONDITIONS = [
  `Head(Filter(${FILLED}, NOT IsEmpty([Measures].[Amount]) OR NOT IsEmpty([Measures].[Cost])), 100000)`,
  `Head(Filter(${FILLED}, NOT IsEmpty([Measures].[Cost])), 2000)`,
  `Filter(${FILLED}, NOT (([Measures].[Cost]) IS EMPTY))`,
  `Filter(${FILLED}, IsEmpty([Measures].[Cost]) OR NOT IsEmpty([Measures].[Amount]))`,
  `Filter(${FILLED}, NOT IsEmpty([Measures].[Margin]))`,
  `Filter(${FILLED}, NOT IsEmpty(([Measures].[Cost], [Region].[north])))`,
  `Generate({[Region].[north], [Region].[All Regions]}, Filter(${FILLED}, NOT IsEmpty([Measures].[Cost])), ALL)`,
].map((set) => `SELECT {[Measures].[Cost], [Measures].[Amount]} ON 0, ${set} ON 1 FROM Sales`);
const QUERIES = [COLUMNS, SLICED, OTHER_WAY, THREE, CALCULATED, ROW_BY_ROW, ONE, ...CONDITIONS];

describe('cells of many combinations', () => {
  let on: TestWarehouse;
  let record: Recorded;
  const open = (options: Parameters<typeof openSchema>[2] = {}) => openSchema(SCHEMA, record.warehouse, options);
  const text = async (catalog: MdxCatalog, mdx: string, role?: string) =>
    resultText(await catalog.query(mdx, { roles: role === undefined ? undefined : [role] }));

  beforeAll(async () => {
    on = await startWarehouse('duckdb', [TABLE]);
    record = recorded(on.warehouse);
  });
  afterAll(() => on?.stop());
  afterEach(() => vi.restoreAllMocks());

  it('are the same as cells that are evaluated one by one, in any order of the queries', {
    timeout: 120_000,
  }, async () => {
    const plain = open({ pushdown: false });
    const asked = [...QUERIES.map((mdx) => ({ mdx, role: undefined })), { mdx: COLUMNS, role: 'north' }];
    const expected: string[] = [];
    for (const { mdx, role } of asked) expected.push(await text(plain, mdx, role));
    const cases = asked.map((each, index) => ({ ...each, expected: expected[index] }));
    for (const order of [cases, cases.toReversed()]) {
      const catalog = open();
      for (const { mdx, role, expected: answer } of order) {
        // From the warehouse, and from memory.
        expect(await text(catalog, mdx, role), mdx).toBe(answer);
        expect(await text(catalog, mdx, role), mdx).toBe(answer);
      }
      await catalog.close();
    }
    expect(expected.join()).not.toContain('Error');
    await plain.close();
  });

  it('are the cells of the table', async () => {
    const catalog = open();
    const { cells, axes } = await catalog.query(
      `SELECT {[Measures].[Amount], [Measures].[Cost]} ON 0, NON EMPTY ${PAIRS} ON 1 FROM Sales`,
    );
    const { values, rowCount } = await on.warehouse.query(
      {
        sql: 'SELECT day, product, SUM(amount)::DOUBLE, SUM(cost)::DOUBLE FROM sale GROUP BY 1, 2 HAVING COALESCE(SUM(amount), SUM(cost)) IS NOT NULL ORDER BY 1, 2',
        parameters: [],
      },
      { maxRows: 100_000 },
    );
    expect(rowCount).toBeGreaterThan(5_000);
    expect(axes[1]?.tuples.map((tuple) => tuple.map(({ name }) => name).join(' '))).toEqual(
      values[0]?.map((day, row) => `${day} ${values[1]?.[row]}`),
    );
    expect(cells.map(({ value }) => value)).toEqual(
      Array.from({ length: rowCount * 2 }, (_, index) => values[2 + (index % 2)]?.[Math.floor(index / 2)]),
    );
    await catalog.close();
  });

  it('are read once for other queries about some of them', async () => {
    const catalog = open();
    await catalog.query(COLUMNS);
    const [first] = (await catalog.query(COLUMNS)).axes[1]?.tuples ?? [];
    const [day, product] = first?.map(({ uniqueName }) => uniqueName) ?? [];
    record.clear();
    await catalog.query(`SELECT {[Measures].[Cost]} ON 0, {(${day}, ${product})} ON 1 FROM Sales`);
    expect(record.statements).toEqual([]);
    await catalog.close();
  });

  it('are read again where the memory has no room for them', async () => {
    const [small, plain] = [open({ maxBytes: 1_000 }), open({ pushdown: false })];
    for (const mdx of [COLUMNS, SLICED, COLUMNS]) expect(await text(small, mdx)).toBe(await text(plain, mdx));
    await Promise.all([small.close(), plain.close()]);
  });

  it('are the same wherever the query yields the event loop', async () => {
    const catalog = open();
    const expected = await text(catalog, THREE);
    for (const ticks of [[0], [30], [0, 0, 30, 1]]) {
      let [now, calls] = [0, 0];
      vi.spyOn(performance, 'now').mockImplementation(() => {
        now += (ticks[calls++ % ticks.length] ?? 0) + 0.001;
        return now;
      });
      expect(await text(catalog, THREE)).toBe(expected);
      vi.restoreAllMocks();
    }
    await catalog.close();
  });
});
