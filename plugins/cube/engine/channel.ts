/**
 * Requests between two threads: each side asks the other one. An answer may come in parts before its end, and a request can be cancelled.
 * No library of the registry has all three: the ones that call functions of another thread know neither cancelling nor parts.
 */
import { AsyncResource } from 'node:async_hooks';
import { onAbort, untilAborted } from '../../../router/abort.ts';
import { CancelledError, ServiceError } from '../../../router/errors.ts';
import { errorOf, type PlainError, plainError } from './plain-errors.ts';

/** Lists what a side can be asked, by name: the types of the request, of the parts of its answer, and of the end of its answer. */
export type Requests = Readonly<Record<string, Exchange>>;

interface Exchange {
  readonly request: unknown;
  readonly part: unknown;
  readonly answer: unknown;
}

export type Message =
  | { readonly kind: 'ask'; readonly id: number; readonly name: string; readonly request: unknown }
  | { readonly kind: 'cancel'; readonly id: number }
  | { readonly kind: 'part'; readonly id: number; readonly part: unknown }
  | { readonly kind: 'taken'; readonly id: number }
  | { readonly kind: 'answer'; readonly id: number; readonly answer: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly error: PlainError };

/** A request that this side answers. */
export interface Answering<Part> {
  /** The number of the request. The other side knows it by the same number. */
  readonly id: number;
  readonly signal: AbortSignal;
  /** Sends a part of the answer. Resolves when the other side may be sent another one. */
  part(part: Part): Promise<void>;
}

export type Handlers<Served extends Requests> = {
  readonly [Name in keyof Served]: (
    request: Served[Name]['request'],
    answering: Answering<Served[Name]['part']>,
  ) => Served[Name]['answer'] | Promise<Served[Name]['answer']>;
};

export interface AskOptions<Part> {
  readonly signal?: AbortSignal | undefined;
  /** Takes the parts of the answer in their order. */
  readonly onPart?: ((part: Part) => void) | undefined;
}

/**
 * Parts of one answer that may be on their way: the other side handles no more of them in one turn of its event loop, because it asks for the next
 * ones after that turn. A port passes on all messages that arrive while it passes on others.
 */
const MAX_PARTS_ON_THE_WAY = 4;

/** A request that this side asked. */
interface Waiting {
  readonly context: AsyncResource;
  readonly onPart: ((part: never) => void) | undefined;
  /** Why work for the request stopped, with what it waited for. */
  stopped?: CancelledError;
  resolve(answer: unknown): void;
  reject(error: Error): void;
}

/** The work for a request that this side answers. */
interface Running {
  readonly stop: AbortController;
  /** Parts that were sent and not taken. */
  onTheWay: number;
  /** Continues the work that waits until a part is taken. */
  proceed?: () => void;
}

/**
 * One end of the requests between two threads.
 *
 * @template Asked what this side asks
 * @template Served what this side answers
 */
export class Channel<Asked extends Requests, Served extends Requests> {
  readonly #post: (message: Message) => void;
  readonly #handlers: Handlers<Served>;
  readonly #waiting = new Map<number, Waiting>();
  readonly #running = new Map<number, Running>();
  #last = 0;
  #ended: Error | undefined;

  constructor(post: (message: Message) => void, handlers: Handlers<Served>) {
    this.#post = post;
    this.#handlers = handlers;
  }

  /**
   * Asks the other side.
   *
   * @throws what the other side threw, as an error of the same class
   */
  async ask<Name extends keyof Asked & string>(
    name: Name,
    request: Asked[Name]['request'],
    { signal, onPart }: AskOptions<Asked[Name]['part']> = {},
  ): Promise<Asked[Name]['answer']> {
    if (this.#ended !== undefined) throw this.#ended;
    if (signal?.aborted === true) throw cancelled();
    const id = ++this.#last;
    let leave = (): void => undefined;
    try {
      return await new Promise<unknown>((resolve, reject) => {
        const context = new AsyncResource('cube-request');
        this.#waiting.set(id, { context, onPart, resolve, reject });
        leave = onAbort(signal, () => this.#post({ kind: 'cancel', id }));
        this.#post({ kind: 'ask', id, name, request });
      });
    } finally {
      leave();
      this.#waiting.delete(id);
    }
  }

  /** Runs work in the asynchronous context of a request that this side asked; as it is once that request has ended. */
  inContextOf<Result>(id: number | undefined, work: () => Result): Result {
    const waiting = id === undefined ? undefined : this.#waiting.get(id);
    return waiting === undefined ? work() : waiting.context.runInAsyncScope(work);
  }

  /**
   * Notes why work for a request stopped. Where that describes what the work waited for, the request is rejected with it: the other side, which
   * was cancelled, does not wait for the description.
   */
  noteStop(id: number | undefined, error: unknown): void {
    const waiting = id === undefined ? undefined : this.#waiting.get(id);
    if (waiting !== undefined && error instanceof CancelledError && error.waitedFor !== undefined)
      waiting.stopped = error;
  }

  receive(message: Message): void {
    switch (message.kind) {
      case 'ask':
        void this.#answer(message.id, message.name, message.request);
        return;
      case 'cancel':
        this.#running.get(message.id)?.stop.abort();
        return;
      case 'taken':
        this.#noteTaken(message.id);
        return;
      case 'part':
        this.#take(message.id, message.part);
        return;
      case 'answer':
        this.#waiting.get(message.id)?.resolve(message.answer);
        return;
      case 'failure':
        this.#reject(message.id, errorOf(message.error));
    }
  }

  /** Ends all requests in both directions. Later ones fail with the same error. */
  end(error: Error): void {
    this.#ended ??= error;
    for (const { reject } of this.#waiting.values()) reject(error);
    for (const { stop } of this.#running.values()) stop.abort();
  }

  #reject(id: number, error: Error): void {
    const waiting = this.#waiting.get(id);
    const isBare = error instanceof CancelledError && error.waitedFor === undefined;
    waiting?.reject((isBare ? waiting.stopped : undefined) ?? error);
  }

  #take(id: number, part: unknown): void {
    const waiting = this.#waiting.get(id);
    try {
      // Both ends are of one version, so that the part is of the request's type.
      waiting?.onPart?.(part as never);
    } catch (error) {
      waiting?.reject(error instanceof Error ? error : new Error(String(error)));
    }
    setImmediate(() => this.#post({ kind: 'taken', id }));
  }

  async #answer(id: number, name: keyof Served & string, request: unknown): Promise<void> {
    const running: Running = { stop: new AbortController(), onTheWay: 0 };
    this.#running.set(id, running);
    try {
      const handler = this.#handlers[name];
      const answer = await handler(request, {
        id,
        signal: running.stop.signal,
        part: (part) => this.#send(id, running, part),
      });
      this.#post({ kind: 'answer', id, answer });
    } catch (error) {
      const isStopped = running.stop.signal.aborted && !(error instanceof ServiceError);
      const reason = isStopped ? cancelled(error) : error;
      this.#post({ kind: 'failure', id, error: plainError(reason) });
    } finally {
      this.#running.delete(id);
    }
  }

  async #send(id: number, running: Running, part: unknown): Promise<void> {
    this.#post({ kind: 'part', id, part });
    running.onTheWay++;
    if (running.onTheWay < MAX_PARTS_ON_THE_WAY) return;
    const taken = new Promise<void>((resolve) => {
      running.proceed = resolve;
    });
    await untilAborted(taken, running.stop.signal, () => cancelled());
  }

  #noteTaken(id: number): void {
    const running = this.#running.get(id);
    if (running === undefined) return;
    running.onTheWay--;
    running.proceed?.();
  }
}

function cancelled(cause?: unknown): CancelledError {
  return new CancelledError('The request was cancelled.', { cause });
}
