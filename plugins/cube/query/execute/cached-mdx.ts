/** Runs MDX in the engine, through the cache and within the time limit. It is the only step of a query with effects. */
import type { Cache, Cached } from '../../../../router/capabilities/cache.ts';
import { CancelledError, InternalError, TimeoutError, ValidationError } from '../../../../router/errors.ts';
import type { CubeTarget } from '../../catalog/cube-target.ts';
import type { Grid } from '../../engine/grid.ts';
import { MdxError, MdxEvaluationError, MdxLimitError, MdxSchemaError, type Scenario } from '../../mdx/index.ts';
import type { Compiled } from '../compile/compile-mdx.ts';

export interface Execution {
  readonly cache: Cache;
  readonly ttlMs: number;
  readonly timeoutMs: number;
  readonly user: string;
  readonly signal: AbortSignal | undefined;
  readonly scenario?: Scenario | undefined;
}

/**
 * Runs the MDX or returns its kept result. Results are kept by version of the data, access (roles and viewer's members) and text, in the engine's
 * form, because requests with the same MDX may need different layouts.
 */
export async function execute(
  { mdx, measures }: Compiled,
  { engine, warehouse, access, keyPrefix }: CubeTarget,
  { cache, ttlMs, timeoutMs, user, signal, scenario }: Execution,
): Promise<Cached<Grid>> {
  const version = (await warehouse.dataVersion()) ?? '';
  return cache.through({
    // A formula may use the user's name, and a what-if belongs to one caller.
    key: [
      ...keyPrefix,
      version,
      JSON.stringify(access),
      user,
      scenario === undefined ? '' : JSON.stringify(scenario),
      mdx,
    ],
    ttlMs: scenario === undefined ? ttlMs : 0,
    signal,
    sizeOf: ({ bytes }) => bytes,
    compute: (shared) =>
      within(timeoutMs, shared, (stop) => engine.grid({ mdx, measures }, { ...access, user, scenario, signal: stop })),
  });
}

/**
 * Runs work within the engine's limits and the time limit.
 *
 * @throws TimeoutError, or `ValidationError` at `rows` or `order`
 */
export async function within<Result>(
  timeoutMs: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const limit = AbortSignal.timeout(timeoutMs);
  try {
    return await work(signal === undefined ? limit : AbortSignal.any([signal, limit]));
  } catch (error) {
    if (error instanceof CancelledError && limit.aborted && signal?.aborted !== true) {
      throw new TimeoutError(
        `The query took longer than ${timeoutMs / 1_000} seconds. ${error.waitedFor ?? 'Ask for less, or run it asynchronously later.'}`,
        { cause: error },
      );
    }
    throw asCallersError(error);
  }
}

/** The path of a what-if change in an error of the engine. */
const SCENARIO = 'scenario';

/**
 * Translates an error of the engine. The request was valid, so most errors of the MDX are not the caller's mistakes.
 * The exceptions are a change that cannot be made, a request for too much, and rows sorted by a measure whose formula
 * has no value there, such as a change since last year over several years.
 */
function asCallersError(error: unknown): unknown {
  if (!(error instanceof MdxError)) return error;
  const [part, ...path] = error.path ?? [];
  if (part === SCENARIO) return ValidationError.at(path, error.message, error.available);
  if (error instanceof MdxLimitError) {
    return ValidationError.at(['rows'], `${error.message} Ask for fewer rows and columns, or filter them.`);
  }
  if (error instanceof MdxEvaluationError) {
    const message = `The rows cannot be chosen or sorted by a measure that fails for them: ${error.message} Sort by another measure, or filter to one member.`;
    return ValidationError.at(['order'], message);
  }
  if (error instanceof MdxSchemaError) {
    // The reason is left out, because it may name what the caller does not see.
    const message = `This needs a formula of the cube that is wrong (line ${error.line} of its schema). Choose other measures.`;
    return ValidationError.at(['measures'], message);
  }
  return new InternalError(`The cube has a formula that is wrong: ${error.message}`, { cause: error });
}
