import { css, html, LitElement, nothing } from 'lit';
import { until } from 'lit/directives/until.js';
import { withBasePath } from '../api-client/base-path.ts';
import { type Client, RequestFailedError } from '../api-client/client.ts';
import { isObject, readBoolean, readList, readObject, readOption, readText, readTime } from '../api-client/json.ts';
import { RemoteData } from '../api-client/remote-data.ts';
import { asJson, writeAddress } from '../explore/state/address.ts';
import { fromRequest } from '../explore/state/typed-request.ts';
import { session } from '../shell/page-context.ts';
import { formStyles } from '../styles/form-styles.ts';
import { shared } from '../styles/shared.ts';
import { language, msg, str } from '../words/words.ts';
import { modelStyles } from './model-styles.ts';

const ROOT = '/rest/service/api/admin/questions';
const time = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });

const KINDS = ['off-topic', 'unanswered', 'wrong'] as const;
type Kind = (typeof KINDS)[number];

/** A question that was refused, or whose answer was marked as wrong. */
interface Asked {
  readonly id: string;
  readonly kind: Kind;
  readonly question: string;
  readonly reason: string;
  /** The kept query as JSON; empty where there is none. */
  readonly request: string;
  readonly times: number;
  readonly lastAt: Date;
  readonly isCertifiable: boolean;
}

/**
 * The questions about one model or cube that were refused or answered wrongly, each with the request that becomes its certified
 * answer. Fires `certified` after a model has changed.
 */
export class AskedQuestions extends LitElement {
  static override properties = {
    reference: {},
    drafts: { state: true },
    problems: { state: true },
    busy: { state: true },
    message: { state: true },
  };
  static override styles = [
    shared,
    formStyles,
    modelStyles,
    css`
      h2 { font-size: 16px; line-height: 24px; overflow-wrap: anywhere; }
      textarea.input { width: 100%; min-height: 120px; }
    `,
  ];

  /** The model or cube, as `demo/shop`. */
  declare reference: string;
  /** The requests as they were edited, by the question's id. */
  declare drafts: ReadonlyMap<string, string>;
  declare problems: ReadonlyMap<string, string>;
  /** The question that is being certified or removed. */
  declare busy: string;
  declare message: string;
  readonly #questions = new RemoteData<readonly Asked[]>(this);
  #read = '';
  /** The addresses of the explorer, by the text of the request. */
  readonly #addresses = new Map<string, Promise<string>>();

  constructor() {
    super();
    this.reference = '';
    this.drafts = new Map();
    this.problems = new Map();
    this.busy = '';
    this.message = '';
  }

  protected override willUpdate(): void {
    if (this.#read === this.reference) return;
    this.#read = this.reference;
    this.#addresses.clear();
    void this.#load();
  }

  async #load(): Promise<void> {
    await this.#questions.read((signal) => readQuestions(session.client, this.reference, signal));
  }

  /** Works on one question, shows its problem where that fails, and reads the list again where it does not. */
  async #act(id: string, act: () => Promise<string>): Promise<void> {
    if (this.busy !== '') return;
    this.busy = id;
    this.problems = new Map([...this.problems].filter(([each]) => each !== id));
    try {
      this.message = await act();
      await this.#load();
    } catch (error) {
      session.reportFailure(error);
      this.problems = new Map([...this.problems, [id, problemText(error)]]);
    } finally {
      this.busy = '';
    }
  }

  #certify({ id, question }: Asked, text: string): Promise<void> {
    return this.#act(id, async () => {
      const body = { request: parsedRequest(text) };
      await session.client.post(`${ROOT}/${encodeURIComponent(id)}/certify`, body, () => undefined);
      this.dispatchEvent(new CustomEvent('certified', { bubbles: true, composed: true }));
      return msg(str`Certified: ${question}`);
    });
  }

  #remove({ id, question }: Asked): Promise<void> {
    return this.#act(id, async () => {
      await session.client.delete(`${ROOT}/${encodeURIComponent(id)}`, () => undefined);
      return msg(str`Removed: ${question}`);
    });
  }

  #card(asked: Asked) {
    const { id, question, kind, reason, request, times, lastAt, isCertifiable } = asked;
    const text = this.drafts.get(id) ?? request;
    const problem = this.problems.get(id);
    const count = times === 1 ? msg('asked once') : msg(str`asked ${times} times`);
    const edit = (event: Event) => {
      if (event.target instanceof HTMLTextAreaElement)
        this.drafts = new Map([...this.drafts, [id, event.target.value]]);
    };
    return html`<li class="card tight">
      <div class="row spread"><h2>${question}</h2><span class="pill ${kind === 'wrong' ? 'bad' : 'warn'}">${kindWords(kind)}</span></div>
      <p class="note">${count} · ${msg(str`last on ${time.format(lastAt)}`)}</p>
      ${reason === '' ? nothing : html`<p>${reason}</p>`}
      <label class="field"><span>${isCertifiable ? msg('The request that answers it') : msg('The query that was kept')}</span>
        <textarea class="input code" spellcheck="false" .value=${text} ?readonly=${!isCertifiable} placeholder=${'{"rows": [], "values": []}'} aria-describedby=${problem === undefined ? nothing : `problem-${id}`} @input=${edit}></textarea></label>
      ${problem === undefined ? nothing : html`<p class="problem error" role="alert" id=${`problem-${id}`}>${problem}</p>`}
      <div class="row">
        ${isCertifiable ? html`<button class="button primary" type="button" ?disabled=${this.busy !== '' || text.trim() === ''} @click=${() => this.#certify(asked, text)}>${msg('Certify')}</button>` : nothing}
        <a class="button" href=${until(this.#explored(text), explorerOf(this.reference))}>${msg('Open the explorer')}</a>
        <button class="button" type="button" ?disabled=${this.busy !== ''} @click=${() => this.#remove(asked)}>${msg('Remove')}</button>
      </div>
    </li>`;
  }

  /** Returns the address of the explorer with a request, or without one where the text is none. */
  #explored(text: string): Promise<string> {
    const known = this.#addresses.get(text);
    if (known !== undefined) return known;
    const address = exploreAddress(this.reference, text);
    this.#addresses.set(text, address);
    return address;
  }

  protected override render() {
    return html`${this.#list()}<p class="visually-hidden" role="status">${this.message}</p>`;
  }

  #list() {
    const { state } = this.#questions;
    if (state.status === 'loading') return html`<div class="bone"></div>`;
    if (state.status === 'failed') return html`<p class="problem error" role="alert">${state.message}</p>`;
    if (state.value.length === 0)
      return html`<div class="empty"><p>${msg('No question was refused, and no answer was marked as wrong. Questions that the language model could not answer appear here.')}</p></div>`;
    const isCertifiable = state.value.some((each) => each.isCertifiable);
    return html`<div class="stack">
      <p class="note">${
        isCertifiable
          ? msg(
              'A certified request answers its question from now on, without the language model. It is saved as a new version of the model.',
            )
          : msg('Certified answers of a cube are written in its schema file, as the annotation service.certified.')
      }</p>
      <ul class="stack">${state.value.map((asked) => this.#card(asked))}</ul></div>`;
  }
}

function explorerOf(reference: string): string {
  return withBasePath(`/ui/explore/${reference.split('/').map(encodeURIComponent).join('/')}`);
}

async function exploreAddress(reference: string, text: string): Promise<string> {
  const plain = explorerOf(reference);
  let request: unknown;
  try {
    request = JSON.parse(text);
  } catch {
    // The text is being typed.
  }
  if (!isObject(request)) return plain;
  const [connection = '', model = '', ...more] = reference.split('/');
  const names = more.length === 0 ? { connection, model } : { cube: reference };
  const draft = fromRequest(more.length === 0 ? 'semantic' : 'cube', { ...asJson(request), ...names });
  const written = await writeAddress(draft);
  return written === undefined ? plain : `${plain}?q=${written}`;
}

function kindWords(kind: Kind): string {
  switch (kind) {
    case 'off-topic':
      return msg('Off topic');
    case 'unanswered':
      return msg('No query');
    case 'wrong':
      return msg('Marked as wrong');
  }
}

/** Number of legal names that a mistake is shown with. */
const MAX_NAMES = 8;

/** Returns the words for a failure, with the nearest legal names of its place. */
function problemText(error: unknown): string {
  const legal = error instanceof RequestFailedError ? error.available.slice(0, MAX_NAMES) : [];
  const text = error instanceof Error ? error.message : msg('That did not work.');
  return [text, ...legal].join(' · ');
}

/** Reads a request as it was typed. @throws Error with words for the reader */
function parsedRequest(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(msg('This is no JSON. Correct it, or copy a request from the explorer.'));
  }
}

function readQuestions(client: Client, reference: string, signal: AbortSignal): Promise<readonly Asked[]> {
  const parse = (json: unknown) => readList(readObject(json, 'the questions').questions, 'the questions', parseAsked);
  return client.get(`${ROOT}?reference=${encodeURIComponent(reference)}`, parse, signal);
}

function parseAsked(item: unknown): Asked {
  const record = readObject(item, 'a question');
  return {
    id: readText(record, 'id'),
    kind: readOption(record, 'kind', KINDS),
    question: readText(record, 'question'),
    reason: readText(record, 'reason'),
    request: record.request === undefined ? '' : JSON.stringify(record.request, null, 2),
    times: typeof record.times === 'number' ? record.times : 1,
    lastAt: readTime(record, 'lastAt'),
    isCertifiable: readBoolean(record, 'isCertifiable'),
  };
}

customElements.define('ui-asked-questions', AskedQuestions);
