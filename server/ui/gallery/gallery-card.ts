import { css, html, LitElement, nothing } from 'lit';
import { TOKEN_PLACEHOLDER, writeHtmlSnippet } from '../code/snippet.ts';
import { origin } from '../shell/page-context.ts';
import { shared } from '../styles/shared.ts';
import type { Exhibit } from './showcase.ts';
import './ask-exhibit.ts';
import '../code/code-block.ts';

/** Shows one live embed, and the HTML that shows it in another page. */
export class GalleryCard extends LitElement {
  static override properties = { exhibit: { attribute: false } };
  static override styles = [
    shared,
    css`
      /* The three rows are the gallery's, so that embeds of one row begin and end on the same line. */
      :host { display: grid; grid-row: span 3; grid-template-rows: subgrid; gap: 14px; }
      .words p { margin-top: 3px; max-width: 72ch; color: var(--muted); font-size: 14px; text-wrap: pretty; }
      service-embed { min-width: 0; }
      ui-code { align-self: start; }
    `,
  ];

  declare exhibit: Exhibit | undefined;

  constructor() {
    super();
    this.exhibit = undefined;
  }

  protected override render() {
    if (this.exhibit === undefined) return nothing;
    const { path, kind, title, description, render, mode, height } = this.exhibit;
    return html`
      <div class="words">
        <h3>${title}</h3>
        ${description === '' ? nothing : html`<p>${description}</p>`}
      </div>
      ${
        kind === 'ai'
          ? html`<ui-ask-exhibit .exhibit=${this.exhibit}></ui-ask-exhibit>`
          : html`<service-embed server=${origin} path=${path} kind=${kind} render=${render} mode=${mode} height=${height || nothing}></service-embed>`
      }
      <ui-code foldable ?open=${kind !== 'query'} caption="HTML" .of=${title} .text=${writeHtmlSnippet(origin, kind === 'ai' ? { ...this.exhibit, token: TOKEN_PLACEHOLDER } : this.exhibit)}></ui-code>
    `;
  }
}

customElements.define('ui-gallery-card', GalleryCard);
