import { sameName, segmentsOf } from '../mdx-name.ts';
import type { Cube, CubeGrant, HierarchyGrant, Role, Schema } from '../model.ts';
import { type Problems, suggestion } from '../xml/problems.ts';
import { refuseDuplicates } from './duplicates.ts';
import { cubeOfGrant, findHierarchy, hierarchyNames, isMeasures } from './find-elements.ts';

/** Checks grants. A grant of a missing element would silently grant or hide nothing. */
export function checkRoles(schema: Schema, problems: Problems): void {
  const { roles, defaultRole } = schema;
  refuseDuplicates('roles', roles, problems);
  const names = roles.map(({ name }) => name);
  if (defaultRole !== undefined && !names.includes(defaultRole))
    problems.error(schema, `There is no role "${defaultRole}" to be the default.${suggestion(defaultRole, names)}`);
  for (const role of roles) {
    if (role.kind === 'union') checkUnion(role, roles, problems);
    else
      for (const grant of role.schemaGrants)
        for (const cubeGrant of grant.cubes) checkCubeGrant(cubeGrant, schema.cubes, problems);
  }
}

function checkUnion(role: Role & { readonly kind: 'union' }, roles: readonly Role[], problems: Problems): void {
  if (role.roles.length === 0) problems.error(role, `The union "${role.name}" needs a <RoleUsage>.`);
  const place = roles.indexOf(role);
  for (const name of role.roles) {
    const at = roles.findIndex((other) => other.name === name);
    if (at === place) problems.error(role, `The role "${role.name}" contains itself.`);
    // The language requires this order, which also prevents cycles.
    if (at > place)
      problems.error(role, `The role "${role.name}" uses the role "${name}", which must be defined before it.`);
    if (at < 0)
      problems.error(
        role,
        `There is no role "${name}".${suggestion(
          name,
          roles.map((other) => other.name),
        )}`,
      );
  }
}

function checkCubeGrant(grant: CubeGrant, cubes: readonly Cube[], problems: Problems): void {
  const cube = cubeOfGrant(grant, cubes);
  if (cube === undefined) {
    if (grant.cube !== '')
      problems.error(
        grant,
        `There is no cube "${grant.cube}".${suggestion(
          grant.cube,
          cubes.map(({ name }) => name),
        )}`,
      );
    return;
  }
  for (const { dimension, line } of grant.dimensions) {
    const segments = segmentsOf(dimension) ?? [];
    const legal = ['Measures', ...cube.dimensions.map(({ name }) => name)];
    if (segments.length !== 1 || !legal.some((name) => sameName(name, segments[0] ?? '')))
      problems.error(
        { line },
        `The cube "${cube.name}" has no dimension "${dimension}".${suggestion(
          dimension,
          legal.map((name) => `[${name}]`),
        )}`,
      );
  }
  for (const hierarchy of grant.hierarchies) checkHierarchyGrant(hierarchy, cube, problems);
}

function checkHierarchyGrant(grant: HierarchyGrant, cube: Cube, problems: Problems): void {
  for (const { member, line } of grant.members)
    if (segmentsOf(member) === undefined)
      problems.error({ line }, `The member "${member}" is not a name such as [Store].[USA].`);
  if (isMeasures(grant.hierarchy)) return;
  const hierarchy = findHierarchy(cube, grant.hierarchy);
  if (hierarchy === undefined) {
    problems.error(
      grant,
      `The cube "${cube.name}" has no hierarchy "${grant.hierarchy}".${suggestion(grant.hierarchy, hierarchyNames(cube))}`,
    );
    return;
  }
  const levels = [...(hierarchy.hasAll ? [hierarchy.allLevelName] : []), ...hierarchy.levels.map(({ name }) => name)];
  for (const levelName of [grant.topLevel, grant.bottomLevel]) {
    if (levelName === undefined) continue;
    const name = segmentsOf(levelName)?.at(-1) ?? levelName;
    if (!levels.some((level) => sameName(level, name)))
      problems.error(
        grant,
        `The hierarchy ${hierarchy.uniqueName} has no level "${levelName}".${suggestion(name, levels)}`,
      );
  }
}
