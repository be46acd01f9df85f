import type { ReactiveController, ReactiveControllerHost } from 'lit';

export type RemoteState<T> =
  | { readonly status: 'loading' }
  | { readonly status: 'ready'; readonly value: T }
  | { readonly status: 'failed'; readonly message: string; readonly cause: unknown };

/**
 * Holds one thing that a component shows and that comes from the server. A newer read replaces an older one, whichever
 * answers first.
 */
export class RemoteData<T> implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  #state: RemoteState<T> = { status: 'loading' };
  #running: AbortController | undefined;

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  get state(): RemoteState<T> {
    return this.#state;
  }

  /** Tells whether a read is under way, also while an earlier value is shown. */
  get isBusy(): boolean {
    return this.#running !== undefined;
  }

  /**
   * Reads the data; what is shown stays until the answer is there. A failure replaces it: nothing stale is passed off as
   * current.
   */
  async read(from: (signal: AbortSignal) => Promise<T>): Promise<RemoteState<T>> {
    this.#running?.abort();
    const running = new AbortController();
    this.#running = running;
    if (this.#state.status === 'failed') this.#state = { status: 'loading' };
    this.#host.requestUpdate();
    const state = await toRemoteState(from(running.signal));
    if (this.#running !== running) return this.#state;
    this.#running = undefined;
    this.#state = state;
    this.#host.requestUpdate();
    return state;
  }

  hostDisconnected(): void {
    this.#running?.abort();
    this.#running = undefined;
  }
}

function toRemoteState<T>(reading: Promise<T>): Promise<RemoteState<T>> {
  return reading.then(
    (value): RemoteState<T> => ({ status: 'ready', value }),
    (cause: unknown): RemoteState<T> => ({
      status: 'failed',
      message: cause instanceof Error ? cause.message : 'Something went wrong.',
      cause,
    }),
  );
}
