/** A request whose names are resolved: its selections by hierarchy. */
import type {
  DimensionMetadata,
  HierarchyMetadata,
  LevelMetadata,
  MeasureMetadata,
} from '../../cube-metadata/cube-metadata.ts';
import type { FoundMember } from './find-members.ts';

/** A condition on the members of one hierarchy. Conditions of a hierarchy are combined with AND. */
export type Condition =
  /** These members of one level. Empty: none. */
  | {
      readonly kind: 'in' | 'not_in';
      readonly level: LevelMetadata;
      readonly members: readonly FoundMember[];
      /** True when the members are shown in this order: an axis lists them. Filters leave the order unchanged. */
      readonly isOrdered?: boolean;
    }
  | { readonly kind: 'between'; readonly level: LevelMetadata; readonly first: FoundMember; readonly last: FoundMember }
  /** The members of `level` below these, which may be of several levels at or above it. */
  | { readonly kind: 'descendants_of'; readonly level: LevelMetadata; readonly members: readonly FoundMember[] };

/** A level that makes a column of row captions, or a part of the captions across. */
export interface ShownLevel {
  readonly level: LevelMetadata;
  /** As the request writes it: `Store.Store State`. */
  readonly key: string;
}

/** The selection of one hierarchy on an axis. */
export interface AxisSelection {
  readonly dimension: DimensionMetadata;
  readonly hierarchy: HierarchyMetadata;
  /** Topmost first; the members on the axis are of the last. */
  readonly shown: readonly [ShownLevel, ...ShownLevel[]];
  /** Members of several levels that are shown as they are; then there are no conditions. */
  readonly mixed: readonly FoundMember[] | undefined;
  readonly conditions: readonly Condition[];
}

/** A hierarchy that only filters name. */
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

/** Returns the level that a selection's members are of. */
export function lastShown({ shown }: AxisSelection): ShownLevel {
  return shown.at(-1) ?? shown[0];
}
