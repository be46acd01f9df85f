import { html, LitElement, nothing } from 'lit';
import { withBasePath } from '../api-client/base-path.ts';
import { RemoteData } from '../api-client/remote-data.ts';
import { shared } from '../styles/shared.ts';
import { language, msg, str } from '../words/words.ts';
import { pathOf } from './address.ts';
import { differenceStyles, differenceView } from './difference-view.ts';
import { modelStyles } from './model-styles.ts';
import type { DifferenceLine, HistoryEntry } from './requests.ts';
import { type ModelStore, StoreController } from './store.ts';
import { count } from './words.ts';

const time = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });

/** The saved versions of the document, a comparison of one with the present one, and the way back to it. */
export class HistoryTab extends LitElement {
  static override properties = { store: { attribute: false }, item: {} };
  static override styles = [shared, modelStyles, differenceStyles];

  declare store: ModelStore;
  /** The compared version. */
  declare item: string;
  readonly #versions = new RemoteData<readonly HistoryEntry[]>(this);
  readonly #difference = new RemoteData<readonly DifferenceLine[]>(this);
  #read = '';
  #compared = '';

  constructor() {
    super();
    this.item = '';
    new StoreController(this, () => this.store);
  }

  protected override willUpdate(): void {
    const { requests, saved } = this.store;
    if (this.#read !== saved.version) {
      this.#read = saved.version;
      this.#compared = '';
      void this.#versions.read((signal) => requests.history(signal));
    }
    const key = `${saved.version} ${this.item}`;
    if (this.item === '' || key === this.#compared) return;
    this.#compared = key;
    void this.#difference.read((signal) => requests.compare(this.item, signal));
  }

  #restore(version: string): void {
    const detail = { version: this.store.saved.version, restore: version };
    this.dispatchEvent(new CustomEvent('review', { detail, bubbles: true, composed: true }));
  }

  #comparison(entry: HistoryEntry | undefined) {
    if (entry === undefined)
      return html`<div class="empty"><p>${msg('Choose a version to compare it with the present one.')}</p></div>`;
    const isPresent = entry.version === this.store.saved.version;
    const { state } = this.#difference;
    return html`<section class="card stack">
      <div class="row spread"><h2>${time.format(entry.createdAt)}</h2>
        ${isPresent || !this.store.saved.isEditable ? nothing : html`<button class="button primary" type="button" ?disabled=${this.store.changeCount > 0} @click=${() => this.#restore(entry.version)}>${msg('Go back to this version…')}</button>`}</div>
      <p>${summaryText(entry)}</p>
      ${entry.carried.length === 0 ? nothing : html`<p class="note">${msg(str`New names in ${count(entry.carried.length, msg('document'), msg('documents'))}`)}</p>`}
      ${this.store.changeCount > 0 && !isPresent ? html`<p class="note">${msg('Save or discard your changes before you go back.')}</p>` : nothing}
      ${
        isPresent
          ? html`<p class="note">${msg('This is the present version.')}</p>`
          : html`<h3>${msg('From this version to the present one')}</h3>${
              this.#difference.isBusy || state.status === 'loading'
                ? html`<div class="bone"></div>`
                : state.status === 'failed'
                  ? html`<p class="problem error" role="alert">${state.message}</p>`
                  : differenceView(state.value)
            }`
      }
    </section>`;
  }

  protected override render() {
    const { state } = this.#versions;
    const { id, saved } = this.store;
    if (state.status === 'loading') return html`<div class="bone"></div>`;
    if (state.status === 'failed') return html`<p class="problem error" role="alert">${state.message}</p>`;
    if (state.value.length === 0)
      return html`<div class="empty"><p>${msg('Nobody has changed this model here yet. Each save adds a version, with what changed and who changed it; you can go back to each.')}</p></div>`;
    return html`<div class="columns">
      <nav class="picks" aria-label=${msg('Versions')}>${state.value.map(
        (
          entry,
          index,
        ) => html`<a href=${withBasePath(pathOf({ id, tab: 'history', item: entry.version }))} aria-current=${entry.version === this.item ? 'true' : nothing}>
          <span class="tight"><span>${time.format(entry.createdAt)}${index === 0 && entry.version === saved.version ? html` <span class="pill good">${msg('present')}</span>` : nothing}</span>
          <span class="fact">${entry.user === undefined ? '' : `${entry.user} · `}${shortened(summaryText(entry))}</span></span></a>`,
      )}</nav>
      ${this.#comparison(state.value.find(({ version }) => version === this.item))}</div>`;
  }
}

/** Returns the summary of a version with its times in the notation of the reader. */
function summaryText({ summary }: HistoryEntry): string {
  return summary.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, (instant) => time.format(new Date(instant)));
}

/** The most characters of a summary in the list. */
const SUMMARY_LIMIT = 90;

function shortened(text: string): string {
  return text.length > SUMMARY_LIMIT ? `${text.slice(0, SUMMARY_LIMIT)}…` : text;
}

customElements.define('ui-model-history', HistoryTab);
