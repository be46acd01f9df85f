import { calledSo, findNamed, quoteName, sameName, segmentsOf } from '../mdx-name.ts';
import type { Cube, CubeGrant, Dimension, Hierarchy } from '../model.ts';

/**
 * Returns the hierarchy that a name stands for: `[Time]`, `[Time.Weekly]`, `[Time].[Weekly]`, `[Time].[Time.Weekly]`, or the
 * plain name of a dimension, which is its first hierarchy.
 */
export function findHierarchy(cube: Cube, name: string): Hierarchy | undefined {
  return hierarchyCalled(cube, name) ?? dimensionCalled(cube, name)?.hierarchies[0];
}

/** Returns the hierarchy that is itself called so; `undefined` for the name of a dimension whose hierarchies are called otherwise. */
export function hierarchyCalled(cube: Cube, name: string): Hierarchy | undefined {
  const segments = segmentsOf(name);
  if (segments === undefined || segments.length > 2) return undefined;
  const hierarchies = cube.dimensions.flatMap((dimension) =>
    dimension.hierarchies.map((hierarchy) => ({ hierarchy, names: spellings(dimension, hierarchy) })),
  );
  const [first, ...others] = calledSo(hierarchies, segments.map(quoteName).join('.'), ({ names }) => names);
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

/** Returns the dimension that a name of one segment denotes. */
export function dimensionCalled({ dimensions }: Cube, name: string): Dimension | undefined {
  const [first, ...others] = segmentsOf(name) ?? [];
  return first === undefined || others.length > 0 ? undefined : findNamed(dimensions, first);
}

/** Returns the unique names of the hierarchies of a cube. */
export function hierarchyNames(cube: Cube): readonly string[] {
  return cube.dimensions.flatMap(({ hierarchies }) => hierarchies.map(({ uniqueName }) => uniqueName));
}

/** Returns whether MDX names the hierarchy of measures. */
export function isMeasures(hierarchy: string): boolean {
  const segments = segmentsOf(hierarchy) ?? [];
  return segments.length > 0 && segments.every((segment) => sameName(segment, 'Measures'));
}

/** Returns the cube that a role's grant names, in brackets or not. */
export function cubeOfGrant<Each extends Pick<Cube, 'name'>>(
  { cube }: Pick<CubeGrant, 'cube'>,
  cubes: readonly Each[],
): Each | undefined {
  return findNamed(cubes, segmentsOf(cube)?.[0] ?? cube) ?? findNamed(cubes, cube);
}
