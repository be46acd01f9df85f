import { css, html, LitElement, nothing, type TemplateResult } from 'lit';
import { DATE_GRAINS } from '../../../router/date-grains.ts';
import { shared } from '../styles/shared.ts';
import { exploreEvent } from './events.ts';
import './filter-panel.ts';
import { msg } from '../words/words.ts';
import { panelStyles } from './panel-styles.ts';
import { place, remove, replace, sortBy, takes } from './state/actions.ts';
import type { Catalog, Thing } from './state/catalog.ts';
import type { Draft, Shelf } from './state/draft.ts';
import { findThing } from './state/find-thing.ts';
import {
  type Item,
  isJsonObject,
  type JsonValue,
  numberOf,
  textOf,
  valuesOf,
  withMembers,
} from './state/json-value.ts';
import { aggregationWords, type Captions, grainWords, isDescending, itemWords, memberWords } from './state/words.ts';
import { typeIcon } from './type-icon.ts';

/** Things that a search in the panel shows. */
const MAX_FOUND = 60;

/** Shows what can be changed of one chip, or the things that a list takes. */
export class ChipPanel extends LitElement {
  static override properties = {
    draft: { attribute: false },
    catalog: { attribute: false },
    misfits: { attribute: false },
    captions: { attribute: false },
    shelf: {},
    index: { type: Number },
    query: { state: true },
  };
  static override styles = [
    shared,
    panelStyles,
    css`
      .found { overflow: auto; max-height: 320px; margin: 0 -8px; }
      .found button { display: flex; align-items: center; gap: 8px; width: 100%; min-height: 32px; padding: 4px 8px; border: 0; border-radius: 6px; background: none; color: var(--ink); font: inherit; text-align: start; cursor: pointer; }
      .found button:hover, .found button:focus-visible { background: var(--sunken); }
      .found button[aria-disabled='true'] { color: var(--muted); cursor: not-allowed; }
      .found .icon { flex: none; width: 16px; color: var(--muted); text-align: center; font: 600 12px / 16px var(--code); }
      .found .icon svg { display: block; width: 14px; height: 14px; }
      .found small { margin-inline-start: auto; color: var(--muted); font-size: 12px; }
    `,
  ];

  declare draft: Draft | undefined;
  declare catalog: Catalog | undefined;
  declare misfits: ReadonlyMap<string, string>;
  declare captions: Captions;
  declare shelf: Shelf;
  /** Position of the chip; -1 to add one. */
  declare index: number;
  declare query: string;

  constructor() {
    super();
    this.draft = undefined;
    this.catalog = undefined;
    this.misfits = new Map();
    this.captions = new Map();
    this.shelf = 'rows';
    this.index = -1;
    this.query = '';
  }

  #edit(draft: Draft): void {
    this.dispatchEvent(exploreEvent('explore-edit', draft));
  }

  #change(item: Item, members: Item): void {
    if (this.draft) this.#edit(replace(this.draft, this.shelf, this.index, withMembers(item, members)));
  }

  #close(): void {
    this.dispatchEvent(new Event('panel-done', { bubbles: true, composed: true }));
  }

  #adder(draft: Draft, catalog: Catalog): TemplateResult {
    const words = this.query.toLowerCase().split(/\s+/).filter(Boolean);
    const found: Thing[] = [];
    for (const { things } of catalog.groups) {
      for (const thing of things) {
        if (found.length >= MAX_FOUND) break;
        const isTaken = this.shelf === 'sorts' ? isSortable(thing, draft, catalog) : takes(this.shelf, thing);
        if (isTaken && words.every((word) => thing.words.includes(word))) found.push(thing);
      }
    }
    const groups = new Map(catalog.groups.map(({ id, label }) => [id, label]));
    const add = (thing: Thing) => {
      if (this.misfits.has(thing.key)) return;
      const next = place(draft, thing, catalog, this.shelf);
      this.query = '';
      this.#edit(next);
      // A filter needs its values; its panel takes the place of this one.
      if (this.shelf === 'filters')
        this.dispatchEvent(
          new CustomEvent('panel-added', { detail: next.filters.length - 1, bubbles: true, composed: true }),
        );
      else this.#close();
    };
    return html`<input class="field" type="search" aria-label=${msg('Search')} placeholder=${msg('Search')} autocomplete="off" .value=${this.query}
        @input=${(event: Event) => {
          if (event.target instanceof HTMLInputElement) this.query = event.target.value;
        }}
        @keydown=${(event: KeyboardEvent) => {
          const [first] = found;
          if (event.key === 'Enter' && first !== undefined) add(first);
          if (event.key === 'ArrowDown') this.renderRoot.querySelector<HTMLElement>('.found button')?.focus();
        }}>
      <div class="found" @keydown=${moveFocus}>${
        found.length === 0
          ? html`<p class="muted" .style=${'padding: 8px'}>${msg('Nothing fits here.')}</p>`
          : found.map((thing) => {
              const why = this.misfits.get(thing.key);
              return html`<button type="button" aria-disabled=${why === undefined ? nothing : 'true'} title=${why ?? nothing} @click=${() => add(thing)}>
                <span class="icon" aria-hidden="true">${typeIcon(thing.type)}</span>${thing.label}<small>${groups.get(thing.group) ?? ''}</small></button>`;
            })
      }</div>`;
  }

  #place(item: Item, thing: Thing | undefined) {
    const grain = textOf(item, 'grain');
    const roles = thing?.roles ?? [];
    const members = valuesOf(item, 'members');
    const via = Array.isArray(item.via) ? item.via.join('/') : textOf(item, 'via');
    return html`
      ${
        thing !== undefined && thing.grains.length > 0
          ? html`<fieldset><legend>${msg('Grain')}</legend><div class="choices">${['', ...thing.grains].map(
              (each) =>
                html`<label class="choice"><input type="radio" name="grain" .checked=${(grain ?? '') === each} @change=${() => this.#change(item, { grain: each === '' ? undefined : each, fill: undefined })}><span>${each === '' ? msg('as it is') : grainWords(each)}</span></label>`,
            )}</div></fieldset>`
          : nothing
      }
      ${this.shelf === 'rows' && grain !== undefined && isPeriod(grain) ? this.#fill(item) : nothing}
      ${
        roles.length > 0
          ? html`<fieldset><legend>${msg('Which way')}</legend><div class="choices">${[
              { via: '', label: msg('the only one') },
              ...roles,
            ].map(
              (role) =>
                html`<label class="choice"><input type="radio" name="via" .checked=${(via ?? '') === role.via} @change=${() => this.#change(item, { via: role.via === '' ? undefined : role.via })}><span>${role.label}</span></label>`,
            )}</div></fieldset>`
          : nothing
      }
      ${
        members.length > 0
          ? html`<fieldset><legend>${msg('Only')}</legend><p>${members.map((each) => memberWords(each, this.captions)).join(', ')}</p><button class="button" type="button" @click=${() => this.#change(item, { members: undefined })}>${msg('Show all')}</button></fieldset>`
          : nothing
      }
      ${thing !== undefined && this.draft?.source.surface === 'semantic' ? this.#order(thing) : nothing}`;
  }

  #fill(item: Item) {
    const choices: readonly (readonly [JsonValue | undefined, string])[] = [
      [undefined, msg('leave out')],
      [true, msg('show empty')],
      ['zero', msg('show as zero')],
    ];
    return html`<fieldset><legend>${msg('Periods without data')}</legend><div class="choices">${choices.map(
      ([value, label]) =>
        html`<label class="choice"><input type="radio" name="fill" .checked=${(item.fill || undefined) === value} @change=${() => this.#change(item, { fill: value })}><span>${label}</span></label>`,
    )}</div></fieldset>`;
  }

  #order(thing: Thing) {
    const { draft, catalog } = this;
    if (!draft || !catalog) return nothing;
    const sorted = draft.sorts.find((sort) => findThing(sort, catalog)?.key === thing.key);
    const now = sorted === undefined ? undefined : isDescending(sorted) ? 'desc' : 'asc';
    const words =
      thing.type === 'text'
        ? { asc: msg('A to Z'), desc: msg('Z to A') }
        : thing.type === 'date'
          ? { asc: msg('oldest first'), desc: msg('newest first') }
          : { asc: msg('smallest first'), desc: msg('largest first') };
    return html`<fieldset><legend>${msg('Sort')}</legend><div class="choices">${(['asc', 'desc'] as const).map(
      (direction) =>
        html`<label class="choice"><input type="radio" name="sort" .checked=${now === direction} @change=${() => this.#edit(sortBy(draft, thing, direction))}><span>${words[direction]}</span></label>`,
    )}${now === undefined ? nothing : html`<button class="link" type="button" @click=${() => this.#edit({ ...draft, sorts: draft.sorts.filter((sort) => sort !== sorted) })}>${msg('Not sorted')}</button>`}</div></fieldset>`;
  }

  #value(item: Item, thing: Thing | undefined) {
    const aggregation = textOf(item, 'aggregation');
    const aggregations = thing?.aggregations ?? [];
    const isSemantic = this.draft?.source.surface === 'semantic';
    return html`
      ${
        aggregations.length > 1 || aggregation !== undefined
          ? html`<label class="line"><span>${msg('Aggregation')}</span><select @change=${(event: Event) => {
              if (event.target instanceof HTMLSelectElement)
                this.#change(item, { aggregation: event.target.value === '' ? undefined : event.target.value });
            }}>${['', ...aggregations].map((each) => html`<option value=${each} .selected=${(aggregation ?? '') === each}>${each === '' ? msg('as defined') : aggregationWords(each)}</option>`)}</select></label>`
          : nothing
      }
      ${isSemantic ? this.#compare(item) : nothing}
      ${thing === undefined ? nothing : this.#order(thing)}`;
  }

  #compare(item: Item) {
    const to = isJsonObject(item.compare) ? item.compare.to : undefined;
    const custom = isJsonObject(to) ? to : undefined;
    const now = custom ? 'offset' : typeof to === 'string' ? to : '';
    const offset = numberOf(custom ?? {}, 'offset') ?? -1;
    const grain = textOf(custom ?? {}, 'grain') ?? 'month';
    const choose = (value: string) => {
      const target: JsonValue | undefined = value === '' ? undefined : value === 'offset' ? { offset, grain } : value;
      this.#change(item, { compare: target === undefined ? undefined : { to: target } });
    };
    const choices = [
      ['', msg('nothing')],
      ['previous_period', msg('the period before')],
      ['previous_year', msg('the year before')],
      ['offset', msg('another time')],
    ] as const;
    return html`<fieldset><legend>${msg('Compare with')}</legend><div class="choices">${choices.map(
      ([value, label]) =>
        html`<label class="choice"><input type="radio" name="compare" .checked=${now === value} @change=${() => choose(value)}><span>${label}</span></label>`,
    )}</div>
      ${
        custom
          ? html`<div class="pair"><input class="field" type="number" step="1" aria-label=${msg('Periods away; negative for earlier')} .value=${String(offset)} @change=${(
              event: Event,
            ) => {
              const count = event.target instanceof HTMLInputElement ? Math.trunc(event.target.valueAsNumber) : 0;
              if (Number.isFinite(count) && count !== 0)
                this.#change(item, { compare: { to: { offset: count, grain } } });
            }}><select aria-label=${msg('Unit')} @change=${(event: Event) => {
              if (event.target instanceof HTMLSelectElement)
                this.#change(item, { compare: { to: { offset, grain: event.target.value } } });
            }}>${['day', 'week', 'month', 'quarter', 'year'].map((each) => html`<option value=${each} .selected=${each === grain}>${grainWords(each)}</option>`)}</select></div>`
          : nothing
      }</fieldset>`;
  }

  #sort(item: Item) {
    const isLower = this.draft?.source.surface === 'cube';
    const choose = (direction: 'asc' | 'desc') =>
      this.#change(item, { direction: isLower ? direction : direction.toUpperCase() });
    return html`<div class="choices">${(['asc', 'desc'] as const).map(
      (direction) =>
        html`<label class="choice"><input type="radio" name="direction" .checked=${isDescending(item) === (direction === 'desc')} @change=${() => choose(direction)}><span>${direction === 'asc' ? msg('ascending ↑') : msg('descending ↓')}</span></label>`,
    )}</div>`;
  }

  protected override render() {
    const { draft, catalog, shelf, index } = this;
    if (!draft || !catalog) return nothing;
    const item = draft[shelf][index];
    if (index < 0) return html`<div class="panel">${this.#adder(draft, catalog)}</div>`;
    if (item === undefined) return nothing;
    const thing = findThing(item, catalog);
    const body =
      shelf === 'filters'
        ? html`<ui-filter-panel .item=${item} .catalog=${catalog} .captions=${this.captions} @filter-change=${(event: CustomEvent<Item>) => this.#edit(replace(draft, shelf, index, event.detail))}></ui-filter-panel>`
        : shelf === 'values'
          ? this.#value(item, thing)
          : shelf === 'sorts'
            ? this.#sort(item)
            : this.#place(item, thing);
    return html`<div class="panel"><h3>${itemWords(shelf, item, catalog, this.captions)}</h3>${body}
      <div class="end"><button class="link" type="button" @click=${() => {
        this.#edit(remove(draft, shelf, index));
        this.#close();
      }}>${msg('Remove')}</button><button class="button" type="button" @click=${this.#close}>${msg('Done')}</button></div>
      </div>`;
  }
}

/** Returns whether a request can be sorted by a thing: by what it shows, or by any metric. */
function isSortable(thing: Thing, draft: Draft, catalog: Catalog): boolean {
  if (thing.type === 'metric') return true;
  if (draft.source.surface === 'cube') return false;
  return [...draft.rows, ...draft.columns].some((item) => findThing(item, catalog)?.key === thing.key);
}

function isPeriod(grain: string): boolean {
  return !Object.entries(DATE_GRAINS).some(([name, { kind }]) => name === grain && kind === 'part');
}

/** Moves the focus between the buttons of a list with the arrow keys. */
function moveFocus(event: KeyboardEvent): void {
  const step =
    event.key === 'ArrowDown' ? 'nextElementSibling' : event.key === 'ArrowUp' ? 'previousElementSibling' : undefined;
  if (step === undefined || !(event.target instanceof HTMLElement)) return;
  const next = event.target[step];
  if (next instanceof HTMLElement) next.focus();
  event.preventDefault();
}

customElements.define('ui-chip-panel', ChipPanel);
