import { css, html, LitElement, nothing, type PropertyValues } from 'lit';
import { withBasePath } from '../api-client/base-path.ts';
import { closeIcon } from '../styles/icons.ts';
import { shared } from '../styles/shared.ts';
import { session } from './page-context.ts';
import { describeSignInFailure } from './sign-in-message.ts';
import {
  buildSingleSignOnAddress,
  readRefusal,
  readSignInWays,
  removeRefusal,
  type SignInWays,
} from './sign-in-ways.ts';

/** Shows the sign-in form in a modal dialog. `open()` opens it; fires `signed-in` after success. */
export class SignInDialog extends LitElement {
  static override properties = { failure: { state: true }, busy: { state: true }, ways: { state: true } };
  static override styles = [
    shared,
    css`
      dialog {
        width: min(400px, calc(100vw - 32px)); padding: 0; overflow: auto; border: 1px solid var(--line); border-radius: 14px;
        background: var(--paper); color: var(--ink); box-shadow: var(--shade); font: 16px / 1.5 var(--body);
      }
      dialog::backdrop { background: rgb(10 16 24 / 45%); }
      form { display: grid; gap: 18px; padding: 28px; }
      .head { display: flex; align-items: start; justify-content: space-between; gap: 16px; }
      .head p { margin-top: 4px; color: var(--muted); font-size: 14px; }
      .close { width: 36px; margin: -6px -10px 0 0; padding: 0; border-color: transparent; background: none; color: var(--muted); }
      label { display: grid; gap: 6px; font-size: 14px; font-weight: 550; }
      input {
        width: 100%; height: 44px; padding: 0 12px; border: 1px solid var(--muted); border-radius: 8px; background: var(--canvas);
        color: var(--ink); font: 16px / 1.4 var(--body);
      }
      input:focus-visible { outline-offset: 0; border-color: var(--accent); border-radius: 8px; }
      input[aria-invalid='true'] { border-color: var(--bad); }
      .hint { margin-top: -10px; color: var(--muted); font-size: 13px; }
      .failure { padding: 10px 12px; border-radius: 8px; background: var(--bad-wash); color: var(--bad); font-size: 14px; }
      .failure:empty { display: none; }
      .other { display: grid; gap: 18px; }
      .or { display: flex; align-items: center; gap: 12px; color: var(--muted); font-size: 13px; }
      .or::before, .or::after { content: ''; flex: 1; border-top: 1px solid var(--line); }
      .other .button { justify-content: center; min-height: 44px; font-size: 15px; }
      .button.primary { min-height: 44px; font-size: 15px; }
    `,
  ];

  declare failure: string;
  declare busy: boolean;
  /** Undefined before the server's answer. */
  declare ways: SignInWays | undefined;

  constructor() {
    super();
    this.failure = '';
    this.busy = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#showRefusal();
  }

  open(): void {
    this.failure = '';
    this.#dialog?.showModal();
    void this.#loadWays();
  }

  /** Shows once why a sign-in at the identity provider failed, after the visitor has come back. */
  async #showRefusal(): Promise<void> {
    const refusal = readRefusal(location.search);
    if (refusal === undefined) return;
    history.replaceState(history.state, '', removeRefusal(location.href));
    await this.updateComplete;
    this.#dialog?.showModal();
    await this.#loadWays(refusal);
  }

  /** Loads the ways to sign in. Without an answer the form stays: a name and a password always work. */
  async #loadWays(refusal?: string): Promise<void> {
    if (this.ways !== undefined && refusal === undefined) return;
    try {
      this.ways = await readSignInWays(session.client, refusal);
      if (this.ways.refusal !== undefined) this.failure = this.ways.refusal;
    } catch (error) {
      if (refusal !== undefined) this.failure = describeSignInFailure(error);
    }
  }

  get #dialog(): HTMLDialogElement | null {
    return this.renderRoot.querySelector('dialog');
  }

  get #form(): HTMLFormElement | null {
    return this.renderRoot.querySelector('form');
  }

  #close(): void {
    this.#dialog?.close();
  }

  /** Clears the form: a closed dialog keeps no password. */
  #closed(): void {
    this.#form?.reset();
    this.failure = '';
  }

  async #submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    const form = this.#form;
    if (this.busy || form === null) return;
    const entered = new FormData(form);
    this.busy = true;
    this.failure = '';
    try {
      await session.signIn(String(entered.get('username') ?? ''), String(entered.get('password') ?? ''));
      this.#close();
      this.dispatchEvent(new Event('signed-in'));
    } catch (error) {
      this.failure = describeSignInFailure(error);
    } finally {
      this.busy = false;
    }
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has('failure') && this.failure !== '' && this.failure !== this.ways?.refusal)
      this.renderRoot.querySelector<HTMLInputElement>('[name=password]')?.select();
  }

  protected override render() {
    const wrong = this.failure !== '' && this.failure !== this.ways?.refusal;
    const { singleSignOn } = this.ways ?? {};
    return html`
      <dialog aria-labelledby="title" @close=${this.#closed}>
        <form method="post" @submit=${this.#submit}>
          <div class="head">
            <div>
              <h2 id="title">Sign in</h2>
              <p>The first administrator is <code>admin</code>. The server printed the password at its first start.</p>
            </div>
            <button class="button close" type="button" aria-label="Close" @click=${this.#close}>${closeIcon}</button>
          </div>
          <label>
            User name
            <input name="username" autocomplete="username" autocapitalize="none" spellcheck="false" required autofocus
              aria-invalid=${wrong} aria-describedby="failure tenant" />
          </label>
          <p class="hint" id="tenant">As a user of a tenant, enter its name before yours: <code>acme/ann</code>.</p>
          <label>
            Password
            <input name="password" type="password" autocomplete="current-password" required aria-invalid=${wrong} aria-describedby="failure" />
          </label>
          <p class="failure" id="failure" role="alert">${this.failure}</p>
          <button class="button primary" aria-disabled=${this.busy}>${this.busy ? 'Signing in…' : 'Sign in'}</button>
          ${
            singleSignOn
              ? html`<div class="other">
                  <p class="or">or</p>
                  <a class="button" href=${withBasePath(buildSingleSignOnAddress(singleSignOn, location.href))}>Continue with ${singleSignOn.label}</a>
                </div>`
              : nothing
          }
        </form>
      </dialog>
    `;
  }
}

customElements.define('ui-sign-in', SignInDialog);
