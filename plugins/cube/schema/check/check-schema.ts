/** Checks the rules of both schema languages. A problem names the line of the element that breaks a rule. */
import { segmentsOf } from '../mdx-name.ts';
import type { Cube, Hierarchy, Located, Schema } from '../model.ts';
import { type Problems, suggestion } from '../xml/problems.ts';
import { checkCertifiedAnswers } from './certified-answers.ts';
import { checkRoles } from './check-roles.ts';
import { refuseDuplicates } from './duplicates.ts';
import { findHierarchy, hierarchyNames, isMeasures } from './find-elements.ts';
import { checkViewerFilters } from './viewer-filters.ts';

/** Checks the names and duplicates of a schema after it is read. */
export function checkSchema(schema: Schema, problems: Problems): void {
  if (schema.cubes.length === 0) problems.warn(schema, 'This schema has no cube.');
  refuseDuplicates('cubes', schema.cubes, problems);
  // Queries name parameters in any letter case, so names that differ only in letter case are duplicates.
  refuseDuplicates('parameters', schema.parameters, problems, (name) => name.toLowerCase());
  for (const cube of schema.cubes) {
    checkCube(cube, problems);
    checkViewerFilters(cube, schema.cubes, problems);
    checkCertifiedAnswers(cube, problems);
  }
  checkRoles(schema, problems);
}

function checkCube(cube: Cube, problems: Problems): void {
  if (cube.measures.every(({ isFactCount }) => isFactCount))
    problems.warn(cube, `The cube "${cube.name}" has no measure of its own.`);
  for (const member of cube.calculatedMembers) {
    if (isMeasures(member.hierarchy)) continue;
    if (findHierarchy(cube, member.hierarchy) === undefined)
      problems.error(
        member,
        `The calculated member "${member.name}" is of the hierarchy ${member.hierarchy}, which the cube "${cube.name}" does not have.${suggestion(member.hierarchy, hierarchyNames(cube))}`,
      );
    checkName(member.parent, 'parent', member, problems);
  }
  for (const dimension of cube.dimensions) {
    refuseDuplicates(`hierarchies in the dimension "${dimension.name}"`, dimension.hierarchies, problems);
    for (const hierarchy of dimension.hierarchies) checkHierarchy(hierarchy, dimension.type === 'time', problems);
  }
}

function checkHierarchy(hierarchy: Hierarchy, isTime: boolean, problems: Problems): void {
  refuseDuplicates(`levels in the hierarchy ${hierarchy.uniqueName}`, hierarchy.levels, problems);
  checkName(hierarchy.defaultMember, 'default member', hierarchy, problems);
  for (const level of hierarchy.levels) {
    refuseDuplicates(`properties of the level "${level.name}"`, level.properties, problems);
    if (isTime && level.levelType === 'Regular' && !hierarchy.ofAttribute)
      problems.warn(
        level,
        `The level "${level.name}" is in a time dimension and has no "levelType" such as TimeMonths.`,
      );
    if (!isTime && level.levelType !== 'Regular')
      problems.warn(level, `The level "${level.name}" has a time type, but its dimension is not a time dimension.`);
    if (level.parent !== undefined && level.hideMemberIf !== 'never')
      problems.error(level, `The level "${level.name}" has parents, so it cannot hide members with "hideMemberIf".`);
  }
}

function checkName(name: string | undefined, what: string, at: Located, problems: Problems): void {
  if (name !== undefined && segmentsOf(name) === undefined)
    problems.error(at, `The ${what} "${name}" is not a name such as [Store].[USA].`);
}
