import { msg } from '@lit/localize';
import type { ReactiveController, ReactiveControllerHost } from 'lit';

export type RemoteState<T> =
  | { readonly status: 'loading' }
  | { readonly status: 'ready'; readonly value: T }
  | { readonly status: 'failed'; readonly message: string; readonly cause: unknown };

/** Contains data of the server that a component shows. A newer read replaces an older one, whichever answers first. */
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

  /** Returns whether a read is pending, also while an earlier value is shown. */
  get isBusy(): boolean {
    return this.#running !== undefined;
  }

  /**
   * Reads the data. The earlier value stays until the answer arrives. A failure replaces it, so that no outdated value
   * looks current.
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
      message: cause instanceof Error ? cause.message : msg('Something went wrong. Try again.'),
      cause,
    }),
  );
}
