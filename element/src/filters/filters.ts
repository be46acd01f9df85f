import type { TemplateResult } from 'lit';
import {
  conditionsOf,
  conditionsOfSelected,
  type FilterChoice,
  type FilterState,
  readFilterState,
  type SelectedValue,
  withConditions,
} from '../api/filter-state.ts';
import { emit } from '../events.ts';
import type { FilterSpec, FilterStates, FiltersOptions } from '../types.ts';
import { readAddress, writeAddress } from './address.ts';
import { OfferReader, readOffer } from './offer.ts';
import { selectionText } from './selection-text.ts';
import { filterBar, filterControl, summaryView } from './view.ts';

/** Contains the filters of one embed: what they offer, and what the visitor chose. */
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

  constructor(options: FiltersOptions) {
    this.#options = options;
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
  }

  stop(): void {
    this.#isStarted = false;
    removeEventListener('popstate', this.#popped);
    for (const reader of this.#readers.values()) reader.stop();
  }

  /** Takes over what the page has set since the last rendering. */
  sync(): void {
    const given = this.#options.host.settings.filterState;
    if (given === this.#given) return;
    this.#given = given;
    this.#state = readFilterState(given);
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
      const values = this.#state.selected?.[tile.id];
      return values ? [{ tile, values }] : [];
    });
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

  select(tile: string, values: Readonly<Record<string, SelectedValue>> | undefined): void {
    if (!this.#options.selecting.some(({ id }) => id === tile)) return;
    const { [tile]: before, ...others } = this.#state.selected ?? {};
    const isSame = JSON.stringify(before) === JSON.stringify(values);
    const selected = values === undefined || isSame ? others : { ...others, [tile]: values };
    const { selected: _, ...state } = this.#state;
    this.#change(Object.keys(selected).length > 0 ? { ...state, selected } : state);
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
  bar(isPending: boolean): TemplateResult {
    const { specs, host } = this.#options;
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
    const { host, answerOf } = this.#options;
    const chips = this.#selections.map(({ tile, values }) => ({
      label: tile.title ?? tile.id,
      text: selectionText(values, answerOf?.(tile.id), host.formats),
      remove: () => this.select(tile.id, undefined),
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
