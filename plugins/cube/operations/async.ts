/** Questions that are answered later: submit, status, result, cancel. */
import { z } from 'zod';
import { documented, operation } from '../../../router/operation.ts';
import {
  asyncQueryOperations,
  executeAsyncMeta,
  QueryIdInput,
  QueryStatus,
  queryResultMeta,
  withNameProblems,
} from '../../query-surface/index.ts';
import { CubeMatrixResponse, CubeQueryRequest, CubeQueryResponse, Format } from '../schemas.ts';
import { type Dependencies, ROOT, SURFACE } from './dependencies.ts';
import { nameCheck } from './problems.ts';
import { cubeQueries } from './queries.ts';

const CHOICE =
  'The whole payload. At most 20 queries of one user are in flight; beyond that 429 JOB_LIMIT. Answers are kept for an hour, 32 MB at most.';

export function asyncOperations(parts: Dependencies) {
  const queries = cubeQueries(parts);
  return {
    ...asyncQueryOperations({ jobs: parts.jobs, surface: SURFACE, root: ROOT }),

    executeAsync: operation(executeAsyncMeta(ROOT, CHOICE))
      .use((step) => withNameProblems(step, nameCheck(parts, step.ctx)))
      .input(CubeQueryRequest)
      .output(QueryStatus)
      .mutation(({ ctx, input, signal }) => queries.begin(ctx, input, signal)),

    queryResult: operation(queryResultMeta(ROOT, (output) => !('metadata' in output)))
      .input(QueryIdInput.extend({ format: Format }))
      .output(documented(z.union([CubeQueryResponse, CubeMatrixResponse, QueryStatus])))
      .query(({ ctx, input }) => queries.result(ctx, input.queryId, input.format)),
  };
}
