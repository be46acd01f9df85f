import type { ReactiveController, ReactiveControllerHost } from 'lit';
import { RequestFailedError, type RequestProblem } from '../api-client/client.ts';
import { session } from '../shell/page-context.ts';
import { msg } from '../words/words.ts';
import { type Answer, askAnswer } from './requests.ts';
import { type Draft, isAsking } from './state/draft.ts';
import { toRequest } from './state/typed-request.ts';

/** Pause after a change before it runs, so that three clicks are one query. */
const SETTLE_MS = 300;
/** Running time before progress is shown. */
const PROGRESS_MS = 400;
/** Running time before the page says what it waits for. */
const SLOW_MS = 2_000;

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

/** How far a request is: it waits for further changes, runs, runs long enough for progress, or for words; its reader may stop it. */
export type RunPhase = 'idle' | 'waiting' | 'running' | 'late' | 'slow' | 'stopped';

/** The state of a run. Each change makes another object. */
export interface RunState {
  readonly phase: RunPhase;
  /** The last good answer. */
  readonly answered: Answered | undefined;
  /** Why the last request has no answer. */
  readonly failure: RunFailure | undefined;
}

/** Returns whether an answer is on its way, or will be asked for in a moment. */
export function isBusy({ phase }: RunState): boolean {
  return phase !== 'idle' && phase !== 'stopped';
}

/** Answers a request after each change. The last good answer stays until the next one, also after a failure. */
export class AnswerRun implements ReactiveController {
  readonly #host: ReactiveControllerHost;
  #state: RunState = { phase: 'idle', answered: undefined, failure: undefined };
  #running: AbortController | undefined;
  #timers: readonly ReturnType<typeof setTimeout>[] = [];
  #asked = '';

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  get state(): RunState {
    return this.#state;
  }

  #set(changes: Partial<RunState>): void {
    this.#state = { ...this.#state, ...changes };
    this.#host.requestUpdate();
  }

  /** Asks for a draft after a pause, or at once. A draft with the same request is not asked again. */
  ask(draft: Draft, title: string, { now = false, again = false } = {}): void {
    const key = JSON.stringify([draft.source, toRequest(draft), draft.analytics]);
    if (key === this.#asked && !again) return;
    this.#asked = key;
    this.#stop();
    if (!isAsking(draft)) {
      this.#set({ phase: 'idle', answered: undefined, failure: undefined });
      return;
    }
    this.#set({ phase: 'waiting' });
    this.#timers = [setTimeout(() => void this.#run(draft, title), now ? 0 : SETTLE_MS)];
  }

  /** Stops the running request. The answer before it stays. */
  cancel(): void {
    this.#stop();
    this.#set({ phase: 'stopped' });
  }

  hostDisconnected(): void {
    this.#stop();
    this.#asked = '';
  }

  async #run(draft: Draft, title: string): Promise<void> {
    const controller = new AbortController();
    const since = performance.now();
    this.#running = controller;
    this.#timers = [
      setTimeout(() => this.#set({ phase: 'late' }), PROGRESS_MS),
      setTimeout(() => this.#set({ phase: 'slow' }), SLOW_MS),
    ];
    this.#set({ phase: 'running' });
    const outcome = await askAnswer(session.client, draft, title, controller.signal).then(
      (answer): Partial<RunState> => ({
        answered: { answer, draft, took: Math.round(performance.now() - since) },
        failure: undefined,
      }),
      (error: unknown): Partial<RunState> => {
        if (!controller.signal.aborted) session.reportFailure(error);
        return { failure: failureOf(error) };
      },
    );
    if (controller.signal.aborted) return;
    this.#stop();
    this.#set({ ...outcome, phase: 'idle' });
  }

  #stop(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers = [];
    this.#running?.abort();
    this.#running = undefined;
  }
}

function failureOf(error: unknown): RunFailure {
  return {
    message: error instanceof Error ? error.message : msg('Something went wrong. Try again.'),
    problems: error instanceof RequestFailedError ? error.problems : [],
  };
}
