import { afterAll, beforeAll, expect, it } from 'vitest';
import { startWarehouse, type TestWarehouse } from '../../../../server/warehouse/testing/engines.ts';
import type { MdxCatalog } from '../index.ts';
import { openSchema } from '../testing/open-schema.ts';

/** Units: Ann (USA, f) 1, Bob (USA, m) 10, Cleo (Chile, f) 100. */
const TABLES = [
  'CREATE TABLE customer (id INTEGER, country VARCHAR(10), gender VARCHAR(10))',
  "INSERT INTO customer VALUES (1, 'USA', 'f'), (2, 'USA', 'm'), (3, 'Chile', 'f')",
  'CREATE TABLE sale (customer_id INTEGER, units INTEGER)',
  'INSERT INTO sale VALUES (1, 1), (2, 10), (3, 100)',
];

const USA = (hierarchy: string, member = '[Customer].[USA]') =>
  `<HierarchyGrant hierarchy="${hierarchy}" access="custom" rollupPolicy="partial"><MemberGrant member="${member}" access="all"/></HierarchyGrant>`;
const ROLE = (name: string, cube: string, grants: string) =>
  `<Role name="${name}"><SchemaGrant access="none"><CubeGrant cube="${cube}" access="all">${grants}</CubeGrant></SchemaGrant></Role>`;
const UNION = (name: string, ...roles: readonly string[]) =>
  `<Role name="${name}"><Union>${roles.map((role) => `<RoleUsage roleName="${role}"/>`).join('')}</Union></Role>`;

const SCHEMA = `<Schema name="S">
  <Dimension name="Customer">
    <Hierarchy hasAll="true" primaryKey="id"><Table name="customer"/><Level name="Country" column="country" uniqueMembers="true"/></Hierarchy>
    <Hierarchy name="Gender" hasAll="true" primaryKey="id"><Table name="customer"/><Level name="Gender" column="gender" uniqueMembers="true"/></Hierarchy>
  </Dimension>
  <Cube name="Sales"><Table name="sale"/><DimensionUsage name="Customer" source="Customer" foreignKey="customer_id"/>
    <DimensionUsage name="Buyer" source="Customer" foreignKey="customer_id"/>
    <Measure name="Units" column="units" aggregator="sum"/></Cube>
  <VirtualCube name="All"><VirtualCubeDimension cubeName="Sales" name="Customer"/><VirtualCubeMeasure cubeName="Sales" name="[Measures].[Units]"/></VirtualCube>
  ${ROLE('usa', 'Sales', USA('[Customer]'))}
  ${ROLE('usa in the virtual cube', 'All', USA('[Customer]'))}
  ${ROLE('women', 'Sales', USA('[Customer.Gender]', '[Customer.Gender].[f]'))}
  ${ROLE('women of the usa', 'Sales', `${USA('[Customer]')}${USA('[Customer].[Gender]', '[Gender].[f]')}`)}
  ${ROLE('buyers of the usa', 'Sales', USA('[Buyer]', '[Buyer].[USA]'))}
  ${ROLE('no customers', 'Sales', '<DimensionGrant dimension="[Customer]" access="none"/>')}
  ${ROLE('nobody', 'Sales', USA('[Customer]', '[Customer].[Peru]'))}
  ${ROLE('no measure', 'Sales', '<HierarchyGrant hierarchy="[Measures]" access="custom"><MemberGrant member="[Measures].[Cost]" access="all"/></HierarchyGrant>')}
  ${UNION('usa or women', 'usa', 'women')}
  ${UNION('nobody or nobody', 'nobody')}
  ${UNION('nobody or usa', 'nobody', 'usa')}
</Schema>`;

let on: TestWarehouse;
let catalog: MdxCatalog;
beforeAll(async () => {
  on = await startWarehouse('duckdb', TABLES);
  catalog = openSchema(SCHEMA, on.warehouse);
});
afterAll(() => on.stop());

const shown = async (set: string, role: string, cube = 'Sales') => {
  const { axes, cells } = await catalog.query(`select ${set} on 0 from [${cube}]`, { roles: [role] });
  return (axes[0]?.tuples ?? []).map(([member], index) => `${member?.name} ${cells[index]?.value}`).join(', ');
};

it.each([
  ['usa', '[Measures].[Units]', 'Units 11'],
  ['usa', '[Customer].[Country].Members', 'USA 11'],
  ['usa', '[Customer.Gender].[Gender].Members', 'f 1, m 10'],
  ['usa', '[Buyer].[Country].Members', 'Chile null, USA 11'],
  ['women', '[Customer].[Country].Members', 'Chile 100, USA 1'],
  ['women of the usa', '[Measures].[Units]', 'Units 1'],
  ['buyers of the usa', '[Customer].[Country].Members', 'Chile null, USA 11'],
  ['buyers of the usa', '[Buyer.Gender].[Gender].Members', 'f 1, m 10'],
  ['no customers', '[Buyer].[Country].Members', 'Chile 100, USA 11'],
  ['usa or women', '[Measures].[Units]', 'Units 111'],
])('a grant of the first, unnamed hierarchy applies to it alone: %s sees %s as %s', async (role, set, expected) => {
  expect(await shown(set, role)).toBe(expected);
});

it('the same applies in a virtual cube', async () => {
  expect(await shown('[Customer.Gender].[Gender].Members', 'usa in the virtual cube', 'All')).toBe('f 1, m 10');
});

it('a grant of a dimension hides all its hierarchies', async () => {
  for (const hierarchy of ['[Customer]', '[Customer.Gender]'])
    await expect(shown(`${hierarchy}.Members`, 'no customers')).rejects.toThrow('not found');
});

it('a role that sees no figure is reported with the grant that hides them', async () => {
  const { mistakes } = await catalog.check({ hasData: true, timeMs: 10_000 });
  const blind = mistakes.map(({ message }) => message).filter((message) => message.includes('sees no figure'));
  const nobody =
    ' sees no figure of the cube "Sales": its grant of [Customer] shows no member of the hierarchy [Customer].';
  expect(blind).toEqual([
    `The role "nobody"${nobody}`,
    'The role "no measure" sees no figure of the cube "Sales": its grant of [Measures] shows no measure.',
    `The role "nobody or nobody"${nobody}`,
  ]);
});
