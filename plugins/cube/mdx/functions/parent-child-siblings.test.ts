import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { titleNeeding } from '../../../../router/testing/not-run.ts';
import { startWarehouse, type TestWarehouse } from '../../../../server/warehouse/testing/engines.ts';
import { foodmartMissing } from '../../testing/foodmart.ts';
import type { MdxCatalog } from '../index.ts';
import { tuplesOf } from '../testing/ask.ts';
import { type OpenFoodmart, openFoodmart } from '../testing/open-foodmart.ts';
import { openSchema } from '../testing/open-schema.ts';

/** Ada leads Bo, Cy and Dan; Bo leads Ed and Flo; Dan leads Gus; Flo leads Hal. Zoe leads nobody and has no leader. */
const TABLES: readonly string[] = [
  'CREATE TABLE employee (id INTEGER, boss INTEGER NULL, name VARCHAR(20), salary INTEGER)',
  `INSERT INTO employee VALUES (1, NULL, 'Ada', 1), (2, 1, 'Bo', 1), (3, 1, 'Cy', 1), (4, 1, 'Dan', 1), (5, 2, 'Ed', 1),
    (6, 2, 'Flo', 1), (7, 4, 'Gus', 1), (8, 6, 'Hal', 1), (9, NULL, 'Zoe', 1)`,
];
const SCHEMA = `<Schema name="Staff">
  <Cube name="Staff">
    <Table name="employee"/>
    <Dimension name="Employee" foreignKey="id">
      <Hierarchy hasAll="true" primaryKey="id">
        <Table name="employee"/>
        <Level name="Person" column="id" type="Numeric" uniqueMembers="true" parentColumn="boss" nameColumn="name"/>
      </Hierarchy>
    </Dimension>
    <Measure name="Salary" column="salary" aggregator="sum"/>
  </Cube>
  <Role name="without Flo">
    <SchemaGrant access="none">
      <CubeGrant cube="Staff" access="all">
        <HierarchyGrant hierarchy="[Employee]" access="custom">
          <MemberGrant member="[Employee].[Ada]" access="all"/>
          <MemberGrant member="[Employee].[Ada].[Bo].[Flo]" access="none"/>
        </HierarchyGrant>
      </CubeGrant>
    </SchemaGrant>
  </Role>
</Schema>`;

describe('in a parent-child hierarchy', () => {
  let started: TestWarehouse;
  let staff: MdxCatalog;
  beforeAll(async () => {
    started = await startWarehouse('duckdb', TABLES);
    staff = openSchema(SCHEMA, started.warehouse);
  });
  afterAll(async () => {
    await staff.close();
    await started.stop();
  });
  const named = async (set: string, role?: string) => {
    const tuples = await tuplesOf(staff, set, 'Staff', { roles: role === undefined ? undefined : [role] });
    return tuples.replaceAll(/\w+\./g, '');
  };
  const BO = '[Employee].[Ada].[Bo]';

  it.each([
    ['the next member is a sibling', `${BO}.NextMember`, 'Cy'],
    ['the next member of a root is a root', '[Employee].[Ada].NextMember', 'Zoe'],
    ['the member before is a sibling', '[Employee].[Ada].[Dan].PrevMember', 'Cy'],
    ['after the last sibling comes the first cousin', `${BO}.[Flo].NextMember`, 'Gus'],
    ['a first member has none before', `${BO}.[Ed].PrevMember`, ''],
    ['Lead counts at the depth of the member', `${BO}.Lead(2)`, 'Dan'],
    ['Lag counts at the depth of the member', '[Employee].[Ada].[Dan].[Gus].Lag(2)', 'Ed'],
    ['beyond the last of a depth there is none', '[Employee].[Ada].[Dan].NextMember', ''],
    ['a range goes along the depth', `${BO} : [Employee].[Ada].[Dan]`, 'Bo Cy Dan'],
    ['a range goes backwards and over parents', `[Employee].[Ada].[Dan].[Gus] : ${BO}.[Flo]`, 'Flo Gus'],
    ['a range of one member is it', '[Employee].[Zoe] : [Employee].[Zoe]', 'Zoe'],
    ['last periods end at the member', 'LastPeriods(2, [Employee].[Ada].[Dan])', 'Cy Dan'],
    ['last periods begin at the member', `LastPeriods(-2, ${BO})`, 'Bo Cy'],
    ['periods to date stay at the depth', 'PeriodsToDate([Employee].[(All)], [Employee].[Ada].[Cy])', 'Bo Cy'],
    ['a parallel period goes along the depth', 'ParallelPeriod([Employee].[Person], 1, [Employee].[Ada].[Dan])', 'Cy'],
    ['a cousin stands at the same place below the other', `Cousin(${BO}.[Ed], [Employee].[Ada].[Dan])`, 'Gus'],
    ['a cousin that is not there is none', `Cousin(${BO}.[Flo], [Employee].[Ada].[Dan])`, ''],
  ])('%s', async (_, set, expected) => {
    expect(await named(set)).toBe(expected);
  });

  it('steps skip members that the role does not see', async () => {
    expect(await named(`${BO}.[Ed].NextMember`)).toBe('Flo');
    expect(await named(`${BO}.[Ed].NextMember`, 'without Flo')).toBe('Gus');
  });

  it('a range over two depths is refused', async () => {
    const { cells } = await staff.query(
      `WITH MEMBER [Measures].[X] AS Count(${BO} : [Employee].[Zoe]) SELECT {[Measures].[X]} ON 0 FROM [Staff]`,
    );
    expect(cells[0]?.error).toMatch(/Members must belong to the same level/);
  });
});

/** Reads each employee's neighbours with SQL: the employees of the same depth, in the order of the tree. */
const NEIGHBOURS = `WITH RECURSIVE tree AS (
    SELECT employee_id, full_name, 1 AS depth, lpad(employee_id::VARCHAR, 6, '0') AS path FROM employee WHERE supervisor_id = 0
    UNION ALL
    SELECT e.employee_id, e.full_name, depth + 1, path || lpad(e.employee_id::VARCHAR, 6, '0')
    FROM employee e JOIN tree ON e.supervisor_id = tree.employee_id)
  SELECT employee_id, coalesce(lag(full_name) OVER beside, '#null'), coalesce(lead(full_name, 3) OVER beside, '#null'),
    count(*) OVER (PARTITION BY depth ORDER BY path ROWS BETWEEN 4 PRECEDING AND CURRENT ROW)
  FROM tree WINDOW beside AS (PARTITION BY depth ORDER BY path) ORDER BY path`;

describe.skipIf(foodmartMissing() !== undefined)(titleNeeding("FoodMart's employees", foodmartMissing()), () => {
  let foodmart: OpenFoodmart;
  beforeAll(async () => {
    foodmart = await openFoodmart(startWarehouse);
  });
  afterAll(() => foodmart.stop());

  it('have the neighbours that SQL finds', async () => {
    const { axes, cells } = await foodmart.catalog.query(
      `WITH MEMBER [Measures].[Before] AS [Employees].CurrentMember.PrevMember.Name
        MEMBER [Measures].[Third after] AS [Employees].CurrentMember.Lead(3).Name
        MEMBER [Measures].[Last five] AS Count(LastPeriods(5, [Employees].CurrentMember))
        SELECT {[Measures].[Before], [Measures].[Third after], [Measures].[Last five]} ON 0,
          Hierarchize([Employees].[Employee Id].Members) DIMENSION PROPERTIES MEMBER_KEY ON 1 FROM [HR]`,
    );
    const [, rows] = axes;
    const neighbours = (rows?.tuples ?? []).map(([member], row) => [
      member?.name,
      ...cells.slice(row * 3, row * 3 + 3).map(({ value }) => value),
    ]);
    const { values, rowCount } = await foodmart.warehouse.query(
      { sql: NEIGHBOURS, parameters: [] },
      { maxRows: 2_000 },
    );
    expect(rowCount).toBe(1_155);
    expect(neighbours.map(([, ...beside]) => beside.map(String))).toEqual(
      Array.from({ length: rowCount }, (_, row) => values.slice(1).map((column) => String(column[row]))),
    );
  });

  it('Michael Spence follows Derrick Whelply, and Maya Gutierrez is the third from him', async () => {
    const derrick = '[Employees].[Sheri Nowmer].[Derrick Whelply]';
    expect(await tuplesOf(foodmart.catalog, `${derrick}.NextMember`, 'HR')).toBe(
      'Employees.Sheri Nowmer.Michael Spence',
    );
    expect(await tuplesOf(foodmart.catalog, `${derrick} : [Employees].[Sheri Nowmer].[Maya Gutierrez]`, 'HR')).toBe(
      'Derrick Whelply|Michael Spence|Maya Gutierrez'
        .split('|')
        .map((name) => `Employees.Sheri Nowmer.${name}`)
        .join(' '),
    );
  });
});
