import type { TemplateResult } from 'lit';
import type { Host, Panel, ShownOptions } from '../contract.ts';
import { readTile } from '../read/client.ts';
import { AnswerPanel, isSettled } from '../view/panel.ts';
import type { Dashboard } from './layout.ts';
import { dashboardView } from './view.ts';

/** A panel for each chart and number of a layout, all read at the same time. */
export class Tiles {
  readonly dashboard: Dashboard;
  readonly #host: Host;
  readonly #panels = new Map<string, Panel>();
  #told = false;

  constructor({ host, source, access }: ShownOptions, dashboard: Dashboard, before: (id: string) => Panel | undefined) {
    this.#host = host;
    this.dashboard = dashboard;
    for (const { kind, id } of dashboard.tiles) {
      if ((kind !== 'chart' && kind !== 'kpi') || this.#panels.has(id)) continue;
      const read = (signal: AbortSignal) => readTile(source, access, id, signal);
      this.#panels.set(id, new AnswerPanel(host, read, id, before(id)));
    }
  }

  panel(tile: string): Panel | undefined {
    return this.#panels.get(tile);
  }

  get settled(): boolean {
    return [...this.#panels.values()].every(isSettled);
  }

  start(): void {
    for (const { reading } of this.#panels.values()) reading.start();
  }

  stop(): void {
    for (const { reading } of this.#panels.values()) reading.stop();
  }

  async refresh(): Promise<void> {
    this.#told = false;
    await Promise.all([...this.#panels.values()].map(({ reading }) => reading.refresh()));
  }

  resume(): void {
    for (const { reading } of this.#panels.values()) if (reading.outcome.state === 'failed') void reading.refresh();
  }

  template(): TemplateResult {
    const { title, tiles } = this.dashboard;
    this.#host.announce(`${title}: ${tiles.length === 1 ? '1 tile' : `${tiles.length} tiles`}`);
    return dashboardView({ dashboard: this.dashboard, panel: (id) => this.#panels.get(id), host: this.#host });
  }

  rendered(): void {
    for (const panel of this.#panels.values()) panel.rendered(this.#host);
    this.#tell();
  }

  /** The dashboard as a whole is loaded when each of its tiles has arrived or failed. */
  #tell(): void {
    const outcomes = [...this.#panels.values()].map(({ reading }) => reading.outcome);
    if (this.#told || outcomes.some(({ state }) => state === 'loading')) return;
    this.#told = true;
    const answers = [...this.#panels.values()].flatMap(({ answer }) => answer ?? []);
    this.#host.loaded({
      tile: undefined,
      title: this.dashboard.title,
      rowCount: this.dashboard.tiles.length,
      asOf:
        answers.length > 0 ? new Date(Math.min(...answers.map(({ computedAt }) => computedAt.getTime()))) : undefined,
      cached: answers.some(({ cached }) => cached),
      truncated: answers.some(({ truncated }) => truncated),
      partial: answers.length < outcomes.length || answers.some(({ partial }) => partial),
      suppressed: answers.find(({ suppressed }) => suppressed)?.suppressed,
      changed: true,
    });
  }
}
