import { html, nothing } from 'lit';
import { withBasePath } from '../api-client/base-path.ts';
import type { Client } from '../api-client/client.ts';
import { documentAddress } from '../documents/document-address.ts';
import { PAGES } from '../pages.ts';
import { formatWhen } from '../parts/format-when.ts';
import { ListPage } from '../parts/list-page.ts';
import { guardedView, remoteView } from '../parts/remote-view.ts';
import { session } from '../shell/page-context.ts';
import { formStyles } from '../styles/form-styles.ts';
import { listStyles } from '../styles/list-styles.ts';
import { shared } from '../styles/shared.ts';
import { msg, str } from '../words/words.ts';
import { type Embeds, endPublicAccess, type GrantEntry, readEmbeds, revokeToken, type TokenEntry } from './requests.ts';
import '../parts/form-dialog.ts';
import '../parts/page-head.ts';
import '../parts/section-links.ts';

/** Lists the embed tokens with their last use and the public documents, and ends them. */
export class DevelopTokens extends ListPage<Embeds> {
  static override properties = { isAll: { state: true } };
  static override styles = [shared, formStyles, listStyles];

  /** True to list expired and revoked tokens, too. */
  declare isAll: boolean;

  constructor() {
    super();
    this.isAll = false;
  }

  protected override load(client: Client, signal: AbortSignal) {
    return readEmbeds(client, session.user?.administrator === true, signal);
  }

  protected override get isAnswered(): boolean {
    return session.user !== undefined && session.user !== null;
  }

  #revoke({ id, label, path }: TokenEntry): void {
    const name = label === '' ? path : label;
    this.ask(
      {
        title: msg(str`Revoke ${name}?`),
        note: msg('Pages with this token stop showing the data at once. This cannot be undone.'),
        fields: [],
        action: msg('Revoke'),
        isDanger: true,
        submit: () => revokeToken(session.client, id),
      },
      msg(str`${name} is revoked.`),
    );
  }

  #endPublic(grant: GrantEntry): void {
    this.ask(
      {
        title: msg(str`End public access to ${grant.path}?`),
        note: msg('Pages without a token stop showing it at once.'),
        fields: [],
        action: msg('End access'),
        isDanger: true,
        submit: () => endPublicAccess(session.client, grant),
      },
      msg(str`${grant.path} is no longer public.`),
    );
  }

  #owner(owner: string) {
    return owner === session.user?.name ? nothing : html` · ${msg(str`created by ${owner}`)}`;
  }

  #token(token: TokenEntry, now: number) {
    const { label, path, owner, viewer, expiresAt, lastUsedAt } = token;
    const isActive = isActiveAt(token, now);
    return html`<li class="row">
      <span class="name">${label === '' ? html`<span class="muted">${msg('No label')}</span>` : label}
        ${isActive ? nothing : html` <span class="tag ${token.isRevoked ? 'bad' : ''}">${token.isRevoked ? msg('Revoked') : msg('Expired')}</span>`}</span>
      <span class="about"><a href=${documentAddress(path)}>${path}</a>${viewer === '' ? nothing : html` <span class="tag">${msg(str`for ${viewer}`)}</span>`}<br />
        ${lastUsedAt === undefined ? msg('never used') : msg(str`last used ${formatWhen(lastUsedAt)}`)} · ${isActive ? msg(str`expires ${formatWhen(expiresAt)}`) : msg(str`until ${formatWhen(expiresAt)}`)}${this.#owner(owner)}</span>
      <span class="end">${isActive ? html`<button class="button small" type="button" @click=${() => this.#revoke(token)}>${msg('Revoke')}<span class="visually-hidden"> ${label === '' ? path : label}</span></button>` : nothing}</span>
    </li>`;
  }

  #grant(grant: GrantEntry) {
    return html`<li class="row">
      <span class="name"><a href=${documentAddress(grant.path)}>${grant.path}</a></span>
      <span class="about">${msg(str`made public ${formatWhen(grant.createdAt)}`)}${this.#owner(grant.owner)}</span>
      <span class="end"><button class="button small" type="button" @click=${() => this.#endPublic(grant)}>${msg('End access')}<span class="visually-hidden"> ${grant.path}</span></button></span>
    </li>`;
  }

  #toggle({ currentTarget }: Event): void {
    if (currentTarget instanceof HTMLInputElement) this.isAll = currentTarget.checked;
  }

  #lists({ tokens, grants }: Embeds) {
    const now = Date.now();
    const active = tokens.filter((token) => isActiveAt(token, now));
    const shown = this.isAll ? tokens : active;
    return html`<div class="sections">
      <section aria-labelledby="tokens"><div class="section-head"><h2 id="tokens">${msg('Tokens')}</h2>
        ${tokens.length === active.length ? nothing : html`<label><input type="checkbox" .checked=${this.isAll} @change=${this.#toggle} /> ${msg('Show expired and revoked ones')}</label>`}</div>
        ${
          shown.length === 0
            ? html`<div class="empty"><h3>${msg('No active token')}</h3><p>${msg('Open a document and share it: the dialog makes a token, and the code for your page.')}</p>
                <a class="button primary" href=${withBasePath(PAGES['documents-page'].path)}>${msg('Open documents')}</a></div>`
            : html`<ul class="rows">${shown.map((token) => this.#token(token, now))}</ul>`
        }</section>
      <section aria-labelledby="public"><div class="section-head"><h2 id="public">${msg('Public documents')}</h2></div>
        ${grants.length === 0 ? html`<div class="rows"><p class="none">${msg('You have made no document public.')}</p></div>` : html`<ul class="rows">${grants.map((grant) => this.#grant(grant))}</ul>`}</section>
    </div>`;
  }

  protected override render() {
    return html`
      <ui-page-head heading=${msg('Embed tokens')}>
        <span slot="note">${msg('With a token, a page of yours shows one document. A public document needs none.')}</span>
      </ui-page-head>
      <ui-section-links current="develop-tokens"></ui-section-links>
      ${guardedView('signed-in', () =>
        remoteView(
          this.data.state,
          (embeds) => this.#lists(embeds),
          () => void this.read(),
        ),
      )}
      <ui-form-dialog></ui-form-dialog>
    `;
  }
}

function isActiveAt({ isRevoked, expiresAt }: TokenEntry, now: number): boolean {
  return !isRevoked && expiresAt.getTime() > now;
}

customElements.define('ui-develop-tokens', DevelopTokens);
