import { describe, expect, it } from 'vitest';
import { cubeOf, cubeWith, dimensionWith, read } from '../testing/reading.ts';

describe('calculated members, sets and parameters', () => {
  it('reads a formula from the attribute or the element, with its line', () => {
    const { calculatedMembers } = cubeOf(
      read(
        cubeWith(`<CalculatedMember name="A" dimension="Measures" formula="[Measures].[Amount] * 2" caption="Twice"/>
<CalculatedMember name="B" hierarchy="[Measures]" visible="false">
  <Formula>
    [Measures].[A] + 1
  </Formula>
  <CalculatedMemberProperty name="FORMAT_STRING" value="0.0%"/>
  <CalculatedMemberProperty name="SOLVE_ORDER" value="-3"/>
  <CalculatedMemberProperty name="FORE_COLOR" expression="IIf(1 = 1, 2, 3)"/>
</CalculatedMember>`),
      ),
    );
    expect(calculatedMembers).toMatchObject([
      { name: 'A', hierarchy: '[Measures]', formula: '[Measures].[Amount] * 2', formulaLine: 4, caption: 'Twice' },
      {
        name: 'B',
        hierarchy: '[Measures]',
        visible: false,
        formula: '[Measures].[A] + 1',
        formulaLine: 7,
        formatString: '0.0%',
        solveOrder: -3,
      },
    ]);
    expect(calculatedMembers[1]?.properties.map(({ name, content }) => [name, content])).toEqual([
      ['FORMAT_STRING', { kind: 'value', value: '0.0%' }],
      ['SOLVE_ORDER', { kind: 'value', value: '-3' }],
      ['FORE_COLOR', { kind: 'expression', mdx: 'IIf(1 = 1, 2, 3)' }],
    ]);
  });

  it('may be below a member of any hierarchy', () => {
    const { calculatedMembers } = cubeOf(
      read(
        cubeWith(
          `${dimensionWith('<Level name="State" column="state"/>')}
           <CalculatedMember name="West" dimension="Store" parent="[Store].[All Stores]" formula="1"/>`,
        ),
      ),
    );
    expect(calculatedMembers[0]).toMatchObject({ hierarchy: '[Store]', parent: '[Store].[All Stores]' });
  });

  it('gives every cube the sets of the schema', () => {
    const schema = read(
      cubeWith(
        '<NamedSet name="Own" formula="{}"/>',
        '<NamedSet name="All" caption="Every"><Formula>{1}</Formula></NamedSet>',
      ),
    );
    expect(cubeOf(schema).namedSets).toMatchObject([
      { name: 'Own', formula: '{}' },
      { name: 'All', caption: 'Every', formula: '{1}' },
    ]);
  });

  it('reads parameters', () => {
    expect(
      read(cubeWith('', '<Parameter name="P" type="Numeric" modifiable="false" defaultValue="1 + 2" description="d"/>'))
        .parameters,
    ).toEqual([{ name: 'P', type: 'Numeric', modifiable: false, defaultValue: '1 + 2', description: 'd', line: 1 }]);
  });
});

describe('roles', () => {
  it('grant schema, cubes, dimensions, hierarchies and members', () => {
    const [role] = read(
      cubeWith(dimensionWith('<Level name="State" column="state"/><Level name="City" column="city"/>')).replace(
        '</Schema>',
        `<Role name="West"><SchemaGrant access="none"><CubeGrant cube="Sales" access="all">
           <DimensionGrant dimension="[Measures]" access="all"/>
           <HierarchyGrant hierarchy="[Store]" access="custom" topLevel="[Store].[State]" bottomLevel="[Store].[City]"
               rollupPolicy="partial">
             <MemberGrant member="[Store].[CA]" access="all"/>
             <MemberGrant member="[Store].[CA].[LA]" access="none"/>
           </HierarchyGrant></CubeGrant></SchemaGrant></Role></Schema>`,
      ),
    ).roles;
    expect(role).toMatchObject({
      kind: 'grants',
      name: 'West',
      schemaGrants: [
        {
          access: 'none',
          cubes: [
            {
              cube: 'Sales',
              access: 'all',
              dimensions: [{ dimension: '[Measures]', access: 'all' }],
              hierarchies: [
                {
                  hierarchy: '[Store]',
                  access: 'custom',
                  topLevel: '[Store].[State]',
                  bottomLevel: '[Store].[City]',
                  rollupPolicy: 'partial',
                  members: [
                    { member: '[Store].[CA]', access: 'all' },
                    { member: '[Store].[CA].[LA]', access: 'none' },
                  ],
                },
              ],
            },
          ],
        },
      ],
    });
  });

  it('are united', () => {
    const schema = read(
      cubeWith('').replace(
        '</Schema>',
        `<Role name="A"><SchemaGrant access="all"/></Role>
         <Role name="B"><SchemaGrant access="all_dimensions"/></Role>
         <Role name="C"><Union><RoleUsage roleName="A"/><RoleUsage roleName="B"/></Union></Role></Schema>`,
      ),
    );
    expect(schema.roles[2]).toMatchObject({ kind: 'union', name: 'C', roles: ['A', 'B'] });
  });
});
