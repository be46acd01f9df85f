/** A request with resolved names and typed values. Each part records its place in the request. */

import type { Period } from '../../../../router/calendar.ts';
import type { Parameter } from '../../../../router/capabilities/warehouse.ts';
import type { RequestPath } from '../../../../router/path.ts';
import type { CompareTargetName } from '../../compare/compare-targets.ts';
import type { OverridingAggregation } from '../../model/aggregations.ts';
import type { Field, Metric, ValueType } from '../../model/model.ts';
import type { TimeSettings } from '../../model/time-settings.ts';
import type { ResolvedGrain } from './grain.ts';

/** A field and the relationships on the path to it; `via` may be empty where there is only one path. */
export interface FieldInRole {
  readonly field: Field;
  readonly via: readonly string[];
  /** Set where a grain of a date is meant, and not the date itself. */
  readonly grain?: ResolvedGrain | undefined;
  /** Set for the calendar's date, which represents the main dates of all facts. */
  readonly calendar?: CalendarDate | undefined;
}

/** The dates that the calendar's date represents. */
export interface CalendarDate {
  /** Main dates by dataset, for datasets with one that the caller may see. */
  readonly mainDates: ReadonlyMap<string, Field>;
  /** Main dates of the datasets that the request is about. */
  readonly meant: readonly Field[];
}

export type ResolvedGroup = ResolvedPlace;

export type CompareTarget =
  | CompareTargetName
  /** `name` is the request's name of the grain. */
  | { readonly offset: number; readonly grain: Period; readonly name: string };

/** The other time that a value is compared with. */
export interface ResolvedCompare {
  readonly path: RequestPath;
  readonly to: CompareTarget;
}

/** The date in rows with periods that are answered even without facts. */
export interface ResolvedFill {
  readonly path: RequestPath;
  /** Its index among the rows. */
  readonly row: number;
  /** True where counts and sums are 0 there, and not null. */
  readonly zero: boolean;
}

export interface ResolvedValue {
  readonly path: RequestPath;
  readonly metric: Metric;
  /** Replaces the metric's outer aggregation. */
  readonly aggregation: OverridingAggregation | undefined;
  readonly compare?: ResolvedCompare | undefined;
}

export type Predicate =
  | { readonly kind: 'compare'; readonly operator: '=' | '<>' | '<' | '<=' | '>' | '>='; readonly value: Parameter }
  | { readonly kind: 'in'; readonly values: readonly Parameter[] }
  | { readonly kind: 'between'; readonly low: Parameter; readonly high: Parameter }
  /** From one moment until before another. `toDate` is the period of a range to date. */
  | {
      readonly kind: 'within';
      readonly from: Parameter;
      readonly before: Parameter;
      readonly toDate?: Period | undefined;
    }
  | { readonly kind: 'null' }
  | { readonly kind: 'notNull' };

/** A field at the place where the request names it. */
export interface ResolvedPlace extends FieldInRole {
  readonly path: RequestPath;
}

export interface ResolvedFilter extends ResolvedPlace {
  readonly test: Predicate;
}

/** Keeps rows whose values of these fields form a group of `query` that passes the filters on metrics of `query`. */
export interface ResolvedAmong {
  readonly places: readonly ResolvedPlace[];
  readonly query: ResolvedQuery;
}

export type Junction = 'any' | 'all';

/** A condition on rows: one filter, or a group of filters that requires any or all of them. */
export type Condition =
  | { readonly kind: 'filter'; readonly filter: ResolvedFilter }
  | { readonly kind: 'among'; readonly among: ResolvedAmong }
  | { readonly kind: Junction; readonly of: readonly Condition[] };

/** A test of a metric in each group of the answer. */
export interface MetricFilter {
  readonly value: ResolvedValue;
  /** The type that its values are compared as. */
  readonly type: ValueType;
  readonly test: Predicate;
}

/** A condition on the groups of an answer. */
export type MetricCondition =
  | { readonly kind: 'filter'; readonly filter: MetricFilter }
  | { readonly kind: Junction; readonly of: readonly MetricCondition[] };

/** Sorts by the index of a group (rows first, then columns) or of a value. */
export interface ResolvedSort {
  readonly by: 'group' | 'value';
  readonly index: number;
  readonly direction: 'asc' | 'desc';
}

export interface ResolvedQuery {
  readonly rows: readonly ResolvedGroup[];
  readonly columns: readonly ResolvedGroup[];
  readonly values: readonly ResolvedValue[];
  /** The metrics of a row detail. They are not computed, but decide in which dataset groups meet. */
  readonly detailMetrics?: readonly ResolvedValue[] | undefined;
  /** The conditions that a row must meet. */
  readonly conditions: readonly Condition[];
  /** The conditions that a group must pass to be answered. */
  readonly having: readonly MetricCondition[];
  readonly sorts: readonly ResolvedSort[];
  readonly fill?: ResolvedFill | undefined;
  /** The time settings that dates are read by. */
  readonly time: TimeSettings;
  /** The most rows of the answer; `undefined` for the server's default. */
  readonly limit: number | undefined;
}
