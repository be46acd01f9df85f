import { css, html, LitElement, nothing, type PropertyValues } from 'lit';
import { formStyles } from '../styles/form-styles.ts';
import { shared } from '../styles/shared.ts';
import { msg, str } from '../words/words.ts';
import { GRID_COLUMNS, type GridColumn, type GridOrder, shownFields } from './grid-columns.ts';
import type { DatasetElement, FieldElement } from './model-document.ts';
import { problemsOf } from './problems.ts';
import { type ModelStore, StoreController } from './store.ts';
import { numberText } from './words.ts';

/** The height of a row in pixels, as in the style sheet. */
const ROW = 32;
/** Rows that are rendered above and below the visible ones. */
const SPARE = 10;

interface Cell {
  readonly row: number;
  readonly column: number;
}

/**
 * The fields of a dataset as a grid: arrow keys move, Enter or F2 edits, Space switches the personal mark. Only the visible
 * rows are rendered. Fires `picked` with the name of the field of the active row.
 */
export class FieldGrid extends LitElement {
  static override properties = {
    store: { attribute: false },
    owner: { attribute: false },
    filter: { state: true },
    order: { state: true },
    active: { state: true },
    isEditing: { state: true },
    first: { state: true },
    height: { state: true },
  };
  static override styles = [
    shared,
    formStyles,
    css`
      .bar { display: flex; flex-wrap: wrap; align-items: center; gap: 8px 16px; margin-bottom: 8px; }
      .bar .input { max-width: 280px; height: 32px; border-radius: 6px; font-size: 14px; }
      .note { color: var(--muted); font-size: 13px; }
      .scroller { overflow: auto; max-height: min(62vh, 640px); border: 1px solid var(--line); border-radius: 10px; background: var(--paper); }
      .rows { min-width: 1010px; }
      .line {
        display: grid; grid-template-columns: 132px 132px minmax(150px, 1.6fr) 108px 80px minmax(110px, 1fr) 72px 92px minmax(120px, 1fr); height: 32px;
        border-bottom: 1px solid var(--line);
      }
      .header { position: sticky; top: 0; z-index: 2; background: var(--sunken); }
      .cell { padding: 0 8px; overflow: hidden; font-size: 13px; line-height: 31px; text-overflow: ellipsis; white-space: nowrap; cursor: default; }
      .cell:first-child { position: sticky; inset-inline-start: 0; z-index: 1; background: inherit; font-family: var(--code); font-size: 12px; }
      .body { background: var(--paper); }
      .body:hover, .body[aria-selected='true'] { background: var(--sunken); }
      .cell.edits { cursor: text; }
      .cell:focus-visible { outline: 2px solid var(--accent); outline-offset: -2px; }
      .cell.editing { padding: 1px; overflow: visible; }
      .cell input[type='text'] { width: 100%; height: 28px; padding: 0 6px; border: 2px solid var(--accent); border-radius: 4px; background: var(--paper); color: var(--ink); font: 13px var(--body); outline: none; }
      .cell input[type='checkbox'] { width: 16px; height: 16px; margin: 8px 0 0; accent-color: var(--accent); }
      .sort { width: 100%; height: 31px; padding: 0; border: 0; background: none; color: var(--muted); font: 600 12px var(--body); text-align: start; cursor: pointer; }
      .sort:hover { color: var(--ink); }
      .flag { display: inline-block; width: 16px; height: 16px; margin-inline-end: 4px; border-radius: 50%; background: var(--warn); color: var(--paper); font: 700 11px / 16px var(--body); text-align: center; }
      .none { padding: 24px; color: var(--muted); }
      @media (max-width: 560px) { .line { grid-template-columns: 120px 150px 220px 108px 96px 150px 80px 120px 180px; } }
    `,
  ];

  declare store: ModelStore;
  declare owner: DatasetElement;
  declare filter: string;
  declare order: GridOrder;
  declare active: Cell;
  declare isEditing: boolean;
  /** The first rendered row. */
  declare first: number;
  /** The height of the visible part. */
  declare height: number;
  #mustFocus = false;

  constructor() {
    super();
    this.filter = '';
    this.order = { by: '', isDescending: false };
    this.active = { row: 0, column: 0 };
    this.isEditing = false;
    this.first = 0;
    this.height = 640;
    new StoreController(this, () => this.store);
  }

  protected override willUpdate(changed: PropertyValues<this>): void {
    const former = changed.get('owner');
    if (former !== undefined && former.name !== this.owner.name) {
      this.active = { row: 0, column: 0 };
      this.filter = '';
      this.first = 0;
      this.isEditing = false;
    }
  }

  protected override updated(): void {
    const scroller = this.renderRoot.querySelector('.scroller');
    if (scroller !== null && scroller.clientHeight > 0 && Math.abs(scroller.clientHeight - this.height) > ROW)
      this.height = scroller.clientHeight;
    if (!this.#mustFocus) return;
    this.#mustFocus = false;
    const target = this.isEditing ? '.editing input' : '[role=gridcell][tabindex="0"]';
    const element = this.renderRoot.querySelector<HTMLElement>(target);
    element?.focus();
    if (element instanceof HTMLInputElement && element.type === 'text') element.select();
  }

  get #facts() {
    return this.store.facts?.get(this.owner.name);
  }

  get #fields(): readonly FieldElement[] {
    return shownFields(this.owner.fields, this.#facts, { filter: this.filter, order: this.order });
  }

  #scrolled(event: Event): void {
    if (event.target instanceof HTMLElement) this.first = Math.max(0, Math.floor(event.target.scrollTop / ROW) - SPARE);
  }

  #sort({ key }: GridColumn): void {
    const { by, isDescending } = this.order;
    this.order =
      by !== key
        ? { by: key, isDescending: false }
        : isDescending
          ? { by: '', isDescending: false }
          : { by, isDescending: true };
    this.active = { row: 0, column: this.active.column };
  }

  #activate(row: number, column: number, isEditing = false): void {
    const fields = this.#fields;
    const next = {
      row: Math.max(0, Math.min(fields.length - 1, row)),
      column: Math.max(0, Math.min(GRID_COLUMNS.length - 1, column)),
    };
    this.active = next;
    this.isEditing = isEditing && this.store.canEdit && GRID_COLUMNS[next.column]?.edits !== undefined;
    this.#mustFocus = true;
    this.#scrollTo(next.row);
    const field = fields[next.row];
    if (field !== undefined) this.dispatchEvent(new CustomEvent('picked', { detail: field.name }));
    this.requestUpdate();
  }

  /** Scrolls a row into the visible part, below the header. */
  #scrollTo(row: number): void {
    const scroller = this.renderRoot.querySelector('.scroller');
    if (scroller === null) return;
    const top = row * ROW;
    if (top < scroller.scrollTop) scroller.scrollTop = top;
    else if (top + 2 * ROW > scroller.scrollTop + scroller.clientHeight)
      scroller.scrollTop = top + 2 * ROW - scroller.clientHeight;
    this.first = Math.max(0, Math.floor(scroller.scrollTop / ROW) - SPARE);
  }

  #key(event: KeyboardEvent): void {
    if (this.isEditing) return;
    const { row, column } = this.active;
    const page = Math.max(1, Math.floor(this.height / ROW) - 2);
    const moves: Readonly<Record<string, readonly [number, number]>> = {
      ArrowUp: [row - 1, column],
      ArrowDown: [row + 1, column],
      ArrowLeft: [row, column - 1],
      ArrowRight: [row, column + 1],
      PageUp: [row - page, column],
      PageDown: [row + page, column],
      Home: [event.ctrlKey ? 0 : row, 0],
      End: [event.ctrlKey ? this.#fields.length - 1 : row, GRID_COLUMNS.length - 1],
    };
    const move = moves[event.key];
    if (move !== undefined) {
      event.preventDefault();
      this.#activate(move[0], move[1]);
    } else if (event.key === 'Enter' || event.key === 'F2') {
      event.preventDefault();
      this.#activate(row, column, true);
    } else if (event.key === ' ' && GRID_COLUMNS[column]?.key === 'personal') {
      event.preventDefault();
      const field = this.#fields[row];
      if (field !== undefined) this.#setPersonal(field, !field.personal);
    }
  }

  #editKey(event: KeyboardEvent): void {
    if (event.key !== 'Escape' && event.key !== 'Enter' && event.key !== 'Tab') return;
    event.preventDefault();
    event.stopPropagation();
    const { row, column } = this.active;
    if (event.key !== 'Escape') this.#commit(event.target);
    // Tab goes on to the next column, as in a spreadsheet.
    const step = event.key === 'Tab' ? (event.shiftKey ? -1 : 1) : 0;
    this.#activate(row, column + step);
  }

  #commit(input: EventTarget | null): void {
    const field = this.#fields[this.active.row];
    const column = GRID_COLUMNS[this.active.column];
    if (!this.isEditing || field === undefined || column?.edits === undefined || !(input instanceof HTMLInputElement))
      return;
    this.isEditing = false;
    const typed = input.value.trim();
    if (typed === column.text(field, undefined)) return;
    const on = { kind: 'field', dataset: this.owner.name, name: field.name } as const;
    this.store.edit({ op: 'set', on, property: column.edits, value: column.read?.(typed) ?? null });
  }

  #setPersonal(field: FieldElement, isPersonal: boolean): void {
    const on = { kind: 'field', dataset: this.owner.name, name: field.name } as const;
    this.store.edit({ op: 'set', on, property: 'personal', value: isPersonal });
  }

  #cell(field: FieldElement, column: GridColumn, row: number, index: number) {
    const isActive = this.active.row === row && this.active.column === index;
    const text = column.text(field, this.#facts);
    if (isActive && this.isEditing)
      return html`<div class="cell editing" role="gridcell" aria-colindex=${index + 1}><input type="text" aria-label=${msg(str`${column.title()} of ${field.name}`)} .value=${text}
        @keydown=${this.#editKey} @blur=${(event: Event) => this.#commit(event.target)} /></div>`;
    const classes = column.edits !== undefined && this.store.canEdit ? 'cell edits' : 'cell';
    const click = () => this.#activate(row, index, isActive);
    const content =
      column.key === 'personal'
        ? html`<input type="checkbox" tabindex="-1" aria-label=${msg(str`${field.name} is personal`)} .checked=${field.personal} ?disabled=${!this.store.canEdit}
            @change=${(event: Event) => event.target instanceof HTMLInputElement && this.#setPersonal(field, event.target.checked)} />`
        : column.key === 'name' &&
            problemsOf(this.store.saved.problems, { kind: 'field', dataset: this.owner.name, name: field.name })
              .length > 0
          ? html`<span class="flag" title=${msg('Has problems')}>!</span>${text}`
          : text;
    return html`<div class=${classes} role=${index === 0 ? 'rowheader' : 'gridcell'} aria-colindex=${index + 1} tabindex=${isActive ? 0 : -1} title=${text}
      @click=${click} @dblclick=${() => this.#activate(row, index, true)}>${content}</div>`;
  }

  protected override render() {
    const fields = this.#fields;
    const visible = Math.ceil(this.height / ROW) + 2 * SPARE;
    const from = Math.min(this.first, Math.max(0, fields.length - visible));
    const to = Math.min(fields.length, from + visible);
    const { by, isDescending } = this.order;
    const all = this.owner.fields.length;
    return html`
      <div class="bar">
        <input class="input" type="search" placeholder=${msg('Filter fields')} aria-label=${msg('Filter fields')} .value=${this.filter} @input=${(
          event: Event,
        ) => {
          if (!(event.target instanceof HTMLInputElement)) return;
          this.filter = event.target.value;
          this.active = { row: 0, column: this.active.column };
          this.first = 0;
        }} />
        <span class="note" role="status">${fields.length === all ? msg(str`${numberText(all)} fields`) : msg(str`${numberText(fields.length)} of ${numberText(all)} fields`)}</span>
        ${this.store.canEdit ? html`<span class="note">${msg('Click twice or press Enter to edit a cell')}</span>` : nothing}
      </div>
      <div class="scroller" @scroll=${this.#scrolled}>
        <div class="rows" role="grid" aria-label=${msg(str`Fields of ${this.owner.name}`)} aria-rowcount=${fields.length + 1} aria-colcount=${GRID_COLUMNS.length} @keydown=${this.#key}>
          <div class="line header" role="row" aria-rowindex="1">
            ${GRID_COLUMNS.map((column, index) => {
              const direction = by === column.key ? (isDescending ? 'descending' : 'ascending') : 'none';
              const arrow = direction === 'none' ? '' : isDescending ? ' ↓' : ' ↑';
              return html`<div class="cell" role="columnheader" aria-colindex=${index + 1} aria-sort=${direction}><button class="sort" type="button" @click=${() => this.#sort(column)}>${column.title()}${arrow}</button></div>`;
            })}
          </div>
          <div role="presentation" .style=${`height:${from * ROW}px`}></div>
          ${fields.slice(from, to).map((field, offset) => {
            const row = from + offset;
            return html`<div class="line body" role="row" aria-rowindex=${row + 2} aria-selected=${this.active.row === row ? 'true' : 'false'}>
              ${GRID_COLUMNS.map((column, index) => this.#cell(field, column, row, index))}</div>`;
          })}
          <div role="presentation" .style=${`height:${(fields.length - to) * ROW}px`}></div>
        </div>
        ${fields.length === 0 ? html`<p class="none">${all === 0 ? msg('This dataset has no fields.') : msg('No field has this text.')}</p>` : nothing}
      </div>`;
  }
}

customElements.define('ui-field-grid', FieldGrid);
