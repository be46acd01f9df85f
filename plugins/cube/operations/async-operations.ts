/** Operations of asynchronous queries: submit, status, result, cancel. */
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
import { CubeMatrixResponse, CubeQueryRequest, CubeQueryResponse, Format } from '../api/schemas.ts';
import { type Dependencies, ROOT, SURFACE } from './dependencies.ts';
import { nameCheck } from './name-check.ts';
import { cubeQueries } from './typed-queries.ts';

export function asyncOperations(parts: Dependencies) {
  const queries = cubeQueries(parts);
  const choice = `The whole payload. ${asyncQueryBounds(parts.jobs.bounds)}`;
  return {
    ...asyncQueryOperations({ jobs: parts.jobs, surface: SURFACE, root: ROOT }),

    executeAsync: operation(executeAsyncMeta(ROOT, choice))
      .use((step) => withNameProblems(step, nameCheck(parts, step)))
      .input(CubeQueryRequest)
      .output(QueryStatus)
      .mutation(({ ctx, input, signal }) => queries.begin(ctx, input, signal)),

    queryResult: operation(queryResultMeta(ROOT, (output) => !('metadata' in output)))
      .input(QueryIdInput.extend({ format: Format }))
      .output(documented(z.union([CubeQueryResponse, CubeMatrixResponse, QueryStatus])))
      .query(({ ctx, input }) => queries.result(ctx, input.queryId, input.format)),
  };
}
