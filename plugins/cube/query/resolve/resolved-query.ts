/** A request with resolved names: its selections by hierarchy. */
import type {
  DimensionMetadata,
  HierarchyMetadata,
  LevelMetadata,
  MeasureMetadata,
} from '../../cube-metadata/cube-metadata.ts';
import type { FoundMember } from './find-members.ts';

/** A condition on the members of one hierarchy. Conditions of a hierarchy are combined with AND. */
export type Condition =
  /** These members of one level. An empty list selects no member. */
  | {
      readonly kind: 'in' | 'not_in';
      readonly level: LevelMetadata;
      readonly members: readonly FoundMember[];
      /** True if the members are shown in this order, because an axis lists them. Filters do not change the order. */
      readonly isOrdered?: boolean;
    }
  | { readonly kind: 'between'; readonly level: LevelMetadata; readonly first: FoundMember; readonly last: FoundMember }
  /** The members of `level` below the given ones, which may be of several levels at or above it. */
  | { readonly kind: 'descendants_of'; readonly level: LevelMetadata; readonly members: readonly FoundMember[] }
  /** The children of the members that meet all of the conditions `of`, in a level of parents and children. */
  | { readonly kind: 'children_of'; readonly level: LevelMetadata; readonly of: readonly Condition[] };

/** A level with a column of row captions, or a part of the column captions. */
export interface ShownLevel {
  readonly level: LevelMetadata;
  /** The key as the request writes it: `Store.Store State`. */
  readonly key: string;
}

/** The selection of one hierarchy on an axis. */
export interface AxisSelection {
  readonly dimension: DimensionMetadata;
  readonly hierarchy: HierarchyMetadata;
  /** The shown levels from the topmost. The members on the axis are of the last one. */
  readonly shown: readonly [ShownLevel, ...ShownLevel[]];
  /** Members of several levels that are shown without a common level. Then there are no conditions. */
  readonly mixed: readonly FoundMember[] | undefined;
  readonly conditions: readonly Condition[];
}

/** A hierarchy that only filters use. */
export interface SlicerSelection {
  readonly hierarchy: HierarchyMetadata;
  readonly conditions: readonly [Condition, ...Condition[]];
}

export interface ResolvedOrder {
  readonly measure: MeasureMetadata;
  readonly direction: 'asc' | 'desc';
}

export interface ResolvedQuery {
  readonly cube: string;
  readonly rows: readonly AxisSelection[];
  readonly columns: readonly AxisSelection[];
  readonly slicer: readonly SlicerSelection[];
  readonly measures: readonly MeasureMetadata[];
  readonly order: readonly ResolvedOrder[];
  readonly limit: number | undefined;
  readonly nonEmpty: boolean;
  readonly visualTotals: boolean;
}

/** Returns the level of a selection's members. */
export function lastShown({ shown }: AxisSelection): ShownLevel {
  return shown.at(-1) ?? shown[0];
}
