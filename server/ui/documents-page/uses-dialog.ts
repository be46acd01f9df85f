import { css, html, LitElement, nothing } from 'lit';
import { RemoteData } from '../api-client/remote-data.ts';
import { documentAddress } from '../documents/document-address.ts';
import { type DocumentEntry, readDocuments } from '../documents/document-entries.ts';
import { Dialog } from '../parts/dialog.ts';
import { session } from '../shell/page-context.ts';
import { shared } from '../styles/shared.ts';
import { language, msg, str } from '../words/words.ts';
import { type DocumentUses, readAccess, usesOf } from './document-uses.ts';

const time = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });

/** Lists what uses a document. `open(document)` opens it; fires `share` where tokens are to be ended. */
export class UsesDialog extends LitElement {
  static override properties = { of: { state: true } };
  static override styles = [
    shared,
    css`
      section + section { margin-top: 20px; }
      h3 { margin-bottom: 4px; }
      li { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 4px 16px; padding-block: 8px; border-top: 1px solid var(--line); }
      .bone { height: 120px; }
      .acts { display: flex; justify-content: flex-end; gap: 8px; }
    `,
  ];

  declare of: DocumentEntry | undefined;
  readonly #uses = new RemoteData<DocumentUses>(this);

  constructor() {
    super();
    this.of = undefined;
  }

  async open(of: DocumentEntry): Promise<void> {
    this.of = of;
    await this.updateComplete;
    const dialog = this.#dialog;
    await dialog?.open();
    const state = await this.#uses.read(async (signal) => {
      const [entries, access] = await Promise.all([readDocuments(session.client, signal), readAccess(session.client)]);
      return usesOf(of, entries, access, new Date());
    });
    if (state.status === 'failed') session.reportFailure(state.cause);
  }

  get #dialog(): Dialog | undefined {
    const dialog = this.renderRoot.querySelector('ui-dialog');
    return dialog instanceof Dialog ? dialog : undefined;
  }

  #share(): void {
    this.#dialog?.close();
    this.dispatchEvent(new CustomEvent('share', { detail: this.of }));
  }

  #body() {
    const { state } = this.#uses;
    switch (state.status) {
      case 'loading':
        return html`<div class="bone"><span class="visually-hidden" role="status">${msg('Loading…')}</span></div>`;
      case 'failed':
        return html`<div class="notice failed" role="alert"><p>${state.message}</p></div>`;
      case 'ready':
        return this.#list(state.value);
    }
  }

  #list({ dashboards, tokens, isPublic }: DocumentUses) {
    if (dashboards.length + tokens.length === 0 && !isPublic)
      return html`<div class="notice"><p>${msg('Nothing uses this document that you may see. It can be deleted without a loss elsewhere.')}</p></div>`;
    return html`
      ${
        dashboards.length === 0
          ? nothing
          : html`<section><h3>${msg('Dashboards')}</h3><ul>${dashboards.map(({ path, title }) => html`<li><a href=${documentAddress(path)}>${title}</a><span class="muted">${path}</span></li>`)}</ul></section>`
      }
      ${
        tokens.length === 0
          ? nothing
          : html`<section><h3>${msg('Tokens of pages')}</h3><ul>${tokens.map(({ label, lastUsedAt, expiresAt }) => html`<li><span>${label === '' ? msg('Without a label') : label}</span><span class="muted">${lastUsedAt === undefined ? msg('never used') : msg(str`last used ${time.format(lastUsedAt)}`)} · ${msg(str`until ${time.format(expiresAt)}`)}</span></li>`)}</ul></section>`
      }
      ${isPublic ? html`<section><h3>${msg('Public')}</h3><p>${msg('Everybody may read it without a token.')}</p></section>` : nothing}`;
  }

  protected override render() {
    return html`<ui-dialog heading=${msg(str`What uses “${this.of?.title ?? ''}”`)}>${this.#body()}
      <div class="acts" slot="acts"><button class="button" type="button" @click=${this.#share}>${msg('Share and tokens')}</button></div></ui-dialog>`;
  }
}

customElements.define('ui-document-uses', UsesDialog);
