import { quoteName, sameName, segmentsOf } from '../mdx-name.ts';
import type { Cube, CubeGrant, Hierarchy } from '../model.ts';

/**
 * Returns the hierarchy that a name stands for: `[Time]`, `[Time.Weekly]`, `[Time].[Weekly]`, `[Time].[Time.Weekly]`, or the
 * plain name of a dimension, which is its first hierarchy.
 */
export function findHierarchy(cube: Cube, name: string): Hierarchy | undefined {
  const segments = segmentsOf(name);
  if (segments === undefined || segments.length > 2) return undefined;
  const written = segments.map(quoteName).join('.');
  for (const dimension of cube.dimensions)
    for (const hierarchy of dimension.hierarchies) {
      const spellings = [
        hierarchy.uniqueName,
        `${quoteName(dimension.name)}.${quoteName(hierarchy.name)}`,
        quoteName(`${dimension.name}.${hierarchy.name}`),
        `${quoteName(dimension.name)}.${quoteName(`${dimension.name}.${hierarchy.name}`)}`,
      ];
      if (spellings.some((spelling) => sameName(spelling, written))) return hierarchy;
    }
  if (segments.length === 2) return undefined;
  return cube.dimensions.find((dimension) => sameName(quoteName(dimension.name), written))?.hierarchies[0];
}

/** Returns the unique names of the hierarchies of a cube. */
export function hierarchyNames(cube: Cube): readonly string[] {
  return cube.dimensions.flatMap(({ hierarchies }) => hierarchies.map(({ uniqueName }) => uniqueName));
}

/** Tells whether MDX names the hierarchy of measures. */
export function isMeasures(hierarchy: string): boolean {
  const segments = segmentsOf(hierarchy) ?? [];
  return segments.length > 0 && segments.every((segment) => sameName(segment, 'Measures'));
}

/** Tells whether a role's grant is of the cube, its name in brackets or not. */
export function isOfCube({ cube }: Pick<CubeGrant, 'cube'>, { name }: Pick<Cube, 'name'>): boolean {
  return sameName(segmentsOf(cube)?.[0] ?? cube, name) || sameName(cube, name);
}
