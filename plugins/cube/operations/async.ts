/** Questions that are answered later: submit, status, result, cancel. */
import { z } from 'zod';
import { userOf } from '../../../router/caller.ts';
import { documented, operation } from '../../../router/operation.ts';
import {
  asyncQueryOperations,
  jobOf,
  orNotFound,
  QueryIdInput,
  QueryStatus,
  queryStatus,
} from '../../query-surface/index.ts';
import type { Answer } from '../query/answer.ts';
import { prepare, run } from '../query/pipeline.ts';
import { toResponse } from '../query/response.ts';
import { CubeMatrixResponse, CubeQueryRequest, CubeQueryResponse, Format } from '../schemas.ts';
import { type Dependencies, ROOT, SURFACE } from './dependencies.ts';
import { withNameProblems } from './problems.ts';

export function asyncOperations(parts: Dependencies) {
  const { catalog, asked, jobs } = parts;
  return {
    ...asyncQueryOperations({ jobs, surface: SURFACE, root: ROOT }),

    executeAsync: operation({
      summary: 'Begin a query whose answer is fetched later',
      description: 'The request is checked before it is accepted, so that what is wrong with it is told at once.',
      access: 'user',
      rest: { method: 'POST', path: `${ROOT}/query/execute-async`, body: '*', status: 202 },
      implementationChoice:
        'The whole payload. At most 20 queries of one user are in flight; beyond that 429 JOB_LIMIT. Answers are kept for an hour, 32 MB at most.',
    })
      .use((step) => withNameProblems(step, parts))
      .input(CubeQueryRequest)
      .output(QueryStatus)
      .mutation(async ({ ctx, input, signal }) => {
        const { tenant, user, roles } = userOf(ctx);
        const scope = { tenant, user, roles };
        const target = await catalog.find(input.cube, scope);
        const prepared = await prepare(input, target, parts, { signal });
        const status = await jobs.submit({
          surface: SURFACE,
          scope,
          run: (stop) => run(prepared, target, parts, { user, signal: stop }),
        });
        await asked.remember(status.id, input, scope);
        return queryStatus(status);
      }),

    queryResult: operation({
      summary: 'The answer of a query that is DONE; until then, and when it failed, its status with 202',
      access: 'user',
      rest: {
        method: 'GET',
        path: `${ROOT}/query/result/{queryId}`,
        query: ['format'],
        status: { codes: [200, 202], of: (output: object) => ('metadata' in output ? 200 : 202) },
      },
    })
      .input(QueryIdInput.extend({ format: Format }))
      .output(documented(z.union([CubeQueryResponse, CubeMatrixResponse, QueryStatus])))
      .query(async ({ ctx, input }) => {
        const { status, value } = orNotFound(await jobs.result(jobOf(SURFACE, ctx, input.queryId)));
        if (status.state !== 'DONE') return queryStatus(status);
        return toResponse(status.id, StoredAnswer.parse(value), input.format);
      }),
  };
}

/** What `executeAsync` gave to the job, read back. Its rows are many and were ours: that they are there is checked, not each. */
const StoredAnswer = z.custom<Answer>(
  (value) => typeof value === 'object' && value !== null && 'rows' in value && Array.isArray(value.rows),
);
