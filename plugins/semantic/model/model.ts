/** A semantic model as queries see it: checked, bound to the warehouse's columns, frozen. */

import type { Parameter, ScalarType } from '../../../router/capabilities/warehouse.ts';
import type { CertifiedAnswer } from '../../../router/certified-answer.ts';
import type { AggregationKind, OverridingAggregation } from './aggregations.ts';
import type { AiFacts, Display, Extension, RoleRule } from './extensions.ts';
import type { DescribedKind } from './metric-kinds.ts';
import type { RollupGrain } from './rollups.ts';
import type { Source } from './source.ts';
import type { Bound, BoundAggregate } from './template.ts';
import type { TimeSettings } from './time-settings.ts';
import type { ViewerAttribute } from './viewer-filters.ts';

export interface Model extends AiFacts {
  readonly name: string;
  readonly description: string;
  readonly datasets: ReadonlyMap<string, Dataset>;
  readonly relationships: readonly Relationship[];
  readonly metrics: ReadonlyMap<string, Metric>;
  /** The dataset that a `COUNT(*)` counts unless its metric names another one. */
  readonly factDataset: string;
  /** The time zone that requests use by default, and how dates are written. */
  readonly time: TimeSettings;
  /** The attributes that its viewer filters may name; `undefined` where the document declares none. */
  readonly viewerAttributes: readonly ViewerAttribute[] | undefined;
  /** Roles that viewer filters do not apply to, in sessions of users and calls by API key. */
  readonly viewerExempt: readonly string[];
  /** Questions with their certified requests. */
  readonly certified: readonly CertifiedAnswer[];
  /** Tables with metrics that were aggregated before. */
  readonly rollups: readonly Rollup[];
  readonly ontology: readonly unknown[];
  readonly extensions: readonly Extension[];
}

export interface Dataset extends AiFacts {
  readonly name: string;
  /** Name in SQL: the dataset's own where that is safe in every engine. */
  readonly alias: string;
  readonly description: string | undefined;
  readonly source: Source;
  /** Physical columns; empty where the document names none. */
  readonly primaryKey: readonly string[];
  /** All keys, the primary one first. A row has at most one match by the columns of any. */
  readonly keys: readonly (readonly string[])[];
  /** Columns that identify a row: the primary key, or a unique key that cannot be null. */
  readonly rowKey: readonly string[] | undefined;
  readonly fields: ReadonlyMap<string, Field>;
  /**
   * The main date of its rows. It may be a field of a dataset that this one reaches, and a field that the caller may not
   * see.
   */
  readonly mainDate: FieldName | undefined;
  /** Role -> condition on its rows; see `ExtensionFacts.rowPredicates`. */
  readonly rowPredicates: ReadonlyMap<string, Bound>;
  /** Conditions on its rows by the caller's attributes. */
  readonly viewerFilters: readonly ViewerFilter[];
  /** The condition on the rows that the present caller may see; set by `applyAccessPolicy`, `undefined` for all rows. */
  readonly rowFilter: RowFilter | undefined;
  readonly extensions: readonly Extension[];
}

/** A field by its names. */
export interface FieldName {
  readonly dataset: string;
  readonly field: string;
}

/** Selects the rows of a dataset that pass the predicate and the tests, and have a visible match for each of the steps. */
export interface RowFilter {
  /** A condition on the dataset's own columns. */
  readonly predicate: Bound | undefined;
  readonly viewerTests: readonly ViewerTest[];
  readonly matches: readonly { readonly step: Step; readonly rowFilter: RowFilter }[];
}

/** A filter of a dataset by an attribute of the caller, bound to the columns of the warehouse. */
export interface ViewerFilter extends ValueType {
  readonly attribute: string;
  readonly expression: Bound;
}

/** Selects the rows whose field is one of the values. Without values it selects none. */
export interface ViewerTest extends ValueType {
  readonly expression: Bound;
  readonly values: readonly Parameter[];
}

/** A step from a row of `from` to at most one row of `to` with equal values in its columns. */
export interface Step {
  readonly relationship: string;
  readonly from: string;
  readonly to: string;
  readonly fromColumns: readonly string[];
  readonly toColumns: readonly string[];
  /** Both sides are keys: a row has one partner at most in either direction. */
  readonly isBetweenKeys?: boolean;
}

export interface Field extends AiFacts {
  readonly name: string;
  readonly dataset: string;
  readonly label: string;
  readonly description: string | undefined;
  readonly isTime: boolean;
  /** True for timestamps without a zone that show local time. A request's time zone does not change them. */
  readonly isLocalTime: boolean;
  readonly expression: Bound;
  readonly type: ScalarType;
  /** The warehouse's own type name. */
  readonly nativeType: string;
  readonly display: Display;
  readonly roles: RoleRule;
  readonly extensions: readonly Extension[];
}

export interface Metric extends AiFacts {
  readonly name: string;
  readonly label: string;
  readonly description: string | undefined;
  /** The expression as the document writes it. */
  readonly text: string;
  readonly expression: Bound;
  readonly aggregationKind: AggregationKind;
  /** Aggregations that a request may name in place of the outer one; empty where the expression is more than one call. */
  readonly supportedOverrides: readonly OverridingAggregation[];
  /** True where the value is a number of rows or things. Masking tests these values. */
  readonly isCount: boolean;
  /** The kind of its numbers, and of the numbers of the outer call's argument, which an override aggregates. */
  readonly numbers: NumberKind;
  readonly argumentNumbers: NumberKind;
  /** The type of the outer call's argument where that is a plain column. */
  readonly argumentType: ValueType | undefined;
  /** The dataset that calls without columns count. */
  readonly countedDataset: string;
  /** Other metrics that the expression uses, and the metrics that these use. */
  readonly uses: readonly string[];
  /** The kinds that its document declares. */
  readonly kinds: readonly DescribedKind[];
  /** The kinds of the metrics that the expression uses. */
  readonly kindsOfParts: readonly DescribedKind[];
  /** Fields that the expression reads by name. */
  readonly reads: readonly { readonly dataset: string; readonly field: string }[];
  readonly display: Display;
  readonly roles: RoleRule;
  readonly extensions: readonly Extension[];
}

/** The type of values: this product's type, and the warehouse's name for it. */
export interface ValueType {
  readonly type: ScalarType;
  readonly nativeType: string;
}

/**
 * The kind of an expression's numbers, derived from its columns and not from an answer's rows: engines sum integers to
 * decimals, and some (SQLite) type only each value, so that 4.00 is 4. `undefined` where it cannot be derived; the engine's
 * type then applies.
 */
export type NumberKind = 'whole' | 'fractional' | undefined;

/** An equality of columns between two datasets. */
export interface Relationship {
  readonly name: string;
  /** The document's name for the role of the target, if it has one. */
  readonly label?: string | undefined;
  readonly from: string;
  readonly to: string;
  readonly fromColumns: readonly string[];
  readonly toColumns: readonly string[];
  /** True where `toColumns` contain a key of `to`: each row of `from` then meets at most one row of `to`. */
  readonly toIsUnique: boolean;
  /**
   * True where `fromColumns` contain a key of `from`. Both are true for one to one. If neither is, no join along the
   * relationship is safe.
   */
  readonly fromIsUnique: boolean;
  readonly extensions: readonly Extension[];
}

/** A roll-up, bound to the columns of its table. */
export interface Rollup {
  readonly name: string;
  /** The dataset with the rows that it aggregates. */
  readonly dataset: string;
  /** Its table, as a dataset that no request can name. */
  readonly table: Dataset;
  readonly fields: readonly RollupField[];
  readonly metrics: readonly RollupMetric[];
  /** The column with the number of aggregated rows. */
  readonly rows: string | undefined;
  /** True where it is compared with its dataset before it is used, if the warehouse reports versions of its data. */
  readonly isChecked: boolean;
}

export interface RollupField {
  /** The field that it has the values of. */
  readonly field: Field;
  /** The relationships from the roll-up's dataset to the field's. */
  readonly path: readonly string[];
  /** Set where it has the first days of the periods of a date. */
  readonly grain: RollupGrain | undefined;
  /** Its values in the table, as a field. */
  readonly stored: Field;
}

export interface RollupMetric {
  readonly metric: string;
  /** The call that computes the metric from rows of the dataset. */
  readonly call: BoundAggregate;
  readonly column: string;
  /** The column with the number of rows that the metric's own filter leaves. */
  readonly rows: string | undefined;
}
