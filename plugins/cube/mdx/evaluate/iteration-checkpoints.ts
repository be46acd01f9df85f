import { MAX_CHECKPOINTS } from '../limits.ts';
import type { TupleSet } from '../metadata/member.ts';

/** The progress of an iteration that stopped in the middle, or that took long enough that it should not be repeated. */
export interface IterationCheckpoint {
  readonly tuples: TupleSet;
  /** The results so far. */
  readonly gathered: unknown;
  /** The index of the first tuple whose visit has not ended. */
  readonly next: number;
  /** True if data was missing so far. */
  readonly missed: boolean;
}

/** Keeps the progress of iterations by owner and context, until the results are no longer needed. */
export class IterationCheckpoints {
  readonly #byOwner = new Map<object, Map<string, IterationCheckpoint>>();
  #kept = 0;

  /** Returns whether an owner has a checkpoint in any context. */
  has(owner: object): boolean {
    return this.#byOwner.has(owner);
  }

  /** Returns the progress of an owner in a context. */
  get(owner: object, context: string): IterationCheckpoint | undefined {
    return this.#byOwner.get(owner)?.get(context);
  }

  /** Keeps the progress of an owner in a context. */
  put(owner: object, context: string, progress: IterationCheckpoint): void {
    if (this.#kept > MAX_CHECKPOINTS) this.#dropFinished();
    const checkpoints = this.#byOwner.get(owner);
    if (checkpoints === undefined) this.#byOwner.set(owner, new Map([[context, progress]]));
    else checkpoints.set(context, progress);
    this.#kept++;
  }

  /** Drops finished iterations. Iterations that stopped in the middle stay, because they must progress. */
  #dropFinished(): void {
    for (const [owner, checkpoints] of this.#byOwner) {
      for (const [context, { next, tuples }] of checkpoints) if (next >= tuples.length) checkpoints.delete(context);
      if (checkpoints.size === 0) this.#byOwner.delete(owner);
    }
    this.#kept = 0;
  }

  /** Forgets all iterations. */
  clear(): void {
    this.#byOwner.clear();
    this.#kept = 0;
  }
}
