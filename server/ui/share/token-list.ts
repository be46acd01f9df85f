import { css, html, LitElement, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { formStyles } from '../styles/form-styles.ts';
import { shared } from '../styles/shared.ts';
import { formatDateTime, formatRelativeTime } from './format-time.ts';
import { determineTokenStatus, filterTokens, type Sharing, type SharingState, type TokenStatus } from './sharing.ts';
import type { TokenEntry } from './tokens-and-grants.ts';
import './confirm-button.ts';
import { msg, str } from '../words/words.ts';

const COLLAPSED_ROW_LIMIT = 5;
const STATUS: Readonly<Record<TokenStatus, { readonly title: string; readonly tone: string; readonly until: string }>> =
  {
    active: { title: msg('Active'), tone: 'good', until: msg('Expires') },
    expired: { title: msg('Expired'), tone: 'calm', until: msg('Expired') },
    revoked: { title: msg('Revoked'), tone: 'bad', until: msg('Would have expired') },
  };

/**
 * Lists the tokens of the document, the active ones first. At the token limit it lists the active tokens of all
 * documents, because the user must revoke one. Fires `done` with a text to announce.
 */
export class TokenList extends LitElement {
  static override properties = { sharing: { attribute: false }, state: { attribute: false }, all: { state: true } };
  static override styles = [
    shared,
    formStyles,
    css`
      h3 small { color: var(--muted); font-size: 13px; font-weight: 400; }
      .rows { margin-top: 10px; border: 1px solid var(--line); border-radius: 10px; background: var(--paper); overflow: hidden; }
      li { display: grid; grid-template-columns: minmax(0, 1fr) auto; align-items: center; gap: 2px 12px; padding: 10px 12px 10px 14px; }
      li + li { border-top: 1px solid var(--line); }
      .name { display: flex; flex-wrap: wrap; align-items: center; gap: 2px 8px; font-size: 14px; font-weight: 550; overflow-wrap: anywhere; }
      .name .none { color: var(--muted); font-weight: 400; }
      .status { padding: 1px 8px; border-radius: 999px; background: var(--sunken); color: var(--muted); font-size: 12px; font-weight: 600; }
      .status.good { background: var(--good-wash); color: var(--good); }
      .status.bad { background: var(--bad-wash); color: var(--bad); }
      .facts { grid-column: 1; display: flex; flex-wrap: wrap; gap: 0 12px; color: var(--muted); font-size: 13px; }
      .facts code { overflow-wrap: anywhere; }
      ui-confirm { grid-column: 2; grid-row: 1 / span 2; }
      ui-confirm[asking] { grid-column: 1 / -1; grid-row: auto; margin-top: 6px; }
      .notice { margin-top: 10px; padding: 14px 16px; font-size: 14px; }
      .more { margin-top: 10px; }
      .bone { height: 64px; margin-top: 10px; }
    `,
  ];

  declare sharing: Sharing | undefined;
  declare state: SharingState | undefined;
  declare all: boolean;

  constructor() {
    super();
    this.sharing = undefined;
    this.state = undefined;
    this.all = false;
  }

  #showAll(): void {
    this.all = true;
  }

  #readAgain(): void {
    void this.sharing?.read();
  }

  async #revoke(token: TokenEntry): Promise<void> {
    if (!(await this.sharing?.revoke(token))) return;
    this.dispatchEvent(new CustomEvent('done', { detail: msg(str`The token ${token.label} is revoked.`) }));
    await this.updateComplete;
    // The focused button has disappeared.
    this.renderRoot.querySelector<HTMLElement>('h3')?.focus();
  }

  #row(token: TokenEntry, now: Date, elsewhere: boolean, pendingAction: SharingState['pendingAction']) {
    const status = determineTokenStatus(token, now);
    const { title, tone, until } = STATUS[status];
    const named =
      token.label === '' ? msg(str`without a label, created ${formatDateTime(token.createdAt)}`) : token.label;
    return html`
      <li>
        <p class="name">${token.label === '' ? html`<span class="none">${msg('No label')}</span>` : token.label}
          <span class="status ${tone}">${title}</span></p>
        <p class="facts">
          ${elsewhere ? html`<code>${token.path}</code>` : nothing}
          <span>${until} <time datetime=${token.expiresAt.toISOString()}>${formatDateTime(token.expiresAt)}</time></span>
          <span>${token.lastUsedAt === undefined ? msg('Never used') : html`${msg('Last used')} ${relativeTime(token.lastUsedAt, now)}`}</span>
        </p>
        ${
          status === 'active'
            ? html`<ui-confirm caption=${msg('Revoke')} .label=${` ${msg(str`the token ${named}`)}`} question=${msg('Pages that use this token stop showing the data at once. This cannot be undone.')}
                ?busy=${pendingAction === 'revoking'} @confirmed=${() => this.#revoke(token)}></ui-confirm>`
            : nothing
        }
      </li>
    `;
  }

  #rows({ tokens, error, pendingAction }: SharingState) {
    const { sharing } = this;
    if (sharing === undefined) return nothing;
    const now = new Date();
    const isActive = (token: TokenEntry): boolean => determineTokenStatus(token, now) === 'active';
    const full = error?.kind === 'limit';
    const documentTokens = filterTokens(tokens, sharing.document);
    const listed = full
      ? tokens.filter(isActive)
      : [...documentTokens.filter(isActive), ...documentTokens.filter((token) => !isActive(token))];
    if (listed.length === 0) return html`<p class="notice">${msg('No tokens yet.')}</p>`;
    const shown = this.all ? listed : listed.slice(0, COLLAPSED_ROW_LIMIT);
    return html`
      ${full ? html`<p class="hint">${msg('Your active tokens of all documents. Revoke one to create another.')}</p>` : nothing}
      <ul class="rows">${repeat(
        shown,
        ({ id }) => id,
        (token) => this.#row(token, now, full && !documentTokens.includes(token), pendingAction),
      )}</ul>
      ${listed.length > shown.length ? html`<button class="button more" type="button" @click=${this.#showAll}>${msg(str`Show all ${listed.length}`)}</button>` : nothing}
    `;
  }

  #content(state: SharingState) {
    if (state.listing === 'read') return this.#rows(state);
    if (state.listing === 'reading')
      return html`<div class="bone"><span class="visually-hidden">${msg('Loading the tokens…')}</span></div>`;
    return html`<div class="notice failed" role="alert"><p>${msg('The tokens could not be loaded.')} ${state.listing.message}</p>
      <button class="button" type="button" @click=${this.#readAgain}>${msg('Try again')}</button></div>`;
  }

  protected override render() {
    const { state } = this;
    if (state === undefined) return nothing;
    return html`<h3 tabindex="-1">${state.error?.kind === 'limit' ? msg('Your tokens') : msg('Tokens of this document')}</h3>${this.#content(state)}`;
  }
}

function relativeTime(at: Date, now: Date) {
  return html`<time datetime=${at.toISOString()} title=${formatDateTime(at)}>${formatRelativeTime(at, now)}</time>`;
}

customElements.define('ui-share-tokens', TokenList);
