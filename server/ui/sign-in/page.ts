import { css, html, LitElement } from 'lit';
import { session } from '../shell/page-context.ts';
import { returnAddress } from '../shell/return-address.ts';
import { SessionController } from '../shell/session.ts';
import { shared } from '../styles/shared.ts';
import { msg } from '../words/words.ts';
import '../shell/sign-in-form.ts';

/** Signs a visitor in, and returns to the page that sent them. A signed-in visitor goes there at once. */
export class SignInPage extends LitElement {
  static override styles = [
    shared,
    css`
      :host { display: grid; justify-items: center; padding: clamp(24px, 10vh, 96px) var(--gutter) 48px; }
      .card { width: min(400px, 100%); padding: clamp(20px, 6vw, 32px); border: 1px solid var(--line); border-radius: 10px; background: var(--paper); }
      h1 { margin: 0; font-size: 28px; line-height: 1.2; font-weight: 600; letter-spacing: -0.02em; }
      .card > p { margin: 6px 0 20px; color: var(--muted); font-size: 14px; }
    `,
  ];

  readonly #next = returnAddress();

  constructor() {
    super();
    new SessionController(this, session, () => {
      if (session.user) location.replace(this.#next);
    });
  }

  protected override firstUpdated(): void {
    void this.renderRoot.querySelector('ui-sign-in-form')?.loadWays();
  }

  protected override render() {
    return html`
      <div class="card">
        <h1>${msg('Sign in')}</h1>
        <p>${msg(html`The first administrator is <code>admin</code>. The server printed the password at its first start.`)}</p>
        <ui-sign-in-form .next=${new URL(this.#next, location.href).href}></ui-sign-in-form>
      </div>
    `;
  }
}

declare global {
  interface HTMLElementTagNameMap {
    'ui-sign-in-form': import('../shell/sign-in-form.ts').SignInForm;
  }
}

customElements.define('ui-sign-in-page', SignInPage);
