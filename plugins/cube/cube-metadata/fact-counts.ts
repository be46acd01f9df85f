/**
 * Adds a hidden count of fact rows to every measure group in which the schema's author counts something. Small groups
 * are masked by these counts. No list shows these measures. Roles that name the visible measures also see the counts,
 * so that no role sees more of small groups than others.
 */

import { traitsOf } from '../schema/aggregators.ts';
import { cubeOfGrant, isMeasures } from '../schema/check/find-elements.ts';
import { quoteName } from '../schema/mdx-name.ts';
import type * as model from '../schema/model.ts';

/** Returns the name of the measure that counts the facts of a group. */
export function factCountName(group: string): string {
  return `~rows of ${group}`;
}

/** Lists the groups of a cube in which something is counted. Only for these may answers be masked by counts. */
export function countedGroups(cube: model.Cube): readonly string[] {
  const counting = cube.measures.filter(({ aggregator, isFactCount }) => !isFactCount && traitsOf(aggregator).isCount);
  return [...new Set(counting.map(({ group }) => group))];
}

/** Returns the schema with a fact count for each measure group. */
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

/** Adds the counts to a grant that names the visible measures. */
function withCounts(grant: model.HierarchyGrant, groups: readonly string[]): model.HierarchyGrant {
  if (!isMeasures(grant.hierarchy) || !grant.members.some(({ access }) => access === 'all')) {
    return grant;
  }
  const counts = groups.map((group): model.MemberGrant => {
    return { line: grant.line, member: `[Measures].${quoteName(factCountName(group))}`, access: 'all' };
  });
  return { ...grant, members: [...grant.members, ...counts] };
}
