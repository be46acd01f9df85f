/** An answer as a caller asked for it: records or matrix. */

import { matrixOf } from '../query/matrix.ts';
import type { Answer, Compiled } from '../query/pipeline.ts';
import { keyOf } from '../query/resolve.ts';
import type { Format, MatrixResponse, SemanticQueryResponse } from '../schemas.ts';

/** An answer with what its matrix needs besides: all of it plain JSON, so that a job can keep it. */
export interface Answered {
  readonly answer: Pick<Answer, 'columns' | 'records' | 'meta'>;
  /** Milliseconds. */
  readonly runtime: number;
  readonly rowGroups: number;
  /** Keys of fields that the request sorts downwards. */
  readonly descending: readonly string[];
}

export function answered({ plan }: Compiled, { columns, records, meta }: Answer, runtimeMs: number): Answered {
  const descending = plan.order.flatMap(({ by, index, direction }) => {
    const field = by === 'group' && direction === 'desc' ? plan.groups[index] : undefined;
    return field === undefined ? [] : [keyOf(field)];
  });
  const runtime = Math.max(0, Math.round(runtimeMs));
  return { answer: { columns, records, meta }, runtime, rowGroups: plan.rowGroups, descending };
}

export function respond(queryId: string, answered: Answered, format: Format): SemanticQueryResponse | MatrixResponse {
  return format === 'matrix' ? matrixResponse(queryId, answered) : recordsResponse(queryId, answered);
}

export function recordsResponse(queryId: string, { answer, runtime }: Answered): SemanticQueryResponse {
  return {
    queryId,
    runtime,
    columns: answer.columns.map(({ key, label, type, aggregationKind }) => ({
      key,
      label,
      type,
      ...(aggregationKind === undefined ? {} : { aggregationKind }),
    })),
    records: [...answer.records],
    meta: answer.meta,
  };
}

function matrixResponse(queryId: string, { answer, runtime, rowGroups, descending }: Answered): MatrixResponse {
  const { cellSetHeaders, cellSetBody } = matrixOf(answer, rowGroups, new Set(descending));
  return {
    queryId,
    runtime,
    format: 'matrix',
    cellSetHeaders: cellSetHeaders.map((line) => [...line]),
    cellSetBody: cellSetBody.map((line) => [...line]),
    meta: answer.meta,
  };
}
