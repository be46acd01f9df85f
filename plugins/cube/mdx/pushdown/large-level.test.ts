import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { onAbort } from '../../../../router/abort.ts';
import type { Warehouse } from '../../../../router/capabilities/warehouse.ts';
import { CancelledError, TimeoutError } from '../../../../router/errors.ts';
import { isHeld, longestHold } from '../../../../router/testing/loop-delay.ts';
import { startWarehouse, type TestWarehouse } from '../../../../server/warehouse/testing/engines.ts';
import { readSchema } from '../../schema/read-schema.ts';
import { type CatalogOptions, type CellSet, type MdxCatalog, MdxLimitError, openCatalog } from '../index.ts';
import { type Recorded, recorded } from '../testing/recorded.ts';

/**
 * 100,000 people. Person n is in group n % 50 (2,000 in each group) and is called `Person n`, except number 7, which is
 * called `50%_Ünal`. Person n bought n % 1,000 in 2023. In 2024, only persons 1 to 5 bought anything (one each).
 */
const TABLES = [
  `CREATE TABLE person AS SELECT n::INTEGER AS id, CASE n WHEN 7 THEN '50%_Ünal' ELSE 'Person ' || n END AS name, 'g' || (n % 50) AS grp FROM range(100000) t(n)`,
  `CREATE TABLE bought AS SELECT n::INTEGER AS person, 2023 AS year, (n % 1000)::INTEGER AS amount FROM range(100000) t(n)
   UNION ALL SELECT n::INTEGER, 2024, 1 FROM range(1, 6) t(n)`,
];
const SCHEMA = `<Schema name="Large">
  <Cube name="Bought">
    <Table name="bought"/>
    <Dimension name="Person" foreignKey="person">
      <Hierarchy hasAll="true" allMemberName="All" primaryKey="id">
        <Table name="person"/>
        <Level name="Group" column="grp" uniqueMembers="true"/>
        <Level name="Person" column="id" type="Numeric" nameColumn="name" uniqueMembers="true"/>
      </Hierarchy>
    </Dimension>
    <Dimension name="Year">
      <Hierarchy hasAll="true"><Level name="Year" column="year" type="Numeric" uniqueMembers="true"/></Hierarchy>
    </Dimension>
    <Measure name="Amount" column="amount" aggregator="sum"/>
    <CalculatedMember name="Twice" dimension="Measures" formula="[Measures].[Amount] * 2"/>
  </Cube>
  <Role name="g1">
    <SchemaGrant access="none">
      <CubeGrant cube="Bought" access="all">
        <HierarchyGrant hierarchy="[Person]" access="custom"><MemberGrant member="[Person].[g1]" access="all"/></HierarchyGrant>
      </CubeGrant>
    </SchemaGrant>
  </Role>
</Schema>`;

describe('a level of 100,000 members', () => {
  let started: TestWarehouse;
  let record: Recorded;
  let catalog: MdxCatalog;

  const open = (options: Partial<CatalogOptions> = {}): MdxCatalog => {
    const { schema, problems } = readSchema(SCHEMA);
    if (schema === undefined) throw new Error(JSON.stringify(problems));
    return openCatalog({ schema, warehouse: record.warehouse, ...options });
  };
  const names = (result: CellSet, axis = 1) =>
    (result.axes[axis]?.tuples ?? []).map((tuple) => tuple.map(({ name }) => name).join());

  beforeAll(async () => {
    started = await startWarehouse('duckdb', TABLES);
  });
  beforeEach(() => {
    record = recorded(started.warehouse);
    catalog = open();
  });
  afterAll(() => started.stop());

  it('is never read whole for its top ten, and ties keep the order of the hierarchy', async () => {
    const result = await catalog.query(
      'SELECT [Measures].[Amount] ON 0, TopCount([Person].[Person].Members, 10, [Measures].[Amount]) ON 1 FROM Bought WHERE [Year].[2023]',
    );
    // 100 people bought 999: persons 999, 1999, …. All are in group g49, where they are sorted by number.
    expect(names(result)).toEqual(Array.from({ length: 10 }, (_, index) => `Person ${index}999`.replace(' 0', ' ')));
    expect(result.cells.map(({ value }) => value)).toEqual(Array(10).fill(999));
    expect(record.statements.length).toBeLessThanOrEqual(7);
    expect(catalog.kept.members).toBeLessThan(1_000);
  });

  it('reads the cells of a NON EMPTY axis with the statement of its tuples', async () => {
    const result = await catalog.query(
      'SELECT {[Measures].[Amount], [Measures].[Twice]} ON 0, NON EMPTY [Person].[Person].Members ON 1 FROM Bought WHERE [Year].[2024]',
    );
    expect(names(result).toSorted()).toEqual(['Person 1', 'Person 2', 'Person 3', 'Person 4', 'Person 5']);
    expect(result.cells.map(({ value }) => value)).toEqual(Array.from({ length: 5 }, () => [1, 2]).flat());
    expect(record.statements.filter((sql) => sql.includes('SUM('))).toHaveLength(1);
  });

  it('is not read whole for a NON EMPTY axis, a cross join or a filter with few results', async () => {
    const nonEmpty = await catalog.query(
      'SELECT {[Measures].[Amount], [Measures].[Twice]} ON 0, NON EMPTY [Person].[Person].Members ON 1 FROM Bought WHERE [Year].[2024]',
    );
    expect(names(nonEmpty)).toEqual(['Person 1', 'Person 2', 'Person 3', 'Person 4', 'Person 5']);
    const crossed = await catalog.query(
      'SELECT NON EMPTY {[Year].[2024]} * [Person].[Person].Members ON 0 FROM Bought',
    );
    expect(names(crossed, 0)).toHaveLength(5);
    const filtered = await catalog.query(
      'SELECT Filter([Person].[g3].Children, [Measures].[Amount] > 950 AND [Measures].[Amount] < 954) ON 0 FROM Bought',
    );
    // The persons of g3 are 3, 53, 103, …. Those with 953 repeat at every multiple of 1,000.
    expect(names(filtered, 0)).toHaveLength(100);
    expect(names(filtered, 0).slice(0, 2)).toEqual(['Person 953', 'Person 1953']);
    const byName = await catalog.query(
      'SELECT Filter([Person].[Person].Members, [Person].CurrentMember.Name = "Person 4711") ON 0 FROM Bought',
    );
    expect(names(byName, 0)).toEqual(['Person 4711']);
    expect(catalog.kept.members).toBeLessThan(1_000);
  });

  it('finds members by name and by key, and reports a missing one', async () => {
    const result = await catalog.query(
      'SELECT {[Person].[g7].[50%_ünal], [Person].[Person].&[4711], [Person].[Person].[person 12]} ON 0 FROM Bought',
    );
    expect(result.axes[0]?.tuples.map(([member]) => member?.uniqueName)).toEqual([
      '[Person].[g7].[50%_Ünal]',
      '[Person].[g11].[Person 4711]',
      '[Person].[g12].[Person 12]',
    ]);
    await expect(catalog.query('SELECT [Person].[g1].[Person 2] ON 0 FROM Bought')).rejects.toThrow('not found');
    expect(catalog.kept.members).toBeLessThan(100);
  });

  it('is searched in the warehouse, within what the role sees', async () => {
    const search = { cube: 'Bought', level: '[Person].[Person]', limit: 3 };
    const captions = async (text: string, role?: string) =>
      (await catalog.searchMembers({ ...search, text }, { roles: role === undefined ? undefined : [role] })).map(
        ({ caption }) => caption,
      );
    expect(await captions('%_ü')).toEqual(['50%_Ünal']);
    expect(await captions('n_4711')).toEqual([]);
    expect(await captions('N 47110')).toEqual(['Person 47110']);
    expect(await captions('4711', 'g1')).toEqual([]);
    expect(await captions('person 5', 'g1')).toEqual(['Person 5001', 'Person 50001', 'Person 50051']); // the first three by name
    expect(catalog.kept.members).toBeLessThan(1_500);
  });

  it('is searched where rows repeat its members, too', async () => {
    const { schema } = readSchema(
      SCHEMA.replace(
        '<Dimension name="Year">',
        '<Dimension name="Buyer"><Hierarchy hasAll="true"><Level name="Buyer" column="person" type="Numeric" uniqueMembers="true"/></Hierarchy></Dimension>$&',
      ),
    );
    if (schema === undefined) throw new Error('The schema has errors.');
    const buyers = openCatalog({ schema, warehouse: record.warehouse });
    const search = (text: string, limit: number) =>
      buyers.searchMembers({ cube: 'Bought', level: '[Buyer].[Buyer]', text, limit }, {});
    // Persons 1 to 5 have a row in each of two years.
    expect((await search('', 4)).map(({ caption }) => caption)).toEqual(['0', '1', '2', '3']);
    expect((await search('9999', 3)).map(({ caption }) => caption)).toEqual(['9999', '19999', '29999']);
    expect(buyers.kept.members).toBeLessThan(1_000);
  });

  it('is read one parent at a time, and several at once in a walk through all parents', async () => {
    await catalog.query('SELECT [Person].[g1].Children ON 0 FROM Bought WHERE [Year].[2024]');
    expect(catalog.kept.members).toBe(50 + 2_000 + 2); // groups, people of one group, years
    record.clear();
    const all = await catalog.query(
      'WITH MEMBER Measures.N AS Count(Generate([Person].[Group].Members, [Person].CurrentMember.Children)) SELECT {Measures.N} ON 0 FROM Bought',
    );
    expect(all.cells[0]?.value).toBe(100_000);
    expect(record.statements.length).toBeLessThan(10);
  });

  it('is read whole for a query that lists it, unless it exceeds the limit', async () => {
    const count = 'WITH MEMBER Measures.N AS Count([Person].[Person].Members) SELECT Measures.N ON 0 FROM Bought';
    expect((await catalog.query(count)).cells[0]?.value).toBe(100_000);
    const small = open({ limits: { members: 5_000 } });
    const refused = await small.query(count).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(MdxLimitError);
    expect(String(refused)).toContain('5000 members of [Person].[Person]');
  });

  it('keeps the event loop free during an evaluation', async () => {
    const slow =
      'WITH SET S AS Filter([Person].[Person].Members, Len([Person].CurrentMember.Name) > 3) MEMBER Measures.N AS Sum(S, Len([Person].CurrentMember.Name)) SELECT Measures.N ON 0 FROM Bought';
    await catalog.query(
      'WITH MEMBER Measures.N AS Count([Person].[Person].Members) SELECT Measures.N ON 0 FROM Bought',
    );
    // 100,000 names: `Person n` has 7 characters and the digits of n. Number 7 also has 8.
    const digits = 10 * 1 + 90 * 2 + 900 * 3 + 9_000 * 4 + 90_000 * 5;
    const hold = await longestHold(async () => {
      expect((await catalog.query(slow)).cells[0]?.value).toBe(100_000 * 7 + digits);
    });
    expect(hold).not.toSatisfy(isHeld);
  });

  it('ends the query when it is cancelled or out of time', async () => {
    const endless =
      'WITH MEMBER Measures.N AS Sum([Person].[Person].Members * [Year].Members, Len([Person].CurrentMember.Name)) SELECT Measures.N ON 0 FROM Bought';
    const cancel = new AbortController();
    const running = catalog.query(endless, { signal: cancel.signal });
    // The evaluation yields the event loop between its turns, so it is running when the loop has turned a few times.
    for (let turn = 0; turn < 3; turn++) await nextTurn();
    cancel.abort();
    await expect(running).rejects.toThrow(CancelledError);
    await expect(open({ limits: { timeMs: 30 } }).query(endless)).rejects.toThrow(TimeoutError);
    await expect(open({ limits: { cells: 1_000 } }).query(endless)).rejects.toThrow(MdxLimitError);
  });

  it('reports a timeout even if the timer fires before the clock reaches the deadline', async () => {
    const hanging: Warehouse = {
      ...record.warehouse,
      query: (_statement, { signal }) =>
        new Promise((_resolve, reject) =>
          onAbort(signal, () => reject(new CancelledError('The query was cancelled.'))),
        ),
    };
    const clock = vi.spyOn(Date, 'now').mockReturnValue(Date.now());
    try {
      const stuck = open({ warehouse: hanging, limits: { timeMs: 30 } });
      await expect(stuck.query('SELECT [Measures].[Amount] ON 0 FROM Bought')).rejects.toThrow(TimeoutError);
    } finally {
      clock.mockRestore();
    }
  });
});
