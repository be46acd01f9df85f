import { css, html, LitElement, nothing, type PropertyValues, unsafeCSS } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import { markdownStyles } from '../../../../element/src/markdown/markdown-styles.ts';
import { markdownView } from '../../../../element/src/markdown/markdown-view.ts';
import { isObject, type JsonObject } from '../../api-client/json.ts';
import { formatMinute } from '../../parts/format-when.ts';
import { closeIcon, drillIcon, exploreIcon, settingsIcon } from '../../styles/icons.ts';
import { shared } from '../../styles/shared.ts';
import { embedLocale, msg, str } from '../../words/words.ts';
import { type Dashboard, GAP, NEW_COLUMNS } from './draft.ts';
import type { Place, Tile } from './layout.ts';
import { isDriven, modelOf, Questions, type TileQuestion } from './questions.ts';
import './filter-tile.ts';

/** Padding and border of a tile, top and bottom, in pixels. */
const TILE_FRAME = 26;
const TITLE_HEIGHT = 28;
/** The height of a number: those of a row are of one size. */
const NUMBER_HEIGHT = 108;
/** Below this width the tiles are one below the other, in reading order. */
const NARROW = 640;

export type PlaceEvent = CustomEvent<{ readonly id: string; readonly place: Place }>;
export type TileEvent = CustomEvent<{ readonly id: string }>;

type Question =
  | { readonly status: 'ready'; readonly question: TileQuestion }
  | { readonly status: 'failed'; readonly message: string };

/**
 * Shows a dashboard with the rights of the user. Its filter tiles narrow the tiles that they drive. While it is edited, tiles are moved and resized with the
 * pointer, or with the arrow keys on a tile. Fires `place`, `settings`, `query`, `drill` and `remove`.
 */
export class DashboardGrid extends LitElement {
  static override properties = {
    dashboard: { attribute: false },
    isEditing: { type: Boolean },
    theme: {},
    chosen: { state: true },
    drag: { state: true },
    lit: { state: true },
    isNarrow: { state: true },
  };
  static override styles = [
    shared,
    unsafeCSS(markdownStyles),
    css`
      .grid { position: relative; display: grid; grid-template-columns: repeat(var(--columns), minmax(0, 1fr)); grid-auto-rows: var(--row); gap: ${GAP}px; }
      .tile { position: relative; display: flex; flex-direction: column; gap: 8px; min-width: 0; padding: 12px 16px; overflow: hidden; border: 1px solid var(--line); border-radius: 10px; background: var(--paper); }
      .tile.text { justify-content: center; padding-inline: 4px; border-color: transparent; background: none; }
      .tile.lit { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); }
      .tile > h2 { flex: none; overflow: hidden; height: 20px; color: var(--muted); font-size: 14px; line-height: 20px; font-weight: 600; text-overflow: ellipsis; white-space: nowrap; }
      .words { overflow: auto; white-space: pre-line; overflow-wrap: anywhere; font-size: 16px; line-height: 24px; }
      service-embed { flex: 1; min-height: 0; --service-embed-border: transparent; }
      /* The element leaves space beside a number; the tile has its own. */
      .tile.kpi service-embed { flex: none; margin: -4px -20px 0; }
      .age { margin-top: 8px; color: var(--muted); font-size: 12px; line-height: 16px; text-align: end; }
      .failed { color: var(--bad); }
      .bone { flex: 1; }
      .edit .tile { cursor: grab; touch-action: none; border-style: dashed; border-color: var(--muted); }
      .edit .tile > :not(.tools, .corner) { pointer-events: none; }
      .edit .tile:is(.text, .filter) { padding-inline-end: 84px; }
      .edit .tile:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; border-radius: 10px; }
      .edit .dragged { z-index: 2; cursor: grabbing; box-shadow: var(--shade); opacity: 0.9; }
      .tools { position: absolute; inset-block-start: 6px; inset-inline-end: 6px; display: flex; gap: 4px; }
      .tools .button { min-height: 28px; width: 28px; padding: 0; }
      .corner { position: absolute; inset: auto 0 0 auto; width: 24px; height: 24px; cursor: nwse-resize; touch-action: none; }
      .corner::after { content: ''; position: absolute; inset: auto 5px 5px auto; width: 8px; height: 8px; border: solid var(--muted); border-width: 0 2px 2px 0; }
      .ghost { border: 2px dashed var(--accent); border-radius: 10px; background: var(--accent-wash); opacity: 0.6; }
      .narrow { display: flex; flex-direction: column; }
      .narrow .tile { height: max(calc(var(--h) * (var(--row) + ${GAP}px) - ${GAP}px), var(--least, 0px)); }
      .narrow .tile.text { height: auto; }
    `,
  ];

  declare dashboard: Dashboard;
  declare isEditing: boolean;
  declare theme: 'light' | 'dark' | '';
  /** The chosen values of each filter tile. */
  declare chosen: ReadonlyMap<string, readonly string[]>;
  declare drag: { readonly id: string; readonly place: Place; readonly isResize: boolean } | undefined;
  /** The tiles that the filter under the pointer or the focus drives. */
  declare lit: ReadonlySet<string>;
  declare isNarrow: boolean;
  readonly #questions = new Questions(() => this.requestUpdate());
  readonly #known = new Map<string, Question>();
  #size: ResizeObserver | undefined;

  constructor() {
    super();
    this.dashboard = { title: '', description: '', columns: NEW_COLUMNS, rowHeight: 40, tiles: [] };
    this.isEditing = false;
    this.theme = '';
    this.chosen = new Map();
    this.drag = undefined;
    this.lit = new Set();
    this.isNarrow = false;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.#size = new ResizeObserver(([entry]) => {
      if (entry !== undefined) this.isNarrow = entry.contentRect.width < NARROW;
    });
    this.#size.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.#size?.disconnect();
  }

  /** Reads all answers again. */
  refresh(): void {
    this.#questions.refresh();
    this.#known.clear();
    this.requestUpdate();
  }

  focusTile(id: string): void {
    void this.updateComplete.then(() =>
      this.renderRoot.querySelector<HTMLElement>(`[data-tile="${CSS.escape(id)}"]`)?.focus(),
    );
  }

  protected override willUpdate(_changed: PropertyValues<this>): void {
    for (const tile of this.dashboard.tiles) if (hasData(tile)) this.#load(tile);
  }

  #load(tile: Tile): void {
    const key = JSON.stringify(tile.query);
    if (this.#known.has(key) || this.#loading.has(key)) return;
    this.#loading.add(key);
    this.#questions.of(tile).then(
      (question) => this.#settle(key, { status: 'ready', question }),
      (error: unknown) =>
        this.#settle(key, { status: 'failed', message: error instanceof Error ? error.message : String(error) }),
    );
  }

  readonly #loading = new Set<string>();

  #settle(key: string, question: Question): void {
    this.#loading.delete(key);
    this.#known.set(key, question);
    this.requestUpdate();
  }

  #questionOf(tile: Tile): TileQuestion | undefined {
    const known = this.#known.get(JSON.stringify(tile.query));
    return known?.status === 'ready' ? known.question : undefined;
  }

  #modelOf(tile: Tile): JsonObject | undefined {
    const question = this.#questionOf(tile);
    return question === undefined ? undefined : modelOf(question);
  }

  /** Returns the model of a filter: that of the first tile that it names. */
  #filterModel({ drives }: Tile): JsonObject | undefined {
    for (const tile of this.dashboard.tiles) {
      if (!hasData(tile) || (drives !== undefined && !drives.includes(tile.id))) continue;
      const model = this.#modelOf(tile);
      if (model !== undefined) return model;
    }
    return undefined;
  }

  #driven(filter: Tile): ReadonlySet<string> {
    const model = this.#filterModel(filter);
    return new Set(
      this.dashboard.tiles
        .filter((tile) => hasData(tile) && isDriven(filter, tile, this.#modelOf(tile), model))
        .map(({ id }) => id),
    );
  }

  #conditions(tile: Tile) {
    return this.dashboard.tiles.flatMap((filter) => {
      const values = this.chosen.get(filter.id) ?? [];
      if (filter.kind !== 'filter' || filter.field === undefined || values.length === 0) return [];
      return this.#driven(filter).has(tile.id) ? [{ field: filter.field, values }] : [];
    });
  }

  #light(filter: Tile | undefined): void {
    this.lit = filter === undefined ? new Set() : this.#driven(filter);
  }

  #place(id: string, place: Place): void {
    this.dispatchEvent(new CustomEvent('place', { detail: { id, place } }) satisfies PlaceEvent);
  }

  #act(type: 'settings' | 'query' | 'drill' | 'remove', id: string): void {
    this.dispatchEvent(new CustomEvent(type, { detail: { id } }) satisfies TileEvent);
  }

  #pressed(event: KeyboardEvent, tile: Tile): void {
    if (!this.isEditing || event.target !== event.currentTarget) return;
    const steps: Readonly<Record<string, readonly [number, number]>> = {
      ArrowLeft: [-1, 0],
      ArrowRight: [1, 0],
      ArrowUp: [0, -1],
      ArrowDown: [0, 1],
    };
    const step = steps[event.key];
    const { x, y, w, h, id } = tile;
    if (step !== undefined && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      const [across, down] = step;
      this.#place(id, event.shiftKey ? { x, y, w: w + across, h: h + down } : { x: x + across, y: y + down, w, h });
      this.focusTile(id);
    } else if (event.key === 'Enter') {
      event.preventDefault();
      this.#act('settings', id);
    } else if (event.key === 'e' && hasData(tile)) {
      event.preventDefault();
      this.#act('query', id);
    } else if (event.key === 'c' && !event.ctrlKey && !event.metaKey && hasData(tile)) {
      event.preventDefault();
      this.#act('drill', id);
    } else if (event.key === 'Delete' || event.key === 'Backspace') {
      event.preventDefault();
      this.#act('remove', id);
    }
  }

  #grabbed(event: PointerEvent, tile: Tile, isResize: boolean): void {
    if (!this.isEditing || event.button !== 0 || this.isNarrow) return;
    if (event.composedPath().some((each) => each instanceof HTMLElement && each.matches('.tools'))) return;
    event.stopPropagation();
    const target = event.currentTarget;
    if (!(target instanceof HTMLElement)) return;
    target.setPointerCapture(event.pointerId);
    const grid = this.renderRoot.querySelector('.grid')?.getBoundingClientRect();
    const cell = {
      w: ((grid?.width ?? 0) + GAP) / this.dashboard.columns,
      h: this.dashboard.rowHeight + GAP,
    };
    const start = { x: event.clientX, y: event.clientY };
    const { columns } = this.dashboard;
    const move = (moved: PointerEvent): void => {
      const across = Math.round((moved.clientX - start.x) / cell.w);
      const down = Math.round((moved.clientY - start.y) / cell.h);
      if (this.drag === undefined && Math.hypot(moved.clientX - start.x, moved.clientY - start.y) < 4) return;
      const place = isResize
        ? {
            x: tile.x,
            y: tile.y,
            w: Math.min(Math.max(1, tile.w + across), columns - tile.x),
            h: Math.max(1, tile.h + down),
          }
        : {
            x: Math.min(Math.max(0, tile.x + across), columns - tile.w),
            y: Math.max(0, tile.y + down),
            w: tile.w,
            h: tile.h,
          };
      this.drag = { id: tile.id, place, isResize };
    };
    const end = (ended: Event): void => {
      target.removeEventListener('pointermove', move);
      target.removeEventListener('pointerup', end);
      target.removeEventListener('pointercancel', end);
      const { drag } = this;
      this.drag = undefined;
      if (drag !== undefined && ended.type === 'pointerup') this.#place(drag.id, drag.place);
    };
    target.addEventListener('pointermove', move);
    target.addEventListener('pointerup', end);
    target.addEventListener('pointercancel', end);
  }

  #chose(filter: Tile, values: readonly string[]): void {
    this.chosen = new Map([...this.chosen, [filter.id, values]]);
  }

  #bodyHeight(tile: Tile): number {
    const { rowHeight } = this.dashboard;
    const height = tile.h * (rowHeight + GAP) - GAP - TILE_FRAME - (tile.title === undefined ? 0 : TITLE_HEIGHT);
    return Math.max(40, tile.kind === 'kpi' ? Math.min(height, NUMBER_HEIGHT) : height);
  }

  #body(tile: Tile) {
    switch (tile.kind) {
      case 'text':
        return tile.format === 'markdown'
          ? html`<div class="words markdown" tabindex="0">${markdownView(tile.text ?? '', tile.title === undefined ? 2 : 3)}</div>`
          : html`<p class="words" tabindex="0">${tile.text}</p>`;
      case 'filter':
        return html`<ui-filter-tile .label=${tile.title ?? tile.field ?? ''} .field=${tile.field ?? ''} .model=${this.#filterModel(tile)} ?isWaiting=${this.#loading.size > 0} .values=${this.chosen.get(tile.id) ?? []}
          @chosen=${({ detail }: CustomEvent<readonly string[]>) => this.#chose(tile, detail)}
          @pointerenter=${() => this.#light(tile)} @pointerleave=${() => this.#light(undefined)} @focusin=${() => this.#light(tile)} @focusout=${() => this.#light(undefined)}></ui-filter-tile>`;
      case 'chart':
      case 'kpi':
      case 'table':
        return this.#data(tile);
      default:
        return html`<p class="muted">${msg('This kind of tile cannot be shown here.')}</p>`;
    }
  }

  #data(tile: Tile) {
    const known = this.#known.get(JSON.stringify(tile.query));
    if (known === undefined) return html`<div class="bone"></div>`;
    if (known.status === 'failed') return html`<p class="failed" role="alert">${known.message}</p>`;
    const { question } = known;
    const chart = mergedChart(question.chart, tile.chart);
    return html`<service-embed .locale=${embedLocale} .reader=${this.#questions.reader(question, this.#conditions(tile))} path=${tile.id} render=${tile.kind}
      mode=${tile.chartType ?? nothing} measure=${tile.measure ?? nothing} .chart=${chart} theme=${this.theme === '' ? nothing : this.theme} height="${this.#bodyHeight(tile)}px"></service-embed>`;
  }

  #tile(tile: Tile, index: number) {
    const drag = this.drag?.id === tile.id ? this.drag : undefined;
    const { x, y, w, h } = drag?.place ?? tile;
    const style = `--h:${h};grid-column:${x + 1}/span ${w};grid-row:${y + 1}/span ${h};${tile.kind === 'chart' ? '--least:280px' : ''}`;
    const name = tile.title ?? (tile.kind === 'text' ? (tile.text ?? '').slice(0, 60) : tile.id);
    const place = msg(
      str`${name}: tile ${index + 1} of ${this.dashboard.tiles.length}, column ${x + 1}, row ${y + 1}, ${w} wide, ${h} high`,
    );
    return html`<section class="tile ${tile.kind} ${this.lit.has(tile.id) ? 'lit' : ''} ${drag ? 'dragged' : ''}" data-tile=${tile.id} .style=${style}
      role=${this.isEditing ? 'group' : nothing} aria-label=${this.isEditing ? place : name} tabindex=${this.isEditing ? '0' : nothing}
      @keydown=${(event: KeyboardEvent) => this.#pressed(event, tile)} @pointerdown=${(event: PointerEvent) => this.#grabbed(event, tile, false)}>
      ${tile.title === undefined || tile.kind === 'filter' ? nothing : html`<h2 title=${tile.title}>${tile.title}</h2>`}
      ${this.#body(tile)}
      ${
        this.isEditing
          ? html`<div class="tools">
                ${
                  hasData(tile)
                    ? html`<button class="button" type="button" aria-label=${msg(str`Query of ${name}`)} title=${msg('Edit in explorer')} @click=${() => this.#act('query', tile.id)}>${exploreIcon}</button>
                <button class="button" type="button" aria-label=${msg(str`Clicks in ${name}`)} title=${msg('What a click leads to')} @click=${() => this.#act('drill', tile.id)}>${drillIcon}</button>`
                    : nothing
                }
                <button class="button" type="button" aria-label=${msg(str`Settings of ${name}`)} @click=${() => this.#act('settings', tile.id)}>${settingsIcon}</button>
                <button class="button" type="button" aria-label=${msg(str`Remove ${name}`)} @click=${() => this.#act('remove', tile.id)}>${closeIcon}</button>
              </div>
              <div class="corner" @pointerdown=${(event: PointerEvent) => this.#grabbed(event, tile, true)}></div>`
          : nothing
      }
    </section>`;
  }

  protected override render() {
    const { tiles, columns, rowHeight, title } = this.dashboard;
    const { oldest } = this.#questions;
    const ordered = tiles.toSorted((a, b) => a.y - b.y || a.x - b.x);
    return html`<div class="grid ${this.isEditing ? 'edit' : ''} ${this.isNarrow ? 'narrow' : ''}" role="group" aria-label=${title} .style=${`--columns:${columns};--row:${rowHeight}px`}>
      ${repeat(
        ordered,
        ({ id }) => id,
        (tile, index) => this.#tile(tile, index),
      )}
    </div>
    ${oldest === undefined ? nothing : html`<p class="age">${msg(str`As of ${formatMinute(new Date(oldest))}`)}</p>`}`;
  }
}

function hasData({ kind, query }: Tile): boolean {
  return query !== undefined && (kind === 'chart' || kind === 'kpi' || kind === 'table');
}

/** Returns the settings of a tile over those of its saved query. */
function mergedChart(query: unknown, tile: unknown): unknown {
  return isObject(query) || isObject(tile)
    ? { ...(isObject(query) ? query : {}), ...(isObject(tile) ? tile : {}) }
    : undefined;
}

customElements.define('ui-dashboard-grid', DashboardGrid);
