import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENGINES, startWarehouse, type TestWarehouse } from '../../../../server/warehouse/testing/engines.ts';
import type { MdxCatalog } from '../index.ts';
import { LARGE_LEVELS, openSchema } from '../testing/open-schema.ts';

/**
 * Sales by shop and kind, and plans by state: `Planned` is 100 in Lazio and 7 in Var; `Targets` are 40 and 50 in Lazio,
 * and 7 in Var.
 *
 * | shop (state, country) | kind | units |
 * | --- | --- | ---: |
 * | Rome (Lazio, Italy) | new | 10 |
 * | Ostia (Lazio, Italy) | old | 20 |
 * | Nice (Var, France) | new | 5 |
 */
const TABLES = [
  'CREATE TABLE shop (id INTEGER, city VARCHAR(10), state VARCHAR(10), country VARCHAR(10))',
  "INSERT INTO shop VALUES (1, 'Rome', 'Lazio', 'Italy'), (2, 'Ostia', 'Lazio', 'Italy'), (3, 'Nice', 'Var', 'France')",
  'CREATE TABLE sales (shop_id INTEGER, kind VARCHAR(10), units INTEGER)',
  "INSERT INTO sales VALUES (1, 'new', 10), (2, 'old', 20), (3, 'new', 5)",
  'CREATE TABLE plan (state VARCHAR(10), units INTEGER, target INTEGER)',
  "INSERT INTO plan VALUES ('Lazio', 60, 40), ('Lazio', 40, 50), ('Var', 7, 7)",
];

const SCHEMA = `<Schema name="S">
  <Dimension name="Place"><Hierarchy hasAll="true" primaryKey="id"><Table name="shop"/>
    <Level name="Country" column="country" uniqueMembers="true"/><Level name="State" column="state" uniqueMembers="true"/>
    <Level name="City" column="city" uniqueMembers="true"/></Hierarchy></Dimension>
  <Cube name="Sales"><Table name="sales"/><DimensionUsage name="Place" source="Place" foreignKey="shop_id"/>
    <Dimension name="Kind"><Hierarchy hasAll="true"><Level name="Kind" column="kind" uniqueMembers="true"/></Hierarchy></Dimension>
    <Measure name="Units" column="units" aggregator="sum" formatString="0"/></Cube>
  <Cube name="Plan"><Table name="plan"/><DimensionUsage name="Place" source="Place" foreignKey="state" level="State"/>
    <Measure name="Planned" column="target" aggregator="max" formatString="0"/>
    <Measure name="Targets" column="target" aggregator="distinct-count" formatString="0"/></Cube>
  <VirtualCube name="Both"><VirtualCubeDimension name="Place"/><VirtualCubeDimension cubeName="Sales" name="Kind"/>
    <VirtualCubeMeasure cubeName="Sales" name="[Measures].[Units]"/><VirtualCubeMeasure cubeName="Plan" name="[Measures].[Planned]"/>
    <VirtualCubeMeasure cubeName="Plan" name="[Measures].[Targets]"/></VirtualCube>
</Schema>`;

// Names, sets and cells are the product's own work; `dialects.test.ts` runs the statements of MDX on every engine, for roles too.
describe.each(ENGINES)('ValidMeasure on %s', (engine) => {
  let on: TestWarehouse;
  const catalogs: MdxCatalog[] = [];
  beforeAll(async () => {
    on = await startWarehouse(engine, TABLES);
    catalogs.push(...LARGE_LEVELS.map((largeLevel) => openSchema(SCHEMA, on.warehouse, { largeLevel })));
  });
  afterAll(() => on?.stop());

  it.each([
    // Each city has the value of its state: the maximum of 40 and 50 in Lazio, and 7 in Var.
    ['[Measures].[Planned]', '[Place].Members on 0 from Both where [Measures].[X]', '50 7 7 7 50 50 50 50'],
    ['[Measures].[Targets]', '[Place].[City].Members on 0 from Both where [Measures].[X]', '1 2 2'],
    // The same, if a hierarchy that the plans do not reach is at one of its members, or if the tuple names such a
    // member.
    [
      '[Measures].[Planned]',
      '[Kind].Members on 0 from Both where ([Measures].[X], [Place].[Italy].[Lazio].[Rome])',
      '50 50 50',
    ],
    ['([Kind].[new], [Measures].[Planned])', '[Place].[City].Members on 0 from Both where [Measures].[X]', '7 50 50'],
    [
      '([Place].[Italy].[Lazio].[Rome], [Measures].[Planned])',
      '[Kind].[Kind].Members on 0 from Both where [Measures].[X]',
      '50 50',
    ],
    // A calculated measure applies where its stored measures apply.
    ['[Measures].[Twice]', '[Place].[City].Members on 0 from Both where ([Measures].[X], [Kind].[new])', '14 100 100'],
    // Hierarchies that the facts reach are unchanged.
    ['[Measures].[Units]', '[Place].[City].Members on 0 from Both where ([Measures].[X], [Kind].[new])', '5 - 10'],
    // The members of a slicer count as their states, each once: the targets 40 and 50 of Lazio, and 7 of Var.
    [
      '[Measures].[Targets]',
      '{[Measures].[X]} on 0 from Both where {[Place].[City].[Rome], [Place].[City].[Ostia]}',
      '2',
    ],
    [
      '[Measures].[Targets]',
      '{[Measures].[X]} on 0 from Both where {[Place].[City].[Rome], [Place].[City].[Nice]}',
      '3',
    ],
    [
      '[Measures].[Planned]',
      '{[Measures].[X]} on 0 from Both where [Place].[Italy].[Lazio].Children * {[Kind].[new], [Kind].[old]}',
      '50',
    ],
  ])('of %s in %s', async (argument, clauses, expected) => {
    for (const catalog of catalogs) {
      const { cells } = await catalog.query(
        `with member [Measures].[Twice] as [Measures].[Planned] * 2 member [Measures].[X] as ValidMeasure(${argument}) select ${clauses}`,
      );
      expect(cells.map(({ formatted }) => formatted || '-').join(' ')).toBe(expected);
    }
  });
});
