import { css, html, LitElement } from 'lit';
import { addressBelow } from '../api-client/base-path.ts';
import { RemoteData } from '../api-client/remote-data.ts';
import { PAGES } from '../pages.ts';
import { session } from '../shell/page-context.ts';
import { alertIcon, refreshIcon } from '../styles/icons.ts';
import { shared } from '../styles/shared.ts';
import {
  type DatasourceEntry,
  type DatasourceProblem,
  type DatasourceStatus,
  readDatasources,
  refreshDatasources,
  summarizeDatasources,
} from './datasource-entries.ts';

const STATUS: Readonly<
  Record<DatasourceStatus, { readonly title: string; readonly tone: string; readonly note: string }>
> = {
  READY: { title: 'Ready', tone: 'good', note: '' },
  BROKEN: {
    title: 'Broken',
    tone: 'bad',
    note: 'The server does not use this file. Correct the errors below and save it; the server then reads it again.',
  },
  STALE: { title: 'Out of date', tone: 'warn', note: 'The file has errors. The server uses its last correct version.' },
  DISABLED: { title: 'Disabled', tone: 'calm', note: 'Its descriptor contains enabled: false.' },
  UNSUPPORTED: { title: 'Unsupported', tone: 'warn', note: 'This version of the server does not support this type.' },
};

/**
 * Lists every datasource with its status and problems, for administrators. Fires `datasources` with the entries after
 * each read.
 */
export class DatasourceList extends LitElement {
  static override properties = { announcement: { state: true } };
  static override styles = [
    shared,
    css`
      .rows { display: grid; gap: 12px; }
      li {
        display: grid; grid-template-columns: minmax(0, 1fr) auto; align-items: start; gap: 4px 16px; padding: 16px 18px; border: 1px solid var(--line);
        border-radius: 12px; background: var(--paper);
      }
      li.bad { border-color: var(--bad); background: var(--bad-wash); }
      li.warn { border-color: var(--warn); }
      .name { overflow-wrap: anywhere; }
      .facts { display: flex; flex-wrap: wrap; gap: 0 12px; color: var(--muted); font-size: 13px; }
      li.bad .facts, li.bad .note { color: var(--ink); }
      .status {
        display: inline-flex; align-items: center; gap: 6px; padding: 3px 10px; border-radius: 999px; background: var(--sunken); color: var(--muted);
        font-size: 13px; font-weight: 600; white-space: nowrap;
      }
      .status::before { content: ''; width: 8px; height: 8px; border-radius: 50%; background: currentColor; }
      .status:has(svg)::before { content: none; }
      .status svg { width: 15px; height: 15px; }
      .status.good { background: var(--good-wash); color: var(--good); }
      .status.warn { background: var(--warn-wash); color: var(--warn); }
      .status.bad { background: var(--bad); color: var(--paper); }
      .rest { grid-column: 1 / -1; }
      .note { margin-top: 4px; color: var(--muted); font-size: 14px; }
      .problems { display: grid; gap: 8px; margin-top: 10px; }
      .problems div { display: grid; grid-template-columns: minmax(72px, auto) minmax(0, 1fr); gap: 12px; font-size: 14px; }
      .problems dt { color: var(--muted); font-variant-numeric: tabular-nums; }
      .problems .error dt { color: var(--bad); font-weight: 600; }
      .problems dd { overflow-wrap: anywhere; white-space: pre-line; }
      .bone { height: 78px; border-radius: 12px; }
    `,
  ];

  declare announcement: string;
  readonly #datasources = new RemoteData<readonly DatasourceEntry[]>(this);

  constructor() {
    super();
    this.announcement = '';
  }

  override connectedCallback(): void {
    super.connectedCallback();
    void this.#read(readDatasources);
  }

  async #read(how: typeof readDatasources): Promise<void> {
    const state = await this.#datasources.read((signal) => how(session.client, signal));
    if (state.status === 'ready') this.dispatchEvent(new CustomEvent('datasources', { detail: state.value }));
    else if (state.status === 'failed') session.reportFailure(state.cause);
  }

  async #refresh(): Promise<void> {
    if (this.#datasources.isBusy) return;
    this.announcement = '';
    await this.#read(refreshDatasources);
    const { state } = this.#datasources;
    if (state.status === 'ready') this.announcement = `Reloaded: ${summarizeDatasources(state.value)}.`;
  }

  #row({ id, name, type, status, problems }: DatasourceEntry) {
    const { title, tone, note } = STATUS[status];
    return html`
      <li class=${tone}>
        <h3 class="name"><a href=${addressBelow(PAGES.model.path, [id])}>${name}</a></h3>
        <p class="status ${tone}">${tone === 'bad' ? alertIcon : ''}${title}</p>
        <div class="rest">
          <p class="facts"><span>${type}</span>${id === name ? '' : html`<code>${id}</code>`}</p>
          ${note === '' ? '' : html`<p class="note">${note}</p>`}
          ${problems.length === 0 ? '' : html`<dl class="problems">${problems.map(problemRow)}</dl>`}
        </div>
      </li>
    `;
  }

  #content() {
    const { state } = this.#datasources;
    switch (state.status) {
      case 'loading':
        return html`<div class="bone"><span class="visually-hidden" role="status">Loading the datasources…</span></div>`;
      case 'failed':
        return html`<div class="notice failed" role="alert"><h3>The datasources could not be loaded</h3><p>${state.message}</p></div>`;
      case 'ready':
        return state.value.length === 0
          ? html`<div class="notice"><h3>No datasources yet</h3><p>Put an <code>.sds</code> file into the folder <code>datasources</code> of the home folder. The server reads it at once.</p></div>`
          : html`<ul class="rows">${state.value.map((entry) => this.#row(entry))}</ul>`;
    }
  }

  protected override render() {
    const { state, isBusy: busy } = this.#datasources;
    return html`
      <div class="section-head">
        <div>
          <h2>Datasources</h2>
          <p>${state.status === 'ready' ? `${summarizeDatasources(state.value)}.` : 'Files in the home folder, and whether the server can use them.'}</p>
        </div>
        <button class="button" type="button" aria-disabled=${busy} @click=${this.#refresh}>${refreshIcon}${busy ? 'Reloading…' : 'Reload'}</button>
      </div>
      <span class="visually-hidden" role="status">${this.announcement}</span>
      ${this.#content()}
    `;
  }
}

function problemRow({ message, line, severity }: DatasourceProblem) {
  return html`<div class=${severity}><dt>${line === undefined ? severity : `line ${line}`}</dt><dd>${message}</dd></div>`;
}

customElements.define('ui-datasources', DatasourceList);
