/** A request with every name found: what it asks of which hierarchy. */
import type { DimensionView, HierarchyView, LevelView, MeasureView } from '../view/cube-view.ts';
import type { FoundMember } from './members.ts';

/** A condition on the members of one hierarchy. All conditions of a hierarchy hold together. */
export type Condition =
  /** These members of one level. Empty: none. */
  | { readonly kind: 'in' | 'not_in'; readonly level: LevelView; readonly members: readonly FoundMember[] }
  | { readonly kind: 'between'; readonly level: LevelView; readonly first: FoundMember; readonly last: FoundMember }
  /** The members of `level` below these, which may be of several levels at or above it. */
  | { readonly kind: 'descendants_of'; readonly level: LevelView; readonly members: readonly FoundMember[] };

/** A level that makes a column of row captions, or a part of the captions across. */
export interface ShownLevel {
  readonly level: LevelView;
  /** As the request writes it: `Store.Store State`. */
  readonly key: string;
}

/** What of one hierarchy stands on an axis. */
export interface AxisSelection {
  readonly dimension: DimensionView;
  readonly hierarchy: HierarchyView;
  /** Topmost first; the members on the axis are of the last. */
  readonly shown: readonly [ShownLevel, ...ShownLevel[]];
  /** Members of several levels that are shown as they are; then there are no conditions. */
  readonly mixed: readonly FoundMember[] | undefined;
  readonly conditions: readonly Condition[];
}

/** A hierarchy that only filters name. */
export interface SlicerSelection {
  readonly hierarchy: HierarchyView;
  readonly conditions: readonly [Condition, ...Condition[]];
}

export interface ResolvedOrder {
  readonly measure: MeasureView;
  readonly direction: 'asc' | 'desc';
}

export interface ResolvedQuery {
  readonly cube: string;
  readonly rows: readonly AxisSelection[];
  readonly columns: readonly AxisSelection[];
  readonly slicer: readonly SlicerSelection[];
  readonly measures: readonly MeasureView[];
  readonly order: readonly ResolvedOrder[];
  readonly limit: number | undefined;
  readonly nonEmpty: boolean;
  readonly visualTotals: boolean;
}

/** The level that a selection's members are of. */
export function lastShown({ shown }: AxisSelection): ShownLevel {
  return shown.at(-1) ?? shown[0];
}
