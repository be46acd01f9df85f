import { css, html, LitElement } from 'lit';
import type { RemoteState } from '../api-client/remote-data.ts';
import { documentAddress } from '../documents/document-address.ts';
import { type DocumentEntry, KIND_TITLES } from '../documents/document-entries.ts';
import { requestShare } from '../documents/share-request.ts';
import { shareIcon } from '../styles/icons.ts';
import { shared } from '../styles/shared.ts';
import { language, msg, str } from '../words/words.ts';
import '../code/copy-button.ts';

const COLLAPSED_ROW_LIMIT = 5;
const date = new Intl.DateTimeFormat(language, { dateStyle: 'medium' });

/** Lists the saved queries, dashboards and ask boxes that the user may read. */
export class DocumentList extends LitElement {
  static override properties = { state: { attribute: false }, all: { state: true } };
  static override styles = [
    shared,
    css`
      .rows { border: 1px solid var(--line); border-radius: 12px; background: var(--paper); overflow: hidden; }
      li { display: grid; grid-template-columns: minmax(0, 1fr) auto; align-items: center; gap: 2px 16px; padding: 11px 10px 11px 18px; }
      li + li { border-top: 1px solid var(--line); }
      .title { font-weight: 500; overflow-wrap: anywhere; }
      .title a { color: var(--ink); text-decoration: none; }
      .title a:hover { color: var(--accent); text-decoration: underline; }
      .where { display: flex; flex-wrap: wrap; gap: 0 12px; color: var(--muted); font-size: 13px; }
      .where code { overflow-wrap: anywhere; }
      .kind {
        margin-inline-start: 8px; padding: 1px 7px; border-radius: 5px; background: var(--sunken); color: var(--muted); font-size: 12px; font-weight: 500;
        white-space: nowrap;
      }
      .kind:is(.dashboard, .ai) { background: var(--accent-wash); color: var(--accent); }
      .acts { display: flex; gap: 6px; grid-row: span 2; }
      .acts .button { min-height: 32px; padding: 0 12px; border-radius: 7px; font-size: 13px; }
      @media (max-width: 560px) {
        li { grid-template-columns: minmax(0, 1fr); }
        .acts { grid-row: auto; order: 1; margin: 4px 0 2px -10px; }
      }
      .more { margin-top: 12px; }
      .bone { height: 180px; border-radius: 12px; }
    `,
  ];

  declare state: RemoteState<readonly DocumentEntry[]>;
  declare all: boolean;

  constructor() {
    super();
    this.state = { status: 'loading' };
    this.all = false;
  }

  #retry(): void {
    this.dispatchEvent(new Event('retry'));
  }

  #showAll(): void {
    this.all = true;
  }

  #rows(entries: readonly DocumentEntry[]) {
    if (entries.length === 0) {
      return html`<div class="notice"><h3>${msg('No documents yet')}</h3>
        <p>${msg(html`Saved queries, dashboards and ask boxes in <code>shared/</code> and in your own folder appear here.`)}</p></div>`;
    }
    const shown = this.all ? entries : entries.slice(0, COLLAPSED_ROW_LIMIT);
    const hidden = entries.length - shown.length;
    return html`
      <ul class="rows">${shown.map(
        (entry) => html`
          <li>
            <p class="title"><a href=${documentAddress(entry.path)}>${entry.title}</a><span class="kind ${entry.kind}">${KIND_TITLES[entry.kind]}</span></p>
            <div class="acts">
              <ui-copy quiet .text=${entry.path} caption=${msg('Copy path')} .label=${msg(str` of ${entry.title}`)}></ui-copy>
              <button class="button" type="button" @click=${() => requestShare(this, entry)}>${shareIcon}${msg('Share')}<span class="visually-hidden"> ${entry.title}</span></button>
            </div>
            <p class="where"><code>${entry.path}</code>${timeElement(entry.updatedAt)}</p>
          </li>`,
      )}</ul>
      ${hidden > 0 ? html`<button class="button more" type="button" @click=${this.#showAll}>${msg(str`Show all ${entries.length}`)}</button>` : ''}
    `;
  }

  #content() {
    const { state } = this;
    switch (state.status) {
      case 'loading':
        return html`<div class="bone"><span class="visually-hidden" role="status">${msg('Loading your documents…')}</span></div>`;
      case 'failed':
        return html`<div class="notice failed" role="alert"><h3>${msg('Your documents could not be loaded')}</h3><p>${state.message}</p>
          <button class="button" type="button" @click=${this.#retry}>${msg('Try again')}</button></div>`;
      case 'ready':
        return this.#rows(state.value);
    }
  }

  protected override render() {
    return html`
      <div class="section-head">
        <div>
          <h2>${msg('Your documents')}</h2>
        </div>
      </div>
      ${this.#content()}
    `;
  }
}

function timeElement(at: Date) {
  return Number.isNaN(at.getTime()) ? '' : html`<time datetime=${at.toISOString()}>${date.format(at)}</time>`;
}

customElements.define('ui-documents', DocumentList);
