import { css, html, LitElement } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { RemoteState } from '../api-client/remote-data.ts';
import { shared } from '../styles/shared.ts';
import { msg } from '../words/words.ts';
import type { Exhibit } from './showcase.ts';
import './gallery-card.ts';
import '../code/code-block.ts';

/** Shows the demo's dashboard, ask box and queries as live embeds. */
export class Gallery extends LitElement {
  static override properties = { showcase: { attribute: false } };
  static override styles = [
    shared,
    css`
      .grid { display: grid; grid-template-columns: minmax(0, 1fr); gap: 14px 24px; }
      .grid > * { margin-bottom: 26px; }
      .grid > .wide { grid-column: 1 / -1; }
      @media (min-width: 960px) {
        .grid { grid-template-columns: repeat(2, minmax(0, 1fr)); }
        .grid > .odd { grid-column: 1 / -1; }
      }
      .bone { height: 380px; }
      .bone.wide { height: 520px; }
      .notice { padding: clamp(24px, 5vw, 48px); }
      .notice p { max-width: 60ch; }
      .notice ui-code { width: 100%; max-width: 480px; margin-top: 8px; }
      .sketch { display: flex; align-items: end; gap: 7px; height: 44px; margin-bottom: 8px; color: var(--line); }
      .sketch i { width: 14px; border-radius: 3px 3px 0 0; background: currentColor; }
      .sketch i:nth-child(1) { height: 45%; } .sketch i:nth-child(2) { height: 75%; }
      .sketch i:nth-child(3) { height: 60%; } .sketch i:nth-child(4) { height: 100%; }
    `,
  ];

  declare showcase: RemoteState<readonly Exhibit[]>;

  constructor() {
    super();
    this.showcase = { status: 'loading' };
  }

  #cards(exhibits: readonly Exhibit[]) {
    const queries = exhibits.filter(({ kind }) => kind === 'query');
    const last = queries.length % 2 === 1 ? queries.at(-1) : undefined;
    return html`<div class="grid">${repeat(
      exhibits,
      ({ kind, path, render, mode }) => `${kind} ${path} ${render} ${mode}`,
      (exhibit) =>
        html`<ui-gallery-card class=${exhibit.kind !== 'query' ? 'wide' : exhibit === last ? 'odd' : ''} .exhibit=${exhibit}></ui-gallery-card>`,
    )}</div>`;
  }

  #content() {
    const { showcase } = this;
    switch (showcase.status) {
      case 'loading':
        return html`<div class="grid"><span class="visually-hidden" role="status">${msg('Loading the gallery…')}</span>
          <div class="bone wide"></div><div class="bone"></div><div class="bone"></div></div>`;
      case 'failed':
        return html`<div class="notice failed" role="alert"><h3>${msg('The gallery could not be loaded')}</h3><p>${showcase.message}</p></div>`;
      case 'ready':
        return showcase.value.length === 0 ? empty() : this.#cards(showcase.value);
    }
  }

  protected override render() {
    return html`
      <div class="section-head">
        <div>
          <h2>${msg('Live embeds')}</h2>
          ${
            this.showcase.status === 'ready' && this.showcase.value.length === 0
              ? ''
              : html`<p>${msg('Each embed is one HTML element that reads from this server. Copy its HTML into any page to show it there.')}</p>`
          }
        </div>
      </div>
      ${this.#content()}
    `;
  }
}

function empty() {
  return html`
  <div class="notice">
    <div class="sketch" aria-hidden="true"><i></i><i></i><i></i><i></i></div>
    <h3>${msg('No embeds yet')}</h3>
    <p>${msg(html`This server runs without the demo. Start it once with <code>--demo</code> to see a sample shop chain here: a warehouse with a million sales, and its saved queries and dashboard as live embeds.`)}</p>
    <ui-code caption=${msg('Terminal')} .of=${msg('starting the demo')} text="service start --demo"></ui-code>
  </div>
`;
}

customElements.define('ui-gallery', Gallery);
