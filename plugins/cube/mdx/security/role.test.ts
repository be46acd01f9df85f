import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startWarehouse, type TestWarehouse } from '../../../../server/warehouse/testing/engines.ts';
import { readSchema } from '../../schema/read-schema.ts';
import { type MdxCatalog, openCatalog, type QueryOptions } from '../index.ts';
import { names } from '../testing/ask.ts';
import { SHOP_TABLES } from '../testing/shop.ts';

/**
 * Defines roles on the shop of `testing/shop.ts`, without time. Units: Oslo 30, Bergen 9, Rome 8; amounts 300.5, 94,
 * 80; customers ann bob (Oslo), ann bob (Bergen), cat ann (Rome).
 */
const STORE = (grants: string, attributes = 'rollupPolicy="partial"') =>
  `<HierarchyGrant hierarchy="[Store]" access="custom" ${attributes}>${grants}</HierarchyGrant>`;
const CUBE = (grants: string, cube = 'Sales') =>
  `<SchemaGrant access="none"><CubeGrant cube="${cube}" access="all">${grants}</CubeGrant></SchemaGrant>`;
const NORTH_WITHOUT_BERGEN =
  '<MemberGrant member="[Store].[North]" access="all"/><MemberGrant member="[Store].[North].[Bergen]" access="none"/>';
const ROLE = (name: string, grants: string) => `<Role name="${name}">${grants}</Role>`;

const STAFF = (name: string, closure: string) => `<Cube name="${name}"><Table name="employee"/>
  <Dimension name="Employee" foreignKey="id"><Hierarchy hasAll="true" allMemberName="All Staff" primaryKey="id"><Table name="employee"/>
    <Level name="Person" column="id" type="Numeric" uniqueMembers="true" parentColumn="boss" nameColumn="name">${closure}</Level>
  </Hierarchy></Dimension>
  <Measure name="Salary" column="salary" aggregator="sum"/></Cube>`;
const PEOPLE = (name: string, policy: string, members: string) =>
  `<Role name="${name}"><SchemaGrant access="none">${['Staff', 'Staff without closure']
    .map(
      (cube) =>
        `<CubeGrant cube="${cube}" access="all"><HierarchyGrant hierarchy="[Employee]" access="custom" rollupPolicy="${policy}">${members}</HierarchyGrant></CubeGrant>`,
    )
    .join('')}</SchemaGrant></Role>`;

const MEASURES = (grants: string) =>
  `<HierarchyGrant hierarchy="[Measures]" access="custom">${grants}</HierarchyGrant>`;

/** Grants of missing members: the role's name, attributes, grants, and the stores that the role sees. */
const GHOSTS: readonly (readonly [role: string, attributes: string, grants: string, seen: string])[] = [
  ['a region that is not there', '', '<MemberGrant member="[Store].[East]" access="all"/>', ''],
  [
    'a region that is not there, partial',
    'rollupPolicy="partial"',
    '<MemberGrant member="[Store].[East]" access="all"/>',
    '',
  ],
  ['a name that is not there', '', '<MemberGrant member="[Store].[North].[Berlin]" access="all"/>', ''],
  ['a name of its level that is not there', '', '<MemberGrant member="[Store].[Name].[Berlin]" access="all"/>', ''],
  [
    'one that is not there and one that is',
    'rollupPolicy="partial"',
    '<MemberGrant member="[Store].[East]" access="all"/><MemberGrant member="[Store].[South]" access="all"/>',
    'All Stores South South.Rome: 8 8 8',
  ],
  ['not a region that is not there', '', '<MemberGrant member="[Store].[East]" access="none"/>', ''],
  [
    'not a name that is not there',
    'rollupPolicy="partial"',
    '<MemberGrant member="[Store].[North].[Berlin]" access="none"/>',
    'All Stores South South.Rome: 8 8 8',
  ],
];

const SCHEMA = `<Schema name="Shop">
  <Dimension name="Store"><Hierarchy hasAll="true" primaryKey="store_id"><Table name="store"/>
    <Level name="Region" column="region" uniqueMembers="true"/><Level name="Name" column="name" uniqueMembers="true"/>
  </Hierarchy></Dimension>
  <Cube name="Sales"><Table name="sales"/>
    <DimensionUsage name="Store" source="Store" foreignKey="store_id"/>
    <Dimension name="Customer"><Hierarchy hasAll="true"><Level name="Customer" column="customer" uniqueMembers="true"/></Hierarchy></Dimension>
    <Measure name="Units" column="units" aggregator="sum"/><Measure name="Amount" column="amount" aggregator="sum"/>
    <Measure name="Customers" column="customer" aggregator="distinct-count"/>
    <CalculatedMember name="Price" dimension="Measures" formula="[Measures].[Amount] / [Measures].[Units]"/>
    <CalculatedMember name="Twice" dimension="Measures" formula="2 * [Measures].[Price]"/>
    <CalculatedMember name="Chosen" dimension="Measures" formula="Parameter(&quot;Which&quot;, [Measures], [Measures].[Units])"/>
  </Cube>
  <Cube name="Stock"><Table name="store"/>
    <DimensionUsage name="Store" source="Store" foreignKey="store_id"/>
    <Measure name="Stores" aggregator="count" column="store_id"/>
  </Cube>
  <VirtualCube name="Both">
    <VirtualCubeDimension name="Store"/>
    <VirtualCubeMeasure cubeName="Sales" name="[Measures].[Units]"/><VirtualCubeMeasure cubeName="Stock" name="[Measures].[Stores]"/>
  </VirtualCube>
  ${STAFF('Staff', '<Closure parentColumn="boss" childColumn="id"><Table name="closure"/></Closure>')}
  ${STAFF('Staff without closure', '')}
  ${['full', 'partial', 'hidden'].map((policy) => PEOPLE(`bo ${policy}`, policy, '<MemberGrant member="[Employee].[Ada].[Bo]" access="all"/>')).join('')}
  ${PEOPLE('without cy', 'partial', '<MemberGrant member="[Employee].[Ada]" access="all"/><MemberGrant member="[Employee].[Ada].[Cy]" access="none"/>')}
  ${ROLE('everything', '<SchemaGrant access="all"/>')}
  ${ROLE('nothing', '<SchemaGrant access="none"/>')}
  ${ROLE('stock', CUBE('', 'Stock'))}
  ${ROLE('all but stock', '<SchemaGrant access="all"><CubeGrant cube="Stock" access="none"/></SchemaGrant>')}
  ${ROLE('no stores', CUBE('<DimensionGrant dimension="[Store]" access="none"/>'))}
  ${ROLE('hidden stores', CUBE('<HierarchyGrant hierarchy="[Store]" access="none"/>'))}
  ${ROLE('regions', CUBE(STORE('', 'topLevel="[Store].[Region]" bottomLevel="[Store].[Region]"')))}
  ${ROLE('names', CUBE(STORE('<MemberGrant member="[Store].[North]" access="all"/>', 'topLevel="[Store].[Name]" rollupPolicy="partial"')))}
  ${ROLE('full', CUBE(STORE(NORTH_WITHOUT_BERGEN, 'rollupPolicy="full"')))}
  ${ROLE('partial', CUBE(STORE(NORTH_WITHOUT_BERGEN)))}
  ${ROLE('hidden', CUBE(STORE(NORTH_WITHOUT_BERGEN, 'rollupPolicy="hidden"')))}
  ${ROLE('south', CUBE(STORE('<MemberGrant member="[Store].[South]" access="all"/>')))}
  ${ROLE('overridden', CUBE(STORE('<MemberGrant member="[Store].[North]" access="none"/><MemberGrant member="[Store].[North].[Oslo]" access="all"/>')))}
  ${ROLE('units', CUBE('<HierarchyGrant hierarchy="[Measures]" access="custom"><MemberGrant member="[Measures].[Units]" access="all"/></HierarchyGrant>'))}
  ${ROLE('twice', CUBE('<HierarchyGrant hierarchy="[Measures]" access="custom"><MemberGrant member="[Measures].[Twice]" access="all"/><MemberGrant member="[Measures].[Chosen]" access="all"/></HierarchyGrant>'))}
  ${ROLE('virtual', CUBE(STORE(NORTH_WITHOUT_BERGEN), 'Both'))}
  ${GHOSTS.map(([name, attributes, grants]) => ROLE(name, CUBE(STORE(grants, attributes)))).join('')}
  ${ROLE('custom dimension', CUBE('<DimensionGrant dimension="[Store]" access="custom"/>'))}
  ${ROLE('spelled out', CUBE('<HierarchyGrant hierarchy="[Store].[Store]" access="none"/>'))}
  ${ROLE('stock in brackets', '<SchemaGrant access="all"><CubeGrant cube="[Stock]" access="none"/></SchemaGrant>')}
  ${ROLE('no units', CUBE(MEASURES('<MemberGrant member="[Measures].[Units]" access="none"/>')))}
  ${ROLE('amount', CUBE(MEASURES('<MemberGrant member="[Measures].[Amount]" access="all"/>')))}
  ${ROLE('no measure that is not there', CUBE(MEASURES('<MemberGrant member="[Measures].[Unit]" access="none"/>')))}
  <Role name="either"><Union><RoleUsage roleName="partial"/><RoleUsage roleName="south"/></Union></Role>
</Schema>`;

describe('a role', () => {
  let started: TestWarehouse;
  let shop: MdxCatalog;
  beforeAll(async () => {
    started = await startWarehouse('duckdb', SHOP_TABLES);
    const { schema, problems } = readSchema(SCHEMA);
    if (schema === undefined) throw new Error(JSON.stringify(problems));
    shop = openCatalog({ schema, warehouse: started.warehouse });
  });
  afterAll(() => started.stop());

  async function ask(mdx: string, as: string | QueryOptions): Promise<string> {
    const result = await shop.query(mdx, typeof as === 'string' ? { roles: [as] } : as);
    return `${names(result)}: ${result.cells.map(({ value, error }) => error ?? value ?? '-').join(' ')}`.replace(
      /^: /,
      '',
    );
  }
  const stores = (as: string | QueryOptions, cube = 'Sales') => ask(`select [Store].Members on 0 from [${cube}]`, as);

  it.each([
    ['everything', 'All Stores North North.Bergen North.Oslo South South.Rome: 47 39 9 30 8 8'],
    ['all but stock', 'All Stores North North.Bergen North.Oslo South South.Rome: 47 39 9 30 8 8'],
    ['regions', 'North South: 39 8'],
    ['full', 'All Stores North North.Oslo: 47 39 30'],
    ['partial', 'All Stores North North.Oslo: 30 30 30'],
    ['hidden', 'All Stores North North.Oslo: - - 30'],
    ['south', 'All Stores South South.Rome: 8 8 8'],
    ['overridden', 'All Stores North North.Oslo: 30 30 30'],
    ['either', 'All Stores North North.Oslo South South.Rome: 38 30 30 8 8'],
  ])('%s sees of the stores %s', async (role, expected) => {
    expect(await stores(role)).toBe(expected);
  });

  it.each(GHOSTS.map(([role, , , seen]) => [role, seen] as const))(
    'that is granted %s sees no more than what is there: %s',
    async (role, seen) => {
      expect(await stores(role)).toBe(seen);
      for (const level of ['[Store].[Region]', '[Store].[Name]']) {
        const members = await shop.searchMembers({ cube: 'Sales', level, limit: 10 }, { roles: [role] });
        expect(members.every(({ uniqueName }) => uniqueName.startsWith('[Store].[South]'))).toBe(true);
        expect(members).toHaveLength(seen === '' ? 0 : 1);
      }
      for (const name of ['[Store].[North]', '[Store].[North].[Oslo]'])
        await expect(ask(`select {${name}} on 0 from Sales`, role)).rejects.toThrow('not found');
      // A hierarchy without visible members has no current member.
      const children = ask('select {[Store].Children} on 0 from Sales', role);
      if (seen === '') await expect(children).rejects.toThrow('no member of [Store] that the role may see');
      else expect(await children).toMatch(/^South: /);
      // The facts behind a cell are hidden, too.
      const { rows } = await shop.drillthrough('DRILLTHROUGH SELECT {[Measures].[Units]} ON 0 FROM Sales', {
        roles: [role],
        maxRows: 100,
      });
      expect(JSON.stringify(rows)).not.toMatch(/Oslo|Bergen|North/);
      expect(rows).toHaveLength(seen === '' ? 0 : 2);
    },
  );

  it('does not see a cube that it hides, in any spelling of the name', async () => {
    await expect(ask('select from Stock', 'stock in brackets')).rejects.toThrow("MDX cube 'Stock' not found");
  });

  it('of several roles sees the measures that any of them sees', async () => {
    const measures = (roles: readonly string[]) => ask('select [Measures].Members on 0 from Sales', { roles });
    expect(await measures(['no units'])).toBe('Amount Customers Fact Count: 474.5 3 6');
    expect(await measures(['no units', 'amount'])).toBe('Amount Customers Fact Count: 474.5 3 6');
    expect(await measures(['units', 'no units'])).toBe('Units Amount Customers Fact Count: 47 474.5 3 6');
    expect(await measures(['no units', 'units'])).toBe('Units Amount Customers Fact Count: 47 474.5 3 6');
    expect(await measures(['no measure that is not there'])).toBe('');
  });

  it('of several roles sees what any of them sees, in any order', async () => {
    const expected = 'All Stores North North.Oslo South South.Rome: 38 30 30 8 8';
    expect(await stores({ roles: ['partial', 'south'] })).toBe(expected);
    expect(await stores({ roles: ['south', 'partial', 'nothing'] })).toBe(expected);
    expect(await stores({ roles: ['south', 'everything'] })).toBe(await stores('everything'));
  });

  it.each<[cube: string, roles: readonly string[]]>([
    ['Sales', ['nothing']],
    ['Sales', []],
    ['Sales', ['stock']],
    ['Stock', ['all but stock']],
    ['Stock', ['partial']],
    ['Both', ['partial']],
  ])('does not find the cube %s with the roles %o, and names no other cubes', async (cube, roles) => {
    const error: unknown = await shop.query(`select from [${cube}]`, { roles }).catch((each: unknown) => each);
    expect(error).toMatchObject({ message: `MDX cube '${cube}' not found`, position: { line: 1, column: 13 } });
    if (roles.includes('stock')) expect(error).toHaveProperty('available', ['Stock']);
    if (roles.includes('nothing')) expect(error).toHaveProperty('available', []);
  });

  it('must exist', async () => {
    await expect(stores('nobody')).rejects.toThrow("Unknown role 'nobody'");
  });

  it.each(['no stores', 'hidden stores', 'custom dimension', 'spelled out'])(
    'with %s finds none, and totals of all',
    async (role) => {
      expect(await ask('select {[Measures].[Units]} on 0 from Sales', role)).toBe('Units: 47');
      for (const name of [
        '[Store].Members',
        '[Store].[Region].Members',
        '{[North]}',
        '{[Store].[North].[Oslo]}',
        'Dimensions("Store").Members',
        'StrToSet("[Store].Members")',
      ]) {
        await expect(shop.query(`select ${name} on 0 from Sales`, { roles: [role] }), name).rejects.toThrow();
      }
    },
  );

  it.each([
    '[Store].[North].[Bergen]',
    '[Store].[Name].[Bergen]',
    '[Bergen]',
    '[Store].[All Stores].[North].[Bergen]',
    '[Store].[South]',
    'StrToMember("[Store].[North].[Bergen]")',
    '[Store].[North].&[Bergen]',
  ])('does not find %s by name, nor among the candidates', async (name) => {
    const error: unknown = await shop
      .query(`select {${name}} on 0 from Sales`, { roles: ['partial'] })
      .catch((each: unknown) => each);
    expect(error).toMatchObject({ message: expect.stringContaining('not found') });
    expect(JSON.stringify(error)).not.toMatch(/South(?!\])|\.\[Bergen\]"/);
  });

  it.each([
    ['children', '[Store].[North].Children', 'North.Oslo: 30'],
    ['descendants', 'Descendants([Store])', 'All Stores North North.Oslo: 30 30 30'],
    ['leaves', 'Descendants([Store],, LEAVES)', 'North.Oslo: 30'],
    ['siblings', '[Store].[North].[Oslo].Siblings', 'North.Oslo: 30'],
    ['a level', '[Store].[Region].Members', 'North: 30'],
    [
      'neighbours',
      '{[Store].[North].[Oslo].PrevMember, [Store].[North].[Oslo].NextMember, [Store].[North].NextMember}',
      '',
    ],
    ['the biggest', 'TopCount([Store].[Name].Members, 5, [Measures].[Units])', 'North.Oslo: 30'],
    ['the smallest', 'BottomCount([Store].[Region].Members, 5, [Measures].[Units])', 'North: 30'],
    [
      'what is not empty',
      'NonEmptyCrossJoin([Store].[Name].Members, [Customer].[Customer].Members)',
      '(North.Oslo Customer.ann) (North.Oslo Customer.bob): 10 20',
    ],
    ['customers with sales', 'NonEmpty([Customer].[Customer].Members)', 'Customer.ann Customer.bob: 10 20'],
    ['a filter', 'Filter([Store].Members, [Measures].[Units] < 100)', 'All Stores North North.Oslo: 30 30 30'],
  ])('sees only its part of %s', async (_, set, expected) => {
    const shown = await ask(`select {${set}} on 0 from Sales`, 'partial');
    expect(shown.replaceAll(/(?<=[( ])(ann|bob)/g, 'Customer.$1').replaceAll(/^(ann|bob)/g, 'Customer.$1')).toBe(
      expected,
    );
  });

  it('finds members by unique names that contain hidden members, but not the hidden members', async () => {
    expect(await ask('select {[Store].[North], [Store].[All Stores].[South]} on 0 from Sales', 'regions')).toBe(
      'North South: 39 8',
    );
    expect(
      await ask('select {[Store].[North].[Oslo], [Store].[All Stores].[North].[Oslo]} on 0 from Sales', 'names'),
    ).toBe('North.Oslo North.Oslo: 30 30');
    expect(await ask('select {[Store].[Name].Members} on 0 from Sales', 'names')).toBe('North.Bergen North.Oslo: 9 30');
    for (const hidden of [
      '[Store].[All Stores]',
      '[Store].[North]',
      '[North]',
      '[Store].[South].[Rome]',
      '[Store].[North].[Oslo].Parent.Parent.FirstChild',
    ]) {
      const answer = await ask(`select {${hidden}} on 0 from Sales`, 'names').catch((error: Error) => error.message);
      expect(answer, hidden).toMatch(/not found|^$/);
    }
  });

  it('aggregates its part: sums, distinct counts, sets and calculated members over them', async () => {
    expect(
      await ask(
        `with member [Store].[Sum] as Aggregate([Store].[Region].Members)
         select {[Measures].[Units], [Measures].[Customers], [Measures].[Price]} on 0, {[Store].[All Stores], [Store].[Sum]} on 1 from Sales`,
        'either',
      ),
    ).toBe(`Units Customers Price: 38 3 ${380.5 / 38} 38 3 ${380.5 / 38}`); // ann, bob and cat; 300.5 + 80 over 30 + 8
    expect(await ask('select non empty [Store].[Name].Members on 0 from Sales where [Customer].[cat]', 'partial')).toBe(
      '',
    );
    expect(
      await ask('select {[Measures].[Units]} on 0 from Sales where {[Store].[North], [Store].[South]}', 'either'),
    ).toBe('Units: 38');
  });

  it('sees a granted calculated measure, but not the measures of its formula', async () => {
    // 2 * 474.5 / 47
    const twice = (2 * 474.5) / 47;
    const of = (mdx: string) => shop.query(mdx, { roles: ['twice'] });
    const listed = await of('select [Measures].AllMembers on 0 from Sales');
    expect(names(listed)).toBe('Twice Chosen');
    expect(listed.cells[0]?.value).toBeCloseTo(twice, 9);
    for (const hidden of [
      '[Measures].[Price]',
      '[Measures].[Amount]',
      'StrToMember("[Measures].[Amount]")',
      '[Price]',
    ]) {
      await expect(of(`with member Measures.X as ${hidden} + 0 select {Measures.X} on 0 from Sales`)).rejects.toThrow(
        /not found/,
      );
    }
    const chosen = 'with member Measures.X as Measures.Chosen select {Measures.X} on 0 from Sales';
    await expect(
      shop.query(chosen, { roles: ['twice'], parameters: { Which: '[Measures].[Amount]' } }),
    ).rejects.toThrow(/not found/);
    expect(shop.describe('Sales', { roles: ['twice'] }).measures.map(({ of: { name } }) => name)).toEqual([
      'Twice',
      'Chosen',
    ]);
  });

  it('sees the granted measures, and no calculated measure of others', async () => {
    expect(await ask('select [Measures].Members on 0 from Sales', 'units')).toBe('Units: 47');
    for (const measure of ['Amount', 'Customers', 'Price']) {
      await expect(
        shop.query(`select {[Measures].[${measure}]} on 0 from Sales`, { roles: ['units'] }),
      ).rejects.toThrow('not found');
    }
  });

  it('sees its part of a virtual cube, in every measure group', async () => {
    expect(await stores('virtual', 'Both')).toBe('All Stores North North.Oslo: 30 30 30');
    expect(await ask('select [Store].Members on 0 from Both where [Measures].[Stores]', 'virtual')).toBe(
      'All Stores North North.Oslo: 1 1 1',
    );
    expect(await ask('select {[Store].[All Stores]} on 0 from Both where [Measures].[Stores]', {})).toBe(
      'All Stores: 3',
    );
  });

  it.each([
    ['full', 'All Staff Ada Ada.Bo Ada.Bo.Di: 200 200 60 10'],
    ['partial', 'All Staff Ada Ada.Bo Ada.Bo.Di: 60 60 60 10'],
    ['hidden', 'All Staff Ada Ada.Bo Ada.Bo.Di: - - 60 10'],
  ])('sees people and their ancestors in a parent-child hierarchy with %s totals', async (policy, expected) => {
    for (const cube of ['Staff', 'Staff without closure']) {
      expect(await ask(`select [Employee].Members on 0 from [${cube}]`, `bo ${policy}`), cube).toBe(expected);
    }
  });

  it('sees the own data of granted members of a parent-child hierarchy', async () => {
    for (const cube of ['Staff', 'Staff without closure']) {
      // Ada's own 100 and Bo's 60. Cy's 40 are not granted.
      expect(await ask(`select [Employee].Members on 0 from [${cube}]`, 'without cy'), cube).toBe(
        'All Staff Ada Ada.Bo Ada.Bo.Di: 160 160 60 10',
      );
      const query = `select {[Employee].[Ada].DataMember} on 0 from [${cube}]`;
      expect(await ask(query, 'without cy')).toBe('Ada.Ada: 100');
      expect(await ask(query, 'bo partial')).toBe('Ada.Ada: -');
    }
  });

  it('does not share cached data with another role', async () => {
    expect(await stores('partial')).toContain('30 30 30');
    expect(await stores('everything')).toContain('47 39');
    expect(await stores('partial')).toContain('30 30 30');
  });
});
