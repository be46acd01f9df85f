import { css, html, LitElement, nothing } from 'lit';
import { addressBelow, withBasePath } from '../api-client/base-path.ts';
import { documentAddress } from '../documents/document-address.ts';
import { type DocumentEntry, KIND_TITLES } from '../documents/document-entries.ts';
import { kindIcon } from '../documents/kind-icon.ts';
import { PAGES } from '../pages.ts';
import { formStyles } from '../styles/form-styles.ts';
import { documentsIcon, plusIcon } from '../styles/icons.ts';
import { shared } from '../styles/shared.ts';
import { language, msg, str } from '../words/words.ts';
import type { DocumentActions } from './document-actions.ts';
import { DocumentPreview } from './document-preview.ts';
import { type Access, usesOf, usesWords } from './document-uses.ts';
import { folderContents } from './folder-contents.ts';
import '../parts/menu.ts';
import '../parts/page-head.ts';

const date = new Intl.DateTimeFormat(language, { dateStyle: 'medium' });

/** Shows the documents of a folder, with a search over all below it. Fires `create` for a new dashboard. */
export class FolderView extends LitElement {
  static override properties = {
    entries: { attribute: false },
    folder: { attribute: false },
    actions: { attribute: false },
    access: { attribute: false },
    text: { state: true },
  };
  static override styles = [
    shared,
    formStyles,
    css`
      .search { max-width: 440px; margin-bottom: 16px; }
      .table { border: 1px solid var(--line); border-radius: 10px; background: var(--paper); overflow: hidden; }
      .row { display: grid; grid-template-columns: 20px minmax(0, 3fr) minmax(0, 0.8fr) minmax(0, 0.8fr) minmax(0, 1.6fr) minmax(0, 1.2fr) 44px; align-items: center; gap: 12px; min-height: 40px; padding: 2px 4px 2px 16px; }
      .row + .row { border-top: 1px solid var(--line); }
      .row:hover { background: var(--sunken); }
      .row > svg { width: 20px; height: 20px; color: var(--muted); }
      .row a { overflow: hidden; color: var(--ink); font-weight: 500; text-overflow: ellipsis; text-decoration: none; white-space: nowrap; }
      .row a:hover { color: var(--accent); text-decoration: underline; }
      .cell { overflow: hidden; color: var(--muted); text-overflow: ellipsis; white-space: nowrap; }
      .head { min-height: 36px; color: var(--muted); font-size: 12px; font-weight: 600; }
      .head:hover { background: none; }
      @media (max-width: 860px) {
        .row { grid-template-columns: 20px minmax(0, 1fr) minmax(0, auto) 44px; }
        .kind, .owner, .uses { display: none; }
      }
    `,
  ];

  declare entries: readonly DocumentEntry[];
  declare folder: readonly string[];
  declare actions: DocumentActions | undefined;
  /** Tokens and public grants; undefined until they are read. */
  declare access: Access | undefined;
  declare text: string;

  constructor() {
    super();
    this.entries = [];
    this.folder = [];
    this.actions = undefined;
    this.access = undefined;
    this.text = '';
  }

  #typed({ currentTarget }: InputEvent): void {
    if (currentTarget instanceof HTMLInputElement) this.text = currentTarget.value;
  }

  #create(): void {
    this.dispatchEvent(new Event('create'));
  }

  get #preview(): DocumentPreview | undefined {
    const preview = this.renderRoot.querySelector('ui-document-preview');
    return preview instanceof DocumentPreview ? preview : undefined;
  }

  #documentRow(entry: DocumentEntry) {
    const folder = entry.path.split('/').slice(0, -1);
    const show = ({ currentTarget }: Event) => {
      if (currentTarget instanceof Element) this.#preview?.show(entry, currentTarget);
    };
    const hide = () => this.#preview?.hide();
    return html`<div class="row" role="listitem">
      ${kindIcon(entry.kind)}
      <a href=${documentAddress(entry.path)} @pointerenter=${show} @focus=${show} @pointerleave=${hide} @blur=${hide} @keydown=${(event: KeyboardEvent) => event.key === 'Escape' && hide()}>${entry.title}${this.text === '' ? nothing : html`<span class="muted"> · ${folder.join(' / ')}</span>`}</a>
      <span class="cell kind">${KIND_TITLES[entry.kind]}</span>
      <span class="cell owner">${ownerOf(entry)}</span>
      <span class="cell uses">${this.access === undefined ? nothing : usesWords(usesOf(entry, this.entries, this.access, new Date()))}</span>
      <time class="cell" datetime=${entry.updatedAt.toISOString()} title=${changeWords(entry)}>${changeWords(entry)}</time>
      <ui-menu label=${msg(str`Actions for ${entry.title}`)} .items=${this.actions?.items(entry) ?? []}></ui-menu>
    </div>`;
  }

  #folderRow(name: string, count: number) {
    return html`<div class="row" role="listitem">
      ${documentsIcon}
      <a href=${addressBelow(PAGES['documents-page'].path, [...this.folder, name])}>${name}</a>
      <span class="cell kind">${msg('folder')}</span><span class="cell owner"></span><span class="cell uses"></span>
      <span class="cell">${count === 1 ? msg('1 document') : msg(str`${count} documents`)}</span><span></span>
    </div>`;
  }

  protected override render() {
    const { folders, documents } = folderContents(this.entries, this.folder, this.text);
    const isEmpty = folders.length + documents.length === 0;
    return html`
      <ui-page-head .heading=${this.folder.at(-1) ?? msg('Documents')} .trail=${trailTo(this.folder)}>
        <button class="button primary" type="button" @click=${this.#create}>${plusIcon}${msg('New dashboard')}</button>
      </ui-page-head>
      <input class="input search" type="search" aria-label=${msg('Search documents')} placeholder=${msg('Search documents')} @input=${this.#typed} />
      <p class="visually-hidden" role="status">${this.text === '' ? '' : msg(str`${documents.length} found`)}</p>
      ${
        isEmpty
          ? html`<div class="notice"><h2>${this.text === '' ? msg('No documents yet') : msg('No document has these words')}</h2>
              <p>${this.text === '' ? msg('Dashboards and saved queries appear here. Publish a model to get the first ones, or arrange a dashboard.') : msg('Try fewer words, or part of the title.')}</p></div>`
          : html`<div class="table">
              <div class="row head" aria-hidden="true"><span></span><span>${msg('Name')}</span><span class="kind">${msg('Kind')}</span><span class="owner">${msg('Owner')}</span><span class="uses">${msg('Used in')}</span><span>${msg('Last change')}</span><span></span></div>
              <div role="list" aria-label=${msg('Documents')}>
                ${folders.map(({ name, count }) => this.#folderRow(name, count))}${documents.map((entry) => this.#documentRow(entry))}
              </div>
            </div>`
      }
      <ui-document-preview></ui-document-preview>
    `;
  }
}

/** Returns the breadcrumb to what is in `folder`. */
export function trailTo(folder: readonly string[]) {
  const { path } = PAGES['documents-page'];
  if (folder.length === 0) return [];
  return [
    { title: msg('Documents'), address: withBasePath(path) },
    ...folder
      .slice(0, -1)
      .map((name, index) => ({ title: name, address: addressBelow(path, folder.slice(0, index + 1)) })),
  ];
}

/** Returns the owner of a document: a user of their own folder, or everybody for a shared one. */
function ownerOf({ path }: DocumentEntry): string {
  const [area, user = ''] = path.split('/');
  return area === 'homes' ? user : msg('shared');
}

function changeWords({ updatedAt, changedBy }: DocumentEntry): string {
  const day = date.format(updatedAt);
  return changedBy === undefined ? day : msg(str`${day} by ${changedBy}`);
}

customElements.define('ui-folder', FolderView);
