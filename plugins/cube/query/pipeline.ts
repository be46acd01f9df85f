/**
 * Runs a query: resolve, compile, execute, then mask and shape. Preview uses the same code and stops before execute.
 */
import type { Cache } from '../../../router/capabilities/cache.ts';
import type { Clock } from '../../../router/capabilities/clock.ts';
import type { CubeQueryRequest } from '../api/schemas.ts';
import type { CubeTarget } from '../catalog/cube-target.ts';
import type { Scenario } from '../mdx/index.ts';
import type { CubeSettings } from '../settings.ts';
import { type Answer, answerOf } from './answer/make-answer.ts';
import { type Compiled, compile } from './compile/compile-mdx.ts';
import { execute, within } from './execute/cached-mdx.ts';
import { resolve } from './resolve/resolve-request.ts';
import type { ResolvedQuery } from './resolve/resolved-query.ts';

export interface Prepared {
  readonly query: ResolvedQuery;
  readonly compiled: Compiled;
}

export interface Engine {
  readonly cache: Cache;
  readonly clock: Clock;
  readonly settings: CubeSettings;
}

export interface PrepareOptions {
  /** Stops the search for members when the caller gives up. */
  readonly signal: AbortSignal | undefined;
  /** Changes the resolved query before it becomes MDX, for example to narrow it. */
  readonly adapt?: ((query: ResolvedQuery) => ResolvedQuery | Promise<ResolvedQuery>) | undefined;
}

/** Does all steps before the cells. Looks up the members that the request names. */
export async function prepare(
  request: CubeQueryRequest,
  target: CubeTarget,
  { clock, settings }: Engine,
  { signal, adapt = (query) => query }: PrepareOptions,
): Promise<Prepared> {
  return within(settings.timeoutMs, signal, async (stop) => {
    const query = await adapt(await resolve(request, target, { nowMillis: clock(), signal: stop }));
    const { threshold } = settings.kAnonymity;
    return { query, compiled: compile(query, { threshold, countedGroups: target.countedGroups }) };
  });
}

export interface RunOptions {
  readonly user: string;
  /** Stops the reading of cells when the caller gives up. */
  readonly signal: AbortSignal | undefined;
  readonly scenario?: Scenario | undefined;
}

export async function run(
  { query, compiled }: Prepared,
  target: CubeTarget,
  { cache, clock, settings }: Engine,
  { user, signal, scenario }: RunOptions,
): Promise<Answer> {
  const started = clock();
  const { cacheTtlMs, timeoutMs, kAnonymity, maxRows } = settings;
  const { value, computedAtMillis, cached } = await execute(compiled, target, {
    cache,
    ttlMs: cacheTtlMs,
    timeoutMs,
    user,
    signal,
    scenario,
  });
  return answerOf(query, compiled, value, {
    cubeId: target.cubeId,
    kAnonymity,
    maxRows,
    computedAtMillis,
    cached,
    runtimeMs: clock() - started,
  });
}
