import { findNamed, itemsNamed, quoteName, sameName, segmentsOf } from '../mdx-name.ts';
import type { Cube, CubeGrant, Dimension, Hierarchy } from '../model.ts';

/**
 * Returns the hierarchy of a name: `[Time]`, `[Time.Weekly]`, `[Time].[Weekly]`, `[Time].[Time.Weekly]`, or a
 * dimension's plain name, which means its first hierarchy.
 */
export function findHierarchy(cube: Cube, name: string): Hierarchy | undefined {
  return findNamedHierarchy(cube, name) ?? findDimension(cube, name)?.hierarchies[0];
}

/**
 * Returns the hierarchy with a name of its own; `undefined` for the name of a dimension without a hierarchy of that
 * name.
 */
export function findNamedHierarchy(cube: Cube, name: string): Hierarchy | undefined {
  const segments = segmentsOf(name);
  if (segments === undefined || segments.length > 2) return undefined;
  const hierarchies = cube.dimensions.flatMap((dimension) =>
    dimension.hierarchies.map((hierarchy) => ({ hierarchy, names: spellings(dimension, hierarchy) })),
  );
  const [first, ...others] = itemsNamed(hierarchies, segments.map(quoteName).join('.'), ({ names }) => names);
  const isTwin = ({ hierarchy }: { readonly hierarchy: Hierarchy }) =>
    hierarchy.uniqueName !== first?.hierarchy.uniqueName &&
    sameName(hierarchy.uniqueName, first?.hierarchy.uniqueName ?? '');
  return others.some(isTwin) ? undefined : first?.hierarchy;
}

function spellings(dimension: Dimension, hierarchy: Hierarchy): readonly string[] {
  return [
    hierarchy.uniqueName,
    ...(hierarchy.name === dimension.name ? [quoteName(dimension.name)] : []),
    `${quoteName(dimension.name)}.${quoteName(hierarchy.name)}`,
    quoteName(`${dimension.name}.${hierarchy.name}`),
    `${quoteName(dimension.name)}.${quoteName(`${dimension.name}.${hierarchy.name}`)}`,
  ];
}

/** Returns the dimension of a name with one segment. */
export function findDimension({ dimensions }: Cube, name: string): Dimension | undefined {
  const [first, ...others] = segmentsOf(name) ?? [];
  return first === undefined || others.length > 0 ? undefined : findNamed(dimensions, first);
}

/** Returns the unique names of a cube's hierarchies. */
export function hierarchyNames(cube: Cube): readonly string[] {
  return cube.dimensions.flatMap(({ hierarchies }) => hierarchies.map(({ uniqueName }) => uniqueName));
}

/** Returns whether a name means the hierarchy of measures. */
export function isMeasures(hierarchy: string): boolean {
  const segments = segmentsOf(hierarchy) ?? [];
  return segments.length > 0 && segments.every((segment) => sameName(segment, 'Measures'));
}

/** Returns the cube that a role's grant names, with or without brackets. */
export function cubeOfGrant<Each extends Pick<Cube, 'name'>>(
  { cube }: Pick<CubeGrant, 'cube'>,
  cubes: readonly Each[],
): Each | undefined {
  return findNamed(cubes, segmentsOf(cube)?.[0] ?? cube) ?? findNamed(cubes, cube);
}
