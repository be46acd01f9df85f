import { untilAborted } from '../../../../router/abort.ts';
import { CancelledError } from '../../../../router/errors.ts';

interface Flight {
  readonly done: Promise<void>;
  readonly controller: AbortController;
  waiting: number;
  ended: boolean;
}

/**
 * Runs one load for all who ask for the same one at a time. A load is stopped only when everybody who waits for it has
 * given up.
 */
export class SingleFlight {
  readonly #flights = new Map<string, Flight>();

  /**
   * Waits for the load of this key, or starts it.
   *
   * @throws CancelledError once `signal` is aborted.
   */
  async run(key: string, signal: AbortSignal | undefined, load: (signal: AbortSignal) => Promise<void>): Promise<void> {
    if (signal?.aborted) throw cancelled();
    let flight = this.#flights.get(key);
    if (flight === undefined || flight.controller.signal.aborted) {
      const controller = new AbortController();
      const done = load(controller.signal);
      const made: Flight = { done, controller, waiting: 0, ended: false };
      flight = made;
      this.#flights.set(key, made);
      const forget = () => {
        made.ended = true;
        if (this.#flights.get(key) === made) this.#flights.delete(key);
      };
      done.then(forget, forget);
    }
    await waitFor(flight, signal);
  }

  /** Stops all of them. */
  close(): void {
    for (const { controller, ended } of this.#flights.values()) if (!ended) controller.abort();
  }
}

async function waitFor(flight: Flight, signal: AbortSignal | undefined): Promise<void> {
  flight.waiting++;
  try {
    await untilAborted(flight.done, signal, cancelled);
  } finally {
    // What has ended is not stopped: the connection may be running the next statement by now.
    if (--flight.waiting === 0 && !flight.ended) flight.controller.abort();
  }
}

function cancelled(): CancelledError {
  return new CancelledError('The query was cancelled.');
}
