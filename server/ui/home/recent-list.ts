import { css, html, LitElement } from 'lit';
import { withBasePath } from '../api-client/base-path.ts';
import { kindIcon } from '../documents/kind-icon.ts';
import type { Recent } from '../shell/recent.ts';
import { shared } from '../styles/shared.ts';
import { language } from '../words/words.ts';

const SHOWN = 6;
const time = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });

/** Lists what the user opened last, as links. */
export class RecentList extends LitElement {
  static override properties = { recent: { attribute: false } };
  static override styles = [
    shared,
    css`
      ul { display: grid; gap: 8px; grid-template-columns: repeat(auto-fill, minmax(min(260px, 100%), 1fr)); }
      a {
        display: grid; grid-template-columns: 20px minmax(0, 1fr); gap: 2px 12px; align-items: center; padding: 10px 12px; border: 1px solid var(--line); border-radius: 10px;
        background: var(--paper); color: var(--ink); font-weight: 500; text-decoration: none;
      }
      a:hover { border-color: var(--accent); color: var(--ink); }
      a svg { width: 20px; height: 20px; color: var(--muted); }
      .title { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
      time { grid-column: 2; color: var(--muted); font-size: 12px; line-height: 16px; font-weight: 400; }
    `,
  ];

  declare recent: readonly Recent[];

  constructor() {
    super();
    this.recent = [];
  }

  protected override render() {
    return html`<ul>${this.recent
      .slice(0, SHOWN)
      .map(
        ({ kind, title, path, at }) =>
          html`<li><a href=${withBasePath(path)}>${kindIcon(kind)}<span class="title">${title}</span><time datetime=${new Date(at).toISOString()}>${time.format(at)}</time></a></li>`,
      )}</ul>`;
  }
}

customElements.define('ui-recent', RecentList);
