import { css, html, LitElement } from 'lit';
import { RequestFailedError } from '../api-client/client.ts';
import { RemoteData } from '../api-client/remote-data.ts';
import { documentPagePath } from '../documents/document-address.ts';
import { type DocumentEntry, readDocuments } from '../documents/document-entries.ts';
import { origin, session } from '../shell/page-context.ts';
import { forget, remember } from '../shell/recent.ts';
import { accountName, SessionController } from '../shell/session.ts';
import { shared } from '../styles/shared.ts';
import { embedLocale, msg, str } from '../words/words.ts';

/**
 * Shows the document in the address (`?path=shared/shop/overview.servicedash`) to signed-in users who may read it. The
 * embed reads with their session: a token for each view would use up the tokens that a user may have.
 */
export class ViewPage extends LitElement {
  static override styles = [
    shared,
    css`
      :host { max-width: var(--wide); margin-inline: auto; padding: 24px var(--gutter) 64px; }
      h1 { margin: 0 0 20px; font-size: clamp(24px, 3vw, 32px); font-weight: 680; line-height: 1.15; letter-spacing: -0.025em; overflow-wrap: anywhere; }
      .bone { height: 60vh; border-radius: 14px; }
      h2 { font-size: 18px; }
      .notice { padding: clamp(20px, 4vw, 36px); }
    `,
  ];

  readonly #opened = new RemoteData<DocumentEntry>(this);
  readonly #path = new URLSearchParams(location.search).get('path') ?? '';
  #user = '';

  constructor() {
    super();
    new SessionController(this, session, () => void this.#open());
  }

  async #open(): Promise<void> {
    const { user, client } = session;
    if (!user || accountName(user) === this.#user) return;
    this.#user = accountName(user);
    const state = await this.#opened.read(async (signal) => {
      const document = (await readDocuments(client, signal)).find(({ path }) => path === this.#path);
      if (document === undefined)
        throw new Error(msg(str`The document ${this.#path} does not exist, or you may not read it.`));
      return document;
    });
    const path = documentPagePath(this.#path);
    if (state.status === 'failed') {
      session.reportFailure(state.cause);
      // The document is gone; a failed request says nothing about it.
      if (!(state.cause instanceof RequestFailedError)) forget(path);
    } else if (state.status === 'ready') {
      document.title = `${state.value.title} · service`;
      remember({ kind: state.value.kind, title: state.value.title, path });
    }
  }

  protected override render() {
    if (session.user === null)
      return html`<h1>${this.#path}</h1><div class="notice"><h2>${msg('Sign in to see this document')}</h2><p>${msg('Only users with access can see it.')}</p></div>`;
    const { state } = this.#opened;
    switch (state.status) {
      case 'loading':
        return html`<div class="bone"><span class="visually-hidden" role="status">${msg('Opening…')}</span></div>`;
      case 'failed':
        return html`<h1>${this.#path}</h1><div class="notice failed" role="alert"><h2>${msg('This document cannot be shown')}</h2><p>${state.message}</p></div>`;
      case 'ready': {
        const document = state.value;
        return html`<h1>${document.title}</h1>
          <h2 class="visually-hidden">${msg('Content')}</h2>
          <service-embed server=${origin} path=${document.path} kind=${document.kind} token="session" render=${document.kind === 'dashboard' ? 'table' : 'chart'} .locale=${embedLocale}></service-embed>`;
      }
    }
  }
}

customElements.define('ui-view', ViewPage);
