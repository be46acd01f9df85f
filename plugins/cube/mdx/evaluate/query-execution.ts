import { setImmediate as nextTurn } from 'node:timers/promises';
import { onAbort } from '../../../../router/abort.ts';
import { CancelledError, InternalError, TimeoutError } from '../../../../router/errors.ts';
import type { RuntimeCube } from '../cube/cube.ts';
import { MAX_LOADS } from '../limits.ts';
import { DataNotLoaded, loadAll, YIELD } from '../loading/data-not-loaded.ts';
import type { CellReader } from '../storage/cell-reader.ts';
import type { Evaluation } from './evaluation.ts';

/** Repeats a computation and loads what it misses in between. Yields the event loop to other work of the process. */
export class QueryExecution {
  /** Reads the stored cells for this query. */
  readonly cells: CellReader;
  readonly #signal: AbortSignal | undefined;
  readonly #deadline: number;
  evaluator: Evaluation | undefined;

  /**
   * Opens the cells of the cube.
   *
   * @param deadline the instant at which the query must be finished, in epoch milliseconds
   */
  constructor(cube: RuntimeCube, signal: AbortSignal | undefined, deadline: number) {
    this.cells = cube.openCells();
    this.#signal = signal;
    this.#deadline = deadline;
  }

  /**
   * Returns the result of `compute` once no data is missing.
   *
   * @throws CancelledError, TimeoutError
   */
  async runUntilLoaded<T>(compute: () => T): Promise<T> {
    for (let loads = 0; loads < MAX_LOADS; ) {
      this.#check();
      this.evaluator?.beginTurn();
      const attempt = this.#attempt(compute);
      if (attempt === 'turn over') {
        await nextTurn();
        continue;
      }
      if (attempt.done) {
        this.evaluator?.forgetIterations();
        return attempt.result;
      }
      this.evaluator?.forgetIterations();
      await this.#load();
      loads++;
    }
    throw new InternalError('The query never has all it needs.');
  }

  readonly #pending = new Map<string, DataNotLoaded>();

  #check(): void {
    if (this.#signal?.aborted) throw new CancelledError('The query was cancelled.');
    if (Date.now() > this.#deadline) throw tooSlow();
  }

  #attempt<T>(compute: () => T): { readonly done: true; readonly result: T } | { readonly done: false } | 'turn over' {
    const before = this.evaluator?.missCount ?? 0;
    try {
      const result = compute();
      if ((this.evaluator?.missCount ?? 0) === before) return { done: true, result };
    } catch (error) {
      if (error === YIELD) return 'turn over';
      if (error instanceof DataNotLoaded) this.#note(error);
      // While values are missing, an error may not be the query's own.
      else if ((this.evaluator?.missCount ?? 0) === before) throw error;
    }
    for (const pending of this.evaluator?.pending.values() ?? []) this.#note(pending);
    this.evaluator?.pending.clear();
    return { done: false };
  }

  #note(pending: DataNotLoaded): void {
    if (pending.load !== undefined) this.#pending.set(pending.key, pending);
  }

  /** Loads the noted data. The statements stop when the query is cancelled or its time is over. */
  async #load(): Promise<void> {
    const pending = [...this.#pending.values()];
    this.#pending.clear();
    const stop = new AbortController();
    const cancel = () => stop.abort();
    // A timer may fire a millisecond before the clock reaches the deadline. So the timer sets a flag, and the clock is
    // not read again.
    let isOver = false;
    const ring = () => {
      isOver = true;
      cancel();
    };
    const timer = setTimeout(ring, Math.min(Math.max(0, this.#deadline - Date.now()), 2 ** 31 - 1));
    const leave = onAbort(this.#signal, cancel);
    try {
      await Promise.all([loadAll(pending, stop.signal), this.cells.load(stop.signal)]);
    } catch (error) {
      stop.abort(); // One load has failed, so the others are useless.
      if (error instanceof CancelledError && this.#signal?.aborted !== true && isOver) throw tooSlow(error);
      throw error;
    } finally {
      clearTimeout(timer);
      leave();
    }
  }
}

function tooSlow(cause?: CancelledError): TimeoutError {
  return new TimeoutError(['The query took longer than its time limit.', cause?.waitedFor ?? []].flat().join(' '), {
    cause,
  });
}
