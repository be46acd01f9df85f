/** Asynchronous requests: submit, status, result, cancel. */
import { z } from 'zod';
import { documented, operation } from '../../../router/operation.ts';
import {
  asyncQueryBounds,
  asyncQueryOperations,
  executeAsyncMeta,
  QueryIdInput,
  QueryStatus,
  queryResultMeta,
  withNameProblems,
} from '../../query-surface/index.ts';
import { Format, MatrixResponse, SemanticQueryRequest, SemanticQueryResponse } from '../schemas.ts';
import { type Dependencies, ROOT, SURFACE } from './dependencies.ts';
import { nameCheck } from './name-check.ts';
import { semanticQueries } from './typed-queries.ts';

export function asyncOperations(parts: Dependencies) {
  const { catalogs, jobs } = parts;
  const queries = semanticQueries(parts);
  return {
    ...asyncQueryOperations({ jobs, surface: SURFACE, root: ROOT }),

    executeAsync: operation(executeAsyncMeta(ROOT, asyncQueryBounds(jobs.bounds)))
      .use((step) => withNameProblems(step, nameCheck(catalogs, step.ctx)))
      .input(SemanticQueryRequest)
      .output(QueryStatus)
      .mutation(({ ctx, input, signal }) => queries.begin(ctx, input, signal)),

    queryResult: operation(queryResultMeta(ROOT, (output) => 'status' in output))
      .input(QueryIdInput.extend({ format: Format }))
      .output(documented(z.union([SemanticQueryResponse, MatrixResponse, QueryStatus])))
      .query(({ ctx, input }) => queries.result(ctx, input.queryId, input.format)),
  };
}
