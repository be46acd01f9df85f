/** Answers typed queries for every query surface: at once, or later by a job. */
import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import { userOf } from '../../router/calling-user.ts';
import type { Clock } from '../../router/capabilities/clock.ts';
import { type Scope, scopeOf } from '../../router/capabilities/identity.ts';
import type { Jobs } from '../../router/capabilities/jobs.ts';
import type { OperationContext, OperationMeta } from '../../router/operation.ts';
import { parseInput } from '../../router/parse-input.ts';
import { jobOf, orNotFound, type QueryStatus, queryStatus } from './async-query-operations.ts';

export interface RunContext {
  readonly scope: Scope;
  readonly signal: AbortSignal | undefined;
  /** The start of the runtime, in epoch milliseconds. */
  readonly startedAtMillis: number;
}

/** A surface's functions for its queries. */
export interface QuerySurface<Request, Prepared, Answer, Format, Response> {
  readonly surface: string;
  readonly jobs: Jobs;
  readonly clock: Clock;
  /** The schema of its requests. It also reads requests that a job stored. */
  readonly request: z.ZodType<Request>;
  /** Resolves the names of the request before anything is run. */
  prepare(request: Request, scope: Scope, signal: AbortSignal | undefined): Promise<Prepared>;
  /** Answers a prepared request as plain JSON, so that a job can store it. */
  run(prepared: Prepared, context: RunContext): Promise<Answer>;
  /** Reads an answer that a job stored. */
  kept(value: unknown): Answer;
  respond(queryId: string, answer: Answer, format: Format): Promise<Response>;
  /** Receives each query that has got an id. */
  remember?(queryId: string, request: Request, scope: Scope): Promise<void>;
}

/**
 * Returns the operations of a surface on its queries. Registers its jobs, so that they also run on nodes that did not
 * accept them.
 */
export function typedQueries<Request, Prepared, Answer, Format, Response>({
  surface,
  jobs,
  clock,
  request: schema,
  prepare,
  run,
  kept,
  respond,
  remember,
}: QuerySurface<Request, Prepared, Answer, Format, Response>) {
  jobs.register(surface, async (kept, scope, signal) => {
    const startedAtMillis = clock();
    return run(await prepare(parseInput(schema, kept), scope, signal), { scope, signal, startedAtMillis });
  });
  return {
    /** Answers at once. */
    async answer(ctx: OperationContext, request: Request, format: Format, signal?: AbortSignal): Promise<Response> {
      const startedAtMillis = clock();
      const scope = userOf(ctx);
      const prepared = await prepare(request, scope, signal);
      const answer = await run(prepared, { scope, signal, startedAtMillis });
      const queryId = randomUUID();
      await remember?.(queryId, request, scope);
      return respond(queryId, answer, format);
    },

    /** Begins a job, after the request has been checked. */
    async begin(ctx: OperationContext, request: Request, signal?: AbortSignal): Promise<QueryStatus> {
      const scope = scopeOf(userOf(ctx));
      const prepared = await prepare(request, scope, signal);
      const status = await jobs.submit({
        surface,
        scope,
        request,
        run: (stop) => run(prepared, { scope, signal: stop, startedAtMillis: clock() }),
      });
      await remember?.(status.id, request, scope);
      return queryStatus(status);
    },

    /** Returns the answer of a job that is DONE, else its status. */
    async result(ctx: OperationContext, queryId: string, format: Format): Promise<Response | QueryStatus> {
      const { status, value } = orNotFound(await jobs.result(jobOf(surface, ctx, queryId)), jobs.bounds);
      return status.state === 'DONE' ? respond(status.id, kept(value), format) : queryStatus(status);
    },
  };
}

/** Returns the declaration of the operation that begins a job, the same on every surface. */
export function executeAsyncMeta(root: `/${string}`, implementationChoice: string): OperationMeta {
  return {
    summary: 'Begin a query whose answer is fetched later',
    description: 'The request is checked before it is accepted, so that its mistakes are reported at once.',
    access: 'user',
    answersViewers: true,
    rest: { method: 'POST', path: `${root}/query/execute-async`, body: '*', status: 202 },
    implementationChoice,
  };
}

/** Returns the declaration of the operation that fetches an answer, the same on every surface. */
export function queryResultMeta(root: `/${string}`, isStatus: (output: object) => boolean): OperationMeta {
  return {
    summary: 'The answer of a query that is DONE; until then, and when it failed, its status with 202',
    access: 'user',
    rest: {
      method: 'GET',
      path: `${root}/query/result/{queryId}`,
      query: ['format'],
      status: { codes: [200, 202], of: (output: object) => (isStatus(output) ? 202 : 200) },
    },
  };
}
