import { YIELD_AFTER_MS } from '../limits.ts';

/** Measures the turns of a query. Between turns, other work of the process runs. */
export class TurnClock {
  #endsAt = Number.POSITIVE_INFINITY;

  /** Begins a turn: the computation starts or continues, with the full time of a turn. */
  begin(): void {
    this.#endsAt = performance.now() + YIELD_AFTER_MS;
  }

  /**
   * Returns whether other work of the process should run now. Work that began late in the turn may continue for a good
   * part of a turn, because it may have to be repeated.
   *
   * @param started when the calling work began, by `performance.now()`
   */
  isOver(started: number): boolean {
    const now = performance.now();
    return now > this.#endsAt && 3 * (now - started) > now - this.#endsAt + YIELD_AFTER_MS;
  }
}
