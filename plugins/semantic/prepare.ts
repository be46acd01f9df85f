/**
 * Prepares and runs a semantic request. All callers use it: query, preview, row detail, jobs, saved queries, embeds,
 * anomalies, forecasts and commands.
 */

import type { Cache } from '../../router/capabilities/cache.ts';
import type { Scope } from '../../router/capabilities/identity.ts';
import { inPart } from '../../router/errors.ts';
import type { RequestPath } from '../../router/path.ts';
import { withTimeOf } from './query/execute/period-tables.ts';
import type { Compiled } from './query/nodes/compiled.ts';
import type { QueryContext, Target } from './query/nodes/query-target.ts';
import { type Answer, answer, compile } from './query/pipeline.ts';
import type { SemanticQueryRequest } from './schemas.ts';

/** The environment in which requests are answered. */
export interface Engine {
  readonly catalogs: {
    /** Finds the model that a request names, among the models of the caller's tenant. */
    find(connection: string, model: string | undefined, scope: Scope): Promise<Target>;
  };
  readonly cache: Cache;
  readonly settings: QueryContext;
  /** Keeps what is aggregated from rows, for suggestions of roll-ups. */
  readonly demands?: AggregationNotes | undefined;
}

/** Takes notes of answers that were computed, each with its duration in milliseconds. */
export interface AggregationNotes {
  note(compiled: Compiled, target: Target, ms: number): void;
}

export interface Prepared {
  /** The model and its warehouse, with the periods that the request names. */
  readonly target: Target;
  readonly compiled: Compiled;
}

export interface PrepareOptions {
  /** Stops the reading of periods when the caller gives up. */
  readonly signal: AbortSignal | undefined;
  /** The request's place in the input, such as `query`: mistakes are reported under it. */
  readonly part?: RequestPath | undefined;
  /** Compiles the request; the default compiles it unchanged. */
  readonly compileRequest?: typeof compile | undefined;
}

/**
 * Finds the model of a request, reads the periods that the request names, and compiles it.
 *
 * @throws NotFoundError where there is no such model
 * @throws ValidationError for the request's mistakes
 */
export async function prepare(
  request: SemanticQueryRequest,
  scope: Scope,
  { catalogs, cache, settings }: Engine,
  { signal, part = [], compileRequest = compile }: PrepareOptions,
): Promise<Prepared> {
  const served = await catalogs.find(request.connection, request.model, scope);
  return inPart(part, async () => {
    const target = await withTimeOf(request, served, scope, { cache, settings, signal });
    return { target, compiled: compileRequest(request, target, scope, settings) };
  });
}

/** Returns the answer of a prepared request. */
export async function run(
  { target, compiled }: Prepared,
  { cache, settings, demands }: Pick<Engine, 'cache' | 'settings' | 'demands'>,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  const begun = performance.now();
  const answered = await answer(compiled, target, cache, settings, signal);
  if (!answered.freshness.cached) demands?.note(compiled, target, performance.now() - begun);
  return answered;
}
