import { html, type TemplateResult } from 'lit';
import type { EmbedController, EmbedControllerOptions, FilterSpec, Host } from '../types.ts';
import { Filters } from './filters.ts';

/** Creates the controller of one query, given how to create that of a query without filters. */
export type CreateQuery = (options: EmbedControllerOptions) => EmbedController;

/**
 * Shows a query below its filters, and goes down in it. Another choice is another read of the same query; the last answer
 * stays until then.
 */
export class QueryWithFilters implements EmbedController {
  readonly source: EmbedControllerOptions['source'];
  readonly credentials: EmbedControllerOptions['credentials'];
  readonly access: EmbedControllerOptions['access'];
  readonly #options: EmbedControllerOptions;
  readonly #createQuery: CreateQuery;
  readonly #filters: Filters;
  #query: EmbedController;
  #isPending = false;

  constructor(options: EmbedControllerOptions, createQuery: CreateQuery) {
    const { host, source, access } = options;
    this.#options = options;
    this.#createQuery = createQuery;
    this.source = source;
    this.credentials = options.credentials;
    this.access = access;
    this.#filters = new Filters({
      host,
      source,
      access,
      specs: specsOf(source.filters),
      selecting: [],
      panel: (tile) => this.#query.panel(tile),
    });
    this.#query = this.#create(options.previous);
  }

  #create(previous: EmbedController | undefined): EmbedController {
    const { source, access } = this.#options;
    const { host } = this.#filters;
    const shown: Host = Object.create(host, {
      loaded: { value: this.#settled(host.loaded) },
      failed: { value: this.#settled(host.failed) },
    });
    const filtered = { ...source, filter: this.#filters.filterOf(undefined), steps: this.#filters.stepsOf(undefined) };
    // The access is released with the whole, not with each query.
    const shared = { ...access, release() {} };
    return this.#createQuery({ ...this.#options, host: shown, source: filtered, access: shared, previous });
  }

  #settled<T>(report: (detail: T) => void): (detail: T) => void {
    return (detail) => {
      this.#isPending = false;
      report(detail);
    };
  }

  get isLoading(): boolean {
    return this.#query.isLoading;
  }

  get isSettled(): boolean {
    return this.#query.isSettled;
  }

  panel(tile: string | undefined) {
    return this.#query.panel(tile);
  }

  filterOf(): string | undefined {
    return this.#query.source.filter;
  }

  stepsOf(): string | undefined {
    return this.#query.source.steps;
  }

  start(): void {
    this.#filters.start();
    this.#query.start();
  }

  stop(): void {
    this.#filters.stop();
    this.#query.stop();
    this.#options.access.release();
  }

  refresh(): Promise<void> {
    return this.#query.refresh();
  }

  resume(): void {
    this.#query.resume();
  }

  render(): TemplateResult {
    this.#filters.sync();
    const { filter, steps } = this.#query.source;
    if (filter !== this.#filters.filterOf(undefined) || steps !== this.#filters.stepsOf(undefined)) {
      const previous = this.#query;
      previous.stop();
      this.#isPending = true;
      this.#query = this.#create(previous);
      this.#query.start();
    }
    const view = this.#query.render();
    const filters = this.#filters;
    const led = `led${filters.leads(undefined) ? ' selecting' : ''}${this.#isPending ? ' updating' : ''}`;
    return html`${filters.bar(this.#isPending)}${filters.crumbs(undefined)}<i class=${led} hidden></i>${view}${filters.overlay()}`;
  }

  afterRender(): void {
    this.#query.afterRender();
    this.#filters.afterRender();
  }
}

/** Reads the attribute: a list of fields. */
function specsOf(filters: string | undefined): readonly FilterSpec[] {
  let fields: unknown;
  try {
    fields = JSON.parse(filters ?? '');
  } catch {
    // The element has warned of it.
  }
  return (Array.isArray(fields) ? fields : [])
    .filter((field) => typeof field === 'string')
    .map((field) => ({ id: field, field, title: undefined, drives: [], names: [] }));
}
