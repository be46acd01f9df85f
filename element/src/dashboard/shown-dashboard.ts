import { html, type TemplateResult } from 'lit';
import type { Panel, Shown, ShownOptions } from '../contract.ts';
import { readLayout } from '../read/client.ts';
import { Failure } from '../read/failure.ts';
import { Reading } from '../read/reading.ts';
import { loading, unavailable } from '../view/shown.ts';
import { type Dashboard, parseDashboard } from './layout.ts';
import { Tiles } from './tiles.ts';

/** The layout, read once, and then all charts and numbers at the same time, each failing or arriving for itself. */
export class ShownDashboard implements Shown {
  readonly source: ShownOptions['source'];
  readonly right: ShownOptions['right'];
  readonly #options: ShownOptions;
  readonly #layout: Reading<Dashboard>;
  #tiles: Tiles | undefined;

  constructor(options: ShownOptions) {
    const { host, source, access, before } = options;
    this.#options = options;
    this.source = source;
    this.right = options.right;
    const shown = before instanceof ShownDashboard ? before.#layout.outcome : undefined;
    this.#layout = new Reading<Dashboard>({
      read: async (signal) => {
        const json = await readLayout(source, access, signal);
        try {
          return parseDashboard(json);
        } catch {
          throw new Failure('INVALID_ANSWER');
        }
      },
      ...(shown?.state === 'ready' ? { shown } : {}),
      merge: (old, now) => (JSON.stringify(old) === JSON.stringify(now) ? old : now),
      settled: (failed) => {
        if (failed) host.failed({ tile: undefined, code: failed.code, retriable: failed.retriable });
        this.#layTiles();
        host.changed();
      },
    });
    // What is shown already is laid out at once; reading it again asks whether it still is so.
    this.#layTiles();
  }

  get loading(): boolean {
    return this.#layout.outcome.state === 'loading';
  }

  get settled(): boolean {
    return this.#tiles?.settled ?? this.#layout.outcome.state === 'failed';
  }

  panel(tile: string | undefined): Panel | undefined {
    return tile === undefined ? undefined : this.#tiles?.panel(tile);
  }

  start(): void {
    this.#layout.start();
    this.#tiles?.start();
  }

  stop(): void {
    this.#options.access.release();
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
    if (this.#layout.outcome.state === 'failed') void this.#layout.refresh();
    this.#tiles?.resume();
    this.#options.host.changed();
  }

  template(): TemplateResult {
    const { host } = this.#options;
    const { outcome } = this.#layout;
    if (outcome.state === 'loading') return loading(host, 'tiles');
    if (outcome.state === 'failed' || !this.#tiles) {
      const failure = outcome.state === 'failed' ? outcome.failure : new Failure('INVALID_ANSWER');
      return html`<div class="surface query">${unavailable(host, failure)}</div>`;
    }
    return this.#tiles.template();
  }

  rendered(): void {
    this.#tiles?.rendered();
  }

  #layTiles(): void {
    const { outcome } = this.#layout;
    if (outcome.state === 'failed') {
      this.#tiles?.stop();
      this.#tiles = undefined;
    } else if (outcome.state === 'ready' && this.#tiles?.dashboard !== outcome.value) {
      const { before } = this.#options;
      const stood = this.#tiles;
      stood?.stop();
      this.#tiles = new Tiles(this.#options, outcome.value, (id) => (stood ?? before)?.panel(id));
      this.#tiles.start();
    }
  }
}
