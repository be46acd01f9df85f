import type { TemplateResult } from 'lit';
import { readTile, type Source } from '../api/client.ts';
import { isOtherQuestion } from '../controllers/query-controller.ts';
import { Panel, type ReadAnswer } from '../state/panel.ts';
import type { EmbedControllerOptions, FilterSpec, FilterStates, FiltersPart, Host } from '../types.ts';
import type { Dashboard } from './parse-dashboard.ts';
import { dashboardView } from './view.ts';

/** Contains a panel for each chart and number of a layout, and reads all in parallel. */
export class Tiles {
  readonly dashboard: Dashboard;
  readonly #options: EmbedControllerOptions;
  readonly #host: Host;
  readonly #panels = new Map<string, Panel>();
  /** What each panel is read with. */
  readonly #read = new Map<string, Source>();
  readonly #filters: FilterStates | undefined;
  #isAnnounced = false;

  constructor(
    options: EmbedControllerOptions,
    dashboard: Dashboard,
    filters: FiltersPart | undefined,
    previous: (id: string) => Panel | undefined,
  ) {
    const isOther = options.previous && isOtherQuestion(options.previous.source, options.source);
    const { host, source, access } = options;
    this.#options = options;
    this.#host = host;
    this.dashboard = dashboard;
    this.#filters = filters?.createFilters({
      host,
      source,
      access,
      specs: filterSpecs(dashboard),
      selecting: source.drill
        ? dashboard.tiles.filter(({ kind, drives }) => kind !== 'filter' && drives.length > 0)
        : [],
      panel: (id = '') => this.#panels.get(id),
    });
    for (const { kind, id } of dashboard.tiles) {
      if ((kind === 'chart' || kind === 'kpi' || kind === 'table') && !this.#panels.has(id))
        this.#addPanel(id, previous(id), isOther);
    }
  }

  #addPanel(id: string, previous: Panel | undefined, isOther: boolean | undefined): Panel {
    const { host, access } = this.#options;
    const source = this.#sourceOf(id);
    const read: ReadAnswer = (signal, more) => readTile(source, access, id, signal, more);
    const panel = new Panel({ host, read, tile: id, previous, isOther });
    this.#panels.set(id, panel);
    this.#read.set(id, source);
    return panel;
  }

  #sourceOf(id: string): Source {
    const { source } = this.#options;
    const filters = this.#filters;
    return filters ? { ...source, filter: filters.filterOf(id), steps: filters.stepsOf(id) } : source;
  }

  /** Reads the tiles again that the visitor filters differently now. Their last answers stay until then. */
  #filterTiles(): void {
    const filters = this.#filters;
    if (!filters) return;
    filters.sync();
    for (const [id, panel] of this.#panels) {
      const { filter, steps } = this.#sourceOf(id);
      const read = this.#read.get(id);
      if (read?.filter === filter && read?.steps === steps) continue;
      panel.resource.stop();
      this.#addPanel(id, panel, true).resource.start();
    }
  }

  /** Returns the filter that a tile is read with. */
  filterOf(tile: string): string | undefined {
    return this.#read.get(tile)?.filter;
  }

  /** Returns the steps down that a tile is read with. */
  stepsOf(tile: string): string | undefined {
    return this.#read.get(tile)?.steps;
  }

  panel(tile: string): Panel | undefined {
    return this.#panels.get(tile);
  }

  get isSettled(): boolean {
    return [...this.#panels.values()].every((panel) => panel.isSettled);
  }

  start(): void {
    this.#filters?.start();
    for (const { resource } of this.#panels.values()) resource.start();
  }

  stop(): void {
    this.#filters?.stop();
    for (const { resource } of this.#panels.values()) resource.stop();
  }

  async refresh(): Promise<void> {
    this.#isAnnounced = false;
    await Promise.all([...this.#panels.values()].map(({ resource }) => resource.refresh()));
  }

  resume(): void {
    for (const { resource } of this.#panels.values()) if (resource.state.status === 'failed') void resource.refresh();
  }

  render(): TemplateResult {
    this.#filterTiles();
    const { dashboard } = this;
    const host = this.#host;
    const { length } = dashboard.tiles;
    host.announce(`${dashboard.title}: ${host.formats.say(length === 1 ? '1 tile' : '{0} tiles', length)}`);
    return dashboardView({
      dashboard,
      panel: (id) => this.#panels.get(id),
      filters: this.#filters,
      host: this.#filters?.host ?? host,
    });
  }

  afterRender(): void {
    for (const panel of this.#panels.values()) panel.afterRender();
    this.#filters?.afterRender();
    this.#announceLoaded();
  }

  /** Dispatches `service-load` for the dashboard, once, after each tile has arrived or failed. */
  #announceLoaded(): void {
    const states = [...this.#panels.values()].map(({ resource }) => resource.state);
    if (this.#isAnnounced || states.some(({ status }) => status === 'loading')) return;
    this.#isAnnounced = true;
    const answers = [...this.#panels.values()].flatMap(({ answer }) => answer ?? []);
    this.#host.loaded({
      tile: undefined,
      title: this.dashboard.title,
      rowCount: this.dashboard.tiles.length,
      asOf: answers.length > 0 ? new Date(Math.min(...answers.map(({ computedAt }) => +computedAt))) : undefined,
      cached: answers.some(({ cached }) => cached),
      truncated: answers.some(({ truncated }) => truncated),
      partial: answers.length < states.length || answers.some(({ partial }) => partial),
      suppressed: answers.find(({ suppressed }) => suppressed)?.suppressed,
      changed: true,
    });
  }
}

/** Lists the filter tiles, each with the titles of the tiles that it narrows. */
function filterSpecs({ tiles }: Dashboard): readonly FilterSpec[] {
  return tiles.flatMap((tile) => {
    if (tile.kind !== 'filter') return [];
    const { id, field, title, drives } = tile;
    const driven = tiles.filter((each) => drives.includes(each.id));
    return [{ id, field, title, drives, names: driven.flatMap((each) => each.title ?? []) }];
  });
}
