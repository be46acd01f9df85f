import { css, html, LitElement, nothing, type PropertyValues } from 'lit';
import { withBasePath } from '../api-client/base-path.ts';
import { RemoteData } from '../api-client/remote-data.ts';
import { formStyles } from '../styles/form-styles.ts';
import { shared } from '../styles/shared.ts';
import { msg, str } from '../words/words.ts';
import { pathOf } from './address.ts';
import { joinWords } from './diagram.ts';
import type { Target } from './draft.ts';
import { nameProblem } from './element-actions.ts';
import type { ModelDocument, RelationshipElement } from './model-document.ts';
import { modelStyles } from './model-styles.ts';
import { problemsOf } from './problems.ts';
import { problemList, splitList, textField } from './property-fields.ts';
import type { JoinCheck } from './requests.ts';
import { type ModelStore, StoreController } from './store.ts';
import { count, numberText } from './words.ts';

/** The relationships of a model: their ends can be changed, and their rows counted. */
export class RelationshipsTab extends LitElement {
  static override properties = {
    store: { attribute: false },
    item: {},
    isAdding: { state: true },
    problem: { state: true },
    checked: { state: true },
  };
  static override styles = [
    shared,
    formStyles,
    modelStyles,
    css`
      .columns { grid-template-columns: minmax(220px, 320px) minmax(0, 1fr); }
      .ends { display: grid; grid-template-columns: minmax(0, 1fr) auto minmax(0, 1fr); gap: 12px; align-items: center; }
      .picks .name { white-space: normal; }
      @media (max-width: 760px) { .columns, .ends { grid-template-columns: minmax(0, 1fr); } }
    `,
  ];

  declare store: ModelStore;
  declare item: string;
  declare isAdding: boolean;
  declare problem: string;
  /** The ends that the shown check is of. */
  declare checked: string;
  readonly #check = new RemoteData<JoinCheck>(this);

  constructor() {
    super();
    this.item = '';
    this.isAdding = false;
    this.problem = '';
    this.checked = '';
    new StoreController(this, () => this.store);
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('item')) this.checked = '';
  }

  async #countRows(relationship: RelationshipElement): Promise<void> {
    this.checked = joinWords(relationship);
    await this.#check.read((signal) => this.store.requests.checkJoin(relationship, signal));
  }

  #ends(relationship: RelationshipElement) {
    const { store } = this;
    const on: Target = { kind: 'relationship', name: relationship.name };
    const end = (member: 'from' | 'to') => {
      const columns = member === 'from' ? ('fromColumns' as const) : ('toColumns' as const);
      const title = member === 'from' ? msg('Many rows of') : msg('One row of');
      const changeColumns = (event: Event) => {
        if (!(event.target instanceof HTMLInputElement)) return;
        const list = splitList(event.target.value);
        if (list.length > 0) store.edit({ op: 'set', on, property: columns, value: list });
      };
      return html`<div class="tight">
        <label class="field"><span>${title}</span><select class="input" name=${member} ?disabled=${!store.canEdit} @change=${(
          event: Event,
        ) => {
          if (event.target instanceof HTMLSelectElement)
            store.edit({ op: 'set', on, property: member, value: event.target.value });
        }}>${store.document.datasets.map(({ name }) => html`<option value=${name} ?selected=${name === relationship[member]}>${name}</option>`)}</select></label>
        <label class="field"><span>${msg('by the column')}</span><input class="input code" name=${columns} list="${member}-columns" autocomplete="off" .value=${relationship[columns].join(', ')} ?readonly=${!store.canEdit} @change=${changeColumns} /></label>
        ${columnList(`${member}-columns`, store.document, relationship[member])}</div>`;
    };
    return html`<div class="ends">${end('from')}<span aria-hidden="true">→</span>${end('to')}</div>`;
  }

  #result(relationship: RelationshipElement) {
    if (this.checked !== joinWords(relationship)) return nothing;
    const { state } = this.#check;
    if (this.#check.isBusy) return html`<p class="note" role="status">${msg('Counting rows…')}</p>`;
    if (state.status === 'failed') return html`<p class="problem error" role="alert">${state.message}</p>`;
    if (state.status !== 'ready') return nothing;
    const { from, to } = relationship;
    const { rows, emptyKeys, withoutPartner, repeatedKeys } = state.value;
    const flaws = [
      ...(withoutPartner > 0
        ? [
            msg(
              str`${count(withoutPartner, msg('row'), msg('rows'))} of ${from} have a key that ${to} does not have: ${share(withoutPartner, rows)} of its rows.`,
            ),
          ]
        : []),
      ...(emptyKeys > 0
        ? [
            msg(
              str`${count(emptyKeys, msg('row'), msg('rows'))} of ${from} have no key: ${share(emptyKeys, rows)} of its rows.`,
            ),
          ]
        : []),
      ...(repeatedKeys > 0
        ? [
            msg(
              str`${count(repeatedKeys, msg('key'), msg('keys'))} of ${to} are on more than one row, so that rows of ${from} would be counted again.`,
            ),
          ]
        : []),
    ];
    return html`<div class="tight" role="status">${
      flaws.length === 0
        ? html`<p><span class="pill good">${msg('Joins well')}</span> ${msg(str`Each of the ${numberText(rows)} rows of ${from} has exactly one row of ${to}.`)}</p>`
        : html`<ul class="problems">${flaws.map((flaw) => html`<li class="problem"><p>${flaw}</p></li>`)}</ul>`
    }</div>`;
  }

  #detail(relationship: RelationshipElement) {
    const { store } = this;
    const on: Target = { kind: 'relationship', name: relationship.name };
    const go = (item: string) =>
      this.dispatchEvent(
        new CustomEvent('go', { detail: { tab: 'relationships', item }, bubbles: true, composed: true }),
      );
    return html`<section class="card stack" aria-labelledby="title">
      <div class="row spread"><h2 id="title">${relationship.name}</h2>
        <ui-element-actions .store=${store} .on=${on} .taken=${store.document.relationships.map(({ name }) => name)} canRemove @renamed=${(event: CustomEvent<string>) => go(event.detail)} @removed=${() => go('')}></ui-element-actions></div>
      <p class="note">${joinWords(relationship)}</p>
      ${problemList(problemsOf(store.saved.problems, on))}
      ${this.#ends(relationship)}
      <div class="form">${textField({ store, on, property: 'label', label: msg('Label'), hint: msg('The role of its target, such as "delivered on"') }, relationship.label)}</div>
      <div class="row"><button class="button" type="button" @click=${() => this.#countRows(relationship)}>${msg('Check this join')}</button></div>
      ${this.#result(relationship)}
    </section>`;
  }

  #add(event: Event): void {
    event.preventDefault();
    if (!(event.target instanceof HTMLFormElement)) return;
    const data = new FormData(event.target);
    const text = (name: string) => String(data.get(name) ?? '').trim();
    const fromColumns = splitList(text('fromColumns'));
    const toColumns = splitList(text('toColumns'));
    const name = text('name') || `${text('from')}_to_${text('to')}`;
    this.problem =
      nameProblem(
        name,
        this.store.document.relationships.map((each) => each.name),
      ) ||
      (fromColumns.length === 0 || fromColumns.length !== toColumns.length
        ? msg('Give the columns of both ends, as many on each.')
        : '');
    if (this.problem !== '') return;
    this.isAdding = false;
    this.store.edit({ op: 'add-relationship', name, from: text('from'), to: text('to'), fromColumns, toColumns });
    this.dispatchEvent(
      new CustomEvent('go', { detail: { tab: 'relationships', item: name }, bubbles: true, composed: true }),
    );
  }

  #form() {
    const { document: model } = this.store;
    const options = model.datasets.map(({ name }) => html`<option value=${name}>${name}</option>`);
    return html`<form class="card stack" @submit=${this.#add}><h2>${msg('New relationship')}</h2>
      <div class="ends">
        <div class="tight"><label class="field"><span>${msg('Many rows of')}</span><select class="input" name="from">${options}</select></label>
          <label class="field"><span>${msg('by the column')}</span><input class="input code" name="fromColumns" autocomplete="off" /></label></div>
        <span aria-hidden="true">→</span>
        <div class="tight"><label class="field"><span>${msg('One row of')}</span><select class="input" name="to">${options}</select></label>
          <label class="field"><span>${msg('by the column')}</span><input class="input code" name="toColumns" autocomplete="off" /></label></div></div>
      <div class="form"><label class="field"><span>${msg('Name')}</span><input class="input code" name="name" autocomplete="off" /><span class="hint">${msg('Empty: from its ends')}</span></label></div>
      <p class="wrong" role="alert">${this.problem}</p>
      <div class="row"><button class="button primary" type="submit">${msg('Add relationship')}</button><button class="button" type="button" @click=${() => {
        this.isAdding = false;
      }}>${msg('Cancel')}</button></div></form>`;
  }

  protected override render() {
    const { document: model, id, canEdit } = this.store;
    const { relationships } = model;
    const shown =
      relationships.find(({ name }) => name === this.item) ?? (this.item === '' ? relationships[0] : undefined);
    const add =
      canEdit && model.datasets.length > 0
        ? html`<button class="button" type="button" @click=${() => {
            this.isAdding = true;
          }}>${msg('New relationship')}</button>`
        : nothing;
    if (relationships.length === 0 && !this.isAdding)
      return html`<div class="empty"><p>${msg('A relationship joins two datasets, such as sales to the stores they were made in. This model has none.')}</p>${add}</div>`;
    return html`<div class="columns">
      <div class="tight">${add}
        <nav class="picks" aria-label=${msg('Relationships')}>${relationships.map(
          ({ name, from, to, label }) =>
            html`<a href=${withBasePath(pathOf({ id, tab: 'relationships', item: name }))} aria-current=${name === shown?.name && !this.isAdding ? 'true' : nothing} @click=${() => {
              this.isAdding = false;
            }}><span class="name">${from} → ${to}</span><span class="fact">${label ?? ''}</span></a>`,
        )}</nav></div>
      ${this.isAdding ? this.#form() : shown === undefined ? html`<div class="empty"><p>${msg(str`The model has no relationship "${this.item}".`)}</p></div>` : this.#detail(shown)}</div>`;
  }
}

function share(part: number, whole: number): string {
  const percent = whole === 0 ? 0 : (100 * part) / whole;
  return `${percent > 0 && percent < 0.1 ? '< 0.1' : percent.toFixed(1)} %`;
}

/** Offers the columns of a dataset. */
function columnList(id: string, { datasets }: ModelDocument, name: string) {
  const dataset = datasets.find((each) => each.name === name);
  const columns = dataset?.columns ?? dataset?.primaryKey ?? [];
  return html`<datalist id=${id}>${columns.map((column) => html`<option value=${column}></option>`)}</datalist>`;
}

customElements.define('ui-model-relationships', RelationshipsTab);
