import type { TemplateResult } from 'lit';
import type { Access, Source } from '../api/client.ts';
import {
  conditionsOf,
  type FilterChoice,
  type FilterState,
  readFilterState,
  withConditions,
} from '../api/filter-state.ts';
import { emit } from '../events.ts';
import type { FilterSpec, FilterStates, Host } from '../types.ts';
import { readAddress, writeAddress } from './address.ts';
import { OfferReader, readOffer } from './offer.ts';
import { filterBar, filterControl, summaryView } from './view.ts';

export interface FiltersOptions {
  readonly host: Host;
  readonly source: Source;
  readonly access: Access;
  readonly specs: readonly FilterSpec[];
}

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
    return this.#options.specs.some(({ id }) => this.choice(id) !== undefined);
  }

  filterOf(target: string | undefined): string | undefined {
    const conditions = this.#options.specs.flatMap(({ id, field, drives }) => {
      const choice = target === undefined || drives.includes(target) ? this.choice(id) : undefined;
      return choice ? conditionsOf(field, choice) : [];
    });
    return withConditions(this.#options.source.filter, conditions);
  }

  /** Chooses in one filter; undefined removes the choice. */
  choose(id: string, choice: FilterChoice | undefined): void {
    const { [id]: _, ...others } = this.#state.filters ?? {};
    this.#change({ ...this.#state, filters: choice === undefined ? others : { ...others, [id]: choice } });
  }

  clear(): void {
    const own = new Set(this.#options.specs.map(({ id }) => id));
    const left = Object.entries(this.#state.filters ?? {}).filter(([id]) => !own.has(id));
    this.#change({ ...this.#state, filters: Object.fromEntries(left) });
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
    return this.isActive ? summaryView(() => this.clear(), this.#options.host.formats) : undefined;
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
