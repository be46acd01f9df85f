import { css, html, LitElement, nothing } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { PageName } from '../pages.ts';
import { session } from '../shell/page-context.ts';
import { areaOf, pageLinks } from '../shell/page-links.ts';
import { SessionController } from '../shell/session.ts';
import { shared } from '../styles/shared.ts';
import { msg } from '../words/words.ts';

/**
 * Shows links to the pages of the area that the page `current` belongs to. Which pages a user may follow is unknown
 * before the session is read: until then their place is empty, because a link that moves is clicked in vain.
 */
export class SectionLinks extends LitElement {
  static override properties = { current: {} };
  static override styles = [
    shared,
    css`
      nav, .place { margin-bottom: 24px; border-bottom: 1px solid var(--line); overflow-x: auto; }
      .place { height: 39px; }
      ul { display: flex; gap: 4px; }
      a { display: block; padding: 8px 12px; border-bottom: 2px solid transparent; color: var(--muted); text-decoration: none; white-space: nowrap; font-weight: 500; }
      a:hover { color: var(--ink); }
      a[aria-current] { border-color: var(--accent); color: var(--accent); }
      a:focus-visible { outline-offset: -2px; }
      @media (forced-colors: active) { a[aria-current] { border-color: Highlight; } }
    `,
  ];

  declare current: PageName;

  constructor() {
    super();
    this.current = 'home';
    new SessionController(this, session);
  }

  protected override updated(): void {
    this.renderRoot.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }

  protected override render() {
    if (session.user === undefined) return html`<div class="place"></div>`;
    const area = areaOf(this.current);
    const links = pageLinks(session.user).filter((link) => link.area === area);
    if (links.length < 2) return nothing;
    return html`<nav aria-label=${msg('Pages of this area')}><ul>${repeat(
      links,
      ({ name }) => name,
      ({ name, title, address }) =>
        html`<li><a href=${address} aria-current=${name === this.current ? 'page' : nothing}>${title}</a></li>`,
    )}</ul></nav>`;
  }
}

customElements.define('ui-section-links', SectionLinks);
