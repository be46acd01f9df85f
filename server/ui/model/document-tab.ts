import { html, LitElement, nothing } from 'lit';
import { RemoteData } from '../api-client/remote-data.ts';
import { shared } from '../styles/shared.ts';
import { inWords } from '../words/server-words.ts';
import { msg, str } from '../words/words.ts';
import type { DocumentEditor } from './document-editor.ts';
import { hasRenaming } from './draft.ts';
import type { ModelProblem } from './model-document.ts';
import { modelStyles } from './model-styles.ts';
import type { Proposal } from './requests.ts';
import { type ModelStore, StoreController } from './store.ts';

/** The time without typing after which the server checks the source. */
const PAUSE_MS = 600;

/** The source of the document: with the draft in it, or to be edited whole. */
export class DocumentTab extends LitElement {
  static override properties = { store: { attribute: false }, hasEditor: { state: true } };
  static override styles = [shared, modelStyles];

  declare store: ModelStore;
  declare hasEditor: boolean;
  readonly #proposal = new RemoteData<Proposal | undefined>(this);
  #proposed = '';
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor() {
    super();
    this.hasEditor = false;
    new StoreController(this, () => this.store);
    void import('./document-editor.ts').then(() => {
      this.hasEditor = true;
    });
  }

  /** Asks for the source with the draft in it, and for its problems. */
  protected override willUpdate(): void {
    const { store } = this;
    const key = JSON.stringify(store.change);
    if (key === this.#proposed) return;
    const isTyping = store.text !== undefined && this.#proposed !== '';
    this.#proposed = key;
    clearTimeout(this.#timer);
    const ask = () =>
      void this.#proposal.read(async (signal) =>
        store.changeCount === 0 ? undefined : store.requests.propose(store.change, signal),
      );
    this.#timer = setTimeout(ask, isTyping ? PAUSE_MS : 0);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    clearTimeout(this.#timer);
  }

  #goTo(line: number | undefined): void {
    if (line !== undefined) this.renderRoot.querySelector<DocumentEditor>('ui-document-editor')?.goTo(line);
  }

  #problems(problems: readonly ModelProblem[]) {
    if (problems.length === 0) return html`<p><span class="pill good">${msg('No problems')}</span></p>`;
    return html`<ul class="problems" aria-label=${msg('Problems')}>${problems.map(
      ({ severity, message, line }) =>
        html`<li class="problem ${severity}"><p>${line === undefined ? nothing : html`<button class="button small" type="button" @click=${() => this.#goTo(line)}>${msg(str`Line ${line}`)}</button> `}${inWords(message)}</p></li>`,
    )}</ul>`;
  }

  protected override render() {
    const { store } = this;
    const { state } = this.#proposal;
    const { draft, saved } = store;
    const proposal = state.status === 'ready' && store.changeCount > 0 ? state.value : undefined;
    const hasEdits = draft.edits.length > 0;
    const text = store.text ?? (hasEdits ? (proposal?.text ?? saved.text) : saved.text);
    const problems = proposal?.problems ?? saved.problems;
    return html`<div class="stack">
      ${
        hasEdits
          ? html`<div class="row"><p class="note">${msg('This is the source with your changes in it. Save or discard them to edit the source itself.')}</p>
            ${
              saved.isEditable && proposal !== undefined && !hasRenaming(draft)
                ? html`<button class="button small" type="button" @click=${() => store.editText(proposal.text)}>${msg('Go on in the source')}</button>`
                : nothing
            }</div>`
          : html`<p class="note">${saved.isEditable ? msg('Names that you change here are not carried to saved queries; rename elements in their own tabs.') : (saved.whyNot ?? '')}</p>`
      }
      ${state.status === 'failed' ? html`<p class="problem error" role="alert">${state.message}</p>` : nothing}
      ${
        this.hasEditor
          ? html`<ui-document-editor .value=${text} .problems=${problems} label=${msg('Source of the document')} ?isReadOnly=${!saved.isEditable || hasEdits}
              @text=${(event: CustomEvent<string>) => {
                if (!hasEdits) store.editText(event.detail);
              }}></ui-document-editor>`
          : html`<div class="bone"></div>`
      }
      <section class="tight" aria-live="polite"><h2>${msg('Problems')}</h2>${this.#problems(problems)}</section></div>`;
  }
}

customElements.define('ui-model-document', DocumentTab);
