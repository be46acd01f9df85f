import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { RequestFailedError, type RequestProblem } from '../api-client/client.ts';
import { session } from '../shell/page-context.ts';
import { type Answer, askAnswer } from './requests.ts';
import { type Draft, isAsking } from './state/draft.ts';
import { toRequest } from './state/typed-request.ts';

/** Pause after a change before it runs, so that three clicks are one query. */
const SETTLE_MS = 300;
/** Running time before progress is shown. */
export const PROGRESS_MS = 400;
/** Running time before the page says what it waits for. */
export const SLOW_MS = 2_000;

/** A whole answer, and the request that it answers. */
export interface Answered {
  readonly answer: Answer;
  readonly draft: Draft;
  /** Milliseconds from the request to the answer. */
  readonly took: number;
}

export interface RunFailure {
  readonly message: string;
  readonly problems: readonly RequestProblem[];
}

/** Answers a request after each change. The last good answer stays until the next one, also after a failure. */
export class AnswerRun implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  #answered: Answered | undefined;
  #failure: RunFailure | undefined;
  #running: { readonly controller: AbortController; readonly since: number } | undefined;
  #waiting: ReturnType<typeof setTimeout> | undefined;
  #steps: readonly ReturnType<typeof setTimeout>[] = [];
  #asked = '';
  #isCancelled = false;

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  get answered(): Answered | undefined {
    return this.#answered;
  }

  get failure(): RunFailure | undefined {
    return this.#failure;
  }

  /** Returns whether the reader has stopped the last request. */
  get isCancelled(): boolean {
    return this.#isCancelled;
  }

  /** Returns whether an answer is on its way, or will be asked for in a moment. */
  get isBusy(): boolean {
    return this.#running !== undefined || this.#waiting !== undefined;
  }

  /** Returns how long the request has been running, in milliseconds; 0 while none does. */
  get runningFor(): number {
    return this.#running === undefined ? 0 : performance.now() - this.#running.since;
  }

  /** Asks for a draft after a pause, or at once. A draft with the same request is not asked again. */
  ask(draft: Draft, title: string, { now = false, again = false } = {}): void {
    const key = JSON.stringify([draft.source, toRequest(draft), draft.analytics]);
    if (key === this.#asked && !again) return;
    this.#asked = key;
    this.#isCancelled = false;
    this.#stop();
    if (!isAsking(draft)) {
      this.#answered = undefined;
      this.#failure = undefined;
      this.#host.requestUpdate();
      return;
    }
    this.#waiting = setTimeout(() => void this.#run(draft, title), now ? 0 : SETTLE_MS);
    this.#host.requestUpdate();
  }

  /** Stops the running request. The answer before it stays. */
  cancel(): void {
    this.#stop();
    this.#isCancelled = true;
    this.#host.requestUpdate();
  }

  hostDisconnected(): void {
    this.#stop();
    this.#asked = '';
  }

  async #run(draft: Draft, title: string): Promise<void> {
    this.#waiting = undefined;
    const controller = new AbortController();
    const since = performance.now();
    this.#running = { controller, since };
    const update = () => this.#host.requestUpdate();
    this.#steps = [setTimeout(update, PROGRESS_MS + 10), setTimeout(update, SLOW_MS + 10)];
    update();
    try {
      const answer = await askAnswer(session.client, draft, title, controller.signal);
      if (controller.signal.aborted) return;
      this.#answered = { answer, draft, took: Math.round(performance.now() - since) };
      this.#failure = undefined;
    } catch (error) {
      if (controller.signal.aborted) return;
      session.reportFailure(error);
      this.#failure = {
        message: error instanceof Error ? error.message : 'Something went wrong.',
        problems: error instanceof RequestFailedError ? error.problems : [],
      };
    }
    this.#stop();
    update();
  }

  #stop(): void {
    clearTimeout(this.#waiting);
    this.#waiting = undefined;
    for (const step of this.#steps) clearTimeout(step);
    this.#steps = [];
    this.#running?.controller.abort();
    this.#running = undefined;
  }
}
