/**
 * A count of fact rows in every measure group, for masking small groups: measures of this surface's own that no
 * listing shows, added to a schema where its author counts something of the group. Roles that name the measures they
 * may see may see these too, so that a role never sees more of small groups than others do.
 */

import { traitsOf } from '../schema/aggregators.ts';
import { cubeOfGrant, isMeasures } from '../schema/check/find-elements.ts';
import { quoteName } from '../schema/mdx-name.ts';
import type * as model from '../schema/model.ts';

/** Returns the name of the measure that counts the facts of a group. */
export function factCountName(group: string): string {
  return `~rows of ${group}`;
}

/**
 * Lists the groups of a cube of which something is counted: only there the schema's author lets answers be masked by
 * counts.
 */
export function countedGroups(cube: model.Cube): readonly string[] {
  const counting = cube.measures.filter(({ aggregator, isFactCount }) => !isFactCount && traitsOf(aggregator).isCount);
  return [...new Set(counting.map(({ group }) => group))];
}

/** Returns the schema with a measure for each measure group that counts its facts. */
export function withFactCounts(schema: model.Schema): model.Schema {
  return {
    ...schema,
    cubes: schema.cubes.map((cube) => ({ ...cube, measures: [...cube.measures, ...countsOf(cube)] })),
    roles: schema.roles.map((role) =>
      role.kind === 'union'
        ? role
        : { ...role, schemaGrants: role.schemaGrants.map((grant) => granted(grant, schema)) },
    ),
  };
}

function countsOf(cube: model.Cube): readonly model.Measure[] {
  return countedGroups(cube).flatMap((group) => {
    const like = cube.measures.find((measure) => measure.group === group);
    if (like === undefined) return [];
    return [
      {
        line: like.line,
        name: factCountName(group),
        caption: undefined,
        description: undefined,
        visible: false,
        annotations: new Map(),
        group,
        aggregator: 'count',
        expression: undefined,
        type: 'Integer',
        formatString: '0',
        properties: [],
        implied: true,
        isFactCount: false,
      } satisfies model.Measure,
    ];
  });
}

function granted(grant: model.SchemaGrant, schema: model.Schema): model.SchemaGrant {
  return {
    ...grant,
    cubes: grant.cubes.map((cubeGrant) => {
      const cube = cubeOfGrant(cubeGrant, schema.cubes);
      const groups = cube === undefined ? [] : countedGroups(cube);
      return { ...cubeGrant, hierarchies: cubeGrant.hierarchies.map((each) => withCounts(each, groups)) };
    }),
  };
}

/** Adds the counts to a grant: where measures are granted by name, only those are seen: the counts join them. */
function withCounts(grant: model.HierarchyGrant, groups: readonly string[]): model.HierarchyGrant {
  if (!isMeasures(grant.hierarchy) || !grant.members.some(({ access }) => access === 'all')) {
    return grant;
  }
  const counts = groups.map((group): model.MemberGrant => {
    return { line: grant.line, member: `[Measures].${quoteName(factCountName(group))}`, access: 'all' };
  });
  return { ...grant, members: [...grant.members, ...counts] };
}
