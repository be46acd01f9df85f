/** The one step of a query with effects: MDX to the engine, through the cache, within the time limit. */
import type { Cache, Cached } from '../../../../router/capabilities/cache.ts';
import { CancelledError, InternalError, TimeoutError, ValidationError } from '../../../../router/errors.ts';
import type { Target } from '../../catalog/target.ts';
import { MdxError, MdxEvaluationError, MdxLimitError, MdxSchemaError, type Scenario } from '../../mdx/index.ts';
import type { Compiled } from '../compile/compile-mdx.ts';
import { type Grid, type GridMember, gridOf } from './grid.ts';

export interface Execution {
  readonly cache: Cache;
  readonly ttlMs: number;
  readonly timeoutMs: number;
  readonly user: string;
  readonly signal?: AbortSignal | undefined;
  readonly scenario?: Scenario | undefined;
}

/**
 * Runs the MDX or takes its kept answer. Answers are kept by version of the data, roles and text, as the engine gave
 * them: requests that mean the same MDX want it laid out differently.
 */
export async function execute(
  { mdx, measures }: Compiled,
  { mdx: engine, warehouse, roles, keyPrefix }: Target,
  { cache, ttlMs, timeoutMs, user, signal, scenario }: Execution,
): Promise<Cached<Grid>> {
  const version = (await warehouse.dataVersion()) ?? '';
  return cache.through({
    // A formula may ask for the user's name; what is supposed of the cells is nobody else's.
    key: [
      ...keyPrefix,
      version,
      JSON.stringify(roles ?? null),
      user,
      scenario === undefined ? '' : JSON.stringify(scenario),
      mdx,
    ],
    ttlMs: scenario === undefined ? ttlMs : 0,
    signal,
    sizeOf,
    compute: (shared) =>
      within(timeoutMs, shared, async (stop) => {
        return gridOf(await engine.query(mdx, { roles, user, scenario, signal: stop }), measures);
      }),
  });
}

/**
 * Does work that the engine's limits and the time limit bound.
 *
 * @throws TimeoutError, and `ValidationError` at `rows` or `order`
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
        `The query took longer than ${timeoutMs / 1_000} seconds. Ask for less, or run it asynchronously later.`,
        { cause: error },
      );
    }
    throw asCallersError(error);
  }
}

/** The place of a what-if change in an error of the engine. */
const SCENARIO = 'scenario';

/**
 * Translates an error of the engine. The request was right, so what the engine says of the MDX is no mistake of the
 * caller's, save a change that cannot be made, asking for too much, or for rows by a measure whose formula has no
 * value there, such as a change since last year over several years at once.
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
    // Without its reason, which may name what the caller does not see.
    const message = `This needs a formula of the cube that is wrong (line ${error.line} of its schema). Choose other measures.`;
    return ValidationError.at(['measures'], message);
  }
  return new InternalError(`The cube has a formula that is wrong: ${error.message}`, { cause: error });
}

/**
 * Estimates the bytes of a grid: members are kept once, cells cost two values, text its letters beside. An estimate
 * is enough to bound the cache.
 */
function sizeOf({ rows, columns, cells }: Grid): number {
  let bytes = 256;
  const members = new Set<GridMember>();
  for (const tuple of [...rows, ...columns]) {
    bytes += 16 + 8 * tuple.length;
    for (const member of tuple) members.add(member);
  }
  for (const { caption, uniqueName, path } of members) {
    bytes += 96 + 2 * (caption.length + uniqueName.length) + 8 * path.length;
  }
  for (const row of cells) for (const { formatted } of row) bytes += 48 + 2 * formatted.length;
  return bytes;
}
