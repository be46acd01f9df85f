/** The computation of a query, before any SQL: frozen nodes, small enough to read aloud. */

import type { StepUnit } from '../../../../router/capabilities/dialect.ts';
import type { RequestPath } from '../../../../router/path.ts';
import type { OverridingAggregation } from '../../model/aggregations.ts';
import type { NamedPeriod } from '../../model/fiscal-year.ts';
import type { Metric, ValueType } from '../../model/model.ts';
import type { AggregateScope, BoundAggregate, ColumnLeaf, ConversionSide, DayShift } from '../../model/template.ts';
import type { Range } from './date-range.ts';
import type { Condition, FieldInRole, Junction, Predicate, ResolvedFilter } from './resolved-query.ts';
import type { Pairs, Spread } from './shown-days.ts';

/** A dataset in a tree of joins; a dataset that is reached along two paths is in the tree twice. */
export interface Node {
  readonly dataset: string;
  /** 0 for the first of its dataset; every other one of a tree has a number of its own. */
  readonly role: number;
}

/** One dataset joined to an earlier one in the list, by equality of columns. */
export interface Join {
  readonly relationship: string;
  readonly node: Node;
  readonly parent: Node;
  readonly parentColumns: readonly string[];
  readonly columns: readonly string[];
  /**
   * True where, in the present data, every earlier row has its match, so that an inner join keeps the same rows as an outer
   * one.
   */
  readonly isTotal: boolean;
}

/** Rows of `root`, each kept, with the rows of the joined datasets beside them: outer joins, or inner ones that lose nothing. */
export interface JoinTree {
  readonly root: Node;
  /**
   * The path to the many side, its far end last; empty where the tree only leads towards one. It is joined as one: a row of
   * `root` meets whole chains of the path or none. If its steps were joined one by one, a store without sales would put its
   * region under a null group although other stores of the region have sales.
   */
  readonly bridge: readonly Join[];
  readonly joins: readonly Join[];
}

/** A filter that tests the rows of a node. */
export interface PlacedFilter extends ResolvedFilter {
  readonly node: Node;
}

/** A test of a node's rows that several fields of it decide together: whether their values are a group of an answer. */
export interface Among {
  readonly places: readonly PlacedField[];
  readonly plan: Plan;
}

export interface PlacedField extends FieldInRole {
  readonly node: Node;
}

/** Keeps a row where some row of `tree` that belongs to it passes all conditions. Never multiplies rows. */
export interface SemiJoin {
  readonly tree: JoinTree;
  /** The node of the tree with `columns` that equal the outer row's `baseColumns`. */
  readonly link: Node;
  readonly columns: readonly string[];
  readonly baseColumns: readonly string[];
  readonly where: readonly PlacedCondition[];
}

/** A condition where a subquery tests it: on a row of its own tree, or on the rows of another that belong to it. */
export type PlacedCondition =
  | { readonly kind: 'test'; readonly filter: PlacedFilter }
  | { readonly kind: 'among'; readonly among: Among }
  | { readonly kind: 'match'; readonly semiJoin: SemiJoin }
  | { readonly kind: Junction; readonly of: readonly PlacedCondition[] };

/** One aggregate call computed in a subquery. */
export interface AggregateRef {
  readonly call: BoundAggregate;
  readonly aggregation: OverridingAggregation | undefined;
}

/**
 * Rows of one dataset, aggregated at the query's grain. A subquery without aggregates gives the distinct groups.
 * Every subquery of a query has the same groups.
 */
export interface FactSubquery {
  /** The dataset with the aggregated rows, each counted once for a group. */
  readonly base: string;
  readonly tree: JoinTree;
  /** The groups of the plan as they are here: of the calendar's date the main date of this dataset. */
  readonly groups: readonly FieldInRole[];
  /** The place of each group of the plan in the tree. */
  readonly groupNodes: readonly Node[];
  /**
   * Set where the tree reaches many rows for one of `base`: the columns that tell its rows apart, and the columns
   * that the aggregates read. The rows are made distinct by groups and key before they are aggregated.
   */
  readonly distinct: { readonly key: readonly string[]; readonly reads: readonly ColumnLeaf[] } | undefined;
  /** Columns that its aggregates and its scope read. */
  readonly reads: readonly ColumnLeaf[];
  /** The rows that its aggregates read. */
  readonly scope: AggregateScope;
  /**
   * Set where its rows belong to one date: the groups that are periods of that date. All groups have one date where these
   * are equal.
   */
  readonly periods?: readonly number[] | undefined;
  /** Set where its rows are the rows of windows that end with each group; see `AggregateScope.window`. */
  readonly windowed?: Windowed | undefined;
  /** Set where its rows are base events, and its aggregates read the events that these lead to. */
  readonly converted?: Converted | undefined;
  /** Set where a row is shown at several days of its date. */
  readonly spread?: PlacedSpread | undefined;
  /** A row must meet all of them to be aggregated. */
  readonly where: readonly PlacedCondition[];
  readonly aggregates: readonly AggregateRef[];
}

/** Rows of the facts, with the places of their date and groups. */
export interface DatedRows {
  readonly tree: JoinTree;
  readonly groupNodes: readonly Node[];
  /** The day of the date. */
  readonly by: PlacedField;
  readonly where: readonly PlacedCondition[];
  readonly spread?: PlacedSpread | undefined;
}

/** A row is shown at several days of its date, which is at the node. */
export interface PlacedSpread {
  readonly by: Spread;
  readonly node: Node;
}

/** Ends of windows that differ from the ends of the periods that show them. */
export type MovedEnd =
  | { readonly kind: 'back'; readonly shift: DayShift }
  /** The first day of a period; where no period of the answer gives it, that is `day`. */
  | { readonly kind: 'to'; readonly period: NamedPeriod; readonly day: string | undefined }
  /** With the last of the days that are shown in a period, or the first where that is wanted. */
  | { readonly kind: 'pairs'; readonly pairs: Pairs };

/** The groups of an answer, and the ends of their windows. The rows of the windows are the subquery's own rows. */
export interface Windowed {
  /** The day of the date for the rows of windows. */
  readonly by: PlacedField;
  /** Indexes of the plan's groups that are of the date: each row of these has a window of its own. */
  readonly axis: readonly number[];
  /** The rows that all filters leave; they decide which groups are answered. */
  readonly shown: DatedRows;
  /** The rows that the filters of the date alone leave; their groups are the groups of the axis. */
  readonly ends: DatedRows;
  /** The first and the last day that the filters leave of the date, as `YYYY-MM-DD`. */
  readonly firstDay: string | undefined;
  readonly lastDay: string | undefined;
  /** Set where the values belong to an earlier time. */
  readonly moved: MovedEnd | undefined;
}

/** The events that are counted for the base events of a subquery. */
export interface Converted {
  /** The columns that tell base events apart. */
  readonly key: readonly string[];
  /** The base events alone, of which the latest is looked for. */
  readonly base: EventRows;
  readonly conversion: EventRows;
  /** True where one side has days alone, so that both are compared by days. */
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
  /** Each with its place among the aggregates of its subquery. */
  readonly aggregates: readonly { readonly subquery: number; readonly at: number }[];
}

export interface Order {
  readonly by: 'group' | 'metric';
  readonly index: number;
  readonly direction: 'asc' | 'desc';
}

/**
 * Set where a query has rows and columns and a limit, a sort by a metric, or a sort by a field of `columns`: row groups
 * then need a place of their own. A limit counts them whole, each with all of its cells, and a metric sorts them by its
 * value for the row, all columns together; that value is aggregated from the rows of the tables, not from the cells, so
 * it is right for every metric.
 */
export interface Crosstab {
  /** The subqueries of the plan without the joins that only its columns need. */
  readonly subqueries: readonly FactSubquery[];
  /** Order of the row groups: that of the plan without the fields of columns. */
  readonly order: readonly Order[];
  /** True where a field of columns sorts before one of rows or a metric, so that row groups do not stay together. */
  readonly isInterleaved: boolean;
  /** Row groups that are answered at most; `undefined` for all. */
  readonly limit: number | undefined;
}

/** A condition on the groups of an answer; `metric` is an index of the plan's metrics, hidden ones behind the others. */
export type MetricTest =
  | { readonly kind: 'test'; readonly metric: number; readonly type: ValueType; readonly test: Predicate }
  | { readonly kind: Junction; readonly of: readonly MetricTest[] };

/** The date with periods that are answered even without facts. */
export interface Fill {
  readonly path: RequestPath;
  /** Its index among the groups. */
  readonly group: number;
  /** The groups that are of the same date, at this grain and at others. */
  readonly dates: readonly number[];
  /** True where counts and sums are 0 there, and not null. */
  readonly zero: boolean;
  /** The range that the filters leave of the date. */
  readonly range: Range;
  /** Rows that are answered at most, once they are filled; `undefined` for as many as the server answers. */
  readonly limit: number | undefined;
  /** Order of the rows that the statement gives: by the other fields first. */
  readonly order: readonly Order[];
}

/** The masking of rows. Absent when nothing can be masked. */
export interface Suppression {
  /** Indexes of metrics that count, hidden ones behind the others. */
  readonly counts: readonly number[];
  /** True where every subquery also counts its rows, which is not shown. */
  readonly isShadowed: boolean;
  /** The count below which a row is masked. */
  readonly threshold: number;
}

/** A group with the display names of the paths in its `via`. */
export interface PlannedGroup extends FieldInRole {
  readonly roles: readonly string[];
}

export interface Plan {
  /** The metrics as the request names them, for people to read. */
  readonly conditions: readonly Condition[];
  /** The fields of the rows first, then the fields of the columns. */
  readonly groups: readonly PlannedGroup[];
  /** Number of groups in rows. */
  readonly rowGroups: number;
  readonly metrics: readonly MetricColumn[];
  /** Computed as well, for `having` alone. */
  readonly hiddenMetrics: readonly MetricColumn[];
  readonly subqueries: readonly FactSubquery[];
  /** A group must pass all of them to be answered; if there are any, no masked group passes. */
  readonly having: readonly MetricTest[];
  readonly suppression: Suppression | undefined;
  readonly crosstab: Crosstab | undefined;
  readonly fill: Fill | undefined;
  /** Order of the records: the request's sorts, then rows, then columns. */
  readonly order: readonly Order[];
  /** Rows that the statement gives at most. */
  readonly limit: number;
}
