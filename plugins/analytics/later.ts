/** Queries that are answered later, as every query surface tells of them. */
import { z } from 'zod';
import type { JobStatus } from '../../router/capabilities/jobs.ts';
import { NotFoundError } from '../../router/errors.ts';

export const QueryStatus = z.object({
  queryId: z.string(),
  status: z.enum(['PENDING', 'RUNNING', 'DONE', 'FAILED', 'CANCELLED']),
  error: z.object({ code: z.string(), message: z.string() }).optional().describe('Why it is FAILED.'),
});
export type QueryStatus = z.output<typeof QueryStatus>;

export function queryStatus({ id, state, error }: JobStatus): QueryStatus {
  return { queryId: id, status: state, ...(error === undefined ? {} : { error }) };
}

/** A queryId that nobody gave out, or that is another caller's: the two are never told apart. */
export function known<Found>(found: Found | undefined): Found {
  if (found === undefined) throw new NotFoundError('There is no such query. Answers are kept for an hour.');
  return found;
}
