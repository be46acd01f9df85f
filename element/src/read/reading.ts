import { Failure } from './failure.ts';

export type Outcome<T> =
  | { readonly state: 'loading' }
  /** `stale` where reading it again failed for a while, and what is shown is the answer before. */
  | { readonly state: 'ready'; readonly value: T; readonly stale: boolean }
  | { readonly state: 'failed'; readonly failure: Failure };

export interface ReadingOptions<T> {
  readonly read: (signal: AbortSignal) => Promise<T>;
  /** Called after each settlement, when `outcome` is new; `failure` where it failed. */
  readonly settled: (failure: Failure | undefined) => void;
  /** What stands in until this reading settles: the last answer of the same resource, when there is one. */
  readonly shown?: Outcome<T>;
  /** What to keep of the answer before, so that what did not change is not painted again. */
  readonly merge?: (before: T, now: T) => T | Promise<T>;
}

/**
 * Reads of one resource, the first and each refresh. Another resource is another reading, so an answer that comes
 * late settles an object that nobody shows any more and can never replace a newer one.
 */
export class Reading<T> {
  readonly #options: ReadingOptions<T>;
  #running: AbortController | undefined;
  #settled = false;
  #outcome: Outcome<T>;

  constructor(options: ReadingOptions<T>) {
    this.#options = options;
    this.#outcome = options.shown ?? { state: 'loading' };
  }

  get outcome(): Outcome<T> {
    return this.#outcome;
  }

  /** Begins, or begins again after a stop. Does nothing while it runs or once it has settled. */
  start(): void {
    if (!this.#running && !this.#settled) void this.#run();
  }

  /** Reads again; what is shown stays until the new answer is in. Fulfilled when that is so, also when it failed. */
  refresh(): Promise<void> {
    this.stop();
    if (this.#outcome.state === 'failed') this.#outcome = { state: 'loading' };
    return this.#run();
  }

  stop(): void {
    this.#running?.abort();
    this.#running = undefined;
  }

  async #run(): Promise<void> {
    const running = new AbortController();
    this.#running = running;
    let failure: Failure | undefined;
    let outcome: Outcome<T>;
    try {
      // Begun a moment later, so that a start and a stop in one turn ask for nothing.
      await Promise.resolve();
      running.signal.throwIfAborted();
      const now = await this.#options.read(running.signal);
      const before = this.#outcome;
      const value =
        before.state === 'ready' && this.#options.merge ? await this.#options.merge(before.value, now) : now;
      outcome = { state: 'ready', value, stale: false };
    } catch (error) {
      // An error that is none of ours is a fault of the element itself; nothing of it is for the page's visitor.
      failure = error instanceof Failure ? error : new Failure('INVALID_ANSWER');
      const before = this.#outcome;
      // An answer is kept through a failure that may pass, never through a right that is gone.
      outcome =
        before.state === 'ready' && failure.retriable ? { ...before, stale: true } : { state: 'failed', failure };
    }
    if (running.signal.aborted) return;
    this.#running = undefined;
    this.#settled = true;
    this.#outcome = outcome;
    this.#options.settled(failure);
  }
}
