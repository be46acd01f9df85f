import { css, html, LitElement, nothing } from 'lit';
import { withBasePath } from '../api-client/base-path.ts';
import { PAGE_LIST, PAGES, type PageName } from '../pages.ts';
import { markIcon } from '../styles/icons.ts';
import { shared } from '../styles/shared.ts';
import { session } from './page-context.ts';
import { accountName, SessionController, type User } from './session.ts';
import { SignInDialog } from './sign-in-dialog.ts';
import './theme-switch.ts';

/** Shows the bar on top of every page: navigation, theme and signed-in user. */
export class TopBar extends LitElement {
  static override properties = { current: {}, announcement: { state: true } };
  static override styles = [
    shared,
    css`
      :host { border-bottom: 1px solid var(--line); background: var(--paper); font: 15px / 1.4 var(--body); }
      .skip {
        position: absolute; inset-block-start: 8px; inset-inline-start: 8px; z-index: 1; padding: 8px 14px; border-radius: 8px; background: var(--accent);
        color: var(--on-accent);
      }
      .skip:not(:focus) { clip-path: inset(50%); }
      .bar {
        display: flex; flex-wrap: wrap; align-items: center; gap: 8px 28px; max-width: var(--width); min-height: 60px; margin-inline: auto;
        padding: 10px var(--gutter);
      }
      .brand { display: inline-flex; align-items: center; gap: 10px; color: var(--ink); font-size: 17px; font-weight: 650; letter-spacing: -0.02em; text-decoration: none; }
      .brand:hover { color: var(--ink); }
      .brand svg { width: 26px; height: 26px; }
      nav { display: flex; gap: 4px; margin-inline-start: -10px; }
      nav a { white-space: nowrap; padding: 7px 10px; border-radius: 7px; color: var(--muted); font-size: 14px; font-weight: 500; text-decoration: none; }
      nav a:hover { background: var(--sunken); color: var(--ink); }
      nav a[aria-current] { color: var(--ink); box-shadow: inset 0 -2px var(--accent); border-radius: 7px 7px 0 0; }
      .end { display: flex; align-items: center; gap: 10px; min-width: 0; margin-inline-start: auto; }
      .who { min-width: 0; text-align: end; line-height: 1.3; }
      .who p { overflow: hidden; max-width: 26ch; text-overflow: ellipsis; white-space: nowrap; }
      .who p:first-child { font-size: 14px; font-weight: 600; }
      .who p + p { color: var(--muted); font-size: 12px; }
      @media (max-width: 680px) {
        .bar {
          display: grid; grid-template: 'brand who session theme' auto 'nav nav nav nav' auto / auto minmax(0, 1fr) auto auto; gap: 6px 10px;
          padding-block: 8px;
        }
        .end { display: contents; }
        nav { grid-area: nav; }
        .session { grid-area: session; }
        ui-theme-switch { grid-area: theme; }
        .who { grid-area: who; justify-self: end; max-width: 100%; }
      }
      @media (forced-colors: active) { nav a[aria-current] { border-bottom: 2px solid LinkText; } }
    `,
  ];

  /** Empty on a page without a link in the bar. */
  declare current: PageName | '';
  /** Text for screen readers about the last change. */
  declare announcement: string;

  constructor() {
    super();
    this.current = '';
    this.announcement = '';
    new SessionController(this, session);
  }

  /** Opens the sign-in dialog. */
  signIn(): void {
    const dialog = this.renderRoot.querySelector('ui-sign-in');
    if (dialog instanceof SignInDialog) dialog.open();
  }

  async #signedIn(): Promise<void> {
    this.announcement = `Signed in as ${session.user ? accountName(session.user) : ''}.`;
    await this.#focusSessionButton();
  }

  async #signOut(): Promise<void> {
    try {
      await session.signOut();
      this.announcement = 'Signed out.';
      await this.#focusSessionButton();
    } catch (error) {
      this.announcement = error instanceof Error ? error.message : 'Signing out failed.';
    }
  }

  /** Moves the focus from the removed button to its replacement. */
  async #focusSessionButton(): Promise<void> {
    await this.updateComplete;
    this.renderRoot.querySelector<HTMLElement>('.session')?.focus();
  }

  #user(user: User) {
    const roles = user.roles.join(', ');
    return html`
      <div class="who">
        <p title=${accountName(user)}><span class="visually-hidden">Signed in as </span>${accountName(user)}</p>
        <p title=${roles}>${roles === '' ? 'no roles' : roles}</p>
      </div>
      <button class="button session" type="button" @click=${this.#signOut}>Sign out</button>
    `;
  }

  protected override render() {
    const { user } = session;
    const links = PAGE_LIST.flatMap(({ name, path, link }) =>
      link === undefined
        ? []
        : [html`<a href=${withBasePath(path)} aria-current=${this.current === name ? 'page' : nothing}>${link}</a>`],
    );
    return html`
      <a class="skip" href="#main">Skip to the content</a>
      <header class="bar">
        <a class="brand" href=${withBasePath(PAGES.home.path)}>${markIcon}service</a>
        <nav aria-label="Pages">${links}</nav>
        <div class="end">
          ${user ? this.#user(user) : nothing}
          ${user === null ? html`<button class="button session" type="button" @click=${this.signIn}>Sign in</button>` : nothing}
          <ui-theme-switch></ui-theme-switch>
        </div>
      </header>
      <span class="visually-hidden" role="status">${this.announcement}</span>
      <ui-sign-in @signed-in=${this.#signedIn}></ui-sign-in>
    `;
  }
}

customElements.define('ui-top-bar', TopBar);
