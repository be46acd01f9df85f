import { html, LitElement, nothing } from 'lit';
import { RequestFailedError } from '../api-client/client.ts';
import { RemoteData } from '../api-client/remote-data.ts';
import { documentAddress, exploreAddress } from '../documents/document-address.ts';
import { readDocument, writeDocument } from '../documents/repository.ts';
import { session } from '../shell/page-context.ts';
import { closeIcon } from '../styles/icons.ts';
import { shared } from '../styles/shared.ts';
import { msg, str } from '../words/words.ts';
import { dialogStyles } from './dialog-styles.ts';
import { exploreEvent } from './events.ts';
import { listQueries, type SavedEntry } from './requests.ts';
import type { Source } from './state/draft.ts';
import { draftOf, type ExploreQuery, withQuery } from './state/saved-query.ts';

/** Saves a query as a document of the repository. */
export class SaveDialog extends LitElement {
  static override properties = { state: { state: true } };
  static override styles = [shared, dialogStyles];

  declare state: {
    readonly query: ExploreQuery | undefined;
    readonly problem: string;
    readonly savedAs: string;
    readonly isBusy: boolean;
    /** Whether a document of this path exists, and the next try replaces it. */
    readonly replaces: string;
  };

  constructor() {
    super();
    this.state = { query: undefined, problem: '', savedAs: '', isBusy: false, replaces: '' };
  }

  open(query: ExploreQuery): void {
    this.state = { query, problem: '', savedAs: '', isBusy: false, replaces: '' };
    void this.updateComplete.then(() => {
      this.#dialog?.showModal();
      this.renderRoot.querySelector<HTMLInputElement>('input[name=title]')?.select();
    });
  }

  get #dialog(): HTMLDialogElement | null {
    return this.renderRoot.querySelector('dialog');
  }

  async #save(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const { query, isBusy, replaces } = this.state;
    if (!(event.target instanceof HTMLFormElement) || query === undefined || isBusy) return;
    const data = new FormData(event.target);
    const text = (name: string) => String(data.get(name) ?? '').trim();
    const path = `${text('folder').replace(/\/+$/, '')}/${fileName(text('title'))}.service`;
    this.state = { ...this.state, isBusy: true, problem: '' };
    const description = text('description');
    const head = { version: 1, title: text('title'), ...(description === '' ? {} : { description }) };
    const document = withQuery(head, query);
    try {
      const condition = replaces === path ? (await readDocument(session.client, path)).version : 'new';
      const { version } = await writeDocument(session.client, path, document, condition);
      this.state = { ...this.state, isBusy: false, savedAs: path };
      this.dispatchEvent(exploreEvent('explore-saved', { saved: { path, version, document } }));
      // The form that had the focus is gone.
      await this.updateComplete;
      this.renderRoot.querySelector<HTMLElement>('.foot .primary')?.focus();
    } catch (error) {
      session.reportFailure(error);
      const exists = error instanceof RequestFailedError && error.code === 'DOCUMENT_EXISTS';
      const message = error instanceof Error ? error.message : '';
      this.state = {
        ...this.state,
        isBusy: false,
        problem: exists
          ? msg(str`${path} exists already. Save again to replace it, or choose another title.`)
          : message,
        replaces: exists ? path : '',
      };
    }
  }

  protected override render() {
    const { query, problem, savedAs, isBusy } = this.state;
    const home = `homes/${session.user?.name ?? ''}`;
    return html`<dialog aria-labelledby="save-title">
      <div class="head"><h2 id="save-title">${savedAs === '' ? msg('Save this query') : msg('Saved')}</h2><button class="button close" type="button" aria-label=${msg('Close')} @click=${() => this.#dialog?.close()}>${closeIcon}</button></div>
      ${
        query === undefined
          ? nothing
          : savedAs === ''
            ? html`<form @submit=${this.#save}><div class="body">
                <label><span>${msg('Title')}</span><input class="field" name="title" required maxlength="200" .value=${query.title.slice(0, 200)}></label>
                <label><span>${msg('Description')}</span><textarea name="description" rows="2" maxlength="4000"></textarea></label>
                <label><span>${msg('Folder')}</span><input class="field" name="folder" required maxlength="200" list="folders" .value=${session.user?.administrator === true ? 'shared' : home}><datalist id="folders"><option value="shared"></option><option value=${home}></option></datalist></label>
                ${problem === '' ? nothing : html`<p class="bad" role="alert">${problem}</p>`}</div>
              <div class="foot"><button class="button" type="button" @click=${() => this.#dialog?.close()}>${msg('Cancel')}</button><button class="button primary" type="submit" aria-disabled=${isBusy ? 'true' : nothing}>${msg('Save query')}</button></div></form>`
            : html`<div class="body"><p role="status">${msg(str`The query is at ${savedAs}.`)}</p></div>
              <div class="foot"><a class="button" href=${documentAddress(savedAs)}>${msg('Open it')}</a><button class="button primary" type="button" @click=${() => this.#dialog?.close()}>${msg('Go on')}</button></div>`
      }</dialog>`;
  }
}

/** Opens a saved query in the explorer. */
export class OpenDialog extends LitElement {
  static override properties = { source: { state: true }, query: { state: true }, problem: { state: true } };
  static override styles = [shared, dialogStyles];

  declare source: Source | undefined;
  declare query: string;
  declare problem: string;
  readonly #list = new RemoteData<readonly SavedEntry[]>(this);

  constructor() {
    super();
    this.source = undefined;
    this.query = '';
    this.problem = '';
  }

  open(source: Source): void {
    this.source = source;
    this.query = '';
    this.problem = '';
    void this.updateComplete.then(() => this.#dialog?.showModal());
    void this.#list
      .read((signal) => listQueries(session.client, signal))
      .then((state) => {
        if (state.status === 'failed') session.reportFailure(state.cause);
      });
  }

  get #dialog(): HTMLDialogElement | null {
    return this.renderRoot.querySelector('dialog');
  }

  async #choose({ path, title }: SavedEntry): Promise<void> {
    try {
      const opened = await readDocument(session.client, path, AbortSignal.timeout(30_000));
      const draft = draftOf(opened.document);
      const isHere = JSON.stringify(draft.source) === JSON.stringify(this.source);
      if (!isHere) {
        location.assign(exploreAddress(path));
        return;
      }
      this.#dialog?.close();
      this.dispatchEvent(exploreEvent('explore-saved', { saved: opened }));
      this.dispatchEvent(exploreEvent('explore-edit', draft));
    } catch (error) {
      session.reportFailure(error);
      this.problem = error instanceof Error ? `${title}: ${error.message}` : title;
    }
  }

  protected override render() {
    const { state } = this.#list;
    const words = this.query.toLowerCase();
    const found =
      state.status === 'ready'
        ? state.value.filter(({ title, path }) => `${title} ${path}`.toLowerCase().includes(words)).slice(0, 100)
        : [];
    return html`<dialog aria-labelledby="open-title">
      <div class="head"><h2 id="open-title">${msg('Open a saved query')}</h2><button class="button close" type="button" aria-label=${msg('Close')} @click=${() => this.#dialog?.close()}>${closeIcon}</button></div>
      <div class="body"><input class="field" type="search" aria-label=${msg('Search queries')} placeholder=${msg('Search queries')} .value=${this.query} @input=${(
        event: Event,
      ) => {
        if (event.target instanceof HTMLInputElement) this.query = event.target.value;
      }}>
        ${this.problem === '' ? nothing : html`<p class="bad" role="alert">${this.problem}</p>`}
        ${state.status === 'failed' ? html`<p class="bad" role="alert">${state.message}</p>` : nothing}
        ${state.status === 'loading' ? html`<div class="bone" .style=${'height: 88px'}></div>` : nothing}
        ${state.status === 'ready' && found.length === 0 ? html`<p class="muted">${msg('No saved query matches.')}</p>` : nothing}
        <div class="saved">${found.map((each) => html`<button type="button" @click=${() => this.#choose(each)}>${each.title}<small>${each.path}</small></button>`)}</div></div></dialog>`;
  }
}

/** Returns a file's name for a title: letters, digits and hyphens. */
function fileName(title: string): string {
  const name = title
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 80);
  return name === '' ? 'query' : name;
}

customElements.define('ui-explore-save', SaveDialog);
customElements.define('ui-explore-open', OpenDialog);
