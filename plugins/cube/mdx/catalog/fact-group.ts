import type * as model from '../../schema/model.ts';
import type { Hierarchy } from './member.ts';

/** A measure group and how its facts reach the hierarchies of the cube. */
export class FactGroup {
  readonly model: model.MeasureGroup;
  readonly hierarchies: readonly Hierarchy[];
  /** By the hierarchy's ordinal; `undefined`: unrelated. */
  readonly links: readonly (model.DimensionLink | undefined)[];

  constructor(group: model.MeasureGroup, hierarchies: readonly Hierarchy[]) {
    this.model = group;
    this.hierarchies = hierarchies;
    this.links = hierarchies.map(({ dimension }) => group.links.find((link) => link.dimension === dimension.name));
  }

  get name(): string {
    return this.model.name;
  }

  reaches(hierarchy: Hierarchy): boolean {
    return this.links[hierarchy.ordinal] !== undefined;
  }
}
