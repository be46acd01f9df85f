/** What an answer was made from: the served documents, the version of the data, cached results, and the present day. */
import type { Cache } from '../../router/capabilities/cache.ts';
import type { Clock } from '../../router/capabilities/clock.ts';
import type { Warehouse } from '../../router/capabilities/warehouse.ts';
import { type Awaitable, run, type Steps, settled } from '../../router/steps.ts';
import { trackedCache } from '../../router/tracked-cache.ts';

/** Every zone is a multiple of this off UTC, so no day and no hour begins within such a step. In milliseconds. */
const STEP_MS = 900_000;

interface Versioned {
  readonly warehouse: Pick<Warehouse, 'dataVersion'>;
}

export interface BasisParts<Target extends Versioned> {
  readonly cache: Cache;
  readonly clock: Clock;
  /** Finds the model or cube of the answer. */
  readonly find: () => Promise<Target>;
  /** Returns the version of the served documents: another object after each change. */
  readonly served: () => object;
}

/** The basis of an answer that is being made. */
export interface AnswerBasis<Target> {
  readonly target: Target;
  /** Results come through this cache, which remembers them. */
  readonly cache: Cache;
  /** Returns whether an answer that is made again now is the same, from results that are still cached. */
  isCurrent(): Awaitable<boolean>;
}

/** Notes the basis of an answer before it is made: what changes meanwhile makes the answer outdated. */
export async function answerBasis<Target extends Versioned>({
  cache,
  clock,
  find,
  served,
}: BasisParts<Target>): Promise<AnswerBasis<Target>> {
  const tracked = trackedCache(cache);
  const stepOf = () => Math.floor(clock() / STEP_MS);
  const [step, document] = [stepOf(), served()];
  const target = await find();
  const { warehouse } = target;
  const version = await run(dataVersionOf(warehouse));
  return {
    target,
    cache: tracked.cache,
    isCurrent: () => run(isCurrent()),
  };

  function* isCurrent(): Steps<boolean> {
    if (version === UNREACHABLE || step !== stepOf() || document !== served() || !tracked.areKept()) return false;
    return (yield* dataVersionOf(warehouse)) === version;
  }
}

/** The file of the data does not exist now, for example. The read that needs it explains the failure. */
const UNREACHABLE = Symbol('unreachable');

function* dataVersionOf(warehouse: Versioned['warehouse']): Steps<string | undefined | typeof UNREACHABLE> {
  try {
    return yield* settled(warehouse.dataVersion());
  } catch {
    return UNREACHABLE;
  }
}

/**
 * Returns whether the answer of a request may change within the step of `answerBasis`: it counts periods to now that are
 * shorter than a quarter of an hour.
 */
export function countsMoments(...parts: readonly unknown[]): boolean {
  const text = JSON.stringify(parts);
  return /previous_period/i.test(text) && /"(?:second|minute)"/i.test(text);
}
