import { css, html, LitElement, nothing } from 'lit';
import { shared } from '../styles/shared.ts';
import { msg, str } from '../words/words.ts';
import { exploreEvent } from './events.ts';
import { THING_DRAG } from './shelf-list.ts';
import type { Catalog, Thing } from './state/catalog.ts';
import type { Shelf } from './state/draft.ts';
import { captionWords } from './state/words.ts';
import { filterTree, type Members, type TreeRow } from './tree-rows.ts';
import { typeIcon, typeWords } from './type-icon.ts';

/** Height of a row, in pixels. */
const ROW = 32;
/** Rows that are rendered above and below the visible ones. */
const AROUND = 8;
const KEYS: Readonly<Record<string, Shelf>> = { r: 'rows', c: 'columns', v: 'values', f: 'filters', s: 'sorts' };

/** An opened place of the tree: the level of the members below it, and their parent where they are its children. */
export interface OpenedMembers {
  readonly key: string;
  readonly level: Thing;
  readonly parent: string | undefined;
}

/** Shows the things of a model or cube as a tree with search. Only the visible rows are in the page. */
export class FieldTree extends LitElement {
  static override properties = {
    catalog: { attribute: false },
    misfits: { attribute: false },
    used: { attribute: false },
    members: { attribute: false },
    query: { state: true },
    folded: { state: true },
    active: { state: true },
    scrolled: { state: true },
    height: { state: true },
  };
  static override styles = [
    shared,
    css`
      :host { display: flex; flex-direction: column; min-height: 0; font: 14px / 20px var(--body); }
      .search { padding: 12px 12px 8px; }
      input { width: 100%; height: 36px; padding: 0 12px; border: 1px solid var(--muted); border-radius: 6px; background: var(--paper); color: var(--ink); font: inherit; }
      input::placeholder { color: var(--muted); opacity: 1; }
      .tree { position: relative; flex: 1; min-height: 120px; overflow: auto; overscroll-behavior: contain; outline-offset: -2px; }
      .space { position: relative; }
      .row { position: absolute; inset-inline: 0; display: flex; align-items: center; gap: 8px; height: ${ROW}px; padding-inline: 12px 8px; cursor: pointer; user-select: none; }
      .row > span { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
      .row:hover { background: var(--sunken); }
      .group { color: var(--muted); font-size: 12px; font-weight: 600; letter-spacing: 0.02em; }
      .group svg, .twist svg { width: 12px; height: 12px; flex: none; transition: transform 120ms; }
      .open > svg, .open.twist svg { transform: rotate(90deg); }
      .count { margin-inline-start: auto; font-weight: 400; font-variant-numeric: tabular-nums; }
      .thing { padding-inline-start: calc(16px + var(--depth, 0) * 14px); }
      .thing.used > .label { font-weight: 600; }
      .thing.dimmed { color: var(--muted); cursor: not-allowed; }
      .thing.dimmed > .label { text-decoration: line-through; text-decoration-color: var(--line); }
      .member { padding-inline-start: calc(52px + var(--depth, 0) * 14px); color: var(--muted); font-size: 13px; }
      .more > span { color: var(--accent); }
      .icon { flex: none; width: 18px; color: var(--muted); text-align: center; font: 600 12px / 18px var(--code); }
      .icon svg { display: block; width: 14px; height: 14px; margin: 0 auto; }
      .used > .icon { color: var(--accent); }
      .twist { display: inline-flex; flex: none; align-items: center; justify-content: center; width: 24px; height: 24px; margin-inline: auto -2px; padding: 0; border: 0; border-radius: 4px; background: none; color: var(--muted); cursor: pointer; }
      .twist:hover { background: var(--line); color: var(--ink); }
      .tree:focus-visible .active { box-shadow: inset 0 0 0 2px var(--accent); }
      .active { background: var(--accent-wash); }
      .about { min-height: 92px; padding: 10px 12px 12px; border-top: 1px solid var(--line); font-size: 13px; line-height: 18px; }
      .about h3 { overflow: hidden; font-size: 13px; line-height: 18px; text-overflow: ellipsis; white-space: nowrap; }
      .about p { display: -webkit-box; overflow: hidden; max-height: 54px; color: var(--muted); -webkit-line-clamp: 3; -webkit-box-orient: vertical; }
      .about .why { max-height: 90px; color: var(--bad); -webkit-line-clamp: 5; }
      .puts { display: flex; flex-wrap: wrap; gap: 4px; margin-top: 6px; }
      .puts button { min-height: 26px; padding: 0 8px; border: 1px solid var(--line); border-radius: 6px; background: var(--paper); color: var(--ink); font: 500 12px / 1 var(--body); cursor: pointer; }
      .puts button:hover { border-color: var(--muted); background: var(--sunken); }
      kbd { margin-inline-start: 4px; color: var(--muted); font: 11px / 1 var(--code); }
      .none { padding: 16px; color: var(--muted); }
      @media (pointer: coarse) { kbd { display: none; } .puts button { min-height: 36px; } }
    `,
  ];

  declare catalog: Catalog | undefined;
  /** Why a thing cannot be combined with the request, by its key. */
  declare misfits: ReadonlyMap<string, string>;
  /** Keys of the things in the request. */
  declare used: ReadonlySet<string>;
  /** The members of opened levels and the children of opened members, by their keys. */
  declare members: ReadonlyMap<string, Members>;
  declare query: string;
  /** Groups that are closed, and levels that are open. */
  declare folded: ReadonlySet<string>;
  declare active: number;
  declare scrolled: number;
  declare height: number;
  #rows: readonly TreeRow[] = [];
  #sized: ResizeObserver | undefined;

  constructor() {
    super();
    this.catalog = undefined;
    this.misfits = new Map();
    this.used = new Set();
    this.members = new Map();
    this.query = '';
    this.folded = new Set();
    this.active = 0;
    this.scrolled = 0;
    this.height = 400;
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#sized?.disconnect();
    this.#sized = undefined;
  }

  /** Moves the focus to the search. */
  focusSearch(): void {
    this.renderRoot.querySelector('input')?.focus();
  }

  protected override willUpdate(changed: Map<PropertyKey, unknown>): void {
    if (!['catalog', 'query', 'folded', 'members'].some((name) => changed.has(name))) return;
    this.#rows = this.catalog === undefined ? [] : filterTree(this.catalog, this.query, this.folded, this.members);
    if (changed.has('query') || changed.has('catalog'))
      this.active = Math.max(
        0,
        this.#rows.findIndex(({ kind }) => kind === 'thing'),
      );
    this.active = Math.min(this.active, Math.max(0, this.#rows.length - 1));
  }

  protected override updated(changed: Map<PropertyKey, unknown>): void {
    const tree = this.#tree;
    if (tree && !this.#sized) {
      this.#sized = new ResizeObserver(() => {
        this.height = tree.clientHeight;
      });
      this.#sized.observe(tree);
    }
    if (changed.has('query') && tree) tree.scrollTop = 0;
  }

  get #tree(): HTMLElement | null {
    return this.renderRoot.querySelector('.tree');
  }

  #put(thing: Thing, shelf?: Shelf): void {
    if (this.misfits.has(thing.key) && shelf !== 'sorts') return;
    this.dispatchEvent(exploreEvent('explore-place', { key: thing.key, shelf }));
  }

  #fold(id: string): void {
    const folded = new Set(this.folded);
    if (!folded.delete(id)) folded.add(id);
    this.folded = folded;
  }

  /** Opens or closes a level or a member, and asks for what is below it. */
  #unfoldMembers(key: string, level: Thing, parent: string | undefined): void {
    this.#fold(key);
    if (this.folded.has(key))
      this.dispatchEvent(new CustomEvent<OpenedMembers>('tree-open', { detail: { key, level, parent } }));
  }

  #press(index: number): void {
    this.active = index;
    const row = this.#rows[index];
    if (row?.kind === 'group') this.#fold(row.id);
    else if (row?.kind === 'thing') this.#put(row.thing);
    else if (row?.kind === 'member')
      this.dispatchEvent(
        exploreEvent('explore-member', { key: row.level.key, member: row.uniqueName, caption: row.caption }),
      );
    else if (row?.kind === 'note' && row.level !== undefined) this.#put(row.level, 'filters');
  }

  #go(index: number): void {
    this.active = Math.max(0, Math.min(index, this.#rows.length - 1));
    const tree = this.#tree;
    if (!tree) return;
    const top = this.active * ROW;
    if (top < tree.scrollTop) tree.scrollTop = top;
    else if (top + ROW > tree.scrollTop + tree.clientHeight) tree.scrollTop = top + ROW - tree.clientHeight;
  }

  #keyed(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const row = this.#rows[this.active];
    const page = Math.max(1, Math.floor(this.height / ROW) - 1);
    const to: Readonly<Record<string, number>> = {
      ArrowDown: this.active + 1,
      ArrowUp: this.active - 1,
      Home: 0,
      End: this.#rows.length - 1,
      PageDown: this.active + page,
      PageUp: this.active - page,
    };
    const target = to[event.key];
    if (target !== undefined) this.#go(target);
    else if (event.key === 'Enter' || event.key === ' ') this.#press(this.active);
    else if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') this.#unfold(row, event.key === 'ArrowRight');
    else if (row?.kind === 'thing' && KEYS[event.key] !== undefined) this.#put(row.thing, KEYS[event.key]);
    else if (event.key === '/') this.focusSearch();
    else return;
    event.preventDefault();
  }

  #unfold(row: TreeRow | undefined, open: boolean): void {
    if (row?.kind === 'group' && row.isOpen !== open) this.#fold(row.id);
    else if (row?.kind === 'thing' && row.canOpen && row.isOpen !== open)
      this.#unfoldMembers(row.thing.key, row.thing, undefined);
    else if (row?.kind === 'member' && row.below !== undefined && row.isOpen !== open)
      this.#unfoldMembers(row.key, row.below, row.uniqueName);
    else if (!open && row?.kind !== 'group')
      this.#go(this.#rows.findLastIndex(({ kind }, at) => at < this.active && kind === 'group'));
  }

  #searchKeyed(event: KeyboardEvent): void {
    if (event.key === 'ArrowDown') this.#tree?.focus();
    else if (event.key === 'Enter') this.#press(this.active);
    else if (event.key === 'Escape' && this.query !== '') this.query = '';
    else return;
    event.preventDefault();
  }

  #row(row: TreeRow, index: number) {
    const active = index === this.active ? 'active' : '';
    const common = { id: `row-${index}`, top: `top:${index * ROW}px` };
    const press = () => this.#press(index);
    if (row.kind === 'group')
      return html`<div class="row group ${active} ${row.isOpen ? 'open' : ''}" role="treeitem" id=${common.id} aria-level="1" aria-expanded=${row.isOpen} aria-selected="false" .style=${common.top} @click=${press}>
        ${chevron}<span>${row.label}</span><span class="count">${row.count}</span></div>`;
    if (row.kind === 'member') {
      const { level, below, depth } = row;
      const caption = captionWords(row.caption);
      const opens = below !== undefined;
      return html`<div class="row member ${active}" role="treeitem" id=${common.id} aria-level=${3 + depth - level.depth} aria-selected="false" aria-expanded=${opens ? String(row.isOpen) : nothing} .style=${`${common.top};--depth:${depth}`} @click=${press}><span>${caption}</span>${
        opens ? this.#twist(row.isOpen, caption, () => this.#unfoldMembers(row.key, below, row.uniqueName)) : nothing
      }</div>`;
    }
    if (row.kind === 'note')
      return html`<div class="row member ${active} ${row.level === undefined ? '' : 'more'}" role="treeitem" id=${common.id} aria-level="3" aria-disabled=${row.level === undefined ? 'true' : nothing} aria-selected="false" .style=${`${common.top};--depth:${row.depth}`} @click=${press}><span>${row.text}</span></div>`;
    const { thing, canOpen, isOpen } = row;
    const why = this.misfits.get(thing.key);
    const isUsed = this.used.has(thing.key);
    return html`<div class="row thing ${active} ${isUsed ? 'used' : ''} ${why === undefined ? '' : 'dimmed'}" role="treeitem" id=${common.id} aria-level="2"
      aria-selected=${isUsed} aria-disabled=${why === undefined ? nothing : 'true'} aria-expanded=${canOpen ? String(isOpen) : nothing} title=${why ?? nothing}
      draggable=${why === undefined ? 'true' : 'false'} .style=${`${common.top};--depth:${thing.depth}`}
      @click=${press} @mouseenter=${() => this.#hover(index)} @dragstart=${(event: DragEvent) => drag(event, thing)}>
      <span class="icon" aria-hidden="true">${typeIcon(thing.type)}</span><span class="label">${thing.label}</span><span class="visually-hidden">, ${typeWords(thing.type)}${why === undefined ? '' : `. ${why}`}</span>
      ${canOpen ? this.#twist(isOpen, thing.label, () => this.#unfoldMembers(thing.key, thing, undefined)) : nothing}</div>`;
  }

  #twist(isOpen: boolean, name: string, toggle: () => void) {
    return html`<button class="twist ${isOpen ? 'open' : ''}" type="button" tabindex="-1" aria-label=${msg(str`Members of ${name}`)} @click=${(
      event: Event,
    ) => {
      event.stopPropagation();
      toggle();
    }}>${chevron}</button>`;
  }

  #hover(index: number): void {
    // The pointer shows what a thing is; the keyboard's place stays while the tree has the focus.
    if (!this.#tree?.matches(':focus-visible')) this.active = index;
  }

  #about() {
    const row = this.#rows[this.active];
    if (row?.kind !== 'thing')
      return html`<p>${msg('Click a field to add it, drag it, or press a key: r rows, c columns, v values, f filters.')}</p>`;
    const { thing } = row;
    const why = this.misfits.get(thing.key);
    if (why !== undefined)
      return html`<h3>${thing.label}</h3><p class="why" role="note">${msg('Cannot be combined:')} ${why}</p>`;
    const isCubeMeasure = thing.type === 'metric' && this.catalog?.surface === 'cube';
    const shelves: readonly (readonly [Shelf, string, string])[] =
      thing.type === 'metric'
        ? [
            ['values', msg('Values'), 'v'],
            ...(isCubeMeasure ? [] : [['filters', msg('Filter'), 'f'] as const]),
            ['sorts', msg('Sort'), 's'],
          ]
        : [
            ['rows', msg('Rows'), 'r'],
            ['columns', msg('Columns'), 'c'],
            ['filters', msg('Filter'), 'f'],
          ];
    return html`<h3>${thing.label}</h3>${thing.description === '' ? nothing : html`<p>${thing.description}</p>`}
      <div class="puts" role="group" aria-label=${msg(str`Add ${thing.label} to`)}>${shelves.map(
        ([shelf, label, key]) =>
          html`<button type="button" @click=${() => this.#put(thing, shelf)}>${label}<kbd aria-hidden="true">${key}</kbd></button>`,
      )}</div>`;
  }

  protected override render() {
    const rows = this.#rows;
    const first = Math.max(0, Math.floor(this.scrolled / ROW) - AROUND);
    const last = Math.min(rows.length, Math.ceil((this.scrolled + this.height) / ROW) + AROUND);
    // The row that the keyboard is at exists wherever the tree is scrolled to.
    const shown = new Set([...Array.from({ length: Math.max(0, last - first) }, (_, at) => first + at), this.active]);
    return html`
      <div class="search"><input type="search" aria-label=${msg('Search fields and metrics')} placeholder=${msg('Search fields and metrics')} autocomplete="off" spellcheck="false"
        .value=${this.query} @input=${(event: Event) => {
          if (event.target instanceof HTMLInputElement) this.query = event.target.value;
        }} @keydown=${this.#searchKeyed}></div>
      <div class="tree" role="tree" tabindex="0" aria-label=${msg('Fields and metrics')} aria-activedescendant=${rows.length > 0 ? `row-${this.active}` : nothing}
        @keydown=${this.#keyed} @scroll=${(event: Event) => {
          if (event.target instanceof HTMLElement) this.scrolled = event.target.scrollTop;
        }}>
        ${
          rows.length === 0
            ? html`<p class="none" role="treeitem" aria-selected="false">${this.catalog === undefined ? msg('Loading…') : msg(str`Nothing matches “${this.query}”.`)}</p>`
            : html`<div class="space" role="presentation" .style=${`height:${rows.length * ROW}px`}>${[...shown]
                .sort((left, right) => left - right)
                .map((index) => {
                  const row = rows[index];
                  return row === undefined ? nothing : this.#row(row, index);
                })}</div>`
        }
      </div>
      <div class="about">${this.#about()}</div>`;
  }
}

const chevron = html`<svg viewBox="0 0 12 12" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round" aria-hidden="true"><path d="m4.5 2.5 3.5 3.5-3.5 3.5" /></svg>`;

function drag(event: DragEvent, { key, label }: Thing): void {
  event.dataTransfer?.setData(THING_DRAG, key);
  event.dataTransfer?.setData('text/plain', label);
}

customElements.define('ui-field-tree', FieldTree);
