import { css, html, LitElement, nothing } from 'lit';
import { RequestFailedError } from '../api-client/client.ts';
import { RemoteData } from '../api-client/remote-data.ts';
import { documentAddress } from '../documents/document-address.ts';
import { formStyles } from '../styles/form-styles.ts';
import { shared } from '../styles/shared.ts';
import { inWords } from '../words/server-words.ts';
import { msg, str } from '../words/words.ts';
import { differenceStyles, differenceView } from './difference-view.ts';
import type { ModelProblem } from './model-document.ts';
import { modelStyles } from './model-styles.ts';
import { BREAK_KINDS, type Break, type BreakKind, type Change, type Proposal } from './requests.ts';
import type { ModelStore } from './store.ts';
import { count, editSentence, roleWord } from './words.ts';

/** The kinds of things that a change may break, in words: a new kind is one row. */
const KIND_WORDS: Readonly<Record<BreakKind, () => string>> = {
  query: () => msg('Saved query'),
  tile: () => msg('Tile'),
  'certified-answer': () => msg('Certified answer'),
  token: () => msg('Token'),
  'public-grant': () => msg('Public link'),
};

/** Shows what a change would break and rename, and saves it. Fires `saved` with the change that undoes it. */
export class ReviewDialog extends LitElement {
  static override properties = { change: { state: true }, problem: { state: true }, isSaving: { state: true } };
  static override styles = [
    shared,
    formStyles,
    modelStyles,
    differenceStyles,
    css`
      :host { display: contents; }
      dialog {
        width: min(920px, calc(100vw - 32px)); max-height: calc(100dvh - 48px); padding: 0; border: 1px solid var(--line); border-radius: 10px;
        background: var(--paper); color: var(--ink); box-shadow: var(--shade); font-size: 14px; line-height: 20px;
      }
      dialog::backdrop { background: rgb(10 16 24 / 50%); }
      .inside { display: grid; grid-template-rows: auto minmax(0, 1fr) auto; max-height: calc(100dvh - 50px); }
      .head, .foot { padding: 16px 24px; }
      .head { border-bottom: 1px solid var(--line); }
      .foot { display: flex; flex-wrap: wrap; align-items: center; justify-content: end; gap: 8px 12px; border-top: 1px solid var(--line); }
      .foot p { flex: 1 1 200px; }
      .body { display: grid; grid-template-columns: minmax(0, 1fr); gap: 24px; padding: 16px 24px; overflow: auto; align-content: start; }
      .edits { display: grid; gap: 4px; padding-inline-start: 20px; list-style: decimal; }
      .verdict { display: flex; gap: 8px; align-items: center; font-weight: 600; }
      summary { cursor: pointer; font-weight: 600; margin-bottom: 8px; }
      @media (max-width: 560px) { .head, .body, .foot { padding-inline: 16px; } }
    `,
  ];

  declare change: Change | undefined;
  /** Why the last attempt to save failed. */
  declare problem: string;
  declare isSaving: boolean;
  readonly #proposal = new RemoteData<Proposal>(this);
  #store: ModelStore | undefined;

  constructor() {
    super();
    this.problem = '';
    this.isSaving = false;
  }

  /** Opens the dialog for a change, and works out what it does. */
  open(store: ModelStore, change: Change): void {
    this.#store = store;
    this.change = change;
    this.problem = '';
    void this.updateComplete.then(() => this.renderRoot.querySelector('dialog')?.showModal());
    void this.#propose(true);
  }

  async #propose(mayRetry: boolean): Promise<void> {
    const store = this.#store;
    const { change } = this;
    if (store === undefined || change === undefined) return;
    const state = await this.#proposal.read((signal) => store.requests.propose(change, signal));
    if (state.status === 'failed' && mayRetry && isStale(state.cause)) await this.#renew();
  }

  /** Reads the model again where somebody has saved it, and proposes the same change of the present version. */
  async #renew(): Promise<void> {
    const store = this.#store;
    if (store === undefined || this.change === undefined) return;
    await store.reload();
    this.change = { ...this.change, version: store.saved.version };
    this.problem = msg(
      'Somebody has saved this model meanwhile. Your changes are kept; this is what they do to the present version.',
    );
    await this.#propose(false);
  }

  async #save(): Promise<void> {
    const store = this.#store;
    const { change } = this;
    if (store === undefined || change === undefined || this.isSaving) return;
    this.isSaving = true;
    this.problem = '';
    const before = store.saved.version;
    try {
      const saved = await store.save(change);
      this.#close();
      const undo: Change = { version: saved.version, restore: before };
      this.dispatchEvent(new CustomEvent('saved', { detail: { undo, carried: saved.carried } }));
    } catch (error) {
      if (isStale(error)) await this.#renew();
      else this.problem = error instanceof Error ? error.message : String(error);
    } finally {
      this.isSaving = false;
    }
  }

  #close(): void {
    this.renderRoot.querySelector('dialog')?.close();
  }

  #breakRow({ kind, path, title, tile, message, roles }: Break) {
    return html`<tr>
      <td>${KIND_WORDS[kind]()}</td>
      <th scope="row">${kind === 'certified-answer' ? title : html`<a href=${documentAddress(path)} target="_blank" rel="noopener">${title}</a>`}${tile === undefined && (kind === 'query' || kind === 'certified-answer') ? nothing : html`<div class="note">${path}</div>`}</th>
      <td>${message}</td>
      <td>${roles.length === 0 ? msg('everybody') : roles.map(roleWord).join(', ')}</td>
    </tr>`;
  }

  #breaks(breaks: readonly Break[]) {
    if (breaks.length === 0)
      return html`<p class="verdict"><span class="pill good">${msg('Nothing breaks')}</span></p>
        <p class="note">${msg('Every saved query, tile, certified answer, token and public link that is answered now is answered after the change.')}</p>`;
    const sorted = [...breaks].sort((a, b) => BREAK_KINDS.indexOf(a.kind) - BREAK_KINDS.indexOf(b.kind));
    return html`<p class="verdict"><span class="pill bad">${count(breaks.length, msg('thing breaks'), msg('things break'))}</span></p>
      <div class="scroll" tabindex="0" role="region" aria-label=${msg('What breaks')}><table>
        <thead><tr><th>${msg('Kind')}</th><th>${msg('Name')}</th><th>${msg('Why')}</th><th>${msg('For')}</th></tr></thead>
        <tbody>${sorted.map((each) => this.#breakRow(each))}</tbody>
      </table></div>`;
  }

  #problems(problems: readonly ModelProblem[]) {
    const known = new Set(this.#store?.saved.problems.map(({ message }) => message));
    const fresh = problems.filter(({ message, severity }) => severity === 'error' || !known.has(message));
    if (fresh.length === 0) return nothing;
    return html`<section class="tight"><h3>${msg('New problems of the document')}</h3>
      <ul class="problems">${fresh.map(({ severity, message, line }) => html`<li class="problem ${severity}"><p>${line === undefined ? '' : msg(str`Line ${line}: `)}${inWords(message)}</p></li>`)}</ul></section>`;
  }

  #content(proposal: Proposal) {
    const { breaks, carried, problems, difference, uncheckedDocuments } = proposal;
    return html`
      <section class="tight"><h3>${msg('Before saving: what breaks')}</h3>${this.#breaks(breaks)}
        ${uncheckedDocuments === 0 ? nothing : html`<p class="note">${msg(str`${uncheckedDocuments} documents were not checked because there are too many.`)}</p>`}</section>
      ${this.#problems(problems)}
      ${
        carried.length === 0
          ? nothing
          : html`<section class="tight"><h3>${msg('Receive new names')}</h3>
            <ul class="tight">${carried.map((path) => html`<li><a href=${documentAddress(path)} target="_blank" rel="noopener">${path}</a></li>`)}</ul></section>`
      }
      <details ?open=${difference.length <= 40}><summary>${msg('Changed lines of the document')}</summary>${differenceView(difference)}</details>`;
  }

  /** A refused edit is named, and can be left out. */
  #failed(message: string) {
    const edits = this.change?.edits ?? [];
    return html`<div class="notice failed" role="alert"><h3>${msg('The change cannot be checked')}</h3><p>${message}</p>
      ${
        edits.length === 0
          ? nothing
          : html`<ol class="edits">${edits.map((edit, index) => html`<li>${editSentence(edit)} <button class="button small" type="button" @click=${() => this.#drop(index)}>${msg('Leave out')}</button></li>`)}</ol>`
      }</div>`;
  }

  #drop(index: number): void {
    const store = this.#store;
    if (store === undefined) return;
    store.dropEdit(index);
    if (store.changeCount === 0) this.#close();
    else this.open(store, store.change);
  }

  protected override render() {
    const { state } = this.#proposal;
    const edits = this.change?.edits ?? [];
    const isSavable = state.status === 'ready' && !this.#proposal.isBusy && state.value.isSavable;
    const hasBreaks = state.status === 'ready' && state.value.breaks.length > 0;
    return html`<dialog aria-labelledby="title">
      <div class="inside">
        <div class="head"><h2 id="title">${this.change?.restore === undefined ? msg('Review your changes') : msg('Go back to this version?')}</h2></div>
        <div class="body">
          ${this.problem === '' ? nothing : html`<p class="problem" role="alert">${this.problem}</p>`}
          ${edits.length === 0 ? nothing : html`<ol class="edits">${edits.map((edit) => html`<li>${editSentence(edit)}</li>`)}</ol>`}
          ${
            state.status === 'loading' || this.#proposal.isBusy
              ? html`<div class="bone"><p role="status" class="visually-hidden">${msg('Asking every saved query and tile…')}</p></div>`
              : state.status === 'failed'
                ? this.#failed(state.message)
                : this.#content(state.value)
          }
        </div>
        <div class="foot">
          ${state.status === 'ready' && !state.value.isSavable ? html`<p class="note">${msg('It cannot be saved: the model could not be used after it.')}</p>` : nothing}
          <button class="button" type="button" @click=${this.#close}>${msg('Back')}</button>
          <button class="button ${hasBreaks ? 'danger' : 'primary'}" type="button" ?disabled=${!isSavable || this.isSaving} @click=${this.#save}>${this.isSaving ? msg('Saving…') : hasBreaks ? msg('Save anyway') : msg('Save')}</button>
        </div>
      </div>
    </dialog>`;
  }
}

function isStale(error: unknown): boolean {
  return error instanceof RequestFailedError && error.code === 'STALE_VERSION';
}

customElements.define('ui-model-review', ReviewDialog);
