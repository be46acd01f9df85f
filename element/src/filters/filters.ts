import { nothing, type TemplateResult } from 'lit';
import { readDrilling } from '../api/drilling.ts';
import {
  conditionsOf,
  conditionsOfSelected,
  type DrillStep,
  type FilterChoice,
  type FilterState,
  readFilterState,
  type SelectedValue,
  withConditions,
} from '../api/filter-state.ts';
import type { Answer } from '../api/parse-answer.ts';
import { emit } from '../events.ts';
import { rawValue } from '../table/select-row.ts';
import type { DrillPart, Drills, FilterSpec, FilterStates, FiltersOptions, Host } from '../types.ts';
import { readAddress, writeAddress } from './address.ts';
import { OfferReader, readOffer } from './offer.ts';
import { selectionText } from './selection-text.ts';
import { filterBar, filterControl, summaryView } from './view.ts';

type Values = Readonly<Record<string, SelectedValue>>;
/** A tile; undefined for a query. */
type Target = string | undefined;

/** Name of an embed's only answer in the state. */
const QUERY = 'query';

/** Contains the filters of one embed: what they offer, and what the visitor chose in them and by clicks. */
export class Filters implements FilterStates {
  readonly #options: FiltersOptions;
  readonly #readers = new Map<string, OfferReader>();
  readonly #popped = (): void => {
    if (this.#stateParam !== undefined) this.#take(readAddress(this.#stateParam) ?? {});
  };
  #state: FilterState = {};
  /** The value of the property that `#state` was read from. */
  #given: unknown;
  #isStarted = false;
  #drills: Drills | undefined;
  /** What the mark in each answer stands for. */
  readonly #marked = new Map<Target, string>();
  /** Place of the last press of a pointer; undefined after a key. */
  #pressed: { readonly x: number; readonly y: number } | undefined;
  readonly #input = (event: Event): void => {
    this.#pressed = event instanceof PointerEvent ? { x: event.clientX, y: event.clientY } : undefined;
  };
  readonly host: Host;

  constructor(options: FiltersOptions) {
    this.#options = options;
    const { host } = options;
    this.host = options.source.drill
      ? Object.create(host, { select: { value: (detail: Parameters<Host['select']>[0]) => this.#clicked(detail) } })
      : host;
    for (const { id } of options.specs) {
      const reader = new OfferReader(
        (text, signal) => readOffer(options.source, options.access, { id, text }, signal),
        (failure) => {
          if (failure) options.host.failed({ tile: this.#tile(id), code: failure.code, retriable: failure.retriable });
          options.host.requestUpdate();
        },
      );
      this.#readers.set(id, reader);
    }
    const address = this.#stateParam === undefined ? undefined : readAddress(this.#stateParam);
    this.#given = options.host.settings.filterState;
    this.#state = readFilterState(this.#given ?? address);
  }

  get #stateParam(): string | undefined {
    return this.#options.host.settings.stateParam;
  }

  #tile(id: string): string | undefined {
    return this.#options.source.kind === 'query' ? undefined : id;
  }

  start(): void {
    for (const { whole } of this.#readers.values()) whole.start();
    if (this.#isStarted) return;
    this.#isStarted = true;
    addEventListener('popstate', this.#popped);
    for (const type of ['pointerdown', 'keydown']) this.host.root.addEventListener(type, this.#input, true);
  }

  stop(): void {
    this.#isStarted = false;
    removeEventListener('popstate', this.#popped);
    for (const type of ['pointerdown', 'keydown']) this.host.root.removeEventListener(type, this.#input, true);
    for (const reader of this.#readers.values()) reader.stop();
  }

  /** Takes over what the page has set since the last rendering. */
  sync(): void {
    const given = this.#options.host.settings.filterState;
    if (given !== this.#given) {
      this.#given = given;
      this.#state = readFilterState(given);
    }
    for (const { id } of this.#options.selecting) this.#mark(id);
  }

  /** Marks the row that the visitor clicked, where the state or the answer is another one: a restored state marks it too. */
  #mark(tile: string): void {
    const panel = this.#options.panel(tile);
    const answer = panel?.answer;
    if (!panel || !answer) return;
    const values = this.#selectedIn(tile);
    const key = JSON.stringify([values, this.stepsOf(tile), answer.rows.length, +answer.computedAt]);
    const known = this.#marked.get(tile);
    if (known === key) return;
    this.#marked.set(tile, key);
    if (values) panel.table.selected = rowOf(values, answer);
    else if (known !== undefined) panel.table.selected = undefined;
  }

  choice(id: string): FilterChoice | undefined {
    const { filters = {} } = this.#state;
    return Object.hasOwn(filters, id) ? filters[id] : undefined;
  }

  /** Whether the visitor chose anything in a filter of this embed. */
  get isActive(): boolean {
    return this.#options.specs.some(({ id }) => this.choice(id) !== undefined) || this.#selections.length > 0;
  }

  /** The values that the visitor clicked, with their tiles. */
  get #selections() {
    return this.#options.selecting.flatMap((tile) => {
      const values = this.#selectedIn(tile.id);
      return values ? [{ tile, values }] : [];
    });
  }

  #selectedIn(tile: Target = ''): Values | undefined {
    const { selected = {} } = this.#state;
    return Object.hasOwn(selected, tile) ? selected[tile] : undefined;
  }

  filterOf(target: string | undefined): string | undefined {
    const conditions = this.#options.specs.flatMap(({ id, field, drives }) => {
      const choice = target === undefined || drives.includes(target) ? this.choice(id) : undefined;
      return choice ? conditionsOf(field, choice) : [];
    });
    const clicked = this.#selections.flatMap(({ tile, values }) =>
      target !== undefined && tile.drives.includes(target) ? conditionsOfSelected(values) : [],
    );
    return withConditions(this.#options.source.filter, [...conditions, ...clicked]);
  }

  /** Chooses in one filter; undefined removes the choice. */
  choose(id: string, choice: FilterChoice | undefined): void {
    const { [id]: _, ...others } = this.#state.filters ?? {};
    this.#change({ ...this.#state, filters: choice === undefined ? others : { ...others, [id]: choice } });
  }

  #select(tile: string, values: Values | undefined): void {
    const { [tile]: before, ...others } = this.#state.selected ?? {};
    const isSame = JSON.stringify(before) === JSON.stringify(values);
    const selected = values === undefined || isSame ? others : { ...others, [tile]: values };
    const { selected: _, ...state } = this.#state;
    this.#change(Object.keys(selected).length > 0 ? { ...state, selected } : state);
  }

  #steps(target: Target): readonly DrillStep[] {
    const { drilled = {} } = this.#state;
    const key = target ?? QUERY;
    return this.#options.source.drill && Object.hasOwn(drilled, key) ? (drilled[key] ?? []) : [];
  }

  stepsOf(target: Target): string | undefined {
    const steps = this.#steps(target);
    return steps.length > 0 ? JSON.stringify(steps) : undefined;
  }

  #go(target: Target, steps: readonly DrillStep[]): void {
    const { [target ?? QUERY]: _, ...others } = this.#state.drilled ?? {};
    const drilled = steps.length > 0 ? { ...others, [target ?? QUERY]: steps } : others;
    const { drilled: __, ...state } = this.#state;
    this.#change(Object.keys(drilled).length > 0 ? { ...state, drilled } : state);
  }

  leads(target: Target): boolean {
    const { source, selecting, panel } = this.#options;
    if (!source.drill) return false;
    const { down, rows } = readDrilling(panel(target)?.answer?.drill);
    return rows || down.length > 0 || selecting.some(({ id }) => id === target);
  }

  /** Selects a row, and does what the document allows. */
  #clicked(detail: Parameters<Host['select']>[0]): boolean {
    const { host, panel, selecting } = this.#options;
    const { tile: target, row } = detail;
    // The second click of a double click finds the answer that the first one leaves.
    if (panel(target)?.resource.isPending || !host.select(detail)) return false;
    const answer = panel(target)?.answer;
    if (!answer) return true;
    const values = {
      ...Object.assign({}, ...this.#steps(target).map((step) => step.values)),
      ...valuesOf(answer, row),
    };
    const narrows = selecting.some(({ id }) => id === target) && Object.keys(values).length > 0;
    const narrow = narrows && target !== undefined ? () => this.#select(target, values) : undefined;
    const { down, rows } = readDrilling(answer.drill);
    if (!rows && down.length === 0) narrow?.();
    else {
      const isNarrowing = JSON.stringify(this.#selectedIn(target)) === JSON.stringify(values);
      const steps = this.stepsOf(target);
      const isCurrent = () => this.stepsOf(target) === steps;
      const click = {
        target,
        answer,
        row,
        narrow,
        isNarrowing,
        isCurrent,
        at: this.#pressed ?? placeOf(host.root.activeElement),
      };
      host.load('drill').then(
        (part) => this.#drillsOf(part).clicked(click),
        () => narrow?.(),
      );
      host.part('drill');
    }
    return true;
  }

  #drillsOf(part: DrillPart): Drills {
    const { host, source, access, panel } = this.#options;
    this.#drills ??= part.createDrills({
      host,
      source,
      access,
      panel,
      steps: (target) => this.#steps(target),
      go: (target, steps) => this.#go(target, steps),
      filterOf: (target) => this.filterOf(target),
    });
    return this.#drills;
  }

  crumbs(target: Target): TemplateResult | typeof nothing {
    const { source, host, panel } = this.#options;
    const answer = panel(target)?.answer;
    // An answer without dimensions has no row to click: a button shows its rows.
    const hasButton = answer?.columns.every(({ type }) => type === 'metric') && readDrilling(answer.drill).rows;
    if (!source.drill || !(this.#drills || hasButton || this.stepsOf(target))) return nothing;
    const part = host.part('drill');
    return typeof part === 'object' ? this.#drillsOf(part).crumbs(target) : nothing;
  }

  overlay(): TemplateResult | typeof nothing {
    return this.#drills?.overlay() ?? nothing;
  }

  afterRender(): void {
    this.#drills?.afterRender();
  }

  clear(): void {
    const own = new Set(this.#options.specs.map(({ id }) => id));
    const left = Object.entries(this.#state.filters ?? {}).filter(([id]) => !own.has(id));
    const { selected: _, ...state } = this.#state;
    this.#change({ ...state, filters: Object.fromEntries(left) });
  }

  #change(filterState: FilterState): void {
    const { host, source } = this.#options;
    const { kind, path } = source;
    if (!emit(host.root.host, 'service-filter-state', { kind, path }, { tile: undefined, filterState }, true)) {
      // The control shows again what applies.
      host.requestUpdate();
      return;
    }
    if (this.#stateParam !== undefined) writeAddress(this.#stateParam, filterState);
    this.#take(filterState);
  }

  #take(filterState: FilterState): void {
    this.#state = readFilterState(filterState);
    this.#given = filterState;
    Object.assign(this.#options.host.root.host, { filterState });
    this.#options.host.requestUpdate();
  }

  /** Renders all filters above a query; `isPending` while their answer is read. */
  bar(isPending: boolean): TemplateResult | typeof nothing {
    const { specs, host } = this.#options;
    if (specs.length === 0) return nothing;
    return filterBar(
      specs.map((spec) => this.#control(spec)),
      this.isActive ? () => this.clear() : undefined,
      isPending,
      host.formats,
    );
  }

  tile(id: string): TemplateResult | undefined {
    const spec = this.#options.specs.find((each) => each.id === id);
    return spec && this.#control(spec);
  }

  summary(): TemplateResult | undefined {
    const { host, panel } = this.#options;
    const chips = this.#selections.map(({ tile, values }) => ({
      label: tile.title ?? tile.id,
      text: selectionText(values, panel(tile.id)?.answer, host.formats),
      remove: () => this.#select(tile.id, undefined),
    }));
    return this.isActive ? summaryView(chips, () => this.clear(), host.formats) : undefined;
  }

  #control(spec: FilterSpec): TemplateResult {
    const reader = this.#readers.get(spec.id);
    if (!reader) throw new Error('Every filter has a reader.');
    return filterControl({
      spec,
      reader,
      choice: this.choice(spec.id),
      choose: (choice) => this.choose(spec.id, choice),
      host: this.#options.host,
    });
  }
}

/** Returns the values of a row's dimensions. */
function valuesOf(answer: Answer, row: number): Values {
  const { columns, rows } = answer;
  return Object.fromEntries(
    columns.flatMap(({ type, key }, position) =>
      type === 'dimension' ? [[key, rawValue(rows[row]?.[position])] as const] : [],
    ),
  );
}

/** Returns the row with these values; undefined where the answer has none, or shows other dimensions. */
function rowOf(values: Values, answer: Answer): number | undefined {
  const at = answer.rows.findIndex((_, row) =>
    Object.entries(valuesOf(answer, row)).every(([key, value]) => values[key] === value),
  );
  return at < 0 ? undefined : at;
}

/** Returns the place of what has the keyboard. */
function placeOf(element: Element | null): { readonly x: number; readonly y: number } {
  const { left = 0, top = 0, width = 0, height = 0 } = element?.getBoundingClientRect() ?? {};
  return { x: left + Math.min(24, width / 2), y: top + Math.min(height, 48) };
}
