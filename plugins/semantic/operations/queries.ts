/** How the surface prepares, runs and answers a typed query. */
import { z } from 'zod';
import { typedQueries } from '../../query-surface/index.ts';
import type { Entry } from '../catalog.ts';
import { withTimeOf } from '../query/grain/time-ready.ts';
import { answer, type Compiled, compile } from '../query/pipeline.ts';
import { parseRequest } from '../request.ts';
import { type Format, type SemanticQueryRequest, SemanticQueryResponse } from '../schemas.ts';
import { type StoredResult, toResponse, toStoredResult } from './answers.ts';
import { type Dependencies, SURFACE } from './dependencies.ts';

interface Prepared {
  readonly entry: Entry;
  readonly compiled: Compiled;
}

export function semanticQueries({ catalogs, cache, jobs, clock, settings }: Dependencies) {
  return typedQueries({
    surface: SURFACE,
    jobs,
    clock,
    parse: parseRequest,
    async prepare(request: SemanticQueryRequest, scope, signal): Promise<Prepared> {
      const found = await catalogs.find(request.connection, request.model, scope);
      const entry = await withTimeOf(request, found, scope, { cache, settings, signal });
      return { entry, compiled: compile(request, entry, scope, settings) };
    },
    async run({ entry, compiled }, { signal, startedAtMillis }): Promise<StoredResult> {
      const found = await answer(compiled, entry, cache, settings, signal);
      return toStoredResult(compiled, found, clock() - startedAtMillis);
    },
    kept: (value) => StoredAnswer.parse(value),
    respond: (queryId, found, format: Format) => toResponse(queryId, found, format),
  });
}

/** What a job kept, read back. Its rows are many and were ours: their number is checked, not each. */
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
