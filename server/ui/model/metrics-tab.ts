import { css, html, LitElement, nothing } from 'lit';
import { withBasePath } from '../api-client/base-path.ts';
import { session } from '../shell/page-context.ts';
import { formStyles } from '../styles/form-styles.ts';
import { shared } from '../styles/shared.ts';
import { msg, str } from '../words/words.ts';
import { pathOf } from './address.ts';
import './metric-panel.ts';
import { readMetricValues } from './metric-values.ts';
import type { MetricElement } from './model-document.ts';
import { modelStyles } from './model-styles.ts';
import './new-metric.ts';
import { type ModelStore, StoreController } from './store.ts';

/** The metrics of a model with their present values, and one of them to be changed. */
export class MetricsTab extends LitElement {
  static override properties = {
    store: { attribute: false },
    item: {},
    sought: { state: true },
    values: { state: true },
    isAdding: { state: true },
  };
  static override styles = [
    shared,
    formStyles,
    modelStyles,
    css`.columns { grid-template-columns: minmax(220px, 320px) minmax(0, 1fr); }
    @media (max-width: 760px) { .columns { grid-template-columns: minmax(0, 1fr); } }`,
  ];

  declare store: ModelStore;
  /** The name of the shown metric; empty for the first. */
  declare item: string;
  declare sought: string;
  declare values: ReadonlyMap<string, string>;
  declare isAdding: boolean;
  #read = '';

  constructor() {
    super();
    this.item = '';
    this.sought = '';
    this.values = new Map();
    this.isAdding = false;
    new StoreController(this, () => this.store);
  }

  protected override willUpdate(): void {
    const { saved } = this.store;
    if (this.#read === saved.version) return;
    this.#read = saved.version;
    void readMetricValues(session.client, saved).then((values) => {
      this.values = values;
    });
  }

  #go(item: string): void {
    this.isAdding = false;
    this.dispatchEvent(new CustomEvent('go', { detail: { tab: 'metrics', item }, bubbles: true, composed: true }));
  }

  #list(shown: MetricElement | undefined) {
    const { document: model, id } = this.store;
    const sought = this.sought.trim().toLowerCase();
    const metrics = model.metrics.filter(({ name, label = '', synonyms }) =>
      [name, label, ...synonyms].some((text) => text.toLowerCase().includes(sought)),
    );
    return html`<div class="tight">
      <input class="input" type="search" placeholder=${msg('Find a metric')} aria-label=${msg('Find a metric')} @input=${(
        event: Event,
      ) => {
        if (event.target instanceof HTMLInputElement) this.sought = event.target.value;
      }} />
      ${
        this.store.canEdit
          ? html`<button class="button" type="button" @click=${() => {
              this.isAdding = true;
            }}>${msg('New metric')}</button>`
          : nothing
      }
      <nav class="picks" aria-label=${msg('Metrics')}>${metrics.map(
        ({
          name,
          label,
          isServed,
        }) => html`<a href=${withBasePath(pathOf({ id, tab: 'metrics', item: name }))} aria-current=${name === shown?.name && !this.isAdding ? 'true' : nothing} @click=${() => {
          this.isAdding = false;
        }}>
          <span class="name">${label ?? name}</span><span class="fact">${isServed ? (this.values.get(name) ?? '') : html`<span class="pill bad">${msg('not usable')}</span>`}</span></a>`,
      )}</nav>
      ${metrics.length === 0 ? html`<p class="note">${msg('No metric has this name.')}</p>` : nothing}</div>`;
  }

  protected override render() {
    const { metrics } = this.store.document;
    const shown = metrics.find(({ name }) => name === this.item) ?? (this.item === '' ? metrics[0] : undefined);
    if (metrics.length === 0 && !this.isAdding)
      return html`<div class="empty"><p>${msg('A metric is a number that people ask for, such as the sum of sales. This model has none yet.')}</p>
        ${
          this.store.canEdit
            ? html`<button class="button primary" type="button" @click=${() => {
                this.isAdding = true;
              }}>${msg('New metric')}</button>`
            : nothing
        }</div>`;
    return html`<div class="columns">${this.#list(shown)}
      ${
        this.isAdding
          ? html`<ui-new-metric .store=${this.store} @added=${(event: CustomEvent<string>) => this.#go(event.detail)} @closed=${() => {
              this.isAdding = false;
            }}></ui-new-metric>`
          : shown === undefined
            ? html`<div class="empty"><p>${msg(str`The model has no metric "${this.item}".`)}</p></div>`
            : html`<ui-metric-panel .store=${this.store} .metric=${shown}></ui-metric-panel>`
      }</div>`;
  }
}

customElements.define('ui-model-metrics', MetricsTab);
