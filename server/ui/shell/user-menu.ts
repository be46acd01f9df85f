import { css, html, LitElement, nothing } from 'lit';
import { downIcon, userIcon } from '../styles/icons.ts';
import { shared } from '../styles/shared.ts';
import { chooseLanguage, languageName } from '../words/language.ts';
import { LANGUAGES, language, msg, str } from '../words/words.ts';
import { session } from './page-context.ts';
import { roleTitle } from './role-title.ts';
import { accountName, type User } from './session.ts';

/** Shows the signed-in user, with a popover of their roles, the language and the sign-out. Fires `signed-out`, and `view-as` where an administrator wants to view as somebody else. */
export class UserMenu extends LitElement {
  static override properties = { user: { attribute: false }, failure: { state: true } };
  static override styles = [
    shared,
    css`
      :host { position: relative; }
      .opener { max-width: 200px; }
      .opener span { overflow: hidden; text-overflow: ellipsis; }
      .panel {
        position: fixed; inset: calc(var(--header) + 4px) 16px auto auto; width: min(300px, calc(100vw - 32px)); margin: 0; padding: 16px; border: 1px solid var(--line); border-radius: 10px;
        background: var(--paper); color: var(--ink); box-shadow: var(--shade); font: 14px / 20px var(--body);
      }
      .panel:popover-open { display: grid; gap: 12px; }
      .name { font-weight: 600; overflow-wrap: anywhere; }
      .panel .button { width: 100%; }
      label { display: grid; gap: 4px; font-weight: 500; }
      select { height: 36px; padding: 0 8px; border: 1px solid var(--muted); border-radius: 6px; background: var(--paper); color: var(--ink); font: inherit; }
      .failure { color: var(--bad); }
      @media (max-width: 680px) { .opener { width: 36px; padding: 0; } .opener span, .opener svg + span + svg { display: none; } }
    `,
  ];

  declare user: User | undefined;
  declare failure: string;

  constructor() {
    super();
    this.user = undefined;
    this.failure = '';
  }

  async #signOut(): Promise<void> {
    this.failure = '';
    try {
      await session.signOut();
      this.dispatchEvent(new Event('signed-out', { bubbles: true, composed: true }));
    } catch (error) {
      this.failure = error instanceof Error ? error.message : msg('Signing out failed. Try again.');
    }
  }

  #viewAs(): void {
    this.dispatchEvent(new Event('view-as'));
  }

  #chose({ currentTarget }: Event): void {
    if (currentTarget instanceof HTMLSelectElement) chooseLanguage(currentTarget.value);
  }

  protected override render() {
    const { user } = this;
    if (user === undefined) return '';
    const account = accountName(user);
    return html`
      <button class="button opener" type="button" popovertarget="panel" aria-label=${msg(str`Account of ${account}`)}>${userIcon}<span>${account}</span>${downIcon}</button>
      <div class="panel" id="panel" popover>
        <div>
          <p class="name"><span class="visually-hidden">${msg('Signed in as')} </span>${account}</p>
          <p class="muted">${user.roles.length === 0 ? msg('No roles') : user.roles.map(roleTitle).join(', ')}</p>
        </div>
        <label>${msg('Language')}
          <select @change=${this.#chose}>${LANGUAGES.map((each) => html`<option value=${each} lang=${each} ?selected=${each === language}>${languageName(each)}</option>`)}</select>
        </label>
        ${
          user.administrator && session.client.viewAs === undefined
            ? html`<button class="button" type="button" popovertarget="panel" popovertargetaction="hide" @click=${this.#viewAs}>${msg('View as…')}</button>`
            : nothing
        }
        <button class="button" type="button" @click=${this.#signOut}>${msg('Sign out')}</button>
        <p class="failure" role="alert" ?hidden=${this.failure === ''}>${this.failure}</p>
      </div>
    `;
  }
}

customElements.define('ui-user-menu', UserMenu);
