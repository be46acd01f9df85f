import { css, html, LitElement, nothing, type PropertyValues } from 'lit';
import { RemoteData } from '../../api-client/remote-data.ts';
import { searchIcon } from '../../styles/icons.ts';
import { shared } from '../../styles/shared.ts';
import { msg } from '../../words/words.ts';
import { session } from '../page-context.ts';
import { documentEntries, ownEntries } from './entries.ts';
import type { Entry, Group } from './entry.ts';
import { matchEntries } from './match-entries.ts';
import { modelEntry, readFields, readModels } from './model-entries.ts';

const GROUP_TITLES: Readonly<Record<Group, string>> = {
  recent: msg('Opened last'),
  pages: msg('Pages'),
  models: msg('Models and cubes'),
  documents: msg('Documents'),
  fields: msg('Fields and metrics'),
  actions: msg('Actions'),
};

/** The search over pages, models, documents, fields and actions. It works like a combobox: the focus stays in the field. */
export class Palette extends LitElement {
  static override properties = { text: { state: true }, at: { state: true }, models: { state: true } };
  static override styles = [
    shared,
    css`
      dialog {
        width: min(640px, calc(100vw - 32px)); max-height: min(560px, calc(100dvh - 32px)); margin-block-start: min(12vh, 96px); padding: 0; overflow: hidden; border: 1px solid var(--line);
        border-radius: 10px; background: var(--paper); color: var(--ink); box-shadow: var(--shade); font: 14px / 20px var(--body);
      }
      dialog[open] { display: grid; grid-template-rows: auto minmax(0, 1fr); }
      dialog::backdrop { background: rgb(10 16 24 / 45%); }
      .field { display: flex; align-items: center; gap: 10px; padding: 0 16px; border-bottom: 1px solid var(--line); color: var(--muted); }
      .field svg { flex: none; width: 18px; height: 18px; }
      input { flex: 1; min-width: 0; height: 52px; border: 0; background: none; color: var(--ink); font: 16px / 24px var(--body); }
      input:focus-visible { outline: none; }
      .field:focus-within { box-shadow: inset 0 -2px var(--accent); }
      .list { overflow-y: auto; padding: 8px; }
      .group { padding: 8px 8px 4px; color: var(--muted); font-size: 12px; line-height: 16px; font-weight: 600; }
      .entry { display: flex; align-items: baseline; gap: 12px; min-height: 36px; padding: 8px; border-radius: 6px; cursor: pointer; }
      .entry[aria-selected='true'] { background: var(--accent-wash); color: var(--accent-strong); }
      .title { flex: none; max-width: 60%; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
      .note { min-width: 0; overflow: hidden; color: var(--muted); font-size: 12px; text-overflow: ellipsis; white-space: nowrap; }
      .none { padding: 24px 16px; color: var(--muted); }
      @media (forced-colors: active) { .entry[aria-selected='true'] { outline: 2px solid Highlight; } }
    `,
  ];

  declare text: string;
  /** The index of the marked entry. */
  declare at: number;
  /** Models, cubes and their fields, as they arrive. */
  declare models: readonly Entry[];
  readonly #documents = new RemoteData<readonly Entry[]>(this);
  #reading = new AbortController();
  #isReading = false;
  #own: readonly Entry[] = [];

  constructor() {
    super();
    this.text = '';
    this.at = 0;
    this.models = [];
  }

  /** Opens the search. `typed` returns what was typed until its field has the focus. */
  async open(typed: () => string): Promise<void> {
    this.text = '';
    this.at = 0;
    this.#own = ownEntries();
    void this.#documents.read(documentEntries).then((state) => {
      if (state.status === 'failed') session.reportFailure(state.cause);
    });
    void this.#readModels();
    await this.updateComplete;
    const dialog = this.renderRoot.querySelector('dialog');
    if (dialog?.open === false) dialog.showModal();
    const field = this.renderRoot.querySelector('input');
    if (field === null) return;
    field.focus();
    field.value = typed();
    this.text = field.value;
  }

  /** Reads models and fields again at each opening; the entries of the last one stay until then. */
  async #readModels(): Promise<void> {
    this.#reading.abort();
    const reading = new AbortController();
    this.#reading = reading;
    const { signal } = reading;
    const { client, user } = session;
    if (!user) {
      this.models = [];
      return;
    }
    this.#isReading = true;
    try {
      const models = await readModels(client, signal);
      let entries = models.map(modelEntry);
      if (this.models.length === 0) this.models = entries;
      await readFields(client, models, signal, (fields) => {
        entries = [...entries, ...fields];
        if (entries.length > this.models.length) this.models = entries;
      });
      if (!signal.aborted) this.models = entries;
    } catch (error) {
      if (!signal.aborted) session.reportFailure(error);
    } finally {
      if (this.#reading === reading) this.#isReading = false;
      this.requestUpdate();
    }
  }

  get #shown(): readonly Entry[] {
    const { state } = this.#documents;
    return matchEntries([...this.#own, ...this.models, ...(state.status === 'ready' ? state.value : [])], this.text);
  }

  #typed({ currentTarget }: InputEvent): void {
    if (!(currentTarget instanceof HTMLInputElement)) return;
    this.text = currentTarget.value;
    this.at = 0;
  }

  #pressed(event: KeyboardEvent): void {
    const last = this.#shown.length - 1;
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: this.at >= last ? 0 : this.at + 1,
      ArrowUp: this.at <= 0 ? last : this.at - 1,
    };
    const move = moves[event.key];
    if (move !== undefined) {
      event.preventDefault();
      this.at = Math.max(0, move);
    } else if (event.key === 'Enter' && !event.isComposing) {
      event.preventDefault();
      this.#choose(this.#shown[this.at]);
    }
  }

  #choose(entry: Entry | undefined): void {
    if (entry === undefined) return;
    this.#close();
    if ('address' in entry.action) location.assign(entry.action.address);
    else entry.action.run();
  }

  #close(): void {
    this.renderRoot.querySelector('dialog')?.close();
  }

  #clicked(event: MouseEvent): void {
    if (event.target === event.currentTarget) this.#close();
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has('at')) this.renderRoot.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }

  protected override render() {
    const shown = this.#shown;
    const isSearching = this.text !== '' && (this.#documents.isBusy || this.#isReading);
    return html`
      <dialog aria-label=${msg('Search')} @click=${this.#clicked}>
        <div class="field">
          ${searchIcon}
          <input role="combobox" aria-expanded="true" aria-controls="list" aria-autocomplete="list" aria-activedescendant=${shown[this.at] === undefined ? nothing : `entry-${this.at}`}
            aria-label=${msg('Search models, fields, documents and pages')} placeholder=${msg('Search models, fields, documents and pages')} autocomplete="off" spellcheck="false"
            @input=${this.#typed} @keydown=${this.#pressed} />
        </div>
        <div class="list" id="list" role="listbox" aria-label=${msg('Results')} tabindex="-1">
          ${shown.map((entry, index) => this.#entry(entry, index, shown[index - 1]?.group))}
          ${shown.length === 0 ? html`<p class="none" role="presentation">${isSearching ? msg('Searching…') : msg('Nothing has these words. Try fewer, or another one.')}</p>` : nothing}
        </div>
      </dialog>
    `;
  }

  #entry(entry: Entry, index: number, before: Group | undefined) {
    return html`
      ${entry.group === before ? nothing : html`<p class="group" role="presentation">${GROUP_TITLES[entry.group]}</p>`}
      <div class="entry" role="option" id="entry-${index}" aria-selected=${index === this.at} @click=${() => this.#choose(entry)} @pointermove=${() => {
        this.at = index;
      }}>
        <span class="title">${entry.title}</span>${entry.note === '' ? nothing : html`<span class="note">${entry.note}</span>`}
      </div>
    `;
  }
}

customElements.define('ui-palette', Palette);

let palette: Palette | undefined;

/** Opens the search over the page. `typed` returns what was typed until its field has the focus. */
export async function openPalette(typed: () => string): Promise<void> {
  if (palette === undefined) {
    palette = new Palette();
    document.body.append(palette);
  }
  await palette.open(typed);
}
