import { css, html, LitElement, nothing } from 'lit';
import { closeIcon } from '../styles/icons.ts';
import { shared } from '../styles/shared.ts';
import { msg, str } from '../words/words.ts';
import { exploreEvent } from './events.ts';
import { move, place, remove, replace, takes } from './state/actions.ts';
import type { Catalog } from './state/catalog.ts';
import type { Draft, Shelf } from './state/draft.ts';
import { findThing } from './state/find-thing.ts';
import { isComplete } from './state/is-complete.ts';
import { type Item, isJsonObject, withValueAt } from './state/json-value.ts';
import { type Place, placeOf } from './state/typed-request.ts';
import { type Captions, itemWords } from './state/words.ts';

/** The type of what is dragged from the tree: the key of a thing. */
export const THING_DRAG = 'application/x-explore-thing';
/** The type of a dragged chip: its list and position. */
const CHIP_DRAG = 'application/x-explore-chip';

const KEYS: Readonly<Record<string, Shelf>> = { r: 'rows', c: 'columns', v: 'values', f: 'filters' };
/** Candidates of a mistake that are shown as buttons. */
const MAX_CANDIDATES = 6;

/** A mistake of the request, as the server reports it. */
export interface Mistake {
  readonly field: string;
  readonly message: string;
  readonly available: readonly string[];
}

/** Shows the lists of a request as chips. Chips open, move and disappear by pointer and by keyboard. */
export class ShelfList extends LitElement {
  static override properties = {
    draft: { attribute: false },
    catalog: { attribute: false },
    mistakes: { attribute: false },
    captions: { attribute: false },
    over: { state: true },
  };
  static override styles = [
    shared,
    css`
      :host { font: 14px / 20px var(--body); }
      .shelves { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 4px 16px; }
      .shelf { display: grid; grid-template-columns: 64px minmax(0, 1fr); gap: 8px; align-items: start; min-height: 36px; padding: 2px 4px; border-radius: 6px; }
      .shelf.over { background: var(--accent-wash); box-shadow: inset 0 0 0 1px var(--accent); }
      .name { padding-block: 6px; color: var(--muted); font-size: 13px; }
      .chips { display: flex; flex-wrap: wrap; gap: 6px; align-items: center; min-height: 32px; }
      .chip { display: inline-flex; align-items: stretch; max-width: 100%; min-height: 28px; border: 1px solid var(--line); border-radius: 6px; background: var(--paper); }
      .chip.field { background: var(--sunken); }
      .chip.metric { border-color: color-mix(in srgb, var(--accent) 40%, var(--line)); background: var(--accent-wash); }
      .chip.waits { border-style: dashed; border-color: var(--muted); }
      .chip.wrong { border-color: var(--bad); background: var(--bad-wash); }
      .chip.before { box-shadow: -3px 0 0 -1px var(--accent); }
      .chip button { padding: 0; border: 0; background: none; color: inherit; font: inherit; cursor: pointer; }
      .chip .text { overflow: hidden; min-width: 0; padding: 3px 4px 3px 10px; text-align: start; text-overflow: ellipsis; white-space: nowrap; }
      .chip .drop { display: inline-flex; align-items: center; justify-content: center; width: 26px; flex: none; border-radius: 0 5px 5px 0; color: var(--muted); }
      .chip .drop:hover { background: color-mix(in srgb, var(--ink) 10%, transparent); color: var(--ink); }
      .chip .drop svg { width: 12px; height: 12px; }
      .add { display: inline-flex; align-items: center; justify-content: center; width: 28px; height: 28px; padding: 0; border: 1px dashed var(--muted); border-radius: 6px; background: none; color: var(--muted); font: 500 16px / 1 var(--body); cursor: pointer; }
      .add:hover { border-style: solid; background: var(--sunken); color: var(--ink); }
      .problem { display: grid; gap: 6px; margin-top: 8px; padding: 8px 12px; border: 1px solid var(--bad); border-radius: 6px; background: var(--bad-wash); font-size: 13px; }
      .candidates { display: flex; flex-wrap: wrap; gap: 6px; }
      .candidates .button { min-height: 28px; padding: 0 10px; font-size: 13px; }
      .visually-hidden { white-space: normal; }
      @media (max-width: 760px) { .shelves { grid-template-columns: minmax(0, 1fr); } }
      @media (pointer: coarse) { .chip { min-height: 36px; } .chip .text { padding-block: 7px; } .chip .drop, .add { width: 36px; } .add { height: 36px; } }
    `,
  ];

  declare draft: Draft | undefined;
  declare catalog: Catalog | undefined;
  declare mistakes: readonly Mistake[];
  declare captions: Captions;
  /** Where a dragged thing would be put. */
  declare over: { readonly shelf: Shelf; readonly index: number } | undefined;
  #focusAfter: { readonly shelf: Shelf; readonly index: number } | undefined;

  constructor() {
    super();
    this.draft = undefined;
    this.catalog = undefined;
    this.mistakes = [];
    this.captions = new Map();
    this.over = undefined;
  }

  /** Returns the button of a chip. */
  chip(shelf: Shelf, index: number): HTMLElement | null {
    return this.renderRoot.querySelector<HTMLElement>(`[data-shelf="${shelf}"] [data-index="${index}"] .text`);
  }

  protected override updated(): void {
    const after = this.#focusAfter;
    if (after === undefined) return;
    this.#focusAfter = undefined;
    const last = (this.draft?.[after.shelf].length ?? 0) - 1;
    const target =
      this.chip(after.shelf, Math.max(0, Math.min(after.index, last))) ??
      this.renderRoot.querySelector<HTMLElement>(`[data-shelf="${after.shelf}"] .add`);
    target?.focus();
  }

  #edit(draft: Draft): void {
    if (draft !== this.draft) this.dispatchEvent(exploreEvent('explore-edit', draft));
  }

  #open(shelf: Shelf, index: number, anchor: EventTarget | null): void {
    this.dispatchEvent(new CustomEvent('chip-open', { detail: { shelf, index, anchor } }));
  }

  #keyed(event: KeyboardEvent, shelf: Shelf, index: number): void {
    const { draft, catalog } = this;
    if (!draft || !catalog) return;
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    const target = KEYS[event.key];
    if (event.key === 'Delete' || event.key === 'Backspace') {
      this.#focusAfter = { shelf, index };
      this.#edit(remove(draft, shelf, index));
    } else if (step !== 0 && (event.altKey || event.shiftKey)) {
      const to = index + step;
      if (to < 0 || to >= draft[shelf].length) return;
      this.#focusAfter = { shelf, index: to };
      this.#edit(move(draft, { shelf, index }, { shelf, index: to }, catalog));
    } else if (step !== 0) this.chip(shelf, index + step)?.focus();
    else if (target !== undefined && target !== shelf && !event.ctrlKey && !event.metaKey) {
      this.#focusAfter = { shelf: target, index: draft[target].length };
      this.#edit(move(draft, { shelf, index }, { shelf: target, index: draft[target].length }, catalog));
    } else return;
    event.preventDefault();
    event.stopPropagation();
  }

  #dragOver(event: DragEvent, shelf: Shelf): void {
    const types = event.dataTransfer?.types ?? [];
    if (!types.includes(THING_DRAG) && !types.includes(CHIP_DRAG)) return;
    event.preventDefault();
    const chips = [...this.renderRoot.querySelectorAll<HTMLElement>(`[data-shelf="${shelf}"] .chip`)];
    const index = chips.findIndex((chip) => {
      const { left, width, bottom } = chip.getBoundingClientRect();
      return event.clientY < bottom && event.clientX < left + width / 2;
    });
    const at = index < 0 ? chips.length : index;
    if (this.over?.shelf !== shelf || this.over.index !== at) this.over = { shelf, index: at };
  }

  #drop(event: DragEvent, shelf: Shelf): void {
    const { draft, catalog, over } = this;
    this.over = undefined;
    if (!draft || !catalog) return;
    event.preventDefault();
    const at = over?.shelf === shelf ? over.index : draft[shelf].length;
    const thing = catalog.byKey.get(event.dataTransfer?.getData(THING_DRAG) ?? '');
    if (thing !== undefined) {
      this.#edit(place(draft, thing, catalog, takes(shelf, thing) ? shelf : undefined, at));
      return;
    }
    const [from, index] = (event.dataTransfer?.getData(CHIP_DRAG) ?? '').split(':');
    const origin = SHELF_NAMES.find(([name]) => name === from)?.[0];
    if (origin === undefined) return;
    const past = origin === shelf && at > Number(index) ? 1 : 0;
    this.#edit(move(draft, { shelf: origin, index: Number(index) }, { shelf, index: at - past }, catalog));
  }

  #repair({ shelf, index, rest }: Place, candidate: string): void {
    const { draft } = this;
    const item = draft?.[shelf][index];
    if (!draft || item === undefined) return;
    const repaired = withValueAt(item, rest, candidate);
    if (isJsonObject(repaired)) this.#edit(replace(draft, shelf, index, repaired));
  }

  #chip(item: Item, shelf: Shelf, index: number, mistakes: readonly (Mistake & { readonly place: Place })[]) {
    const { draft, catalog, over } = this;
    if (!draft || !catalog) return nothing;
    const words = itemWords(shelf, item, catalog, this.captions);
    const kind = findThing(item, catalog)?.type === 'metric' ? 'metric' : 'field';
    const wrong = mistakes.find(({ place: at }) => at.shelf === shelf && at.index === index);
    const waits = shelf === 'filters' && !isComplete(item, draft.source.surface);
    const before = over?.shelf === shelf && over.index === index ? 'before' : '';
    return html`<span class="chip ${kind} ${wrong ? 'wrong' : ''} ${waits ? 'waits' : ''} ${before}" role="listitem" data-index=${index} draggable="true"
      @dragstart=${(event: DragEvent) => event.dataTransfer?.setData(CHIP_DRAG, `${shelf}:${index}`)}>
      <button class="text" type="button" aria-haspopup="dialog" aria-describedby=${wrong ? `problem-${shelf}-${index}` : nothing} title=${words}
        @click=${(event: Event) => this.#open(shelf, index, event.currentTarget)} @keydown=${(event: KeyboardEvent) => this.#keyed(event, shelf, index)}>${words}</button>
      <button class="drop" type="button" aria-label=${msg(str`Remove ${words}`)} @click=${() => {
        this.#focusAfter = { shelf, index };
        this.#edit(remove(draft, shelf, index));
      }}>${closeIcon}</button></span>`;
  }

  protected override render() {
    const { draft, catalog } = this;
    if (!draft || !catalog) return nothing;
    const placed = this.mistakes.flatMap((mistake) => {
      const at = placeOf(draft, mistake.field);
      return at === undefined ? [] : [{ ...mistake, place: at }];
    });
    return html`<div class="shelves">${SHELF_NAMES.map(
      ([
        shelf,
        name,
      ]) => html`<div class="shelf ${this.over?.shelf === shelf ? 'over' : ''}" data-shelf=${shelf} @dragover=${(event: DragEvent) => this.#dragOver(event, shelf)}
        @dragleave=${() => {
          this.over = undefined;
        }} @drop=${(event: DragEvent) => this.#drop(event, shelf)}>
        <span class="name" id="name-${shelf}">${name}</span>
        <div class="chips"><span role=${draft[shelf].length > 0 ? 'list' : nothing} aria-labelledby="name-${shelf}" .style=${'display:contents'}>${draft[shelf].map((item, index) => this.#chip(item, shelf, index, placed))}</span>
          <button class="add" type="button" aria-haspopup="dialog" aria-label=${msg(str`Add to ${name}`)} title=${msg(str`Add to ${name}`)} @click=${(event: Event) => this.#open(shelf, -1, event.currentTarget)}>+</button>
        </div></div>`,
    )}<slot></slot></div>
    ${placed.map(
      ({ message, available, place: at }) =>
        html`<div class="problem" role="alert" id="problem-${at.shelf}-${at.index}"><p>${message}</p>${
          available.length === 0
            ? nothing
            : html`<div class="candidates" role="group" aria-label=${msg('Use instead')}>${available
                .slice(0, MAX_CANDIDATES)
                .map(
                  (candidate) =>
                    html`<button class="button" type="button" @click=${() => this.#repair(at, candidate)}>${candidate}</button>`,
                )}</div>`
        }</div>`,
    )}`;
  }
}

const SHELF_NAMES: readonly (readonly [Shelf, string])[] = [
  ['rows', msg('Rows')],
  ['columns', msg('Columns')],
  ['values', msg('Values')],
  ['filters', msg('Where')],
  ['sorts', msg('Sort')],
];

customElements.define('ui-shelf-list', ShelfList);
