import type * as model from '../../schema/model.ts';
import type { Hierarchy, Level } from './member.ts';

/** A measure group, and the links from its facts to the hierarchies of the cube. */
export class FactGroup {
  readonly model: model.MeasureGroup;
  readonly hierarchies: readonly Hierarchy[];
  /** Links by the hierarchy's ordinal. `undefined` if the facts are unrelated to the hierarchy. */
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

  /** Returns whether the columns of a hierarchy are columns of the facts' own table. */
  contains(hierarchy: Hierarchy): boolean {
    const link = this.links[hierarchy.ordinal];
    const { relation, primaryKey } = hierarchy.model ?? {};
    return link !== undefined && (link.kind === 'fact' || relation === undefined || primaryKey === undefined);
  }

  /**
   * Returns whether the facts have the members of a level. Facts that join a hierarchy at a level have no members below
   * it.
   */
  reachesLevel({ hierarchy, depth }: Level): boolean {
    const link = this.links[hierarchy.ordinal];
    if (link === undefined || link.kind !== 'key' || link.level === undefined) return link !== undefined;
    return hierarchy.levels.every((level) => level.name !== link.level || depth <= level.depth);
  }
}

/**
 * Returns whether a link can reach a hierarchy. Facts that join a dimension at a level do not reach hierarchies without
 * this level.
 */
function hasLevel({ levels }: Hierarchy, link: model.DimensionLink): boolean {
  return link.kind !== 'key' || link.level === undefined || levels.some(({ name }) => name === link.level);
}
