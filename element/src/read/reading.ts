export type Outcome<T> =
  | { readonly state: 'loading' }
  | { readonly state: 'ready'; readonly value: T }
  | { readonly state: 'failed' };

/**
 * One read of one resource, which settles at most once. Another resource is another reading, so an answer that comes
 * late settles an object that nobody shows any more and can never replace a newer one.
 */
export class Reading<T> {
  readonly #read: (signal: AbortSignal) => Promise<T>;
  readonly #changed: () => void;
  #running: AbortController | undefined;
  #settled = false;
  #outcome: Outcome<T>;

  /** `shown` is what stands in until this reading settles: the last answer of the same resource, when there is one. */
  constructor(
    read: (signal: AbortSignal) => Promise<T>,
    changed: () => void,
    shown: Outcome<T> = { state: 'loading' },
  ) {
    this.#read = read;
    this.#changed = changed;
    this.#outcome = shown;
  }

  get outcome(): Outcome<T> {
    return this.#outcome;
  }

  /** Begins, or begins again after a stop. Does nothing while it runs or once it has settled. */
  start(): void {
    if (this.#running || this.#settled) return;
    const running = new AbortController();
    this.#running = running;
    const settle = (outcome: Outcome<T>): void => {
      if (running.signal.aborted) return;
      this.#running = undefined;
      this.#settled = true;
      this.#outcome = outcome;
      this.#changed();
    };
    // Begun in a callback, so that a read that throws at once (a malformed path) fails like any other.
    Promise.resolve()
      .then(() => {
        running.signal.throwIfAborted();
        return this.#read(running.signal);
      })
      .then(
        (value) => settle({ state: 'ready', value }),
        // Whatever went wrong, the page shows one generic message: a reason would help to probe for resources.
        () => settle({ state: 'failed' }),
      );
  }

  stop(): void {
    this.#running?.abort();
    this.#running = undefined;
  }
}
