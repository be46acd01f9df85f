/** The type of a question, and the joined tables that its SQL reads. */

/** `sales` with its store, region and product. */
export const SOLD = `sales f LEFT JOIN stores s ON s.id = f.store_id
  LEFT JOIN regions r ON r.country = s.country AND r.code = s.region_code
  LEFT JOIN products p ON p.id = f.product_id`;
export const STORE = 'stores s LEFT JOIN regions r ON r.country = s.country AND r.code = s.region_code';
export const RETURNED = 'returns t LEFT JOIN products p ON p.id = t.product_id';

export interface Question {
  readonly is: string;
  /** Fields as `dataset.field` or `dataset.field.grain`, separated by blanks. */
  readonly rows?: string;
  readonly columns?: string;
  /** Metrics; with another aggregation as `metric:MAX`. */
  readonly values?: string;
  readonly where?: readonly (readonly [field: string, op: string, ...values: readonly (string | number | boolean)[]])[];
  /** Fields and metrics; `-` before a name sorts descending. */
  readonly sort?: string;
  readonly limit?: number;
  readonly roles?: readonly string[];
  /** The SQL with the same rows: groups first, then metrics. */
  readonly sql: string;
}
