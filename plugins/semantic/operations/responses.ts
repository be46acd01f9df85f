/** Writes an answer in the format of the request: records or matrix. */

import { type ColumnOrder, matrixOf } from '../query/answer/matrix.ts';
import type { Compiled } from '../query/nodes/compiled.ts';
import { fieldKey } from '../query/nodes/field-key.ts';
import type { Answer } from '../query/pipeline.ts';
import type { Format, MatrixResponse, SemanticQueryResponse } from '../schemas.ts';

/** An answer, and what its matrix needs in addition. It is plain JSON, so that a job can keep it. */
export interface StoredResult {
  readonly answer: Pick<Answer, 'columns' | 'records' | 'meta'>;
  /** The time of the query, in milliseconds. */
  readonly runtime: number;
  readonly rowGroups: number;
  /** Fields of columns in the order in which they sort. */
  readonly columnOrder: readonly ColumnOrder[];
  /** The place of each record's row group, where the records alone do not show it; see `ShapedAnswer`. */
  readonly rowPlaces?: readonly number[] | undefined;
}

export function toStoredResult(
  { plan }: Compiled,
  { columns, records, meta, rowPlaces }: Answer,
  runtimeMs: number,
): StoredResult {
  const columnOrder = plan.order.flatMap(({ by, index, direction }) => {
    const group = by === 'group' && index >= plan.rowGroups ? plan.groups[index] : undefined;
    return group === undefined ? [] : [{ key: fieldKey(group), direction }];
  });
  const runtime = Math.max(0, Math.round(runtimeMs));
  return { answer: { columns, records, meta }, runtime, rowGroups: plan.rowGroups, columnOrder, rowPlaces };
}

export async function toResponse(
  queryId: string,
  answered: StoredResult,
  format: Format,
): Promise<SemanticQueryResponse | MatrixResponse> {
  return format === 'matrix' ? matrixResponse(queryId, answered) : recordsResponse(queryId, answered);
}

export function recordsResponse(queryId: string, { answer, runtime }: StoredResult): SemanticQueryResponse {
  return {
    queryId,
    runtime,
    columns: answer.columns.map(({ key, label, type, aggregationKind, compare, grain, labels, order }) => ({
      key,
      label,
      type,
      ...(aggregationKind === undefined ? {} : { aggregationKind }),
      ...(compare === undefined ? {} : { compare: { ...compare } }),
      ...(grain === undefined ? {} : { grain }),
      ...(labels === undefined ? {} : { labels: { ...labels } }),
      ...(order === undefined ? {} : { order: [...order] }),
    })),
    records: [...answer.records],
    meta: answer.meta,
  };
}

async function matrixResponse(queryId: string, answered: StoredResult): Promise<MatrixResponse> {
  const { answer, runtime, rowGroups, columnOrder, rowPlaces } = answered;
  const { cellSetHeaders, cellSetBody } = await matrixOf({ ...answer, rowPlaces }, rowGroups, columnOrder);
  return { queryId, runtime, format: 'matrix', cellSetHeaders, cellSetBody, meta: answer.meta };
}
