import type { Scope } from './identity.ts';
import type { Scalar, ScalarType } from './scalar.ts';

/**
 * A query surface seen as a source of tables: what a saved query names and an embed or a dashboard tile shows.
 * Each query surface hands one to the launcher, so that the embed plugin knows no surface by name.
 */

/** A metric cell: the number and how the server writes it. `value` is text where no double holds it exactly. */
export interface MetricCell {
  readonly value: number | string | null;
  readonly formatted: string | null;
  readonly suppressed?: true | undefined;
}

export interface AnswerColumn {
  /** Key of the cells in a record: `dataset.field` or the metric's name. */
  readonly key: string;
  readonly label: string;
  readonly type: 'dimension' | 'metric';
  /** The type of the values, so that a chart can tell a time axis from categories. */
  readonly dataType: ScalarType;
  readonly aggregationKind?: string | undefined;
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
}

export interface QuerySource {
  /** The name a saved query gives in `source.surface`, such as `semantic`. */
  readonly surface: string;
  /** Throws `ValidationError` when `request` has not the shape this surface takes. Does not look names up. */
  checkShape(request: unknown): void;
  /** Answers the request as `scope` may see it. */
  run(request: unknown, scope: Scope, options: { readonly signal?: AbortSignal | undefined }): Promise<TabularAnswer>;
}
