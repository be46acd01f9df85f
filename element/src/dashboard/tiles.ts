import type { TemplateResult } from 'lit';
import { readTile } from '../api/client.ts';
import { Panel, type ReadAnswer } from '../state/panel.ts';
import type { EmbedControllerOptions, Host } from '../types.ts';
import type { Dashboard } from './parse-dashboard.ts';
import { dashboardView } from './view.ts';

/** Contains a panel for each chart and number of a layout, and reads all in parallel. */
export class Tiles {
  readonly dashboard: Dashboard;
  readonly #host: Host;
  readonly #panels = new Map<string, Panel>();
  #isAnnounced = false;

  constructor(
    { host, source, access }: EmbedControllerOptions,
    dashboard: Dashboard,
    previous: (id: string) => Panel | undefined,
  ) {
    this.#host = host;
    this.dashboard = dashboard;
    for (const { kind, id } of dashboard.tiles) {
      if ((kind !== 'chart' && kind !== 'kpi' && kind !== 'table') || this.#panels.has(id)) continue;
      const read: ReadAnswer = (signal, more) => readTile(source, access, id, signal, more);
      this.#panels.set(id, new Panel({ host, read, tile: id, previous: previous(id) }));
    }
  }

  panel(tile: string): Panel | undefined {
    return this.#panels.get(tile);
  }

  get isSettled(): boolean {
    return [...this.#panels.values()].every((panel) => panel.isSettled);
  }

  start(): void {
    for (const { resource } of this.#panels.values()) resource.start();
  }

  stop(): void {
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
    const { dashboard } = this;
    const host = this.#host;
    const { length } = dashboard.tiles;
    host.announce(`${dashboard.title}: ${host.formats.say(length === 1 ? '1 tile' : '{0} tiles', length)}`);
    return dashboardView({ dashboard, panel: (id) => this.#panels.get(id), host });
  }

  afterRender(): void {
    for (const panel of this.#panels.values()) panel.afterRender();
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
