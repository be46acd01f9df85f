import type { ReactiveController, ReactiveControllerHost } from 'lit';

export type Outcome<T> =
  | { readonly state: 'loading' }
  | { readonly state: 'ready'; readonly value: T }
  | { readonly state: 'failed'; readonly message: string; readonly cause: unknown };

/** One thing a component shows that comes from the server. A newer read replaces an older one, whichever answers first. */
export class Remote<T> implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  #outcome: Outcome<T> = { state: 'loading' };
  #running: AbortController | undefined;

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  get outcome(): Outcome<T> {
    return this.#outcome;
  }

  /** Whether a read is under way, also while an earlier value is shown. */
  get busy(): boolean {
    return this.#running !== undefined;
  }

  /** Reads; what is shown stays until the answer is there. A failure replaces it: nothing stale is passed off as current. */
  async read(from: (signal: AbortSignal) => Promise<T>): Promise<Outcome<T>> {
    this.#running?.abort();
    const running = new AbortController();
    this.#running = running;
    if (this.#outcome.state === 'failed') this.#outcome = { state: 'loading' };
    this.#host.requestUpdate();
    const outcome = await settled(from(running.signal));
    if (this.#running !== running) return this.#outcome;
    this.#running = undefined;
    this.#outcome = outcome;
    this.#host.requestUpdate();
    return outcome;
  }

  hostDisconnected(): void {
    this.#running?.abort();
    this.#running = undefined;
  }
}

function settled<T>(reading: Promise<T>): Promise<Outcome<T>> {
  return reading.then(
    (value): Outcome<T> => ({ state: 'ready', value }),
    (cause: unknown): Outcome<T> => ({
      state: 'failed',
      message: cause instanceof Error ? cause.message : 'Something went wrong.',
      cause,
    }),
  );
}
