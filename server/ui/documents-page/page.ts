import { css, html, LitElement, nothing } from 'lit';
import { segmentsBelow } from '../api-client/base-path.ts';
import { RequestFailedError } from '../api-client/client.ts';
import { RemoteData } from '../api-client/remote-data.ts';
import { documentAddress, documentPagePath, exploreAddress } from '../documents/document-address.ts';
import { type DocumentEntry, readDocuments } from '../documents/document-entries.ts';
import { kindOfPath, type OpenedDocument, readDocument, writeDocument } from '../documents/repository.ts';
import { PAGES } from '../pages.ts';
import { FormDialog } from '../parts/form-dialog.ts';
import { origin, session } from '../shell/page-context.ts';
import { forget, remember } from '../shell/recent.ts';
import { signInAddress } from '../shell/return-address.ts';
import { accountName, SessionController } from '../shell/session.ts';
import { refreshIcon, shareIcon } from '../styles/icons.ts';
import { shared } from '../styles/shared.ts';
import { embedLocale, language, msg, str } from '../words/words.ts';
import { NEW_COLUMNS, NEW_ROW_HEIGHT, readDraft, toDashboard } from './dashboard/draft.ts';
import { DashboardGrid } from './dashboard/grid.ts';
import { DocumentActions, type DocumentChanged } from './document-actions.ts';
import { type Access, readAccess } from './document-uses.ts';
import { trailTo } from './folder-view.ts';
import { QueryView } from './query-view.ts';
import '../parts/menu.ts';
import '../parts/page-head.ts';
import './dashboard/editor.ts';

const time = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });

type Shown =
  | { readonly at: 'folder'; readonly entries: readonly DocumentEntry[] }
  | { readonly at: 'document'; readonly opened: OpenedDocument };

/** Shows a folder of documents or one document, by the address of the page. With `?edit` a dashboard is arranged. */
export class DocumentsPage extends LitElement {
  static override properties = { isEditing: { state: true }, access: { state: true } };
  static override styles = [
    shared,
    css`
      :host { max-width: var(--wide); margin-inline: auto; padding: 24px var(--gutter) 64px; }
      .bone { height: 60vh; }
      h1 { margin: 0; font-size: 20px; line-height: 28px; font-weight: 600; }
      .notice { padding: 24px; }
    `,
  ];

  declare isEditing: boolean;
  /** Tokens and public grants, for the uses of documents. */
  declare access: Access | undefined;
  readonly #shown = new RemoteData<Shown>(this);
  #account = '';

  constructor() {
    super();
    this.isEditing = this.#isEditAddress;
    this.access = undefined;
    new SessionController(this, session, () => {
      const account = session.user ? accountName(session.user) : '';
      if (account === this.#account) return;
      this.#account = account;
      if (account !== '') void this.#read();
    });
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener('popstate', this.#moved);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener('popstate', this.#moved);
  }

  get #isEditAddress(): boolean {
    return new URLSearchParams(location.search).has('edit');
  }

  get #segments(): readonly string[] {
    return segmentsBelow(PAGES['documents-page'].path);
  }

  get #path(): string {
    return this.#segments.join('/');
  }

  readonly #moved = (): void => {
    this.isEditing = this.#isEditAddress;
    void this.#read();
  };

  async #read(): Promise<void> {
    const path = this.#path;
    const isDocument = kindOfPath(path) !== undefined;
    if (!isDocument)
      readAccess(session.client).then(
        (access) => {
          this.access = access;
        },
        // The list does without the uses.
        (error: unknown) => session.reportFailure(error),
      );
    const state = await this.#shown.read(async (signal): Promise<Shown> => {
      if (isDocument) return { at: 'document', opened: await readDocument(session.client, path, signal) };
      return { at: 'folder', entries: await readDocuments(session.client, signal) };
    });
    if (state.status === 'failed') {
      session.reportFailure(state.cause);
      if (state.cause instanceof RequestFailedError && state.cause.status === 404) forget(documentPagePath(path));
    } else if (state.status === 'ready' && state.value.at === 'document') {
      const { kind, document: content } = state.value.opened;
      const title = String(content.title);
      document.title = `${title} · service`;
      remember({ kind, title, path: documentPagePath(path) });
    }
  }

  #go(address: string): void {
    history.pushState(null, '', address);
    this.isEditing = this.#isEditAddress;
  }

  #edit(): void {
    this.#go(`${documentAddress(this.#path)}?edit`);
  }

  async #edited(): Promise<void> {
    this.#go(documentAddress(this.#path));
    await this.#read();
    await this.updateComplete;
    // The editor that had the focus is gone: the keyboard goes on where it was opened.
    if (!this.isEditing) this.renderRoot.querySelector<HTMLElement>('ui-page-head > .primary')?.focus();
  }

  #changed({ detail: { path } }: DocumentChanged): void {
    const isDocument = kindOfPath(this.#path) !== undefined;
    // A folder stays, with its new contents. A document is followed, and a deleted one leaves its folder.
    if (isDocument && path !== this.#path) {
      const folder = `${documentAddress(this.#segments.slice(0, -1).join('/'))}/`;
      history.replaceState(null, '', path === undefined ? folder : documentAddress(path));
    }
    void this.#read();
  }

  get #actions(): DocumentActions | undefined {
    const actions = this.renderRoot.querySelector('ui-document-actions');
    return actions instanceof DocumentActions ? actions : undefined;
  }

  #refresh(): void {
    for (const each of this.renderRoot.querySelectorAll('ui-query, ui-dashboard-grid'))
      if (each instanceof QueryView || each instanceof DashboardGrid) void each.refresh();
  }

  #create(): void {
    const dialog = this.renderRoot.querySelector('ui-form-dialog');
    if (!(dialog instanceof FormDialog)) return;
    const [area] = this.#segments;
    const home = `homes/${session.user?.name ?? ''}`;
    const isShared = session.user?.administrator === true && (area === 'shared' || area === undefined);
    const folder = this.#segments.length > 1 || area === 'shared' ? this.#path : isShared ? 'shared' : home;
    void dialog.ask({
      title: msg('New dashboard'),
      fields: [
        { name: 'title', label: msg('Title'), value: '' },
        { name: 'description', label: msg('Description'), value: '', isLong: true, isOptional: true },
        {
          name: 'folder',
          label: msg('Folder'),
          value: folder,
          hint: msg('shared/… is for everybody, homes/your-name/… for you.'),
        },
      ],
      action: msg('Create'),
      submit: async ({ title = '', description = '', folder: chosen = '' }) => {
        const path = `${chosen.replace(/\/+$/, '')}/${fileName(title)}.servicedash`;
        await writeDocument(
          session.client,
          path,
          {
            version: 1,
            title,
            ...(description === '' ? {} : { description }),
            layout: { columns: NEW_COLUMNS, rowHeight: NEW_ROW_HEIGHT },
            tiles: [],
          },
          'new',
        );
        this.#go(`${documentAddress(path)}?edit`);
        void this.#read();
      },
    });
  }

  #document(opened: OpenedDocument) {
    const { kind, path, updatedAt, document: content } = opened;
    const title = String(content.title);
    const entry: DocumentEntry = { path, kind, title, updatedAt };
    if (kind === 'dashboard' && this.isEditing)
      return html`<ui-dashboard-editor .opened=${opened} @done=${this.#edited}></ui-dashboard-editor>`;
    const hasDraft = kind === 'dashboard' && readDraft(path) !== undefined;
    return html`
      <ui-page-head .heading=${title} .trail=${trailTo([...path.split('/')])}>
        <p slot="note">${typeof content.description === 'string' ? html`${content.description} · ` : nothing}${msg(str`Changed ${time.format(updatedAt)}`)}${hasDraft ? html` · ${msg('You have unsaved changes')}` : nothing}</p>
        ${kind === 'ai' ? nothing : html`<button class="button" type="button" @click=${this.#refresh}>${refreshIcon}${msg('Refresh')}</button>`}
        <button class="button ${kind === 'ai' ? 'primary' : ''}" type="button" @click=${() => this.#actions?.share(entry)}>${shareIcon}${msg('Share')}</button>
        ${kind === 'dashboard' ? html`<button class="button primary" type="button" @click=${this.#edit}>${msg('Edit')}</button>` : nothing}
        ${kind === 'query' ? html`<a class="button primary" href=${exploreAddress(path)}>${msg('Edit in explorer')}</a>` : nothing}
        <ui-menu label=${msg(str`Actions for ${title}`)} .items=${this.#actions?.items(entry) ?? []}></ui-menu>
      </ui-page-head>
      ${this.#content(opened)}
    `;
  }

  #content(opened: OpenedDocument) {
    switch (opened.kind) {
      case 'query':
        return html`<ui-query .opened=${opened}></ui-query>`;
      case 'dashboard':
        return html`<ui-dashboard-grid .dashboard=${toDashboard(opened.document)}></ui-dashboard-grid>`;
      case 'ai':
        return html`<service-embed server=${origin} path=${opened.path} kind="ai" token="session" .locale=${embedLocale}></service-embed>`;
    }
  }

  #body() {
    const { user } = session;
    if (user === null)
      return html`<h1>${msg('Documents')}</h1><div class="notice"><h2>${msg('Sign in to see documents')}</h2>
        <a class="button primary" href=${signInAddress()}>${msg('Sign in')}</a></div>`;
    const { state } = this.#shown;
    // What was read for another address would be acted on under its old path.
    const isOfAddress =
      state.status !== 'ready' ||
      (state.value.at === 'document' ? state.value.opened.path === this.#path : kindOfPath(this.#path) === undefined);
    if (user === undefined || state.status === 'loading' || !isOfAddress)
      return html`<div class="bone"><span class="visually-hidden" role="status">${msg('Loading…')}</span></div>`;
    if (state.status === 'failed')
      return html`<ui-page-head .heading=${this.#segments.at(-1) ?? msg('Documents')} .trail=${trailTo(this.#segments)}></ui-page-head>
        <div class="notice failed" role="alert"><h2>${msg('This document cannot be shown')}</h2><p>${state.message}</p>
        <button class="button" type="button" @click=${this.#read}>${msg('Try again')}</button></div>`;
    const { value } = state;
    return value.at === 'document'
      ? this.#document(value.opened)
      : html`<ui-folder .entries=${value.entries} .access=${this.access} .folder=${this.#segments} .actions=${this.#actions} @create=${this.#create}></ui-folder>`;
  }

  protected override firstUpdated(): void {
    // The menus take their items from the element of the actions, which exists from now on.
    this.requestUpdate();
  }

  protected override render() {
    return html`${this.#body()}<ui-document-actions @changed=${this.#changed}></ui-document-actions><ui-form-dialog></ui-form-dialog>`;
  }
}

/** Returns a file name for a title: `Sales 2025` is `sales-2025`. */
function fileName(title: string): string {
  const name = title
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 80);
  return name === '' ? 'dashboard' : name;
}

customElements.define('ui-documents-page', DocumentsPage);
