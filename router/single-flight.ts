import { setImmediate } from 'node:timers/promises';
import { untilAborted } from './abort.ts';
import { CancelledError } from './errors.ts';

interface Flight<Result> {
  readonly result: Promise<Result>;
  readonly controller: AbortController;
  waiting: number;
  hasEnded: boolean;
}

/**
 * Runs one piece of work for all concurrent callers of the same key. The work stops only when every waiting caller has
 * left.
 */
export class SingleFlight<Result = void> {
  readonly #flights = new Map<string, Flight<Result>>();
  readonly #message: string;

  /** @param message the message for a caller that leaves */
  constructor(message = 'The query was cancelled.') {
    this.#message = message;
  }

  /** Returns whether a call now would wait for running work. */
  has(key: string): boolean {
    return this.#flights.has(key);
  }

  /**
   * Waits for the work of this key, or starts it.
   *
   * @param work receives a test whether later callers may still get its result: see `forget`
   * @throws CancelledError once `signal` is aborted
   */
  async run(
    key: string,
    signal: AbortSignal | undefined,
    work: (signal: AbortSignal, isCurrent: () => boolean) => Promise<Result>,
  ): Promise<Result> {
    if (signal?.aborted === true) throw this.#cancelled();
    const flight = this.#flights.get(key) ?? this.#launch(key, work);
    flight.waiting += 1;
    let hasStopped = false;
    try {
      return await untilAborted(flight.result, signal, () => this.#cancelled()).finally(() => {
        flight.waiting -= 1;
        // A finished statement is not stopped: its connection may already run the next statement.
        hasStopped = flight.waiting === 0 && !flight.hasEnded;
        if (!hasStopped) return;
        flight.controller.abort();
        this.#leave(key, flight);
      });
    } catch (error) {
      throw hasStopped ? await describedStop(flight.result, error) : error;
    }
  }

  /** Lets waiting callers get their result; a later call starts the work again. */
  forget(matches: (key: string) => boolean): void {
    for (const key of this.#flights.keys()) if (matches(key)) this.#flights.delete(key);
  }

  /** Stops all work. */
  close(): void {
    for (const { controller } of this.#flights.values()) controller.abort();
    this.#flights.clear();
  }

  #launch(key: string, work: (signal: AbortSignal, isCurrent: () => boolean) => Promise<Result>): Flight<Result> {
    const controller = new AbortController();
    const isCurrent = () => this.#flights.get(key) === flight;
    const flight: Flight<Result> = {
      result: work(controller.signal, isCurrent),
      controller,
      waiting: 0,
      hasEnded: false,
    };
    this.#flights.set(key, flight);
    const end = () => {
      flight.hasEnded = true;
      this.#leave(key, flight);
    };
    flight.result.then(end, end);
    return flight;
  }

  #leave(key: string, flight: Flight<Result>): void {
    if (this.#flights.get(key) === flight) this.#flights.delete(key);
  }

  #cancelled(): CancelledError {
    return new CancelledError(this.#message);
  }
}

/** Returns the error of stopped work if it describes what the work waited for; otherwise `error`. Work that needs longer to stop is not awaited. */
async function describedStop(work: Promise<unknown>, error: unknown): Promise<unknown> {
  const end = work.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  const reason = await Promise.race([end, setImmediate()]);
  return reason instanceof CancelledError && reason.waitedFor !== undefined ? reason : error;
}
