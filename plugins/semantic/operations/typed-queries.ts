/** Prepares, runs and answers a typed query. */
import { z } from 'zod';
import { typedQueries } from '../../query-surface/index.ts';
import { prepare, run } from '../prepare.ts';
import { type Format, SemanticQueryRequest, SemanticQueryResponse } from '../schemas.ts';
import { type Dependencies, SURFACE } from './dependencies.ts';
import { type StoredResult, toResponse, toStoredResult } from './responses.ts';

export function semanticQueries(parts: Dependencies) {
  const { jobs, clock } = parts;
  return typedQueries({
    surface: SURFACE,
    jobs,
    clock,
    request: SemanticQueryRequest,
    prepare: (request, scope, signal) => prepare(request, scope, parts, { signal }),
    async run(prepared, { signal, startedAtMillis }): Promise<StoredResult> {
      const answer = await run(prepared, parts, signal);
      return toStoredResult(prepared.compiled, answer, clock() - startedAtMillis);
    },
    kept: (value) => StoredAnswer.parse(value),
    respond: (queryId, answer, format: Format) => toResponse(queryId, answer, format),
  });
}

/** Reads the answer that a job kept. The product wrote its rows itself, so not each row is checked. */
const StoredAnswer = z.object({
  answer: z.object({
    columns: z.custom<StoredResult['answer']['columns']>(Array.isArray),
    records: z.custom<StoredResult['answer']['records']>(Array.isArray),
    meta: SemanticQueryResponse.shape.meta,
  }),
  runtime: z.int(),
  rowGroups: z.int(),
  columnOrder: z.array(z.object({ key: z.string(), direction: z.enum(['asc', 'desc']) })),
  rowPlaces: z.array(z.number()).optional(),
});
