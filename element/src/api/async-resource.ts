import { MAX_LOADING_MS } from '../limits.ts';
import { Failure } from './failure.ts';

export type ResourceState<T> =
  | { readonly status: 'loading' }
  /** `stale` where the last refresh failed for now and `value` is the answer before it. */
  | { readonly status: 'ready'; readonly value: T; readonly stale: boolean }
  | { readonly status: 'failed'; readonly failure: Failure };

export interface AsyncResourceOptions<T> {
  readonly read: (signal: AbortSignal) => Promise<T>;
  /** Runs after each read, when `state` is new; `failure` where the read failed. */
  readonly onSettled: (failure: Failure | undefined) => void;
  /** The state until the first read ends: the last answer of the same resource, where there is one. */
  readonly initial?: ResourceState<T> | undefined;
  /** Says that `initial` answers another question, such as one with another filter: a failed read removes it. */
  readonly isOther?: boolean | undefined;
  /** Chooses which parts of the previous answer to keep, so that unchanged parts are not painted again. */
  readonly merge?: (previous: T, now: T) => T | Promise<T>;
}

/**
 * Reads one resource, first at the start and again at each refresh. Another resource needs another AsyncResource, so a
 * late answer only changes an object that nobody shows, and never replaces a newer answer.
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

  /** Returns whether the state still answers another question. */
  get isPending(): boolean {
    return !!this.#options.isOther && this.#state === this.#options.initial;
  }

  /** Starts to read, or starts again after a stop. Does nothing during a read or after one has ended. */
  start(): void {
    if (!this.#running && !this.#isSettled) void this.#read();
  }

  /** Reads again and keeps the state until the new answer arrives. The promise also resolves where the read fails. */
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
    const { signal } = running;
    const end = Date.now() + MAX_LOADING_MS;
    let [state, failure] = await this.#attempt(signal);
    // With nothing to show, a server that is still loading is asked again: no visitor has to reload the page.
    for (;;) {
      const pause = failure?.pauseMs ?? 0;
      if (state.status !== 'failed' || !(pause > 0) || Date.now() + pause > end) break;
      await new Promise((resolve) => setTimeout(resolve, pause));
      [state, failure] = await this.#attempt(signal);
    }
    if (signal.aborted) return;
    this.#running = undefined;
    this.#isSettled = true;
    this.#state = state;
    this.#options.onSettled(failure);
  }

  async #attempt(signal: AbortSignal): Promise<readonly [ResourceState<T>, Failure | undefined]> {
    try {
      // The read starts a moment later, so that a start and a stop in one turn send no request.
      await Promise.resolve();
      signal.throwIfAborted();
      const now = await this.#options.read(signal);
      const previous = this.#state;
      const value =
        previous.status === 'ready' && this.#options.merge ? await this.#options.merge(previous.value, now) : now;
      return [{ status: 'ready', value, stale: false }, undefined];
    } catch (error) {
      // An error other than a Failure is a bug of the element. The page's visitor sees no detail of it.
      const failure = error instanceof Failure ? error : new Failure('INVALID_ANSWER');
      const previous = this.#state;
      // An answer stays through a temporary failure. It does not stay where the right to read it has ended, or where it
      // answers another question.
      const stays = previous.status === 'ready' && failure.retriable && !this.isPending;
      return [stays ? { ...previous, stale: true } : { status: 'failed', failure }, failure];
    }
  }
}
