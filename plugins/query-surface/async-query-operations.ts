/** The operations on asynchronous queries that every query surface has: status and cancel. */
import { z } from 'zod';
import { PathText } from '../../router/bounded.ts';
import { userOf } from '../../router/calling-user.ts';
import type { JobBounds, JobReference, JobStatus, Jobs } from '../../router/capabilities/jobs.ts';
import { NotFoundError } from '../../router/errors.ts';
import { type OperationContext, operation } from '../../router/operation.ts';
import { durationText, sizeText } from '../../router/quantity-text.ts';

export const QueryStatus = z.object({
  queryId: z.string(),
  status: z.enum(['PENDING', 'RUNNING', 'DONE', 'FAILED', 'CANCELLED']),
  error: z.object({ code: z.string(), message: z.string() }).optional().describe('Why it is FAILED.'),
});
export type QueryStatus = z.output<typeof QueryStatus>;

export function queryStatus({ id, state, error }: JobStatus): QueryStatus {
  return { queryId: id, status: state, ...(error === undefined ? {} : { error }) };
}

/**
 * Returns the result of a look-up by queryId, or refuses it. The refusal is the same for an unknown id and for another
 * caller's id.
 */
export function orNotFound<Result>(result: Result | undefined, { keepMs }: JobBounds): Result {
  if (result === undefined)
    throw new NotFoundError(`There is no such query. Answers are kept for ${durationText(keepMs)}.`);
  return result;
}

/** Returns the job behind a queryId of the caller. */
export function jobOf(surface: string, ctx: OperationContext, id: string): JobReference {
  return { surface, scope: userOf(ctx), id };
}

/** Returns the API reference's text on the bounds of asynchronous queries. */
export function asyncQueryBounds({ inFlight, resultBytes, keepMs }: JobBounds): string {
  const queries = `${inFlight} ${inFlight === 1 ? 'query' : 'queries'}`;
  return `At most ${queries} of one user may be in flight; beyond that 429 JOB_LIMIT. Answers are kept for ${durationText(keepMs)}, ${sizeText(resultBytes)} at most.`;
}

export const QueryIdInput = z.strictObject({ queryId: PathText });

/**
 * Makes the operations that are the same on every surface: the status of a query, and cancel. `root` is the base path of
 * the surface's operations.
 */
export function asyncQueryOperations({
  jobs,
  surface,
  root,
}: {
  readonly jobs: Jobs;
  readonly surface: string;
  readonly root: `/${string}`;
}) {
  return {
    queryStatus: operation({
      summary: 'The status of a query',
      access: 'user',
      rest: { method: 'GET', path: `${root}/query/status/{queryId}` },
      implementationChoice:
        'The body. The queryId of another user, or of other roles, is answered like an unknown queryId.',
    })
      .input(QueryIdInput)
      .output(QueryStatus)
      .query(async ({ ctx, input }) =>
        queryStatus(orNotFound(await jobs.status(jobOf(surface, ctx, input.queryId)), jobs.bounds)),
      ),

    cancelQuery: operation({
      summary: 'Cancel a query that is in flight; without effect on a query that has ended',
      access: 'user',
      answersViewers: true,
      rest: { method: 'DELETE', path: `${root}/query/{queryId}` },
      implementationChoice: 'The body: the state of the query afterwards.',
    })
      .input(QueryIdInput)
      .output(QueryStatus)
      .mutation(async ({ ctx, input }) =>
        queryStatus(orNotFound(await jobs.cancel(jobOf(surface, ctx, input.queryId)), jobs.bounds)),
      ),
  };
}
