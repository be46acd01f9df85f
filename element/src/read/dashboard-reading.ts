import type { Answer } from './answer.ts';
import { readDashboard, readTile, type Source } from './client.ts';
import type { Dashboard } from './dashboard.ts';
import { type Outcome, Reading } from './reading.ts';

/** The layout, read once, and then all charts and numbers at the same time, each failing or arriving for itself. */
export class DashboardReading {
  readonly #layout: Reading<Dashboard>;
  readonly #tiles = new Map<string, Reading<Answer>>();

  constructor(source: Source, changed: () => void) {
    this.#layout = new Reading(async (signal) => {
      const dashboard = await readDashboard(source, signal);
      if (!signal.aborted) this.#readTiles(dashboard, source, changed);
      return dashboard;
    }, changed);
  }

  get layout(): Outcome<Dashboard> {
    return this.#layout.outcome;
  }

  tile(id: string): Outcome<Answer> {
    return this.#tiles.get(id)?.outcome ?? { state: 'failed' };
  }

  start(): void {
    this.#layout.start();
    for (const tile of this.#tiles.values()) tile.start();
  }

  stop(): void {
    this.#layout.stop();
    for (const tile of this.#tiles.values()) tile.stop();
  }

  #readTiles(dashboard: Dashboard, source: Source, changed: () => void): void {
    for (const { kind, id } of dashboard.tiles) {
      if (kind !== 'chart' && kind !== 'kpi') continue;
      if (this.#tiles.has(id)) continue;
      const reading = new Reading((signal) => readTile(source, id, signal), changed);
      this.#tiles.set(id, reading);
      reading.start();
    }
  }
}
