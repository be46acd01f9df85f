import type { TemplateResult } from 'lit';
import { AsyncResource } from '../api/async-resource.ts';
import { Failure } from '../api/failure.ts';
import { readRecord } from '../api/json.ts';
import { loadingView, unavailableView } from '../controllers/query-controller.ts';
import { Panel } from '../state/panel.ts';
import type { EmbedController, EmbedControllerOptions } from '../types.ts';
import {
  type AskBox,
  type AskResult,
  askQuestion,
  markWrong,
  type Progress,
  readAskBox,
  type Turn,
} from './ask-box.ts';
import type { Asker, Exchange } from './exchange.ts';
import { askView } from './view.ts';

/** Number of earlier questions that the server receives with a new one. */
const MAX_REMEMBERED = 10;

/** Reads the box, and asks one question after the other, each with the conversation before it. */
export class AskController implements EmbedController, Asker {
  readonly source: EmbedControllerOptions['source'];
  readonly credentials: EmbedControllerOptions['credentials'];
  readonly canAsk = true;
  readonly #options: EmbedControllerOptions;
  readonly #box: AsyncResource<AskBox>;
  #exchanges: readonly Exchange[] = [];
  #running: AbortController | undefined;

  constructor(options: EmbedControllerOptions) {
    const { host, source, access, previous } = options;
    this.#options = options;
    this.source = source;
    this.credentials = options.credentials;
    const before = previous instanceof AskController ? previous : undefined;
    const shown = before === undefined ? undefined : before.#box.state;
    this.#exchanges = before?.exchanges.filter(({ result }) => result !== undefined) ?? [];
    this.#box = new AsyncResource<AskBox>({
      read: (signal) => readAskBox(source, access, signal),
      ...(shown?.status === 'ready' ? { initial: shown } : {}),
      onSettled: (failed) => {
        if (failed) host.failed({ tile: undefined, code: failed.code, retriable: failed.retriable });
        host.requestUpdate();
      },
    });
  }

  get isLoading(): boolean {
    return this.#box.state.status === 'loading' || this.isAsking;
  }

  get isSettled(): boolean {
    return this.#box.state.status !== 'loading';
  }

  get isAsking(): boolean {
    return this.#running !== undefined;
  }

  /** Returns the exchanges, the oldest first; the view shows the last one. */
  get exchanges(): readonly Exchange[] {
    return this.#exchanges;
  }

  panel(tile: string | undefined): Panel | undefined {
    return tile === undefined ? this.#exchanges.at(-1)?.panel : undefined;
  }

  start(): void {
    this.#box.start();
  }

  stop(): void {
    this.#options.access.release();
    this.#box.stop();
    this.cancel();
  }

  /** Asks the last question again; without one, reads the box again. */
  async refresh(): Promise<void> {
    const last = this.#exchanges.at(-1);
    if (last === undefined || this.isAsking) return this.#box.refresh();
    this.#exchanges = this.#exchanges.slice(0, -1);
    await this.#ask(last.question, last.written);
  }

  resume(): void {
    if (this.#box.state.status === 'failed') void this.#box.refresh();
    this.#options.host.requestUpdate();
  }

  /** Stops the pending question. */
  cancel(): void {
    if (!this.#running) return;
    this.#running.abort();
    this.#running = undefined;
    this.#exchanges = this.#exchanges.slice(0, -1);
    this.#options.host.announce(this.#options.host.formats.say('Stopped'));
    this.#options.host.requestUpdate();
  }

  /** Clears the conversation. */
  startOver(): void {
    this.cancel();
    this.#exchanges = [];
    this.#options.host.announce('');
    this.#options.host.requestUpdate();
  }

  async ask(text: string): Promise<void> {
    await this.#ask(text.trim(), undefined);
  }

  correct(query: string): boolean {
    const last = this.#exchanges.at(-1);
    if (last === undefined || this.isAsking || readObject(query) === undefined) return false;
    this.#exchanges = this.#exchanges.slice(0, -1);
    void this.#ask(last.question, query);
    return true;
  }

  async markWrong(): Promise<void> {
    const last = this.#exchanges.at(-1);
    const { host, source, access } = this.#options;
    if (last?.result?.kind !== 'answer' || last.isMarked) return;
    try {
      await markWrong(source, access, last.question, last.result.query);
      last.isMarked = true;
      host.announce(host.formats.say('Thank you. The owners of this data see it.'));
    } catch (error) {
      const failure = error instanceof Failure ? error : new Failure('INVALID_ANSWER');
      host.failed({ tile: undefined, code: failure.code, retriable: failure.retriable });
    }
    host.requestUpdate();
  }

  /** @param written the query to answer instead of asking the language model, as JSON */
  async #ask(question: string, written: string | undefined): Promise<void> {
    if (question === '' || this.isAsking) return;
    const { host, source, access } = this.#options;
    const history = listTurns(this.#exchanges);
    const request = written === undefined ? undefined : readObject(written);
    // One question back at most: the answer to it is not asked back about.
    const clarify = this.#exchanges.at(-1)?.result?.kind !== 'clarification';
    const asked = { question, history, ...(request === undefined ? { clarify } : { request }) };
    const exchange: Exchange = {
      question,
      written,
      isMarked: false,
      progress: 'thinking',
      result: undefined,
      panel: undefined,
    };
    const running = new AbortController();
    this.#running = running;
    this.#exchanges = [...this.#exchanges, exchange];
    host.announce(host.formats.say('The question is being answered…'));
    host.requestUpdate();
    const onProgress = (progress: Progress) => {
      exchange.progress = progress;
      host.requestUpdate();
    };
    let result: AskResult;
    try {
      result = await askQuestion(source, access, asked, { signal: running.signal, onProgress });
    } catch (error) {
      // An error other than a Failure is a bug of the element. The page's visitor sees no detail of it.
      const failure = error instanceof Failure ? error : new Failure('INVALID_ANSWER');
      if (!running.signal.aborted) host.failed({ tile: undefined, code: failure.code, retriable: failure.retriable });
      result = { kind: 'failed', code: failure.code };
    }
    if (running.signal.aborted) return;
    this.#running = undefined;
    exchange.result = result;
    if (result.kind === 'answer') {
      const { answer } = result;
      exchange.panel = new Panel({
        host,
        // An answer to a question is all that there is to read.
        read: (_, more) => (more ? Promise.reject(new Failure('REQUEST_REFUSED')) : Promise.resolve(answer)),
        tile: undefined,
      });
      exchange.panel.resource.start();
    } else if (result.kind === 'not-understood') host.announce(result.message);
    else if (result.kind === 'clarification') host.announce(result.question);
    host.requestUpdate();
  }

  render(): TemplateResult {
    const { host } = this.#options;
    const { state } = this.#box;
    if (state.status === 'loading') return loadingView(host, 'single');
    if (state.status === 'failed') return unavailableView(host, state.failure);
    return askView(this, state.value, host);
  }

  afterRender(): void {
    this.#exchanges.at(-1)?.panel?.afterRender();
  }
}

/** Reads the JSON of an object; `undefined` for anything else. */
function readObject(text: string): object | undefined {
  try {
    return readRecord(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/**
 * Lists the conversation for the server. An answer is listed as its query and a question back as its words: no result leaves
 * the page.
 */
function listTurns(exchanges: readonly Exchange[]): readonly Turn[] {
  return exchanges.slice(-MAX_REMEMBERED).flatMap(({ question, result }): readonly Turn[] => {
    if (result?.kind !== 'answer' && result?.kind !== 'clarification') return [];
    const content = result.kind === 'answer' ? JSON.stringify(JSON.parse(result.query)) : result.question;
    return [
      { role: 'user', content: question },
      { role: 'assistant', content },
    ];
  });
}
