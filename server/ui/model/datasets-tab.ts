import { css, html, LitElement, nothing, type PropertyValues } from 'lit';
import { withBasePath } from '../api-client/base-path.ts';
import { formStyles } from '../styles/form-styles.ts';
import { shared } from '../styles/shared.ts';
import { msg, str } from '../words/words.ts';
import { pathOf } from './address.ts';
import type { Target } from './draft.ts';
import './element-actions.ts';
import './field-grid.ts';
import './field-panel.ts';
import type { DatasetElement } from './model-document.ts';
import { modelStyles } from './model-styles.ts';
import { problemsOf, problemsWithin } from './problems.ts';
import { listField, longField, problemList, selectField, switchField } from './property-fields.ts';
import { type ModelStore, StoreController } from './store.ts';
import { count, dateText, numberText } from './words.ts';

/** The datasets of a model, each with its fields. */
export class DatasetsTab extends LitElement {
  static override properties = { store: { attribute: false }, item: {}, field: { state: true } };
  static override styles = [
    shared,
    formStyles,
    modelStyles,
    css`
      /* The grid needs the width more than the list does. */
      @media (max-width: 1500px) {
        .columns { grid-template-columns: minmax(0, 1fr); gap: 16px; }
        .picks { display: flex; flex-wrap: wrap; gap: 8px; max-height: 140px; }
        .picks a { border: 1px solid var(--line); background: var(--paper); }
        .picks a[aria-current] { border-color: var(--accent); }
      }
      @media (max-width: 760px) { .picks a { flex: 1 1 140px; flex-wrap: wrap; } }
    `,
  ];

  declare store: ModelStore;
  /** The name of the shown dataset; empty for the first. */
  declare item: string;
  /** The name of the shown field. */
  declare field: string;

  constructor() {
    super();
    this.item = '';
    this.field = '';
    new StoreController(this, () => this.store);
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('item')) this.field = '';
  }

  #pick(event: CustomEvent<string>): void {
    this.field = event.detail;
  }

  #list(shown: DatasetElement | undefined) {
    const { document: model, facts, saved, id } = this.store;
    return html`<nav class="picks" aria-label=${msg('Datasets')}>${model.datasets.map(({ name, fields }) => {
      const rows = facts?.get(name)?.rows;
      const flawed = problemsWithin(saved.problems, name).length;
      return html`<a href=${withBasePath(pathOf({ id, tab: 'datasets', item: name }))} aria-current=${name === shown?.name ? 'true' : nothing}>
        <span class="name">${name}</span><span class="fact">${flawed > 0 ? html`<span class="pill warn">${count(flawed, msg('problem'), msg('problems'))}</span> ` : nothing}${rows === undefined ? count(fields.length, msg('field'), msg('fields')) : count(rows, msg('row'), msg('rows'))}</span></a>`;
    })}</nav>`;
  }

  #detail(dataset: DatasetElement) {
    const { store } = this;
    const { document: model, facts } = store;
    const on: Target = { kind: 'dataset', name: dataset.name };
    const fact = facts?.get(dataset.name);
    const dates = dataset.fields.filter(({ isTime, valueType = '' }) => isTime || /^(date|timestamp)/.test(valueType));
    const field = dataset.fields.find(({ name }) => name === this.field) ?? dataset.fields[0];
    const renamed = (event: CustomEvent<string>) =>
      this.dispatchEvent(
        new CustomEvent('go', { detail: { tab: 'datasets', item: event.detail }, bubbles: true, composed: true }),
      );
    return html`<div class="stack">
      <section class="card stack">
        <div class="row spread"><h2>${dataset.name}</h2>
          <ui-element-actions .store=${store} .on=${on} .taken=${model.datasets.map(({ name }) => name)} @renamed=${renamed}></ui-element-actions></div>
        <p class="note">${msg(str`Rows of ${dataset.source}`)}${fact?.rows === undefined ? '' : ` · ${count(fact.rows, msg('row'), msg('rows'))}`}${fact?.latest === undefined ? '' : ` · ${msg(str`data until ${dateText(fact.latest)}`)}`}${dataset.primaryKey.length === 0 ? '' : ` · ${msg(str`key ${dataset.primaryKey.join(', ')}`)}`}</p>
        ${problemList(problemsOf(store.saved.problems, on))}
        <details><summary>${dataset.description ?? msg('Description, other names and main date')}</summary>
          <div class="form">
            ${longField({ store, on, property: 'description', label: msg('Description') }, dataset.description)}
            ${listField({ store, on, property: 'synonyms', label: msg('Other names'), hint: msg('Separated by commas') }, dataset.synonyms)}
            ${selectField({ store, on, property: 'mainDate', label: msg('Main date') }, dataset.mainDate, [
              { value: '', text: dates.length === 1 ? msg(str`its only date (${dates[0]?.name ?? ''})`) : msg('none') },
              ...(dataset.mainDate === undefined || dates.some(({ name }) => name === dataset.mainDate)
                ? []
                : [{ value: dataset.mainDate, text: dataset.mainDate }]),
              ...dates.map(({ name, label }) => ({ value: name, text: label ?? name })),
            ])}
            ${longField({ store, on, property: 'instructions', label: msg('Notes for agents') }, dataset.instructions)}
            ${switchField({ store, on, property: 'personal', label: msg('All fields are personal data') }, dataset.personal)}
          </div></details>
      </section>
      <ui-field-grid .store=${store} .owner=${dataset} @picked=${this.#pick}></ui-field-grid>
      ${field === undefined ? nothing : html`<ui-field-panel .store=${store} .owner=${dataset} .field=${field} @picked=${this.#pick}></ui-field-panel>`}
    </div>`;
  }

  protected override render() {
    const { datasets } = this.store.document;
    const shown = datasets.find(({ name }) => name === this.item) ?? (this.item === '' ? datasets[0] : undefined);
    if (datasets.length === 0)
      return html`<div class="empty"><p>${msg('The document has no dataset that can be read. Its source and its problems are in the tab Document.')}</p></div>`;
    return html`<div class="columns">${this.#list(shown)}
      ${shown === undefined ? html`<div class="empty"><p>${msg(str`The model has no dataset "${this.item}". It has ${numberText(datasets.length)} others.`)}</p></div>` : this.#detail(shown)}</div>`;
  }
}

customElements.define('ui-model-datasets', DatasetsTab);
