import { css, html, LitElement, nothing } from 'lit';
import { withBasePath } from '../api-client/base-path.ts';
import { documentAddress } from '../documents/document-address.ts';
import { formStyles } from '../styles/form-styles.ts';
import { shared } from '../styles/shared.ts';
import { inWords } from '../words/server-words.ts';
import { msg, str } from '../words/words.ts';
import { pathOf } from './address.ts';
import { joinWords } from './diagram.ts';
import { modelStyles } from './model-styles.ts';
import { listField, longField } from './property-fields.ts';
import type { ModelUse } from './requests.ts';
import { type ModelStore, StoreController } from './store.ts';
import { count, dateText, numberText } from './words.ts';

/** The most documents that are listed before "Show all". */
const COLLAPSED_USES = 8;

/** Shows what a model is: in words, in figures, as a diagram or a table, its problems, and the documents that use it. */
export class OverviewTab extends LitElement {
  static override properties = { store: { attribute: false }, isTable: { state: true }, hasAllUses: { state: true } };
  static override styles = [
    shared,
    formStyles,
    modelStyles,
    css`
      .page { display: grid; grid-template-columns: minmax(0, 1fr) minmax(280px, 360px); gap: 24px; align-items: start; }
      dl.facts { grid-template-columns: repeat(6, minmax(0, 1fr)); }
      @media (max-width: 1500px) { dl.facts { grid-template-columns: repeat(3, minmax(0, 1fr)); } }
      @media (max-width: 500px) { dl.facts { grid-template-columns: repeat(2, minmax(0, 1fr)); } }
      @media (max-width: 1100px) { .page { grid-template-columns: minmax(0, 1fr); } }
    `,
  ];

  declare store: ModelStore;
  declare isTable: boolean;
  declare hasAllUses: boolean;

  constructor() {
    super();
    this.isTable = false;
    this.hasAllUses = false;
    new StoreController(this, () => this.store);
  }

  #figures() {
    const { document: model, facts, uses, factsProblem } = this.store;
    const all = [...(facts?.values() ?? [])];
    const latest = all
      .flatMap((each) => each.latest ?? [])
      .toSorted()
      .at(-1);
    const rows = all.reduce((sum, each) => sum + (each.rows ?? 0), 0);
    const fields = model.datasets.reduce((sum, dataset) => sum + dataset.fields.length, 0);
    const figures = [
      [msg('Datasets'), numberText(model.datasets.length)],
      [msg('Fields'), numberText(fields)],
      [msg('Metrics'), numberText(model.metrics.length)],
      [msg('Rows'), facts === undefined ? '…' : numberText(rows)],
      [msg('Data until'), facts === undefined ? '…' : latest === undefined ? '–' : dateText(latest)],
      [msg('Documents'), uses === undefined ? '…' : numberText(new Set(uses.map(({ path }) => path)).size)],
    ] as const;
    return html`<dl class="facts card">${figures.map(([title, value]) => html`<div><dt>${title}</dt><dd>${value}</dd></div>`)}</dl>
      ${factsProblem === undefined ? nothing : html`<p class="note">${msg(str`Rows and dates could not be read: ${factsProblem}`)}</p>`}`;
  }

  #table() {
    const { document: model, facts } = this.store;
    const { id } = this.store;
    return html`<div class="scroll" tabindex="0" role="region" aria-label=${msg('Datasets and relationships')}><table>
      <thead><tr><th>${msg('Dataset')}</th><th class="figure">${msg('Fields')}</th><th class="figure">${msg('Rows')}</th><th>${msg('Data until')}</th><th>${msg('Joins')}</th></tr></thead>
      <tbody>${model.datasets.map((dataset) => {
        const fact = facts?.get(dataset.name);
        const joins = model.relationships.filter(({ from }) => from === dataset.name);
        return html`<tr>
          <th scope="row"><a href=${withBasePath(pathOf({ id, tab: 'datasets', item: dataset.name }))}>${dataset.name}</a></th>
          <td class="figure">${numberText(dataset.fields.length)}</td>
          <td class="figure">${fact?.rows === undefined ? '–' : numberText(fact.rows)}</td>
          <td>${fact?.latest === undefined ? '–' : dateText(fact.latest)}</td>
          <td>${joins.length === 0 ? '–' : joins.map((join) => html`<div>${joinWords(join)}</div>`)}</td></tr>`;
      })}</tbody></table></div>`;
  }

  #uses(uses: readonly ModelUse[] | undefined) {
    if (uses === undefined) return html`<div class="bone"></div>`;
    if (uses.length === 0) return html`<p class="note">${msg('No saved query or dashboard asks this model yet.')}</p>`;
    const paths = [...new Set(uses.map(({ path }) => path))];
    const entries = paths.map((path) => [path, uses.filter((use) => use.path === path)] as const);
    const shown = this.hasAllUses ? entries : entries.slice(0, COLLAPSED_USES);
    return html`<ul class="tight">${shown.map(([path, [first, ...others]]) => {
      const tiles = first?.tile === undefined ? 0 : others.length + 1;
      const name = tiles > 0 ? (path.split('/').at(-1) ?? path) : (first?.title ?? path);
      const embeds = first?.embeds ?? 0;
      return html`<li><a href=${documentAddress(path)}>${name}</a> <span class="note">${tiles > 0 ? count(tiles, msg('tile'), msg('tiles')) : msg('saved query')}${embeds > 0 ? ` · ${count(embeds, msg('token or link'), msg('tokens or links'))}` : ''}</span></li>`;
    })}</ul>
    ${
      entries.length > shown.length
        ? html`<button class="button small" type="button" @click=${() => {
            this.hasAllUses = true;
          }}>${msg(str`Show all ${entries.length}`)}</button>`
        : nothing
    }`;
  }

  #problems() {
    const { problems } = this.store.saved;
    if (problems.length === 0) return html`<p><span class="pill good">${msg('No problems')}</span></p>`;
    return html`<ul class="problems">${problems.map(({ severity, message, line }) => html`<li class="problem ${severity}"><p>${inWords(message)}${line === undefined ? '' : html` <span class="note">${msg(str`(line ${line})`)}</span>`}</p></li>`)}</ul>`;
  }

  protected override render() {
    const { store } = this;
    const { document: model } = store;
    const on = { kind: 'model' } as const;
    const toggle = (isTable: boolean) => () => {
      this.isTable = isTable;
    };
    return html`<div class="page">
      <div class="stack">
        ${this.#figures()}
        <section class="card tight">
          <div class="row spread"><h2>${msg('Datasets and how they join')}</h2>
            <div class="row" role="group" aria-label=${msg('Show as')}>
              <button class="button small" type="button" aria-pressed=${!this.isTable} @click=${toggle(false)}>${msg('Diagram')}</button>
              <button class="button small" type="button" aria-pressed=${this.isTable} @click=${toggle(true)}>${msg('Table')}</button></div></div>
          ${this.isTable ? this.#table() : html`<ui-model-diagram .document=${model} .facts=${store.facts}></ui-model-diagram>`}
        </section>
        <section class="card tight"><h2>${msg('Problems')}</h2>${this.#problems()}</section>
      </div>
      <div class="stack">
        <section class="card stack"><h2>${msg('About this model')}</h2>
          ${longField({ store, on, property: 'description', label: msg('Description') }, model.description)}
          ${listField({ store, on, property: 'synonyms', label: msg('Other names'), hint: msg('Separated by commas') }, model.synonyms)}
          ${longField({ store, on, property: 'instructions', label: msg('Notes for agents'), hint: msg('What an agent must know to ask well') }, model.instructions)}
        </section>
        <section class="card tight"><h2>${msg('Used by')}</h2>${this.#uses(store.uses)}</section>
      </div>
    </div>`;
  }
}

customElements.define('ui-model-overview', OverviewTab);
