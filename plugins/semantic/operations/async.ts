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
import { answer, compile } from '../query/pipeline.ts';
import { Format, MatrixResponse, SemanticQueryRequest, SemanticQueryResponse } from '../schemas.ts';
import { type StoredResult, toResponse, toStoredResult } from './answers.ts';
import { type Dependencies, ROOT, SURFACE } from './dependencies.ts';
import { withNameProblems } from './problems.ts';

export function asyncOperations({ catalog, cache, jobs, clock, settings }: Dependencies) {
  return {
    ...asyncQueryOperations({ jobs, surface: SURFACE, root: ROOT }),

    executeAsync: operation({
      summary: 'Begin a query whose answer is fetched later',
      description: 'The request is checked before it is accepted, so that what is wrong with it is told at once.',
      access: 'user',
      rest: { method: 'POST', path: `${ROOT}/query/execute-async`, body: '*', status: 202 },
      implementationChoice:
        'At most 20 queries of one user are in flight; beyond that 429 JOB_LIMIT. Answers are kept for an hour, 32 MB at most.',
    })
      .use(async ({ ctx, next, getRawInput }) => withNameProblems(await next(), getRawInput, catalog, ctx))
      .input(SemanticQueryRequest)
      .output(QueryStatus)
      .mutation(async ({ ctx, input }) => {
        const { tenant, user, roles } = userOf(ctx);
        const scope = { tenant, user, roles };
        const entry = await catalog.find(input.connection, input.model);
        const compiled = compile(input, entry, scope, settings);
        const status = await jobs.submit({
          surface: SURFACE,
          scope,
          async run(signal) {
            const started = clock();
            const found = await answer(compiled, entry, cache, settings, signal);
            return toStoredResult(compiled, found, clock() - started);
          },
        });
        return queryStatus(status);
      }),

    queryResult: operation({
      summary: 'The answer of a query that is DONE; until then, and when it failed, its status with 202',
      access: 'user',
      rest: {
        method: 'GET',
        path: `${ROOT}/query/result/{queryId}`,
        query: ['format'],
        status: { codes: [200, 202], of: (output: object) => ('status' in output ? 202 : 200) },
      },
    })
      .input(QueryIdInput.extend({ format: Format }))
      .output(documented(z.union([SemanticQueryResponse, MatrixResponse, QueryStatus])))
      .query(async ({ ctx, input }) => {
        const { status, value } = orNotFound(await jobs.result(jobOf(SURFACE, ctx, input.queryId)));
        if (status.state !== 'DONE') return queryStatus(status);
        return toResponse(status.id, storedAnswer(value), input.format);
      }),
  };
}

/** What `executeAsync` gave to the job, read back. Its rows are many and were ours: their number is checked, not each. */
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

function storedAnswer(value: unknown): StoredResult {
  return StoredAnswer.parse(value);
}
