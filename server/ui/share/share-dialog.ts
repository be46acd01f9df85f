import { css, html, LitElement, nothing } from 'lit';
import { TOKEN_PLACEHOLDER } from '../code/snippet.ts';
import { type DocumentEntry, KIND_TITLES } from '../documents/document-entries.ts';
import { session } from '../shell/page-context.ts';
import { accountName, publicDocumentPath, SessionController } from '../shell/session.ts';
import { SignInDialog } from '../shell/sign-in-dialog.ts';
import { formStyles } from '../styles/form-styles.ts';
import { alertIcon, closeIcon } from '../styles/icons.ts';
import { shared } from '../styles/shared.ts';
import { type Appearance, DEFAULT_APPEARANCE, toEmbed } from './appearance.ts';
import { formatDateTime } from './format-time.ts';
import { type Audience, choosePreviewAccess, chooseSnippetToken, Sharing, type SharingState } from './sharing.ts';
import './access-panel.ts';
import './document-picker.ts';
import './preview.ts';
import './snippet-tabs.ts';
import './token-list.ts';
import { msg, str } from '../words/words.ts';

/** Lets the user show a document in other pages: access, look and code. `open()` opens it; fires `closed`. */
export class ShareDialog extends LitElement {
  static override properties = {
    shown: { state: true },
    sharing: { state: true },
    state: { state: true },
    audience: { state: true },
    appearance: { state: true },
    announcement: { state: true },
  };
  static override styles = [
    shared,
    formStyles,
    css`
      dialog {
        width: min(1160px, calc(100vw - 32px)); max-width: none; height: min(900px, calc(100dvh - 32px)); max-height: none; padding: 0; overflow: hidden;
        border: 1px solid var(--line); border-radius: 14px; background: var(--canvas); color: var(--ink); box-shadow: var(--shade); font: 15px / 1.5 var(--body);
      }
      dialog.picking { width: min(600px, calc(100vw - 32px)); height: min(660px, calc(100dvh - 32px)); }
      dialog[open] { display: grid; grid-template-rows: auto minmax(0, 1fr); }
      dialog::backdrop { background: rgb(10 16 24 / 45%); }
      .head { display: flex; align-items: start; justify-content: space-between; gap: 16px; padding: 20px 24px 16px; border-bottom: 1px solid var(--line); background: var(--paper); }
      .head h2 { font-size: 20px; overflow-wrap: anywhere; }
      .head h2:focus { outline: none; }
      .where { display: flex; flex-wrap: wrap; align-items: center; gap: 2px 12px; margin-top: 2px; color: var(--muted); font-size: 13px; }
      .where code { overflow-wrap: anywhere; }
      .where .button { min-height: 28px; font-size: 13px; }
      .close { flex: none; width: 36px; margin: -4px -8px 0 0; padding: 0; border-color: transparent; background: none; color: var(--muted); }
      /* What is hidden from the eye is placed against it, and not against the dialog, which would then scroll too. */
      .body { position: relative; overflow: auto; overscroll-behavior: contain; }
      .picker { padding: 20px 24px 24px; }
      .parts { display: grid; gap: 28px; padding: 20px 24px 28px; }
      .parts > div { display: grid; align-content: start; gap: 28px; min-width: 0; }
      @media (min-width: 940px) {
        .parts { grid-template-columns: minmax(340px, 5fr) minmax(0, 7fr); gap: 0; min-height: 100%; padding: 0; }
        .parts > div { padding: 20px 24px 28px; }
        .parts > div + div { border-inline-start: 1px solid var(--line); }
      }
      .refusal { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 12px; padding: 12px 24px; border-bottom: 1px solid var(--bad); background: var(--bad-wash); font-size: 14px; }
      .refusal svg { flex: none; width: 20px; height: 20px; color: var(--bad); }
      .refusal p { flex: 1 1 240px; }
      @media (max-width: 560px) {
        dialog, dialog.picking { width: 100vw; height: 100dvh; max-height: none; border: 0; border-radius: 0; margin: 0; }
        .head { padding: 14px 16px 12px; }
        .picker, .parts { padding-inline: 16px; }
        .refusal { padding-inline: 16px; }
      }
    `,
  ];

  declare shown: boolean;
  declare sharing: Sharing | undefined;
  declare state: SharingState | undefined;
  declare audience: Audience;
  declare appearance: Appearance;
  /** Text for screen readers about the last action. */
  declare announcement: string;
  /** Account of the user with these tokens. */
  #user = '';

  constructor() {
    super();
    this.shown = false;
    this.sharing = undefined;
    this.state = undefined;
    this.audience = 'token';
    this.appearance = DEFAULT_APPEARANCE;
    this.announcement = '';
    new SessionController(this, session, () => this.#sessionChanged());
  }

  /** Opens the dialog; without a document it shows the document picker first. */
  async open(document?: DocumentEntry): Promise<void> {
    this.shown = true;
    this.#user = session.user?.name ?? '';
    this.#share(document);
    await this.updateComplete;
    this.#dialog?.showModal();
    await this.#focusStart();
  }

  get #dialog(): HTMLDialogElement | null {
    return this.renderRoot.querySelector('dialog');
  }

  #share(document: DocumentEntry | undefined): void {
    this.sharing?.removeEventListener('change', this.#changed);
    this.audience = 'token';
    this.appearance = DEFAULT_APPEARANCE;
    this.announcement = '';
    this.sharing = document && new Sharing(session.client, document, (error) => session.reportFailure(error));
    this.state = this.sharing?.state;
    this.sharing?.addEventListener('change', this.#changed);
    void this.sharing?.read();
  }

  readonly #changed = (): void => {
    this.state = this.sharing?.state;
  };

  /** Moves the focus to the picker's search field, or to the title of the document. */
  async #focusStart(): Promise<void> {
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>(this.sharing === undefined ? 'ui-document-picker' : 'h2')?.focus();
  }

  async #pick({ detail }: CustomEvent<DocumentEntry>): Promise<void> {
    this.#share(detail);
    await this.#focusStart();
  }

  async #pickAnother(): Promise<void> {
    this.#share(undefined);
    await this.#focusStart();
  }

  #close(): void {
    this.#dialog?.close();
  }

  /** Forgets the document: a closed dialog keeps no token. */
  #closed(): void {
    this.#share(undefined);
    this.shown = false;
    this.dispatchEvent(new Event('closed'));
  }

  #sessionChanged(): void {
    const { user } = session;
    if (!this.shown || !user) return;
    if (accountName(user) !== this.#user) this.sharing?.forget();
    this.#user = accountName(user);
    void this.sharing?.read();
  }

  /** Reads the tokens again after the first read with a new token, so that the list shows its use. */
  #previewLoaded(): void {
    if (this.audience === 'token' && this.sharing?.mintedEntry?.lastUsedAt === undefined) void this.sharing?.read();
  }

  #openSignIn(): void {
    const dialog = this.renderRoot.querySelector('ui-sign-in');
    if (dialog instanceof SignInDialog) dialog.open();
  }

  async #signedIn(): Promise<void> {
    this.announcement = msg(str`Signed in as ${session.user ? accountName(session.user) : ''}.`);
    await this.#focusStart();
  }

  #chooseAudience({ detail }: CustomEvent<Audience>): void {
    this.audience = detail;
  }

  #chooseAppearance({ detail }: CustomEvent<Appearance>): void {
    this.appearance = detail;
  }

  #done({ detail }: CustomEvent<string>): void {
    this.announcement = detail;
  }

  #errorMessage() {
    const error = this.state?.error;
    if (session.user === null)
      return html`<div class="refusal" role="alert">${alertIcon}<p><b>${msg('You are no longer signed in.')}</b> ${msg('Sign in to continue. Your choices are kept.')}</p>
        <button class="button" type="button" @click=${this.#openSignIn}>${msg('Sign in')}</button></div>`;
    if (error === undefined || error.kind === 'signed-out') return nothing;
    return html`<div class="refusal" role="alert">${alertIcon}<p><b>${error.title}.</b> ${error.message}</p></div>`;
  }

  /** Returns the document with the path that a page uses: without a token, the path contains the tenant. */
  #embedded(document: DocumentEntry): DocumentEntry {
    const { user } = session;
    return this.audience === 'public' && user
      ? { ...document, path: publicDocumentPath(user, document.path) }
      : document;
  }

  #parts(sharing: Sharing, state: SharingState) {
    const { audience, appearance } = this;
    const document = this.#embedded(sharing.document);
    return html`
      <div class="parts">
        <div>
          <ui-share-access .sharing=${sharing} .state=${state} .audience=${audience} @audience=${this.#chooseAudience} @done=${this.#done}></ui-share-access>
          <ui-share-tokens .sharing=${sharing} .state=${state} @done=${this.#done}></ui-share-tokens>
        </div>
        <div>
          <ui-share-preview .document=${document} .access=${choosePreviewAccess(state, audience)} .revision=${state.revision} .appearance=${appearance} .hint=${describePreview(state, audience)} @appearance=${this.#chooseAppearance} @service-load=${this.#previewLoaded}></ui-share-preview>
          <ui-share-snippet .embed=${toEmbed(document, appearance, chooseSnippetToken(state, audience))} .of=${document.title} .note=${describeToken(state, audience)}></ui-share-snippet>
        </div>
      </div>
    `;
  }

  #head(document: DocumentEntry | undefined) {
    return html`
      <div class="head">
        <div>
          <h2 id="title" tabindex="-1">${document === undefined ? msg('Share') : msg(str`Share “${document.title}”`)}</h2>
          ${
            document === undefined
              ? html`<p class="where">${msg('Show a saved query, a dashboard or an ask box in your own page.')}</p>`
              : html`<p class="where"><span>${KIND_TITLES[document.kind]}</span><code>${document.path}</code>
                  <button class="button plain" type="button" @click=${this.#pickAnother}>${msg('Choose another')}</button></p>`
          }
        </div>
        <button class="button close" type="button" aria-label=${msg('Close')} @click=${this.#close}>${closeIcon}</button>
      </div>
    `;
  }

  protected override render() {
    const { sharing, state } = this;
    return html`
      <dialog class=${sharing === undefined ? 'picking' : ''} aria-labelledby="title" @close=${this.#closed}>
        ${
          this.shown
            ? html`
              <div>${this.#head(sharing?.document)}${this.#errorMessage()}<span class="visually-hidden" role="status">${this.announcement}</span></div>
              <div class="body">${
                sharing === undefined || state === undefined
                  ? html`<div class="picker"><ui-document-picker @pick=${this.#pick}></ui-document-picker></div>`
                  : this.#parts(sharing, state)
              }</div>`
            : nothing
        }
      </dialog>
      ${this.shown ? html`<ui-sign-in @signed-in=${this.#signedIn}></ui-sign-in>` : nothing}
    `;
  }
}

/** Explains why the preview shows nothing, or shows an error. */
function describePreview({ minted, publicAccess }: SharingState, audience: Audience): string {
  if (audience === 'token') {
    if (minted === undefined) return msg('Create a token to see a preview. Earlier tokens cannot be shown again.');
    return minted.revoked ? msg('The token is revoked. Visitors now see this.') : '';
  }
  if (publicAccess.of === 'nobody') return msg('Make the document public to see it here.');
  return publicAccess.of === 'ended' ? msg('The document is no longer public. Visitors now see this.') : '';
}

/** Explains the token in the code. */
function describeToken({ minted, publicAccess }: SharingState, audience: Audience): string {
  if (audience === 'token')
    return minted === undefined || minted.revoked
      ? msg(str`Replace ${TOKEN_PLACEHOLDER} with a token. A token that you create here is filled in.`)
      : msg(
          str`Contains your new token. Everybody with the token can read this document until ${formatDateTime(minted.expiresAt)}.`,
        );
  return publicAccess.of === 'user' || publicAccess.of === 'another'
    ? ''
    : msg('This code works once the document is public.');
}

customElements.define('ui-share', ShareDialog);
