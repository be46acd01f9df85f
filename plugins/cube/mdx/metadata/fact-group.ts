import type * as model from '../../schema/model.ts';
import type { Hierarchy, Level } from './member.ts';

/** The tables of a hierarchy, and how the facts join them. */
export interface HierarchyTables {
  readonly link: Exclude<model.DimensionLink, { readonly kind: 'fact' }>;
  readonly relation: model.Relation;
  readonly primaryKey: NonNullable<model.Hierarchy['primaryKey']>;
}

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

  /**
   * Returns the tables of a hierarchy with the key that the facts join; `undefined` where its columns are columns of the
   * facts' own table, or where the facts do not reach it.
   */
  tablesOf({ ordinal, model: of }: Hierarchy): HierarchyTables | undefined {
    const link = this.links[ordinal];
    if (link === undefined || link.kind === 'fact') return undefined;
    const { relation, primaryKey } = of ?? {};
    return relation === undefined || primaryKey === undefined ? undefined : { link, relation, primaryKey };
  }

  /** Returns whether the columns of a hierarchy are columns of the facts' own table. */
  contains(hierarchy: Hierarchy): boolean {
    return this.reaches(hierarchy) && this.tablesOf(hierarchy) === undefined;
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
