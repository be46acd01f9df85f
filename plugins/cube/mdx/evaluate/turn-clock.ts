import { YIELD_AFTER_MS } from '../limits.ts';

/** Measures the turns in which a query computes, between which other work of the process goes on. */
export class TurnClock {
  #endsAt = Number.POSITIVE_INFINITY;

  /** Begins a turn: the computation begins again, or goes on, with the time of a turn before it. */
  begin(): void {
    this.#endsAt = performance.now() + YIELD_AFTER_MS;
  }

  /**
   * Returns whether other work of the process should have its turn now. What began late in the turn goes on until it has
   * had a good part of it: what was computed before may have to be computed again.
   *
   * @param started when the work began that asks, by `performance.now()`
   */
  isOver(started: number): boolean {
    const now = performance.now();
    return now > this.#endsAt && 3 * (now - started) > now - this.#endsAt + YIELD_AFTER_MS;
  }
}
