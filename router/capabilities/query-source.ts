import type { FilterOperator } from '../filter-operators.ts';
import type { Drill, Drilling, DrillPath } from './drilling.ts';
import type { Scope } from './identity.ts';
import type { Scalar, ScalarType } from './scalar.ts';

/**
 * A query surface that answers saved queries, embeds and dashboard tiles with tables. Each query surface gives one to the launcher, so the embed
 * plugin knows no surface by name.
 */

/** A metric cell: the number and its text from the server. `value` is text where the number does not fit a double exactly. */
export interface MetricCell {
  readonly value: number | string | null;
  readonly formatted: string | null;
  readonly suppressed?: true | undefined;
  /** Only on a cell that an analysis flags. */
  readonly anomaly?:
    | { readonly score: number; readonly expected: number; readonly direction: 'high' | 'low' }
    | undefined;
}

export interface AnswerColumn {
  /** Key of the cells in a record: `dataset.field` or the metric's name. */
  readonly key: string;
  readonly label: string;
  readonly type: 'dimension' | 'metric';
  /** The type of the values: a chart draws a time axis differently from categories. */
  readonly dataType: ScalarType;
  readonly aggregationKind?: string | undefined;
  /** `points` for a metric that is a rate in per cent: 46.3% is 0.7 points less than 47.0%, and not 1.5% less. */
  readonly change?: 'points' | undefined;
  /** For a column that a comparison adds: the compared metric, and the part of the comparison. */
  readonly compare?: { readonly metric: string; readonly part: 'base' | 'difference' | 'ratio' } | undefined;
  /** Set for a dimension of periods or parts of dates. */
  readonly grain?: string | undefined;
  /** Labels of values, by the value as text: `{"2024-01-01": "Jan 2024"}`. A value with an empty label is shown as a missing one. */
  readonly labels?: Readonly<Record<string, string>> | undefined;
  /** Set for a dimension that the request has in `columns`. */
  readonly axis?: 'columns' | undefined;
  /** The values as text in their order, where it differs from their type's order. */
  readonly order?: readonly string[] | undefined;
}

export type AnswerRecord = Readonly<Record<string, MetricCell | Exclude<Scalar, bigint>>>;

export interface TabularAnswer {
  readonly columns: readonly AnswerColumn[];
  readonly records: readonly AnswerRecord[];
  readonly meta: {
    readonly rowCount: number;
    readonly truncated: boolean;
    readonly suppressed?: { readonly count: number; readonly reason: string } | undefined;
  };
  readonly freshness: { readonly computedAtMillis: number; readonly cached: boolean };
  /** The results of an analysis, in the shape of the surfaces' own operations. */
  readonly anomaly?: object | undefined;
  /** By metric. */
  readonly forecast?: object | undefined;
  /** Where the run was asked to go down, or may: what a reader sees of it. */
  readonly drilling?: Drilling | undefined;
}

/** One condition that narrows a saved query on its reader's page. A row must meet all conditions. */
export interface RuntimeFilter {
  /** Key of a dimension: `dataset.field`. */
  readonly field: string;
  readonly op: FilterOperator;
  readonly values: readonly string[];
}

/** Asks for the rest of an answer: all members of a dimension but some, as one. */
export interface Others {
  /** Key of a dimension that the request shows. It is left out of the answer. */
  readonly field: string;
  /** The members to leave out, as values of records. */
  readonly except: readonly (string | null)[];
}

export interface RunOptions {
  readonly signal?: AbortSignal | undefined;
  readonly runtimeFilters?: readonly RuntimeFilter[] | undefined;
  /** Answers the rest in place of the whole. A request that has no rest, such as one with a limit, throws `ValidationError` at `others`. */
  readonly others?: Others | undefined;
  /**
   * Keys of dimensions that are left out of the answer, which gives subtotals. A request that has none, such as one with a limit, throws
   * `ValidationError` at `without`.
   */
  readonly without?: readonly string[] | undefined;
  /** The analysis along a time axis, as its author wrote it: the `analytics` member of a saved query. */
  readonly analytics?: unknown;
  /** Goes down the steps of a reader. An unfit step throws `ValidationError` at `drill`. */
  readonly drill?: Drill | undefined;
}

/** Asks for the rows behind one row of an answer. */
export interface RowsOptions {
  /** The steps that the answer has gone down. */
  readonly drill?: Drill | undefined;
  /** A value for each dimension that the answer shows, by its key; null for the group without a value. */
  readonly at: Readonly<Record<string, string | null>>;
  /** The fields to show, as their author wrote them; where they are not given, those that the model allows. */
  readonly fields?: readonly string[] | undefined;
  /** The most rows. */
  readonly limit: number;
  readonly runtimeFilters?: readonly RuntimeFilter[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface OfferOptions {
  /** Key of a dimension that the request shows, or of another field of its model. */
  readonly field: string;
  /** Offers only the values whose text contains this one, in any letter case. */
  readonly text?: string | undefined;
  /** The most values to offer. */
  readonly limit: number;
  readonly runtimeFilters?: readonly RuntimeFilter[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The values of a field that a reader may choose from: of rows that the request answers for its caller, without any figure. */
export interface OfferedValues {
  readonly label: string;
  readonly dataType: ScalarType;
  readonly grain?: string | undefined;
  /** Distinct, in the order of the answer or of the field, without null. `label` is the text to show. */
  readonly values: readonly { readonly value: OfferedValue; readonly label: string }[];
  /** Whether there are more values. */
  readonly truncated: boolean;
  /** The least and the greatest value of a number or a date that the request does not show in groups. */
  readonly range?: { readonly least: OfferedValue; readonly greatest: OfferedValue } | undefined;
}

export type OfferedValue = string | number | boolean;

export interface QuerySource {
  /** The surface's name in `source.surface` of a saved query, such as `semantic`. */
  readonly surface: string;
  /**
   * Reads a request as its author wrote it. Does not look names up.
   *
   * @throws ValidationError when it has not the shape that this surface takes
   */
  prepare(request: unknown): SourceQuery;
}

/** A parsed request of a surface. */
export interface SourceQuery {
  /** Keys of the request's dimensions, as its author wrote them. */
  readonly dimensions: readonly string[];
  /**
   * Checks that the request shows a dimension of that name. Does not look names up.
   *
   * @throws ValidationError at `timeAxis`
   */
  checkTimeAxis(timeAxis: string): void;
  /** Answers the request for `scope`. A narrowing only removes rows; an unfit one throws `ValidationError` at `filter`. */
  run(scope: Scope, options: RunOptions): Promise<TabularAnswer>;
  /**
   * Lists the values of a field for a reader to filter the answer by, as `scope` sees them.
   *
   * @throws ValidationError at `field` where the request cannot be filtered by it
   */
  offer(scope: Scope, options: OfferOptions): Promise<OfferedValues>;
  /**
   * Answers the rows behind one row of the answer, as `scope` sees them. Where that row is masked, because its group is
   * small, the answer has no rows and `meta.suppressed`.
   *
   * @throws ValidationError at `at` where the values name no row of the answer, at `drill` for an unfit step
   */
  rows(scope: Scope, options: RowsOptions): Promise<TabularAnswer>;
  /** Lists the keys of the dimensions that a reader reaches by going down, as far as `scope` sees them. */
  keysBelow(scope: Scope, down: readonly DrillPath[]): Promise<readonly string[]>;
}
