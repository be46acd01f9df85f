/** A request whose names are found and whose values have types. Each part remembers where the request named it. */
import type { Parameter } from '../../../router/capabilities/warehouse.ts';
import type { RequestPath } from '../../../router/path.ts';
import type { Aggregation, Field, Metric } from '../model/model.ts';
import type { ResolvedGrain } from './grain/grain.ts';

/** A field where it is reached along these relationships; without any, along the only way there is. */
export interface FieldInRole {
  readonly field: Field;
  readonly via: readonly string[];
  /** Set where the grain of a date is meant, and not the date itself. */
  readonly grain?: ResolvedGrain | undefined;
}

export interface ResolvedGroup extends FieldInRole {
  readonly path: RequestPath;
}

export interface ResolvedValue {
  readonly path: RequestPath;
  readonly metric: Metric;
  /** Stands in for the metric's outer aggregation. */
  readonly aggregation: Aggregation | undefined;
}

export type Predicate =
  | { readonly kind: 'compare'; readonly operator: '=' | '<>' | '<' | '<=' | '>' | '>='; readonly value: Parameter }
  | { readonly kind: 'in'; readonly values: readonly Parameter[] }
  | { readonly kind: 'between'; readonly low: Parameter; readonly high: Parameter }
  /** From a moment on and before another. */
  | { readonly kind: 'within'; readonly from: Parameter; readonly before: Parameter }
  | { readonly kind: 'null' }
  | { readonly kind: 'notNull' };

export interface ResolvedFilter extends FieldInRole {
  readonly path: RequestPath;
  readonly test: Predicate;
}

export type Junction = 'any' | 'all';

/** A condition of a request: one filter, or several of which any or all must hold. */
export type Condition =
  | { readonly kind: 'filter'; readonly filter: ResolvedFilter }
  | { readonly kind: Junction; readonly of: readonly Condition[] };

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
  /** Metrics whose rows are wanted though they are not computed (row detail): they settle where groups meet. */
  readonly detailMetrics?: readonly ResolvedValue[] | undefined;
  /** All of them must hold. */
  readonly conditions: readonly Condition[];
  readonly sorts: readonly ResolvedSort[];
  /** `undefined`: as many as the server answers without being asked for a number. */
  readonly limit: number | undefined;
}
