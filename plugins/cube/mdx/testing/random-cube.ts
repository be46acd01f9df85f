import fc from 'fast-check';
import type { Warehouse } from '../../../../router/capabilities/warehouse.ts';
import { SEED } from '../../../../router/testing/seed.ts';
import { type CatalogOptions, type MdxCatalog, resultText } from '../index.ts';
import { openSchema } from './open-schema.ts';

/** Small cubes with random facts, and random queries of the kinds that the warehouse may compute in part. */

const SCHEMA = `<Schema name="Random">
  <Cube name="C">
    <Table name="fact"/>
    <Dimension name="Shop" foreignKey="shop">
      <Hierarchy hasAll="true" primaryKey="id">
        <Table name="shop"/>
        <Level name="Region" column="region" uniqueMembers="true"/>
        <Level name="Town" column="town" uniqueMembers="false"/>
        <Level name="Shop" column="id" type="Numeric" nameColumn="name" ordinalColumn="rank" uniqueMembers="true"/>
      </Hierarchy>
    </Dimension>
    <Dimension name="Item">
      <Hierarchy hasAll="true"><Level name="Item" column="item" uniqueMembers="true"/></Hierarchy>
    </Dimension>
    <Dimension name="Year">
      <Hierarchy hasAll="false"><Level name="Year" column="year" type="Numeric" uniqueMembers="true"/></Hierarchy>
    </Dimension>
    <Measure name="Sum" column="amount" aggregator="sum"/>
    <Measure name="Rows" aggregator="count" column="year"/>
    <Measure name="Least" column="amount" aggregator="min"/>
    <Measure name="Items" column="item" aggregator="distinct-count"/>
    <CalculatedMember name="Both" dimension="Measures" formula="[Measures].[Sum] - [Measures].[Rows]"/>
    <CalculatedMember name="Mean" dimension="Measures" formula="[Measures].[Sum] / [Measures].[Rows]"/>
    <CalculatedMember name="Share" dimension="Measures" formula="([Measures].[Both] * 2 - -[Measures].[Items]) / ([Measures].[Sum] + [Measures].[Rows] * 0.1)"/>
    <CalculatedMember name="Weighted" dimension="Measures" formula="-[Measures].[Sum] * [Measures].[Items] / [Measures].[Rows] * 0.3 + [Measures].[Mean]"/>
    <CalculatedMember name="Never empty" dimension="Measures" formula="[Measures].[Sum] + 1"/>
    <CalculatedMember name="Elsewhere" dimension="Measures" formula="([Measures].[Sum], [Item].[i1])"/>
  </Cube>
  <Role name="some">
    <SchemaGrant access="none">
      <CubeGrant cube="C" access="all">
        <HierarchyGrant hierarchy="[Shop]" access="custom" rollupPolicy="partial">
          <MemberGrant member="[Shop].[r0]" access="all"/>
        </HierarchyGrant>
      </CubeGrant>
    </SchemaGrant>
  </Role>
</Schema>`;

interface Fact {
  readonly shop: number;
  readonly item: number;
  readonly year: number;
  readonly amount: number | null;
}

/** Facts with ties, nulls and negative amounts. Shops 0 to 11 exist, also those that sold nothing. */
const facts: fc.Arbitrary<readonly Fact[]> = fc.array(
  fc.record({
    shop: fc.integer({ min: 0, max: 11 }),
    item: fc.integer({ min: 0, max: 3 }),
    year: fc.integer({ min: 2020, max: 2021 }),
    amount: fc.option(fc.integer({ min: -2, max: 4 })),
  }),
  { minLength: 1, maxLength: 25 },
);

export function tablesOf(rows: readonly Fact[]): readonly string[] {
  const shops = Array.from(
    { length: 12 },
    (_, id) => `(${id}, 'Shop ${id % 7}', 'r${id % 3}', 't${id % 2}', ${-id % 5})`,
  );
  // Every item and year exists, so that queries can name it.
  const named = [0, 1, 2, 3].map((item): Fact => ({ shop: 0, item, year: 2020 + (item % 2), amount: null }));
  const values = [...named, ...rows].map(
    ({ shop, item, year, amount }) => `(${shop}, 'i${item}', ${year}, ${amount ?? 'NULL'})`,
  );
  return [
    'CREATE TABLE shop (id INTEGER, name VARCHAR(20), region VARCHAR(20), town VARCHAR(20), rank INTEGER)',
    `INSERT INTO shop VALUES ${shops.join(', ')}`,
    'CREATE TABLE fact (shop INTEGER, item VARCHAR(20), year INTEGER, amount INTEGER)',
    `INSERT INTO fact VALUES ${values.join(', ')}`,
  ];
}

const measure = fc.constantFrom('Sum', 'Rows', 'Least', 'Items').map((name) => `[Measures].[${name}]`);
const anyMeasure = fc
  .constantFrom('Sum', 'Rows', 'Least', 'Items', 'Both', 'Mean', 'Share', 'Weighted', 'Never empty', 'Elsewhere')
  .map((name) => `[Measures].[${name}]`);
const shops = fc.constantFrom(
  '[Shop].[Shop].Members',
  '[Shop].[Town].Members',
  '[Shop].[r0].Children',
  'Descendants([Shop].[r1], [Shop].[Shop])',
  'Descendants([Shop].[All Shops], [Shop].[Town])',
  '{[Shop].[r0], [Shop].[r2]}',
  'Hierarchize({[Shop].[r2], [Shop].[r0]})',
);
const items = fc.constantFrom(
  '[Item].[Item].Members',
  'Hierarchize({[Item].[i2], [Item].[i0]})',
  'Hierarchize({[Item].[i2], [Item].[i0]}, POST)',
  '{[Item].[i2], [Item].[i0]}',
  '[Item].[All Items].Children',
);
const condition = fc.oneof(
  fc
    .tuple(measure, fc.constantFrom('>', '>=', '<', '<=', '=', '<>'), fc.integer({ min: -2, max: 5 }))
    .map(([of, op, value]) => `${of} ${op} ${value}`),
  fc
    .tuple(measure, measure, fc.integer({ min: -2, max: 5 }))
    .map(([left, right, value]) => `${left} > ${value} AND 3 >= ${right}`),
  fc.tuple(measure, measure).map(([left, right]) => `${left} > 1 OR ${right} < 0`),
);
const product = fc.oneof(
  shops,
  items,
  fc.tuple(shops, items).map(([left, right]) => `CrossJoin(${left}, ${right})`),
  fc.tuple(items, shops).map(([left, right]) => `${left} * ${right}`),
);
const count = fc.integer({ min: 0, max: 6 });
const filtered = fc.tuple(product, condition).map(([set, test]) => `Filter(${set}, ${test})`);
const set = fc.oneof(
  product,
  filtered,
  shops.map((of) => `Filter(${of}, [Shop].CurrentMember.Name = "Shop 3")`),
  fc.tuple(shops, items).map(([left, right]) => `NonEmptyCrossJoin(${left}, ${right})`),
  fc.tuple(fc.oneof(product, filtered), count, anyMeasure).map(([of, n, by]) => `TopCount(${of}, ${n}, ${by})`),
  fc.tuple(fc.oneof(product, filtered), count, anyMeasure).map(([of, n, by]) => `BottomCount(${of}, ${n}, ${by})`),
  fc.tuple(product, count, anyMeasure).map(([of, n, by]) => `Head(Order(${of}, ${by}, BDESC), ${n})`),
);
/** Sets that are computed from a set, of the same hierarchies. */
type Step = (of: string) => string;
const step: fc.Arbitrary<Step> = fc.oneof(
  condition.map(
    (test): Step =>
      (of) =>
        `Filter(${of}, ${test})`,
  ),
  fc.tuple(count, anyMeasure).map(
    ([n, by]): Step =>
      (of) =>
        `TopCount(${of}, ${n}, ${by})`,
  ),
  fc.tuple(count, anyMeasure).map(
    ([n, by]): Step =>
      (of) =>
        `BottomCount(${of}, ${n}, ${by})`,
  ),
  fc.tuple(count, anyMeasure).map(
    ([n, by]): Step =>
      (of) =>
        `BottomCount(Filter(${of}, NOT IsEmpty(${by})), ${n}, ${by})`,
  ),
  fc.tuple(fc.constantFrom('Head', 'Tail'), anyMeasure, fc.constantFrom('ASC', 'DESC', 'BASC', 'BDESC'), count).map(
    ([end, by, flag, n]): Step =>
      (of) =>
        `${end}(Order(${of}, ${by}, ${flag}), ${n})`,
  ),
  fc.tuple(fc.constantFrom('ASC', 'DESC', 'BASC', 'BDESC'), anyMeasure).map(
    ([flag, by]): Step =>
      (of) =>
        `Order(${of}, ${by}, ${flag})`,
  ),
  count.map(
    (n): Step =>
      (of) =>
        `Head(${of}, ${n})`,
  ),
  // Large groups ranked, with small ones below them: the shape of the cube surface's queries.
  fc.tuple(count, anyMeasure, fc.constantFrom('TopCount', 'BottomCount')).map(
    ([n, by, ranking]): Step =>
      (of) =>
        `Head({${ranking}(Filter(${of}, [Measures].[Rows] >= 2), ${n}, ${by}), Filter(${of}, [Measures].[Rows] < 2)}, ${n})`,
  ),
);
const steps = fc.oneof(
  { weight: 2, arbitrary: fc.constant([]) },
  { weight: 3, arbitrary: fc.array(fc.record({ step, named: fc.boolean() }), { minLength: 1, maxLength: 3 }) },
);

/** The columns and the slicer. Both may have the years. */
const columns = fc.oneof(
  fc.record({
    across: fc.constantFrom('', 'NON EMPTY [Year].[Year].Members * '),
    where: fc.constant(''),
  }),
  fc.record({
    across: fc.constant(''),
    where: fc.constantFrom(' WHERE [Year].[2021]', ' WHERE {[Year].[2020], [Year].[2021]}', ' WHERE [Year].[Later]'),
  }),
);

const queries: fc.Arbitrary<string> = fc
  .record({
    first: set,
    named: fc.boolean(),
    steps,
    nonEmpty: fc.boolean(),
    shown: fc.uniqueArray(anyMeasure, { minLength: 1, maxLength: 2 }),
    columns,
  })
  .map(({ first, named, steps: taken, nonEmpty, shown, columns: { across, where } }) => {
    const formulas: string[] = [];
    const name = (of: string): string => {
      const setName = `[Named ${formulas.length + 1}]`;
      formulas.push(`SET ${setName} AS ${of}`);
      return setName;
    };
    let rows = named ? name(first) : first;
    for (const each of taken) rows = each.named ? name(each.step(rows)) : each.step(rows);
    if (where.includes('Later')) formulas.unshift('MEMBER [Year].[Later] AS [Year].[2021] - [Year].[2020]');
    const select = `SELECT ${across}{${shown.join(', ')}} ON COLUMNS, ${nonEmpty ? 'NON EMPTY ' : ''}${rows} ON ROWS FROM C${where}`;
    return formulas.length === 0 ? select : `WITH ${formulas.join(' ')} ${select}`;
  });

export function openRandom(warehouse: Warehouse, options: Partial<CatalogOptions>): MdxCatalog {
  return openSchema(SCHEMA, warehouse, options);
}

/** Draws `count` random sets of facts by the seed of the run, each with forty queries. */
export function drawCubes(count: number): (readonly [facts: readonly Fact[], queries: readonly string[]])[] {
  const ofOne = fc.tuple(facts, fc.array(queries, { minLength: 40, maxLength: 40 }));
  return fc.sample(ofOne, { numRuns: count, seed: SEED });
}

/** Returns the answer to a query as text, or its error. */
export async function answerText(catalog: MdxCatalog, mdx: string, role: string | undefined): Promise<string> {
  try {
    return resultText(await catalog.query(mdx, { roles: role === undefined ? undefined : [role] }));
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
}
