import { css, html, LitElement } from 'lit';
import { RemoteData } from '../api-client/remote-data.ts';
import { type DocumentEntry, KIND_TITLES, readDocuments } from '../documents/document-entries.ts';
import { requestShare } from '../documents/share-request.ts';
import { session } from '../shell/page-context.ts';
import { SessionController } from '../shell/session.ts';
import { shareIcon } from '../styles/icons.ts';
import { shared } from '../styles/shared.ts';
import '../code/copy-button.ts';

const COLLAPSED_ROW_LIMIT = 8;
const date = new Intl.DateTimeFormat('en', { dateStyle: 'medium' });

/** Lists the saved queries, dashboards and ask boxes that the user may read. */
export class DocumentList extends LitElement {
  static override properties = { all: { state: true } };
  static override styles = [
    shared,
    css`
      .rows { border: 1px solid var(--line); border-radius: 12px; background: var(--paper); overflow: hidden; }
      li { display: grid; grid-template-columns: minmax(0, 1fr) auto; align-items: center; gap: 2px 16px; padding: 11px 10px 11px 18px; }
      li + li { border-top: 1px solid var(--line); }
      .title { font-size: 15px; font-weight: 550; overflow-wrap: anywhere; }
      .where { display: flex; flex-wrap: wrap; gap: 0 12px; color: var(--muted); font-size: 13px; }
      .where code { overflow-wrap: anywhere; }
      .kind {
        margin-inline-start: 8px; padding: 1px 7px; border-radius: 5px; background: var(--sunken); color: var(--muted); font-size: 12px; font-weight: 500;
        white-space: nowrap;
      }
      .kind:is(.dashboard, .ai) { background: var(--accent-wash); color: var(--accent); }
      .acts { display: flex; gap: 6px; grid-row: span 2; }
      .acts .button { min-height: 32px; padding: 0 12px; border-radius: 7px; font-size: 13px; }
      @media (max-width: 560px) {
        li { grid-template-columns: minmax(0, 1fr); }
        .acts { grid-row: auto; order: 1; margin: 4px 0 2px -10px; }
      }
      .more { margin-top: 12px; }
      .bone { height: 180px; border-radius: 12px; }
    `,
  ];

  declare all: boolean;
  readonly #documents = new RemoteData<readonly DocumentEntry[]>(this);

  constructor() {
    super();
    this.all = false;
    new SessionController(this, session, () => void this.#read());
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#read();
  }

  async #read(): Promise<void> {
    if (!session.user) return;
    const state = await this.#documents.read((signal) => readDocuments(session.client, signal));
    if (state.status === 'failed') session.reportFailure(state.cause);
  }

  #showAll(): void {
    this.all = true;
  }

  #rows(entries: readonly DocumentEntry[]) {
    if (entries.length === 0) {
      return html`<div class="notice"><h3>No documents yet</h3>
        <p>Saved queries, dashboards and ask boxes in <code>shared/</code> and in your own folder appear here.</p></div>`;
    }
    const shown = this.all ? entries : entries.slice(0, COLLAPSED_ROW_LIMIT);
    const hidden = entries.length - shown.length;
    return html`
      <ul class="rows">${shown.map(
        (entry) => html`
          <li>
            <p class="title">${entry.title}<span class="kind ${entry.kind}">${KIND_TITLES[entry.kind]}</span></p>
            <div class="acts">
              <ui-copy quiet .text=${entry.path} caption="Copy path" .label=${` of ${entry.title}`}></ui-copy>
              <button class="button" type="button" @click=${() => requestShare(this, entry)}>${shareIcon}Share<span class="visually-hidden"> ${entry.title}</span></button>
            </div>
            <p class="where"><code>${entry.path}</code>${timeElement(entry.updatedAt)}</p>
          </li>`,
      )}</ul>
      ${hidden > 0 ? html`<button class="button more" type="button" @click=${this.#showAll}>Show all ${entries.length}</button>` : ''}
    `;
  }

  #content() {
    const { state } = this.#documents;
    switch (state.status) {
      case 'loading':
        return html`<div class="bone"><span class="visually-hidden" role="status">Loading your documents…</span></div>`;
      case 'failed':
        return html`<div class="notice failed" role="alert"><h3>Your documents could not be loaded</h3><p>${state.message}</p>
          <button class="button" type="button" @click=${this.#read}>Try again</button></div>`;
      case 'ready':
        return this.#rows(state.value);
    }
  }

  protected override render() {
    return html`
      <div class="section-head">
        <div>
          <h2>Your documents</h2>
          <p>Documents that you may read. <em>Share</em> creates a token and the code to show one in another page.</p>
        </div>
      </div>
      ${this.#content()}
    `;
  }
}

function timeElement(at: Date) {
  return Number.isNaN(at.getTime()) ? '' : html`<time datetime=${at.toISOString()}>${date.format(at)}</time>`;
}

customElements.define('ui-documents', DocumentList);
