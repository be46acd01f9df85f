import { css, html, LitElement, nothing } from 'lit';
import { RemoteData } from '../api-client/remote-data.ts';
import { type DocumentVersion, readVersions, restoreVersion } from '../documents/repository.ts';
import { session } from '../shell/page-context.ts';
import { closeIcon } from '../styles/icons.ts';
import { shared } from '../styles/shared.ts';
import { language, msg, str } from '../words/words.ts';

const time = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'medium' });
const CHANGES: Readonly<Record<DocumentVersion['change'], string>> = {
  saved: msg('Saved'),
  restored: msg('Restored'),
  before: msg('Changed outside of this page'),
};

/** Lists the versions of a document and restores one. `open(path)` opens it; fires `restored`. */
export class VersionsDialog extends LitElement {
  static override properties = { path: { state: true }, failure: { state: true } };
  static override styles = [
    shared,
    css`
      dialog { width: min(560px, calc(100vw - 32px)); max-height: calc(100dvh - 32px); padding: 0; overflow: hidden; border: 1px solid var(--line); border-radius: 10px; background: var(--paper); color: var(--ink); box-shadow: var(--shade); font: 14px / 20px var(--body); }
      dialog[open] { display: grid; grid-template-rows: auto minmax(0, 1fr); }
      dialog::backdrop { background: rgb(10 16 24 / 45%); }
      .head { display: flex; justify-content: space-between; align-items: start; gap: 16px; padding: 20px 24px 12px; }
      .head p { color: var(--muted); }
      .close { width: 36px; margin: -4px -8px 0 0; padding: 0; border-color: transparent; background: none; color: var(--muted); }
      .list { overflow: auto; padding: 0 24px 24px; }
      li { display: flex; align-items: center; justify-content: space-between; gap: 12px; min-height: 52px; padding-block: 6px; border-top: 1px solid var(--line); }
      .when { font-weight: 500; }
      .who { color: var(--muted); font-size: 12px; line-height: 16px; }
      .now { color: var(--muted); font-size: 12px; }
      .bone { height: 160px; }
    `,
  ];

  declare path: string;
  declare failure: string;
  readonly #versions = new RemoteData<readonly DocumentVersion[]>(this);

  constructor() {
    super();
    this.path = '';
    this.failure = '';
  }

  async open(path: string): Promise<void> {
    this.path = path;
    this.failure = '';
    this.renderRoot.querySelector('dialog')?.showModal();
    await this.#versions.read((signal) => readVersions(session.client, path, signal));
  }

  #close(): void {
    this.renderRoot.querySelector('dialog')?.close();
  }

  async #restore({ id }: DocumentVersion): Promise<void> {
    this.failure = '';
    try {
      await restoreVersion(session.client, this.path, id);
      this.#close();
      this.dispatchEvent(new Event('restored'));
    } catch (error) {
      this.failure = error instanceof Error ? error.message : msg('Something went wrong. Try again.');
    }
  }

  #list() {
    const { state } = this.#versions;
    switch (state.status) {
      case 'loading':
        return html`<div class="bone"><span class="visually-hidden" role="status">${msg('Loading…')}</span></div>`;
      case 'failed':
        return html`<div class="notice failed" role="alert"><p>${state.message}</p></div>`;
      case 'ready':
        return state.value.length === 0
          ? html`<div class="notice"><p>${msg('This document has not been changed here yet.')}</p></div>`
          : html`<ol>${state.value.map((version) => this.#row(version))}</ol>`;
    }
  }

  #row(version: DocumentVersion) {
    const when = time.format(version.createdAt);
    return html`<li>
      <div>
        <p class="when"><time datetime=${version.createdAt.toISOString()}>${when}</time></p>
        <p class="who">${CHANGES[version.change]}${version.user === undefined ? nothing : html` · ${version.user}`}</p>
      </div>
      ${
        version.isPresent
          ? html`<span class="now">${msg('Present version')}</span>`
          : html`<button class="button" type="button" aria-label=${msg(str`Restore the version of ${when}`)} @click=${() => this.#restore(version)}>${msg('Restore')}</button>`
      }
    </li>`;
  }

  protected override render() {
    return html`<dialog aria-labelledby="title">
      <div class="head">
        <div><h2 id="title">${msg('Versions')}</h2><p>${msg('The last 50, for 90 days. Restoring one keeps the others.')}</p></div>
        <button class="button close" type="button" aria-label=${msg('Close')} @click=${this.#close}>${closeIcon}</button>
      </div>
      <div class="list" tabindex="-1">
        ${this.failure === '' ? nothing : html`<div class="notice failed" role="alert"><p>${this.failure}</p></div>`}
        ${this.path === '' ? nothing : this.#list()}
      </div>
    </dialog>`;
  }
}

customElements.define('ui-versions', VersionsDialog);
