/**
 * Viewer filters of cubes: the members of a level whose name is one of the caller's values of an attribute. The annotation
 * `service.viewerFilters` of a cube has them, `service.viewerExempt` the roles that they do not apply to.
 */
import { z } from 'zod';
import { AttributeName } from '../../../../router/capabilities/attributes.ts';
import { jsonOrUndefined } from '../../../../router/json.ts';
import { findNamed, quoteName, segmentsOf } from '../mdx-name.ts';
import type { Cube, Hierarchy } from '../model.ts';
import type { Problems } from '../xml/problems.ts';
import { suggestion } from '../xml/problems.ts';
import { findHierarchy, hierarchyNames } from './find-elements.ts';

export interface ViewerFilter {
  readonly hierarchy: Hierarchy;
  /** The level's name. */
  readonly level: string;
  readonly attribute: string;
}

export interface ViewerRules {
  readonly filters: readonly ViewerFilter[];
  readonly exempt: readonly string[];
}

const MAX_FILTERS = 20;
const FILTERS = 'service.viewerfilters';
const EXEMPT = 'service.viewerexempt';

const Filters = z.array(z.strictObject({ level: z.string().min(1), attribute: AttributeName })).max(MAX_FILTERS);
const Roles = z.array(z.string().min(1)).max(50);

/** Reports viewer filters that cannot be applied. They are errors: without them, all members would be visible. */
export function checkViewerFilters(cube: Cube, cubes: readonly Cube[], problems: Problems): void {
  for (const name of cube.annotations.keys()) {
    if (/^service\.viewer/i.test(name.trim()) && ![FILTERS, EXEMPT].includes(name.trim().toLowerCase()))
      problems.error(
        cube,
        `The cube "${cube.name}" has the annotation ${name}, which is not one of service.viewerFilters and service.viewerExempt.`,
      );
  }
  readRules(cube, cubes, (message) => problems.error(cube, message));
}

/** Returns the viewer filters of a cube. A virtual cube also has the filters of the cubes that its measures come from. */
export function viewerRulesOf(cube: Cube, cubes: readonly Cube[]): ViewerRules {
  return readRules(cube, cubes, () => undefined);
}

function readRules(cube: Cube, cubes: readonly Cube[], report: (message: string) => void): ViewerRules {
  const bases = cube.virtual
    ? cubes.filter((each) => !each.virtual && cube.measureGroups.some(({ name }) => name === each.name))
    : [];
  const written = [cube, ...bases].flatMap((source) => writtenFilters(source, report));
  const filters = written.flatMap(({ level, attribute }): readonly ViewerFilter[] => {
    const place = levelNamed(cube, level);
    if (place !== undefined) return [{ ...place, attribute }];
    report(
      `service.viewerFilters names the level ${level}, which the cube "${cube.name}" does not have.${suggestion(level, levelNames(cube))}`,
    );
    return [];
  });
  const exempt = annotationOf(cube, EXEMPT);
  const roles = exempt === undefined ? undefined : Roles.safeParse(jsonOrUndefined(exempt));
  if (roles?.success === false)
    report(`service.viewerExempt of the cube "${cube.name}" is no JSON list of roles, such as ["ROLE_ADMIN"].`);
  return { filters, exempt: roles?.data ?? [] };
}

function writtenFilters(cube: Cube, report: (message: string) => void): z.infer<typeof Filters> {
  const text = annotationOf(cube, FILTERS);
  if (text === undefined) return [];
  const parsed = Filters.safeParse(jsonOrUndefined(text));
  if (parsed.success) return parsed.data;
  report(
    `service.viewerFilters of the cube "${cube.name}" is no JSON list such as [{"level": "[Store].[Store State]", "attribute": "states"}].`,
  );
  return [];
}

function annotationOf({ annotations }: Cube, name: string): string | undefined {
  for (const [key, value] of annotations) if (key.trim().toLowerCase() === name) return value;
  return undefined;
}

function levelNamed(cube: Cube, text: string): { readonly hierarchy: Hierarchy; readonly level: string } | undefined {
  const segments = segmentsOf(text) ?? [];
  const last = segments.at(-1);
  if (last === undefined || segments.length < 2) return undefined;
  const hierarchy = findHierarchy(cube, segments.slice(0, -1).map(quoteName).join('.'));
  const level = hierarchy && findNamed(hierarchy.levels, last);
  return hierarchy === undefined || level === undefined ? undefined : { hierarchy, level: level.name };
}

function levelNames(cube: Cube): readonly string[] {
  const levels = cube.dimensions.flatMap(({ hierarchies }) =>
    hierarchies.flatMap((hierarchy) =>
      hierarchy.levels.map(({ name }) => `${hierarchy.uniqueName}.${quoteName(name)}`),
    ),
  );
  return levels.length === 0 ? hierarchyNames(cube) : levels;
}
