/** What a query computes, as frozen nodes without SQL. */

import type { StepUnit } from '../../../../router/capabilities/dialect.ts';
import type { RequestPath } from '../../../../router/path.ts';
import type { RollupUse } from '../../../query-surface/index.ts';
import type { OverridingAggregation } from '../../model/aggregations.ts';
import type { NamedPeriod } from '../../model/fiscal-year.ts';
import type { Metric, ValueType } from '../../model/model.ts';
import type { AggregateScope, BoundAggregate, ColumnLeaf, ConversionSide, DayShift } from '../../model/template.ts';
import type { Range } from './date-range.ts';
import type { Condition, FieldInRole, Junction, Predicate, ResolvedFilter } from './resolved-query.ts';
import type { Rewrites } from './rewrites.ts';
import type { Pairs, Spread } from './shown-days.ts';

/** A dataset in a tree of joins; a dataset that is reached along two paths is in the tree twice. */
export interface Node {
  readonly dataset: string;
  /** 0 for the first node of its dataset; every further node of a dataset has its own number in the tree. */
  readonly role: number;
}

/** A dataset that is joined to an earlier one of the list by equality of columns. */
export interface Join {
  readonly relationship: string;
  readonly node: Node;
  readonly parent: Node;
  readonly parentColumns: readonly string[];
  readonly columns: readonly string[];
  /**
   * True where every earlier row has a match in the present data, so that an inner join keeps the same rows as an outer
   * join.
   */
  readonly isTotal: boolean;
}

/**
 * The rows of `root` with the rows of joined datasets. The joins keep every row of `root`: they are outer joins, or inner
 * joins that lose no row.
 */
export interface JoinTree {
  readonly root: Node;
  /**
   * The joins to the many side, the farthest last; empty where all joins are many to one. They are joined as one: a row of
   * `root` matches a whole chain of rows or none. If they were joined one by one, a store without sales would put its
   * region under a null group although other stores of the region have sales.
   */
  readonly bridge: readonly Join[];
  readonly joins: readonly Join[];
}

/** A filter that tests the rows of a node. */
export interface PlacedFilter extends ResolvedFilter {
  readonly node: Node;
}

/** A test of several fields together: whether their values are a group of another answer. */
export interface Among {
  readonly places: readonly PlacedField[];
  readonly plan: Plan;
}

export interface PlacedField extends FieldInRole {
  readonly node: Node;
}

/** Keeps a row if a matching row of `tree` passes all conditions. Never multiplies rows. */
export interface SemiJoin {
  readonly tree: JoinTree;
  /** The node of the tree with `columns` that equal the outer row's `baseColumns`. */
  readonly link: Node;
  readonly columns: readonly string[];
  readonly baseColumns: readonly string[];
  readonly where: readonly PlacedCondition[];
}

/** A condition at the place where a subquery tests it: on a row of its own tree, or on matching rows of another tree. */
export type PlacedCondition =
  | { readonly kind: 'test'; readonly filter: PlacedFilter }
  | { readonly kind: 'among'; readonly among: Among }
  | { readonly kind: 'match'; readonly semiJoin: SemiJoin }
  | { readonly kind: Junction; readonly of: readonly PlacedCondition[] };

/** One aggregate call computed in a subquery. */
export interface AggregateRef {
  readonly call: BoundAggregate;
  readonly aggregation: OverridingAggregation | undefined;
  /** True where it sums counts of rows, so that it is 0 without rows. */
  readonly sumsCounts?: boolean | undefined;
}

/**
 * Rows of one dataset, aggregated at the query's grain. A subquery without aggregates gives the distinct groups.
 * Every subquery of a query has the same groups.
 */
export interface FactSubquery {
  /** The dataset with the aggregated rows, each counted once for a group. */
  readonly base: string;
  readonly tree: JoinTree;
  /** The plan's groups in this subquery: the calendar's date is the main date of this dataset. */
  readonly groups: readonly FieldInRole[];
  /** The place of each group of the plan in the tree. */
  readonly groupNodes: readonly Node[];
  /**
   * Set where a group may have a row of `base` several times: the key of the rows, and the columns that the aggregates
   * read. The rows are made distinct by groups and key before they are aggregated.
   */
  readonly distinct: { readonly key: readonly string[]; readonly reads: readonly ColumnLeaf[] } | undefined;
  /** Columns that its aggregates and its scope read. */
  readonly reads: readonly ColumnLeaf[];
  /** The rows that its aggregates read. */
  readonly scope: AggregateScope;
  /**
   * Set for semi-additive metrics: the indexes of the groups that belong to the metric's date. Groups with equal values of
   * these take their values at one date.
   */
  readonly periods?: readonly number[] | undefined;
  /**
   * Set for cumulative metrics: the rows of a group are the rows of the window that ends with it; see
   * `AggregateScope.window`.
   */
  readonly windowed?: Windowed | undefined;
  /** Set for conversions: the rows are base events, and the aggregates read the events that they convert to. */
  readonly converted?: Converted | undefined;
  /** Set where a row is shown at several days of its date. */
  readonly spread?: PlacedSpread | undefined;
  /** The conditions that a row must meet to be aggregated. */
  readonly where: readonly PlacedCondition[];
  readonly aggregates: readonly AggregateRef[];
  /** True where its rows may be grouped by their foreign keys before they are joined, and this is faster. */
  readonly groupsKeysFirst?: boolean | undefined;
  /** Fields of `base` whose values in the checked data are null, or days after the year 0. */
  readonly finiteDates?: readonly string[] | undefined;
  /** Set where a roll-up has the same values; its `use` decides whether they are read there. */
  readonly rolledUp?: RolledUp | undefined;
  /** Set where its rows are the rows of a roll-up: the column with the number of rows of `base` that each stands for. */
  readonly countedBy?: ColumnLeaf | undefined;
}

/** A subquery of a roll-up that has the same values. */
export interface RolledUp {
  readonly rollup: string;
  /** The roll-up's table, as the model names it. */
  readonly table: string;
  readonly use: RollupUse;
  /** Why its last refresh failed. */
  readonly failure?: string | undefined;
  readonly subquery: FactSubquery;
}

/** Rows of the facts, with the places of their date and groups. */
export interface DatedRows {
  readonly tree: JoinTree;
  readonly groupNodes: readonly Node[];
  /** The date by day. */
  readonly by: PlacedField;
  readonly where: readonly PlacedCondition[];
  readonly spread?: PlacedSpread | undefined;
}

/** The days that show a row, and the node of the row's date. */
export interface PlacedSpread {
  readonly by: Spread;
  readonly node: Node;
  /** Set where the offsets that are read in one pass have different conditions: those of each. */
  readonly whereOfEach?: readonly (readonly PlacedCondition[])[] | undefined;
}

/** Ends of windows that differ from the ends of the periods that show them. */
export type MovedEnd =
  | { readonly kind: 'back'; readonly shift: DayShift }
  /** The first day of a period. `day` is that day where the filters give it and the answer has no part of the date. */
  | { readonly kind: 'to'; readonly period: NamedPeriod; readonly day: string | undefined }
  /** The last of the days that a period shows, or the first where the metric takes the first. */
  | { readonly kind: 'pairs'; readonly pairs: Pairs };

/** The groups of an answer, and the ends of their windows. The rows of the windows are the subquery's own rows. */
export interface Windowed {
  /** The date of the windows' rows, by day. */
  readonly by: PlacedField;
  /** Indexes of the plan's groups that belong to the date. Each combination of their values has its own window. */
  readonly axis: readonly number[];
  /** The rows that all filters leave; they decide which groups are answered. */
  readonly shown: DatedRows;
  /** The rows that pass the filters on the date, grouped by the groups of the axis. */
  readonly ends: DatedRows;
  /** The first and the last day that the filters leave of the date, as `YYYY-MM-DD`. */
  readonly firstDay: string | undefined;
  readonly lastDay: string | undefined;
  /** Set where the metric is offset in time. */
  readonly moved: MovedEnd | undefined;
}

/** The events that are counted for the base events of a subquery. */
export interface Converted {
  /** The key of base events. */
  readonly key: readonly string[];
  /** The base events without groups; an event counts for the latest of them. */
  readonly base: EventRows;
  readonly conversion: EventRows;
  /** True where one side has only days, so that both sides are compared by day. */
  readonly byDay: boolean;
  /** The longest time between a base event and its conversion; `undefined` for any time. */
  readonly step: { readonly count: number; readonly unit: StepUnit } | undefined;
}

export interface EventRows extends ConversionSide {
  readonly tree: JoinTree;
  readonly zone: string | undefined;
}

/** A metric and the places where its aggregate calls are computed, in their order in its expression. */
export interface MetricColumn {
  readonly metric: Metric;
  readonly aggregation: OverridingAggregation | undefined;
  /** The subquery of each call, and the call's index among the aggregates of the subquery. */
  readonly aggregates: readonly { readonly subquery: number; readonly at: number }[];
}

export interface Order {
  readonly by: 'group' | 'metric';
  readonly index: number;
  readonly direction: 'asc' | 'desc';
}

/**
 * The order of row groups. Set where a query has rows and columns, and a limit, a sort by a metric, or a sort by a field of
 * `columns`. A limit counts row groups, each with all of its cells. A metric sorts row groups by its value over all
 * columns; that value is aggregated from the rows of the tables, not from the cells, so it is right for every metric.
 */
export interface Crosstab {
  /** The subqueries of the plan without the joins that only its columns need. */
  readonly subqueries: readonly FactSubquery[];
  /** Order of the row groups: the plan's order without the fields of columns. */
  readonly order: readonly Order[];
  /** True where a field of columns sorts before a field of rows or a metric, so that row groups do not stay together. */
  readonly isInterleaved: boolean;
  /** The most row groups of the answer; `undefined` for all. */
  readonly limit: number | undefined;
}

/** A condition on the groups of an answer; `metric` is an index of the plan's metrics, hidden ones last. */
export type MetricTest =
  | { readonly kind: 'test'; readonly metric: number; readonly type: ValueType; readonly test: Predicate }
  | { readonly kind: Junction; readonly of: readonly MetricTest[] };

/** The date with periods that are answered even without facts. */
export interface Fill {
  readonly path: RequestPath;
  /** Its index among the groups. */
  readonly group: number;
  /** Indexes of the groups that belong to the same date, at this grain and at others. */
  readonly dates: readonly number[];
  /** True where counts and sums are 0 there, and not null. */
  readonly zero: boolean;
  /** The range that the filters leave of the date. */
  readonly range: Range;
  /** The most rows of the filled answer; `undefined` for the server's limit. */
  readonly limit: number | undefined;
  /** Order of the statement's rows: by the other fields first. */
  readonly order: readonly Order[];
}

/** The masking of rows. Absent when nothing can be masked. */
export interface Suppression {
  /** Indexes of the metrics that count, hidden ones last. */
  readonly counts: readonly number[];
  /** True where every subquery also has a hidden count of its rows. */
  readonly isShadowed: boolean;
  /** The count below which a row is masked. */
  readonly threshold: number;
}

/** A group with the display names of the paths in its `via`. */
export interface PlannedGroup extends FieldInRole {
  readonly roles: readonly string[];
}

export interface Plan {
  /** The conditions as the request names them, for explanations. */
  readonly conditions: readonly Condition[];
  /** The fields of the rows first, then the fields of the columns. */
  readonly groups: readonly PlannedGroup[];
  /** Number of groups in rows. */
  readonly rowGroups: number;
  readonly metrics: readonly MetricColumn[];
  /** Metrics that are computed only for `having`. */
  readonly hiddenMetrics: readonly MetricColumn[];
  readonly subqueries: readonly FactSubquery[];
  /** Conditions that a group must pass to be answered. If there are any, no masked group passes. */
  readonly having: readonly MetricTest[];
  readonly suppression: Suppression | undefined;
  readonly crosstab: Crosstab | undefined;
  readonly fill: Fill | undefined;
  /** Order of the records: the request's sorts, then rows, then columns. */
  readonly order: readonly Order[];
  /** The most rows that the statement returns. */
  readonly limit: number;
  /** True where the rows of this answer are matched with the rows of another one. */
  readonly isMatched?: boolean | undefined;
  /** The ways in which its statement is written. */
  readonly rewrites: Rewrites;
}
