import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeEngines } from '../../../server/warehouse/testing/describe-engines.ts';
import { type AnyEngineName, startWarehouse, type TestWarehouse } from '../../../server/warehouse/testing/engines.ts';
import type { MdxCatalog } from './index.ts';
import { LARGE_LEVELS, openSchema } from './testing/open-schema.ts';

/** The units of items whose codes differ only in letter case, accents or a blank at the end. */
const SOLD: Readonly<Record<string, number>> = { ABC: 3, abc: 10, Éa: 100, ea: 1_000, pad: 10_000, 'pad ': 100_000 };

/** The type of a text column with a collation that treats the codes as equal, if the engine has one. */
const TEXT: Readonly<Record<AnyEngineName, string>> = {
  duckdb: 'VARCHAR(20)',
  postgresql: 'VARCHAR(20)',
  sqlite: 'VARCHAR(20) COLLATE NOCASE',
  mariadb: 'VARCHAR(20) CHARACTER SET latin1 COLLATE latin1_swedish_ci',
  clickhouse: 'VARCHAR(20)',
  trino: 'VARCHAR(20)',
};

const tables = (text: string): readonly string[] => [
  `CREATE TABLE item (code ${text}, maker ${text}, note ${text})`,
  "INSERT INTO item VALUES ('ABC', 'One', 'A'), ('abc', 'one', 'b'), ('Éa', 'One', 'c'), ('ea', 'ONE', 'd'), ('pad', 'one', 'e'), ('pad ', 'ONE', 'f')",
  `CREATE TABLE sale (code ${text}, units INTEGER)`,
  "INSERT INTO sale VALUES ('ABC', 1), ('ABC', 2), ('abc', 10), ('Éa', 100), ('ea', 1000), ('pad', 10000), ('pad ', 100000)",
];

const SCHEMA = `<Schema name="S">
  <Cube name="Sales"><Table name="sale"/>
    <Dimension name="Item" foreignKey="code"><Hierarchy hasAll="true" primaryKey="code"><Table name="item"/>
      <Level name="Item" column="code" uniqueMembers="true"><Property name="Note" column="note"/><Property name="note" column="maker"/></Level></Hierarchy></Dimension>
    <Dimension name="Maker" foreignKey="code"><Hierarchy hasAll="true" primaryKey="code"><Table name="item"/>
      <Level name="Maker" column="maker" uniqueMembers="true"/><Level name="Code" column="code" uniqueMembers="false"/></Hierarchy></Dimension>
    <Dimension name="Sold"><Hierarchy hasAll="true"><Level name="Sold" column="code" uniqueMembers="true"/></Hierarchy></Dimension>
    <Measure name="Units" column="units" aggregator="sum"/><Measure name="Codes" column="code" aggregator="distinct-count"/>
    <Measure name="UNITS" column="units" aggregator="max"/>
  </Cube>
  <Cube name="sales"><Table name="sale"/><Measure name="Rows" column="units" aggregator="count"/></Cube>
  <Role name="one"><SchemaGrant access="none"><CubeGrant cube="Sales" access="all">
    <HierarchyGrant hierarchy="[Item]" access="custom" rollupPolicy="partial"><MemberGrant member="[Item].[abc]" access="all"/></HierarchyGrant>
    <HierarchyGrant hierarchy="[Measures]" access="custom"><MemberGrant member="[Measures].[UNITS]" access="all"/></HierarchyGrant>
  </CubeGrant></SchemaGrant></Role>
  <Role name="unclear"><SchemaGrant access="none"><CubeGrant cube="Sales" access="all">
    <HierarchyGrant hierarchy="[Item]" access="custom" rollupPolicy="partial"><MemberGrant member="[Item].[aBc]" access="all"/></HierarchyGrant>
  </CubeGrant></SchemaGrant></Role>
</Schema>`;

describeEngines('names that differ in letter case on $engine', (engine) => {
  let on: TestWarehouse;
  const catalogs: MdxCatalog[] = [];
  beforeAll(async () => {
    on = await startWarehouse(engine, tables(TEXT[engine]), { poolSize: 1 });
    catalogs.push(...LARGE_LEVELS.map((largeLevel) => openSchema(SCHEMA, on.warehouse, { largeLevel })));
  }, 60_000);
  afterAll(() => on?.stop());

  const values = async (catalog: MdxCatalog, mdx: string, role?: string) => {
    const { axes, cells } = await catalog.query(mdx, { roles: role === undefined ? undefined : [role] });
    const names = (axes[0]?.tuples ?? []).map((tuple) => tuple.map(({ name }) => name).join('/'));
    return Object.fromEntries(names.map((name, index) => [name, cells[index]?.value ?? null]));
  };

  it('are separate members with their own figures', async () => {
    for (const catalog of catalogs) {
      for (const hierarchy of ['[Item]', '[Sold]']) {
        expect(await values(catalog, `select ${hierarchy}.Children on 0 from Sales`)).toEqual(SOLD);
        for (const [name, units] of Object.entries(SOLD)) {
          const query = `select {${hierarchy}.[${name}]} on 0 from Sales`;
          expect(await values(catalog, query)).toEqual({ [name]: units });
          const sliced = await catalog.query(
            `select {[Measures].[Units], [Measures].[Codes]} on 0 from Sales where {${hierarchy}.[${name}]}`,
          );
          expect([name, ...sliced.cells.map(({ value }) => value)]).toEqual([name, units, 1]);
        }
      }
      expect(await values(catalog, 'select [Measures].[Codes] on 0 from Sales')).toEqual({ Codes: 6 });
      expect(
        await values(catalog, 'select {([Item].[ABC], [Sold].[ABC]), ([Item].[ABC], [Sold].[abc])} on 0 from Sales'),
      ).toEqual({ 'ABC/ABC': 3, 'ABC/abc': null });
      expect(
        await values(catalog, 'select NON EMPTY [Maker].[Maker].Members * [Item].[Item].Members on 0 from Sales'),
      ).toEqual({
        'One/ABC': 3,
        'One/Éa': 100,
        'one/abc': 10,
        'one/pad': 10_000,
        'ONE/ea': 1_000,
        'ONE/pad ': 100_000,
      });
      expect(
        await values(catalog, 'select TopCount([Sold].[Sold].Members, 2, [Measures].[Units]) on 0 from Sales'),
      ).toEqual({
        'pad ': 100_000,
        pad: 10_000,
      });
      expect(await values(catalog, 'select [Maker].[one].Children on 0 from Sales')).toEqual({ abc: 10, pad: 10_000 });
    }
  });

  it('are found exactly, or in any letter case if only one matches', async () => {
    for (const catalog of catalogs) {
      expect(await values(catalog, 'select {[item].[Item].[EA], [iTem].[PAD]} on 0 from Sales')).toEqual({
        ea: 1_000,
        pad: 10_000,
      });
      const results = await catalog.findMembers({
        cube: 'Sales',
        names: ['[Item].[abc]', '[Item].[Item].[ABC]', '[Item].[aBc]', '[Maker].[ONE].[EA]', '[Maker].[oNe].[ea]'],
      });
      expect(
        results.map((named) =>
          named.kind === 'one'
            ? named.member.uniqueName
            : named.kind === 'several'
              ? named.members.map(({ uniqueName }) => uniqueName).toSorted()
              : 'none',
        ),
      ).toEqual([
        '[Item].[abc]',
        '[Item].[ABC]',
        ['[Item].[ABC]', '[Item].[abc]'],
        '[Maker].[ONE].[ea]',
        ['[Maker].[ONE]', '[Maker].[One]', '[Maker].[one]'],
      ]);
      const unclear = catalog.query('select {[Item].[aBc]} on 0 from Sales');
      await expect(unclear).rejects.toMatchObject({
        message: "'aBc' is a name of several, which differ in letter case; write one of them exactly.",
      });
      await expect(unclear).rejects.toMatchObject({
        available: expect.arrayContaining(['[Item].[ABC]', '[Item].[abc]']),
      });
    }
  });

  it('are separate among measures, properties, sets, calculated members and cubes', async () => {
    for (const catalog of catalogs) {
      expect(await values(catalog, 'select {[Measures].[Units], [Measures].[UNITS]} on 0 from Sales')).toEqual({
        Units: 111_113,
        UNITS: 100_000,
      });
      await expect(catalog.query('select {[Measures].[units]} on 0 from Sales')).rejects.toThrow('a name of several');
      expect(await values(catalog, 'select {[Measures].[Rows]} on 0 from sales')).toEqual({ Rows: 7 });
      await expect(catalog.query('select {[Measures].[Units]} on 0 from sALES')).rejects.toThrow('not found');
      const properties = `with member [Measures].[a] as [Item].[abc].Properties("Note") member [Measures].[A] as [Item].[abc].Properties("note")
        select {[Measures].[a], [Measures].[A]} on 0 from Sales`;
      expect(await values(catalog, properties)).toEqual({ a: 'b', A: 'one' });
      const sets = `with set [Some] as {[Item].[abc]} set [SOME] as {[Item].[ABC]} member [Item].[aBC] as 7
        select {[SOME], [Some], [Item].[aBC]} on 0 from Sales`;
      expect(await values(catalog, sets)).toEqual({ ABC: 3, abc: 10, aBC: 7 });
    }
  });

  it('are granted to roles separately, and an ambiguous name to none', async () => {
    for (const catalog of catalogs) {
      expect(await values(catalog, 'select Descendants([Item]) on 0 from Sales', 'one')).toMatchObject({ abc: 10 });
      expect(await values(catalog, 'select [Item].[Item].Members on 0 from Sales', 'one')).toEqual({ abc: 10 });
      expect(await values(catalog, 'select [Measures].Members on 0 from Sales', 'one')).toEqual({ UNITS: 10 });
      await expect(catalog.query('select {[Item].[ABC]} on 0 from Sales', { roles: ['unclear'] })).rejects.toThrow(
        'not found',
      );
      expect(await values(catalog, 'select [Item].[Item].Members on 0 from Sales', 'unclear')).toEqual({});
    }
  });

  it('drill through to their own facts', async () => {
    for (const catalog of catalogs) {
      const statement =
        'drillthrough select {[Measures].[Units]} on 0 from Sales where [Item].[abc] return [Item].[Item], [Measures].[Units]';
      const { rows } = await catalog.drillthrough(statement, { maxRows: 10 });
      expect(rows.map((row) => row.map(String))).toEqual([['abc', '10']]);
    }
  });
});
