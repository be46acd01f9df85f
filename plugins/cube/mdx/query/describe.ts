import { quoteName } from '../../schema/mdx-name.ts';
import type * as model from '../../schema/model.ts';
import type { RuntimeCube } from '../cube/cube.ts';
import { type Hierarchy, Member } from '../metadata/member.ts';

/** The metadata of a cube that a caller may see, without members. */
export interface CubeDescription {
  readonly cube: model.Cube;
  /** Stored measures, then calculated ones. Leaves out measures that only a calculation needs. */
  readonly measures: readonly DescribedMeasure[];
  /** The dimensions in the order of the cube, without `[Measures]`. */
  readonly dimensions: readonly DescribedDimension[];
}

export interface DescribedMeasure {
  readonly uniqueName: string;
  readonly of: model.Measure | model.CalculatedMember;
}

export interface DescribedDimension {
  readonly uniqueName: string;
  readonly of: model.Dimension;
  readonly hierarchies: readonly DescribedHierarchy[];
}

export interface DescribedHierarchy {
  readonly name: string;
  readonly uniqueName: string;
  readonly of: model.Hierarchy;
  readonly levels: readonly DescribedLevel[];
}

export interface DescribedLevel {
  readonly name: string;
  readonly uniqueName: string;
  /** The index of the level in its hierarchy, from 0 for the topmost, including the all level. */
  readonly depth: number;
  /** `undefined` for the all level. */
  readonly of: model.Level | undefined;
}

/**
 * Returns whether the roles see a calculated measure. Grants of measures are by name, so they apply to calculated
 * measures, too.
 */
function seesCalculated({ measures }: RuntimeCube, name: string): boolean {
  return measures.members.sees(new Member(measures, 'calculated', undefined, name, { level: measures.levels[0] }));
}

/** Describes what the roles of a cube may see, without reading from the warehouse. */
export function describeCube(cube: RuntimeCube): CubeDescription {
  const listed = new Set(cube.measures.members.roots().map(({ name }) => name));
  const stored = cube.model.measures.filter(({ name }) => listed.has(name));
  const calculated = cube.model.calculatedMembers.filter(
    ({ name, hierarchy, parent, implied }) =>
      parent === undefined &&
      !implied &&
      /^\[?measures\]?$/i.test(hierarchy.trim()) &&
      cube.measures.visible &&
      seesCalculated(cube, name),
  );
  return {
    cube: cube.model,
    measures: [...stored, ...calculated].map((of) => ({ uniqueName: `[Measures].${quoteName(of.name)}`, of })),
    dimensions: cube.model.dimensions.flatMap((of) => {
      const dimension = cube.dimensions.find(({ name, type }) => name === of.name && type !== 'measures');
      const hierarchies = (dimension?.hierarchies ?? []).flatMap(describeHierarchy);
      return dimension === undefined || hierarchies.length === 0
        ? []
        : [{ uniqueName: dimension.uniqueName, of, hierarchies }];
    }),
  };
}

function describeHierarchy(hierarchy: Hierarchy): readonly DescribedHierarchy[] {
  const { name, uniqueName, visible, levels, members, model: of } = hierarchy;
  if (!visible || of === undefined) return [];
  const described = levels
    .filter((level) => members.seesLevel(level))
    .map((level) => ({ name: level.name, uniqueName: level.uniqueName, depth: level.depth, of: level.model }));
  return [{ name, uniqueName, of, levels: described }];
}
