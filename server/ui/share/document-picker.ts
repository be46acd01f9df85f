import { css, html, LitElement, nothing } from 'lit';
import { RemoteData } from '../api-client/remote-data.ts';
import {
  DOCUMENT_KINDS,
  type DocumentEntry,
  type DocumentKind,
  KIND_TITLES,
  readDocuments,
} from '../documents/document-entries.ts';
import { session } from '../shell/page-context.ts';
import { formStyles } from '../styles/form-styles.ts';
import { shared } from '../styles/shared.ts';
import { msg, str } from '../words/words.ts';
import { filterDocuments } from './filter-documents.ts';

/** Shows a search field and the matching documents. Fires `pick` with the chosen one. */
export class DocumentPicker extends LitElement {
  static override properties = { kinds: { attribute: false }, search: { state: true }, active: { state: true } };
  static override styles = [
    shared,
    formStyles,
    css`
      .list { display: grid; gap: 2px;  margin-top: 12px; overflow: auto; border: 1px solid var(--line); border-radius: 10px; padding: 6px; background: var(--paper); }
      .option { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0 12px; align-items: center; padding: 8px 12px; border-radius: 7px; cursor: pointer; }
      .option:hover { background: var(--sunken); }
      .option.active { background: var(--accent-wash); box-shadow: inset 0 0 0 2px var(--accent); }
      #search { margin-top: 6px; }
      .title { font-size: 15px; font-weight: 550; overflow-wrap: anywhere; }
      .option code { grid-column: 1 / -1; color: var(--muted); font-size: 12.5px; overflow-wrap: anywhere; }
      .option.active code { color: var(--ink); }
      .kind { padding: 1px 7px; border-radius: 5px; background: var(--sunken); color: var(--muted); font-size: 12px; font-weight: 500; }
      .kind:is(.dashboard, .ai) { background: var(--accent-wash); color: var(--accent); }
      .notice, .bone { margin-top: 12px; }
      .bone { height: 260px; }
      .button { margin-top: 4px; }
      @media (forced-colors: active) { .option.active { outline: 2px solid Highlight; outline-offset: -2px; } }
    `,
  ];

  /** The kinds to choose from. */
  declare kinds: readonly DocumentKind[];
  declare search: string;
  /** Position of the option that Enter chooses. */
  declare active: number;
  readonly #documents = new RemoteData<readonly DocumentEntry[]>(this);

  constructor() {
    super();
    this.kinds = DOCUMENT_KINDS;
    this.search = '';
    this.active = 0;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#read();
  }

  /** Focuses the search field, also before the first rendering. */
  override focus(): void {
    void this.updateComplete.then(() => this.renderRoot.querySelector('input')?.focus());
  }

  async #read(): Promise<void> {
    const state = await this.#documents.read(async (signal) =>
      (await readDocuments(session.client, signal)).filter(({ kind }) => this.kinds.includes(kind)),
    );
    if (state.status === 'failed') session.reportFailure(state.cause);
  }

  get #matches(): readonly DocumentEntry[] {
    const { state } = this.#documents;
    return state.status === 'ready' ? filterDocuments(state.value, this.search) : [];
  }

  #typed({ currentTarget }: InputEvent): void {
    if (!(currentTarget instanceof HTMLInputElement)) return;
    this.search = currentTarget.value;
    this.active = 0;
  }

  #key(event: KeyboardEvent): void {
    const matches = this.#matches;
    const last = matches.length - 1;
    const to = { ArrowDown: Math.min(this.active + 1, last), ArrowUp: Math.max(this.active - 1, 0) }[event.key];
    if (to !== undefined) {
      event.preventDefault();
      void this.#activate(to);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      const chosen = matches[this.active];
      if (chosen !== undefined) this.#pick(chosen);
    } else if (event.key === 'Escape' && this.search !== '') {
      // The first Escape clears the search, the next one closes the dialog.
      event.preventDefault();
      this.search = '';
    }
  }

  async #activate(position: number): Promise<void> {
    this.active = position;
    await this.updateComplete;
    this.renderRoot.querySelector('.option.active')?.scrollIntoView({ block: 'nearest' });
  }

  #pick(document: DocumentEntry): void {
    this.dispatchEvent(new CustomEvent('pick', { detail: document }));
  }

  #content() {
    const { state } = this.#documents;
    switch (state.status) {
      case 'loading':
        return html`<div class="bone"><span class="visually-hidden">${msg('Loading your documents…')}</span></div>`;
      case 'failed':
        return html`<div class="notice failed" role="alert"><h3>${msg('Your documents could not be loaded')}</h3><p>${state.message}</p>
          <button class="button" type="button" @click=${this.#read}>${msg('Try again')}</button></div>`;
      case 'ready':
        return this.#options(state.value.length, this.#matches);
    }
  }

  #options(total: number, matches: readonly DocumentEntry[]) {
    if (total === 0)
      return html`<div class="notice"><h3>${msg('Nothing to share yet')}</h3>
        <p>${msg('Saved queries, dashboards and ask boxes in shared/ and in your own folder appear here.')}</p></div>`;
    if (matches.length === 0)
      return html`<div class="notice"><h3>${msg('No match')}</h3><p>${msg('No title or path contains all of these words.')}</p></div>`;
    return html`<div class="list" role="listbox" id="options" aria-label=${msg('Documents')} tabindex="-1">${matches.map(
      (document, position) => html`
        <div class="option ${position === this.active ? 'active' : ''}" role="option" id=${`option-${position}`} aria-selected=${position === this.active}
          @click=${() => this.#pick(document)}>
          <span class="title">${document.title}</span><span class="kind ${document.kind}">${KIND_TITLES[document.kind]}</span>
          <code>${document.path}</code>
        </div>`,
    )}</div>`;
  }

  #announcement(): string {
    const { state } = this.#documents;
    if (state.status === 'loading') return msg('Loading your documents…');
    if (state.status === 'failed') return '';
    return msg(str`${this.#matches.length} of ${state.value.length} documents.`);
  }

  protected override render() {
    const shown = this.#matches.length > 0;
    return html`
      <label class="field" for="search">${this.kinds.length === 1 ? msg('Which saved query?') : msg('Which saved query, dashboard or ask box?')}</label>
      <input class="input" id="search" type="search" role="combobox" autocomplete="off" spellcheck="false" placeholder=${msg('Search by title or path')}
        aria-expanded=${shown} aria-controls=${shown ? 'options' : nothing} aria-autocomplete="list"
        aria-activedescendant=${shown ? `option-${this.active}` : nothing}
        .value=${this.search} @input=${this.#typed} @keydown=${this.#key} />
      <span class="visually-hidden" role="status">${this.#announcement()}</span>
      ${this.#content()}
    `;
  }
}

customElements.define('ui-document-picker', DocumentPicker);
