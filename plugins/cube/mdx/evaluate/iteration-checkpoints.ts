import { MAX_CHECKPOINTS } from '../limits.ts';
import type { TupleSet } from '../metadata/member.ts';

/** How far an iteration has come: left in the middle, or at its end after a while that is not to be spent again. */
export interface IterationCheckpoint {
  readonly tuples: TupleSet;
  /** Results so far. */
  readonly gathered: unknown;
  /** The first tuple that has not been visited to its end. */
  readonly next: number;
  /** True when something was missing so far. */
  readonly missed: boolean;
}

/** Iterations by who runs them and the context in which they do, until what they computed is of no more use. */
export class IterationCheckpoints {
  readonly #byOwner = new Map<object, Map<string, IterationCheckpoint>>();
  #kept = 0;

  /** Returns whether an owner has left an iteration in any context. */
  has(owner: object): boolean {
    return this.#byOwner.has(owner);
  }

  /** Returns how far an owner has come in a context. */
  get(owner: object, context: string): IterationCheckpoint | undefined {
    return this.#byOwner.get(owner)?.get(context);
  }

  /** Keeps how far an owner has come in a context. */
  put(owner: object, context: string, progress: IterationCheckpoint): void {
    if (this.#kept > MAX_CHECKPOINTS) this.#dropFinished();
    const checkpoints = this.#byOwner.get(owner);
    if (checkpoints === undefined) this.#byOwner.set(owner, new Map([[context, progress]]));
    else checkpoints.set(context, progress);
    this.#kept++;
  }

  /** Drops the iterations that are over. What was left in the middle stays: it must get on. */
  #dropFinished(): void {
    for (const [owner, own] of this.#byOwner) {
      for (const [context, { next, tuples }] of own) if (next >= tuples.length) own.delete(context);
      if (own.size === 0) this.#byOwner.delete(owner);
    }
    this.#kept = 0;
  }

  /** Forgets all iterations. */
  clear(): void {
    this.#byOwner.clear();
    this.#kept = 0;
  }
}
