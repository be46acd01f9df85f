import { Failure } from './failure.ts';

export type ResourceState<T> =
  | { readonly status: 'loading' }
  /** `stale` where reading it again failed for a while, and what is shown is the answer before. */
  | { readonly status: 'ready'; readonly value: T; readonly stale: boolean }
  | { readonly status: 'failed'; readonly failure: Failure };

export interface AsyncResourceOptions<T> {
  readonly read: (signal: AbortSignal) => Promise<T>;
  /** Runs after each settlement, when `state` is new; `failure` where it failed. */
  readonly onSettled: (failure: Failure | undefined) => void;
  /** What stands in until this reading settles: the last answer of the same resource, when there is one. */
  readonly initial?: ResourceState<T> | undefined;
  /** Chooses what to keep of the previous answer, so that what did not change is not painted again. */
  readonly merge?: (previous: T, now: T) => T | Promise<T>;
}

/**
 * Reads one resource, the first time and at each refresh. Another resource is another reading, so an answer that comes
 * late settles an object that nobody shows any more and can never replace a newer one.
 */
export class AsyncResource<T> {
  readonly #options: AsyncResourceOptions<T>;
  #running: AbortController | undefined;
  #isSettled = false;
  #state: ResourceState<T>;

  constructor(options: AsyncResourceOptions<T>) {
    this.#options = options;
    this.#state = options.initial ?? { status: 'loading' };
  }

  get state(): ResourceState<T> {
    return this.#state;
  }

  /** Begins to read, or begins again after a stop. Does nothing while it runs or once it has settled. */
  start(): void {
    if (!this.#running && !this.#isSettled) void this.#read();
  }

  /** Reads again; what is shown stays until the new answer is in. Fulfilled when that is so, also when it failed. */
  refresh(): Promise<void> {
    this.stop();
    if (this.#state.status === 'failed') this.#state = { status: 'loading' };
    return this.#read();
  }

  stop(): void {
    this.#running?.abort();
    this.#running = undefined;
  }

  async #read(): Promise<void> {
    const running = new AbortController();
    this.#running = running;
    let failure: Failure | undefined;
    let state: ResourceState<T>;
    try {
      // Begun a moment later, so that a start and a stop in one turn ask for nothing.
      await Promise.resolve();
      running.signal.throwIfAborted();
      const now = await this.#options.read(running.signal);
      const previous = this.#state;
      const value =
        previous.status === 'ready' && this.#options.merge ? await this.#options.merge(previous.value, now) : now;
      state = { status: 'ready', value, stale: false };
    } catch (error) {
      // An error that is none of ours is a fault of the element itself; nothing of it is for the page's visitor.
      failure = error instanceof Failure ? error : new Failure('INVALID_ANSWER');
      const previous = this.#state;
      // An answer is kept through a failure that may pass, never through a right that is gone.
      state =
        previous.status === 'ready' && failure.retriable ? { ...previous, stale: true } : { status: 'failed', failure };
    }
    if (running.signal.aborted) return;
    this.#running = undefined;
    this.#isSettled = true;
    this.#state = state;
    this.#options.onSettled(failure);
  }
}
