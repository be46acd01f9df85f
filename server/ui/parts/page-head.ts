import { css, html, LitElement, nothing } from 'lit';
import { shared } from '../styles/shared.ts';
import { msg } from '../words/words.ts';

export interface Crumb {
  readonly title: string;
  readonly address: string;
}

/** Shows the breadcrumb, the title and the actions of a page. The actions are its slot; the slot `note` is a line below the title. */
export class PageHead extends LitElement {
  static override properties = { trail: { attribute: false }, heading: {} };
  static override styles = [
    shared,
    css`
      :host { margin-block-end: 24px; }
      .head { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 8px 24px; }
      .words { flex: 1 1 320px; min-width: 0; }
      ol { display: flex; flex-wrap: wrap; gap: 0 6px; color: var(--muted); font-size: 12px; line-height: 16px; }
      li:not(:last-child)::after { content: '/'; margin-inline-start: 6px; color: var(--muted); }
      li a { color: var(--muted); text-decoration: none; }
      li a:hover { color: var(--ink); text-decoration: underline; }
      h1 { margin: 2px 0 0; font-size: 20px; line-height: 28px; font-weight: 600; letter-spacing: -0.01em; overflow-wrap: anywhere; }
      h1:focus { outline: none; }
      .acts { display: flex; flex-wrap: wrap; align-items: center; gap: 8px; }
      ::slotted([slot='note']) { margin: 4px 0 0; color: var(--muted); font-size: 14px; line-height: 20px; }
    `,
  ];

  /** The pages above this one. */
  declare trail: readonly Crumb[];
  declare heading: string;

  constructor() {
    super();
    this.trail = [];
    this.heading = '';
  }

  override focus(): void {
    this.renderRoot.querySelector('h1')?.focus({ preventScroll: true });
  }

  protected override render() {
    return html`
      <div class="head">
        <div class="words">
          ${
            this.trail.length === 0
              ? nothing
              : html`<nav aria-label=${msg('Breadcrumb')}><ol>${this.trail.map(({ title, address }) => html`<li><a href=${address}>${title}</a></li>`)}</ol></nav>`
          }
          <h1 tabindex="-1">${this.heading}</h1>
          <slot name="note"></slot>
        </div>
        <div class="acts"><slot></slot></div>
      </div>
    `;
  }
}

customElements.define('ui-page-head', PageHead);
