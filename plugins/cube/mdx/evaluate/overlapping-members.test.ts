import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ENGINES, startWarehouse, type TestWarehouse } from '../../../../server/warehouse/testing/engines.ts';
import { readSchema } from '../../schema/read-schema.ts';
import { type MdxCatalog, openCatalog } from '../index.ts';

/**
 * Ada (salary 100, Oslo) leads Bo (50, Oslo) and Cy (40, Rome); Bo leads Di (10, Rome). Each has one row. If the
 * members of a set overlap, averages and distinct counts use each row once, and sums use it for each member. A slicer
 * counts each row once in all measures.
 */
const TABLES = [
  'CREATE TABLE employee (id INTEGER, boss INTEGER NULL, name VARCHAR(20), salary INTEGER, region VARCHAR(10), city VARCHAR(10))',
  "INSERT INTO employee VALUES (1, NULL, 'Ada', 100, 'North', 'Oslo'), (2, 1, 'Bo', 50, 'North', 'Oslo'), (3, 1, 'Cy', 40, 'South', 'Rome'), (4, 2, 'Di', 10, 'South', 'Rome')",
  'CREATE TABLE closure (boss INTEGER, id INTEGER)',
  'INSERT INTO closure VALUES (1, 1), (1, 2), (1, 3), (1, 4), (2, 2), (2, 4), (3, 3), (4, 4)',
];

const cube = (name: string, closure: string) => `<Cube name="${name}"><Table name="employee"/>
  <Dimension name="Employee" foreignKey="id"><Hierarchy hasAll="true" primaryKey="id"><Table name="employee"/>
    <Level name="Person" column="id" type="Numeric" uniqueMembers="true" parentColumn="boss" nameColumn="name">${closure}</Level></Hierarchy></Dimension>
  <Dimension name="Place"><Hierarchy hasAll="true"><Level name="Region" column="region" uniqueMembers="true"/><Level name="City" column="city" uniqueMembers="true"/></Hierarchy></Dimension>
  <Measure name="Salary" column="salary" aggregator="sum" formatString="0"/><Measure name="Mean" column="salary" aggregator="avg" formatString="0.0"/>
  <Measure name="Salaries" column="salary" aggregator="distinct-count" formatString="0"/><Measure name="Best" column="salary" aggregator="max" formatString="0"/></Cube>`;
const CLOSURE = '<Closure parentColumn="boss" childColumn="id"><Table name="closure"/></Closure>';
const SCHEMA = `<Schema name="S">${cube('Closed', CLOSURE)}${cube('Open', '')}</Schema>`;

const [ADA, BO, CY] = ['[Employee].[Ada]', '[Employee].[Ada].[Bo]', '[Employee].[Ada].[Cy]'];

// Names, sets and cells are the product's own work; `dialects.test.ts` runs the statements of MDX on every engine, for roles too.
describe.each(ENGINES)('members that overlap on %s', (engine) => {
  let on: TestWarehouse;
  let catalog: MdxCatalog;
  beforeAll(async () => {
    on = await startWarehouse(engine, TABLES);
    const { schema, problems } = readSchema(SCHEMA);
    if (schema === undefined) throw new Error(JSON.stringify(problems));
    catalog = openCatalog({ schema, warehouse: on.warehouse });
  });
  afterAll(() => on?.stop());

  it.each([
    [`where {${ADA}, ${BO}}`, '200 50.0 4 100'],
    [`where {${BO}, ${CY}}`, '100 33.3 3 50'],
    [`where {${BO}, ${BO}.[Di]}`, '60 30.0 2 50'],
    [`where {${ADA}, ${BO}} * {[Place].[North]}`, '150 75.0 2 100'],
    [`where {(${ADA}, [Place].[North]), (${BO}, [Place].[North].[Oslo]), (${BO}, [Place].[South])}`, '160 53.3 3 100'],
    [`where {(${ADA}, [Place].[South]), (${BO}, [Place].[All Places])}`, '100 33.3 3 50'],
    ['where {[Place].[North], [Place].[North].[Oslo], [Place].[South].[Rome]}', '200 50.0 4 100'],
    [`where Aggregate({${ADA}, ${BO}})`, '260 50.0 4 100'],
    [`where Aggregate({${BO}, ${CY}})`, '100 33.3 3 50'],
    [`where Aggregate({${ADA}.DataMember, ${BO}})`, '160 53.3 3 100'],
    [`where Aggregate({${ADA}.DataMember, ${CY}})`, '140 70.0 2 100'],
  ])('%s', async (slicer, expected) => {
    const measures = '{[Measures].[Salary], [Measures].[Mean], [Measures].[Salaries], [Measures].[Best]}';
    for (const name of ['Closed', 'Open']) {
      const query = slicer.startsWith('where Aggregate')
        ? `with member [Employee].[X] as ${slicer.slice('where '.length)} select ${measures} on 0 from [${name}] where [Employee].[X]`
        : `select ${measures} on 0 from [${name}] ${slicer}`;
      const { cells } = await catalog.query(query);
      expect(cells.map(({ formatted }) => formatted).join(' ')).toBe(expected);
    }
  });
});
