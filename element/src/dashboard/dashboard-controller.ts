import { html, type TemplateResult } from 'lit';
import { AsyncResource } from '../api/async-resource.ts';
import { readLayout } from '../api/client.ts';
import { Failure } from '../api/failure.ts';
import { loadingView, unavailableView } from '../controllers/query-controller.ts';
import type { Panel } from '../state/panel.ts';
import type { EmbedController, EmbedControllerOptions, LazyPart } from '../types.ts';
import { type Dashboard, parseDashboard } from './parse-dashboard.ts';
import { Tiles } from './tiles.ts';

/** Reads the layout, then all charts and numbers in parallel. Each arrives or fails alone. */
export class DashboardController implements EmbedController {
  readonly source: EmbedControllerOptions['source'];
  readonly credentials: EmbedControllerOptions['credentials'];
  readonly access: EmbedControllerOptions['access'];
  readonly #options: EmbedControllerOptions;
  readonly #layout: AsyncResource<Dashboard>;
  #tiles: Tiles | undefined;

  constructor(options: EmbedControllerOptions) {
    const { host, source, access, previous } = options;
    this.#options = options;
    this.source = source;
    this.credentials = options.credentials;
    this.access = access;
    const shown = previous instanceof DashboardController ? previous.#layout.state : undefined;
    this.#layout = new AsyncResource<Dashboard>({
      read: async (signal) => {
        const json = await readLayout(source, access, signal);
        try {
          return parseDashboard(json, source.filters !== undefined);
        } catch {
          throw new Failure('INVALID_ANSWER');
        }
      },
      ...(shown?.status === 'ready' ? { initial: shown } : {}),
      merge: (old, now) => (JSON.stringify(old) === JSON.stringify(now) ? old : now),
      onSettled: (failed) => {
        if (failed) host.failed({ tile: undefined, code: failed.code, retriable: failed.retriable });
        this.#layTiles();
        host.requestUpdate();
      },
    });
    // The layout that is shown already is drawn at once; the next read checks it.
    this.#layTiles();
  }

  get isLoading(): boolean {
    return this.#layout.state.status === 'loading';
  }

  get isSettled(): boolean {
    return this.#tiles?.isSettled ?? this.#layout.state.status === 'failed';
  }

  panel(tile: string | undefined): Panel | undefined {
    return tile === undefined ? undefined : this.#tiles?.panel(tile);
  }

  contents() {
    return this.#tiles?.dashboard;
  }

  filterOf(tile: string | undefined): string | undefined {
    return tile === undefined ? undefined : this.#tiles?.filterOf(tile);
  }

  stepsOf(tile: string | undefined): string | undefined {
    return tile === undefined ? undefined : this.#tiles?.stepsOf(tile);
  }

  start(): void {
    this.#layout.start();
    this.#tiles?.start();
  }

  stop(): void {
    this.access.release();
    this.#layout.stop();
    this.#tiles?.stop();
  }

  async refresh(): Promise<void> {
    const tiles = this.#tiles;
    await Promise.all([this.#layout.refresh(), tiles?.refresh()]);
    // Tiles of another layout are read from the start.
    if (this.#tiles !== tiles) await this.#tiles?.refresh();
  }

  resume(): void {
    if (this.#layout.state.status === 'failed') void this.#layout.refresh();
    this.#tiles?.resume();
    this.#options.host.requestUpdate();
  }

  render(): TemplateResult {
    const { host } = this.#options;
    const { state } = this.#layout;
    if (state.status === 'ready') this.#layTiles();
    if (state.status === 'loading' || (state.status === 'ready' && !this.#tiles && this.#filtersPart === 'loading'))
      return loadingView(host, 'tiles');
    if (state.status === 'failed' || !this.#tiles) {
      const failure = state.status === 'failed' ? state.failure : new Failure('PART_UNAVAILABLE');
      return html`<div class="surface query">${unavailableView(host, failure)}</div>`;
    }
    return this.#tiles.render();
  }

  afterRender(): void {
    this.#tiles?.afterRender();
  }

  /** The part that lets visitors filter; undefined where the page shows no filters. */
  get #filtersPart(): LazyPart<'filters'> | undefined {
    const { host, source } = this.#options;
    return source.filters === undefined && !source.drill ? undefined : host.part('filters');
  }

  #layTiles(): void {
    const { state } = this.#layout;
    if (state.status === 'failed') {
      this.#tiles?.stop();
      this.#tiles = undefined;
    } else if (state.status === 'ready' && this.#tiles?.dashboard !== state.value) {
      const part = this.#filtersPart;
      // Without its filters a dashboard would ignore what its page has set.
      if (typeof part === 'string') return;
      const { previous } = this.#options;
      const stood = this.#tiles;
      stood?.stop();
      this.#tiles = new Tiles(this.#options, state.value, part, (id) => (stood ?? previous)?.panel(id));
      this.#tiles.start();
    }
  }
}
