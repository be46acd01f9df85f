import { css, html, LitElement, nothing, type PropertyValues } from 'lit';
import { withBasePath } from '../api-client/base-path.ts';
import { shared } from '../styles/shared.ts';
import { msg, str } from '../words/words.ts';
import { session } from './page-context.ts';
import { describeSignInFailure } from './sign-in-message.ts';
import { buildSingleSignOnAddress, readSignInWays, type SignInWays } from './sign-in-ways.ts';

/** Shows the fields of the sign-in. Fires `signed-in` after success. */
export class SignInForm extends LitElement {
  static override properties = {
    next: {},
    failure: { state: true },
    busy: { state: true },
    ways: { state: true },
  };
  static override styles = [
    shared,
    css`
      form, .other { display: grid; gap: 16px; }
      label { display: grid; gap: 6px; font-size: 14px; font-weight: 500; }
      input {
        width: 100%; height: 44px; padding: 0 12px; border: 1px solid var(--muted); border-radius: 6px; background: var(--paper);
        color: var(--ink); font: 16px / 1.4 var(--body);
      }
      input:focus-visible { outline-offset: 0; border-color: var(--accent); border-radius: 6px; }
      input[aria-invalid='true'] { border-color: var(--bad); }
      .hint { margin-top: -10px; color: var(--muted); font-size: 13px; }
      .failure { padding: 10px 12px; border-radius: 6px; background: var(--bad-wash); color: var(--bad); font-size: 14px; }
      .failure:empty { display: none; }
      .or { display: flex; align-items: center; gap: 12px; color: var(--muted); font-size: 13px; }
      .or::before, .or::after { content: ''; flex: 1; border-top: 1px solid var(--line); }
      .button { justify-content: center; min-height: 44px; font-size: 15px; }
    `,
  ];

  /** The page that a sign-in at the identity provider leads to. */
  declare next: string;
  declare failure: string;
  declare busy: boolean;
  /** Undefined before the server's answer. */
  declare ways: SignInWays | undefined;

  constructor() {
    super();
    this.next = location.href;
    this.failure = '';
    this.busy = false;
  }

  /** Loads the ways to sign in. Without an answer the form stays: a name and a password always work. */
  async loadWays(refusal?: string): Promise<void> {
    if (this.ways !== undefined && refusal === undefined) return;
    try {
      this.ways = await readSignInWays(session.client, refusal);
      if (this.ways.refusal !== undefined) this.failure = this.ways.refusal;
    } catch (error) {
      if (refusal !== undefined) this.failure = describeSignInFailure(error);
    }
  }

  override focus(): void {
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>('[name=username]')?.focus());
  }

  async #submit(event: SubmitEvent): Promise<void> {
    event.preventDefault();
    if (this.busy || !(event.currentTarget instanceof HTMLFormElement)) return;
    const entered = new FormData(event.currentTarget);
    this.busy = true;
    this.failure = '';
    try {
      await session.signIn(String(entered.get('username') ?? ''), String(entered.get('password') ?? ''));
      this.dispatchEvent(new Event('signed-in'));
    } catch (error) {
      this.failure = describeSignInFailure(error);
    } finally {
      this.busy = false;
    }
  }

  get #isWrong(): boolean {
    return this.failure !== '' && this.failure !== this.ways?.refusal;
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has('failure') && this.#isWrong)
      this.renderRoot.querySelector<HTMLInputElement>('[name=password]')?.select();
  }

  protected override render() {
    const { singleSignOn } = this.ways ?? {};
    return html`
      <form method="post" @submit=${this.#submit}>
        <label>
          ${msg('User name')}
          <input name="username" autocomplete="username" autocapitalize="none" spellcheck="false" required autofocus
            aria-invalid=${this.#isWrong} aria-describedby="failure tenant" />
        </label>
        <p class="hint" id="tenant">${msg(html`As a user of a tenant, enter its name before yours: <code>acme/ann</code>.`)}</p>
        <label>
          ${msg('Password')}
          <input name="password" type="password" autocomplete="current-password" required aria-invalid=${this.#isWrong} aria-describedby="failure" />
        </label>
        <p class="failure" id="failure" role="alert">${this.failure}</p>
        <button class="button primary" aria-disabled=${this.busy}>${this.busy ? msg('Signing in…') : msg('Sign in')}</button>
        ${
          singleSignOn
            ? html`<div class="other">
                <p class="or">${msg('or')}</p>
                <a class="button" href=${withBasePath(buildSingleSignOnAddress(singleSignOn, this.next))}>${msg(str`Continue with ${singleSignOn.label}`)}</a>
              </div>`
            : nothing
        }
      </form>
    `;
  }
}

customElements.define('ui-sign-in-form', SignInForm);
