import type * as model from '../../schema/model.ts';
import type { Hierarchy, Level } from './member.ts';

/** A measure group and how its facts reach the hierarchies of the cube. */
export class FactGroup {
  readonly model: model.MeasureGroup;
  readonly hierarchies: readonly Hierarchy[];
  /** By the hierarchy's ordinal; `undefined`: unrelated. */
  readonly links: readonly (model.DimensionLink | undefined)[];

  constructor(group: model.MeasureGroup, hierarchies: readonly Hierarchy[]) {
    this.model = group;
    this.hierarchies = hierarchies;
    this.links = hierarchies.map((hierarchy) =>
      group.links.find((link) => link.dimension === hierarchy.dimension.name && hasLevel(hierarchy, link)),
    );
  }

  get name(): string {
    return this.model.name;
  }

  /** Returns whether the facts are related to a hierarchy. */
  reaches(hierarchy: Hierarchy): boolean {
    return this.links[hierarchy.ordinal] !== undefined;
  }

  /** Returns whether the facts know the members of a level: of a hierarchy that they join at a level, none below it. */
  reachesLevel({ hierarchy, depth }: Level): boolean {
    const link = this.links[hierarchy.ordinal];
    if (link === undefined || link.kind !== 'key' || link.level === undefined) return link !== undefined;
    return hierarchy.levels.every((level) => level.name !== link.level || depth <= level.depth);
  }
}

/**
 * Returns whether the facts know a level. Facts that join a dimension at a level know nothing of the hierarchies that do
 * not have that level.
 */
function hasLevel({ levels }: Hierarchy, link: model.DimensionLink): boolean {
  return link.kind !== 'key' || link.level === undefined || levels.some(({ name }) => name === link.level);
}
