import { css, html, LitElement, nothing } from 'lit';
import { closeIcon } from '../styles/icons.ts';
import { shared } from '../styles/shared.ts';
import { msg } from '../words/words.ts';
import { SignInForm } from './sign-in-form.ts';
import { readRefusal, removeRefusal } from './sign-in-ways.ts';

/** Shows the sign-in form in a modal dialog. `open()` opens it; fires `signed-in` after success. */
export class SignInDialog extends LitElement {
  static override properties = { isOpen: { state: true } };
  static override styles = [
    shared,
    css`
      dialog {
        width: min(400px, calc(100vw - 32px)); padding: 28px; overflow: auto; border: 1px solid var(--line); border-radius: 10px;
        background: var(--paper); color: var(--ink); box-shadow: var(--shade); font: 16px / 1.5 var(--body);
      }
      dialog::backdrop { background: rgb(10 16 24 / 45%); }
      .head { display: flex; align-items: start; justify-content: space-between; gap: 16px; margin-bottom: 18px; }
      .head p { margin-top: 4px; color: var(--muted); font-size: 14px; }
      .close { width: 36px; margin: -6px -10px 0 0; padding: 0; border-color: transparent; background: none; color: var(--muted); }
    `,
  ];

  declare isOpen: boolean;

  constructor() {
    super();
    this.isOpen = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#showRefusal();
  }

  async open(refusal?: string): Promise<void> {
    this.isOpen = true;
    await this.updateComplete;
    const dialog = this.#dialog;
    if (dialog?.open === false) dialog.showModal();
    this.#form?.focus();
    await this.#form?.loadWays(refusal);
  }

  /** Shows once why a sign-in at the identity provider failed, after the visitor has come back. */
  async #showRefusal(): Promise<void> {
    const refusal = readRefusal(location.search);
    if (refusal === undefined) return;
    history.replaceState(history.state, '', removeRefusal(location.href));
    await this.open(refusal);
  }

  get #dialog(): HTMLDialogElement | null {
    return this.renderRoot.querySelector('dialog');
  }

  get #form(): SignInForm | undefined {
    const form = this.renderRoot.querySelector('ui-sign-in-form');
    return form instanceof SignInForm ? form : undefined;
  }

  #close(): void {
    this.#dialog?.close();
  }

  /** Removes the form: a closed dialog keeps no password. */
  #closed(): void {
    this.isOpen = false;
  }

  #signedIn(): void {
    this.#close();
    this.dispatchEvent(new Event('signed-in'));
  }

  protected override render() {
    return html`
      <dialog aria-labelledby="title" @close=${this.#closed}>
        <div class="head">
          <div>
            <h2 id="title">${msg('Sign in')}</h2>
            <p>${msg(html`The first administrator is <code>admin</code>. The server printed the password at its first start.`)}</p>
          </div>
          <button class="button close" type="button" aria-label=${msg('Close')} @click=${this.#close}>${closeIcon}</button>
        </div>
        ${this.isOpen ? html`<ui-sign-in-form @signed-in=${this.#signedIn}></ui-sign-in-form>` : nothing}
      </dialog>
    `;
  }
}

customElements.define('ui-sign-in', SignInDialog);
