import { css, html, LitElement, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { withBasePath } from '../api-client/base-path.ts';
import { PAGES, type PageName } from '../pages.ts';
import { markIcon, searchIcon } from '../styles/icons.ts';
import { shared } from '../styles/shared.ts';
import { msg, str } from '../words/words.ts';
import { session } from './page-context.ts';
import { areaLinks, areaOf, tabTitle } from './page-links.ts';
import { signInAddress } from './return-address.ts';
import { accountName, SessionController } from './session.ts';
import { SignInDialog } from './sign-in-dialog.ts';
import { ViewAsBar } from './view-as.ts';
import './theme-switch.ts';
import './user-menu.ts';

/** Shows the header and the rail around the `<main>` of every page. The attribute `current` is the key of the page in `PAGES`. */
export class Frame extends LitElement {
  static override properties = { current: {}, announcement: { state: true } };
  static override styles = [
    shared,
    css`
      :host { display: contents; font: 14px / 20px var(--body); }
      .skip {
        position: fixed; inset-block-start: 8px; inset-inline-start: 8px; z-index: 30; padding: 8px 14px; border-radius: 6px; background: var(--accent);
        color: var(--on-accent);
      }
      .skip:not(:focus) { clip-path: inset(50%); }
      header {
        grid-area: header; position: sticky; inset-block-start: 0; z-index: 20; display: flex; align-items: center; gap: 8px 16px; min-width: 0; height: var(--header);
        padding-inline: 16px; border-bottom: 1px solid var(--line); background: var(--paper);
      }
      .brand { display: inline-flex; align-items: center; gap: 10px; color: var(--ink); font-size: 16px; font-weight: 600; letter-spacing: -0.02em; text-decoration: none; }
      .brand:hover { color: var(--ink); }
      .brand svg { width: 24px; height: 24px; }
      .find {
        display: flex; align-items: center; gap: 8px; flex: 0 1 440px; min-width: 0; height: 36px; margin-inline: auto; padding: 0 10px; border: 1px solid var(--line); border-radius: 6px;
        background: var(--canvas); color: var(--muted); font: inherit; text-align: start; cursor: pointer;
      }
      .find:hover { border-color: var(--muted); }
      .find svg { flex: none; width: 16px; height: 16px; }
      .find span { flex: 1; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
      kbd { flex: none; padding: 1px 6px; border: 1px solid var(--line); border-radius: 4px; background: var(--paper); font: 12px / 16px var(--body); white-space: nowrap; }
      .end { display: flex; flex: none; align-items: center; gap: 8px; }
      nav {
        grid-area: rail; position: sticky; inset-block-start: var(--header); z-index: 10; align-self: start; height: calc(100dvh - var(--header)); padding: 12px 8px; overflow-y: auto;
        border-inline-end: 1px solid var(--line); background: var(--paper);
      }
      ul { display: grid; gap: 2px; }
      nav a { display: flex; align-items: center; gap: 12px; min-height: 36px; padding: 6px 12px; border-radius: 6px; color: var(--muted); font-weight: 500; text-decoration: none; }
      nav a svg { flex: none; width: 20px; height: 20px; }
      nav a:hover { background: var(--sunken); color: var(--ink); }
      nav a[aria-current] { background: var(--accent-wash); color: var(--accent); font-weight: 600; }
      @media (max-width: 1099px) and (min-width: 681px) {
        nav a { justify-content: center; padding-inline: 0; }
        nav a span { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
      }
      @media (max-width: 680px) {
        header { padding-inline: 12px; gap: 8px; }
        .brand span, kbd { display: none; }
        nav {
          position: fixed; inset: auto 0 0 0; z-index: 20; height: auto; padding: 4px 8px calc(4px + env(safe-area-inset-bottom)); border-inline-end: 0; border-top: 1px solid var(--line);
        }
        /* A long name takes the place that short ones leave. */
        ul { grid-auto-flow: column; grid-auto-columns: minmax(0, max-content); justify-content: space-between; }
        nav a { flex-direction: column; gap: 2px; justify-content: center; min-height: 46px; padding: 4px 2px; font-size: 11px; line-height: 14px; }
        nav a span { max-width: 100%; overflow: hidden; text-overflow: ellipsis; }
      }
      @media print { header, nav { display: none; } }
      @media (forced-colors: active) { nav a[aria-current] { outline: 2px solid LinkText; outline-offset: -2px; } }
    `,
  ];

  declare current: PageName | '';
  /** Text for screen readers about the last change. */
  declare announcement: string;

  constructor() {
    super();
    this.current = '';
    this.announcement = '';
    new SessionController(this, session);
  }

  override connectedCallback(): void {
    super.connectedCallback();
    const title = this.current === '' ? undefined : tabTitle(this.current);
    if (title !== undefined) document.title = title;
    document.addEventListener('keydown', this.#pressed);
    document.addEventListener('sign-in', this.#signIn);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    document.removeEventListener('keydown', this.#pressed);
    document.removeEventListener('sign-in', this.#signIn);
  }

  /** Opens the sign-in dialog over the page, for work that must not be lost. */
  readonly #signIn = (): void => {
    const dialog = this.renderRoot.querySelector('ui-sign-in');
    if (dialog instanceof SignInDialog) void dialog.open();
  };

  readonly #pressed = (event: KeyboardEvent): void => {
    if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
    event.preventDefault();
    void this.#find();
  };

  async #find(): Promise<void> {
    // What is typed before the search is there belongs to it.
    let typed = '';
    const keep = (event: KeyboardEvent): void => {
      if (event.key.length !== 1 || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      event.stopPropagation();
      typed += event.key;
    };
    document.addEventListener('keydown', keep, { capture: true });
    try {
      const { openPalette } = await import('./palette/palette.ts');
      await openPalette(() => typed);
    } finally {
      document.removeEventListener('keydown', keep, { capture: true });
    }
  }

  async #signedIn(): Promise<void> {
    this.announcement = msg(str`Signed in as ${session.user ? accountName(session.user) : ''}.`);
    await this.updateComplete;
  }

  #viewAs(): void {
    const bar = this.renderRoot.querySelector('ui-view-as');
    if (bar instanceof ViewAsBar) void bar.choose();
  }

  #signedOut(): void {
    this.announcement = msg('Signed out.');
    void this.updateComplete.then(() => this.renderRoot.querySelector<HTMLElement>('.session')?.focus());
  }

  protected override render() {
    const { user } = session;
    const area = this.current === '' ? undefined : areaOf(this.current);
    return html`
      <a class="skip" href="#main">${msg('Skip to the content')}</a>
      <header>
        <a class="brand" href=${withBasePath(PAGES.home.path)} aria-label="service">${markIcon}<span>service</span></a>
        <button class="find" type="button" @click=${this.#find} aria-keyshortcuts="Control+K">${searchIcon}<span>${msg('Search or jump to…')}</span><kbd aria-hidden="true">${shortcut}</kbd></button>
        <div class="end">
          <ui-theme-switch></ui-theme-switch>
          ${user ? html`<ui-user-menu .user=${user} @signed-out=${this.#signedOut} @view-as=${this.#viewAs}></ui-user-menu>` : nothing}
          ${user === null && this.current !== 'sign-in' ? html`<a class="button session" href=${signInAddress()}>${msg('Sign in')}</a>` : nothing}
        </div>
      </header>
      <nav aria-label=${msg('Areas')}>
        <ul>${repeat(
          areaLinks(user),
          ({ area }) => area,
          (link) =>
            html`<li><a href=${link.address} title=${link.title} aria-current=${link.area === area ? 'page' : nothing}>${link.icon}<span>${link.title}</span></a></li>`,
        )}</ul>
      </nav>
      <span class="visually-hidden" role="status">${this.announcement}</span>
      <ui-view-as></ui-view-as>
      <ui-sign-in @signed-in=${this.#signedIn}></ui-sign-in>
    `;
  }
}

const shortcut = /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘ K' : 'Ctrl K';

customElements.define('ui-frame', Frame);
