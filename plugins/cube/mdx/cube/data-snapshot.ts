import { LRUCache } from 'lru-cache';
import { CancelledError } from '../../../../router/errors.ts';
import { MAX_SNAPSHOT_ATTEMPTS, MAX_VIEWER_CUBES } from '../limits.ts';
import type { EngineWarehouse } from '../loading/engine-warehouse.ts';
import { CellStore } from '../storage/cell-store.ts';
import type { RuntimeCube } from './cube.ts';

/** Keeps the members and cells that were read from one version of the data. */
export class DataSnapshot {
  readonly version: string | undefined;
  readonly openedAtMillis: number;
  readonly store: CellStore;
  readonly cubes = new Map<string, RuntimeCube>();
  /** Cubes as single viewers see them. A viewer's cube that was not used for long is forgotten. */
  readonly viewerCubes = new LRUCache<string, RuntimeCube>({ max: MAX_VIEWER_CUBES });

  constructor(version: string | undefined, openedAtMillis: number, maxBytes: number) {
    this.version = version;
    this.openedAtMillis = openedAtMillis;
    this.store = new CellStore(maxBytes);
  }

  /** Lists the cubes in memory. */
  *openCubes(): Generator<RuntimeCube> {
    yield* this.cubes.values();
    yield* this.viewerCubes.values();
  }
}

export interface SnapshotManagerOptions {
  readonly warehouse: EngineWarehouse;
  readonly clock: () => number;
  readonly maxBytes: number;
  /** Is called with the version of the data before each query. */
  readonly onVersion?: ((version: string | undefined) => void) | undefined;
  /** Lifetime of a snapshot in milliseconds, used if the warehouse cannot report that its data changed. */
  readonly maxAgeMs: number;
}

/**
 * Gives each query a snapshot of the data. When the data has changed, a new empty snapshot replaces the old one. A
 * running query finishes on its own snapshot, unless the data changed meanwhile: then it runs again.
 */
export class SnapshotManager {
  readonly #options: SnapshotManagerOptions;
  readonly #closed = new AbortController();
  #current: DataSnapshot | undefined;
  #statements = 0;

  constructor(options: SnapshotManagerOptions) {
    this.#options = options;
  }

  /** Returns the number of statements for cells and combinations so far. */
  get statements(): number {
    return this.#statements + (this.#current?.store.statements ?? 0);
  }

  /** Returns the approximate bytes of cells and combinations. */
  get bytes(): number {
    return this.#current?.store.bytes ?? 0;
  }

  /** Returns the last snapshot, for answers that do not depend on the data. */
  get latest(): DataSnapshot {
    this.#current ??= this.#begin(undefined);
    return this.#current;
  }

  /** Runs a query on a snapshot of the present data, and again if the data has changed meanwhile. */
  async run<T>(
    signal: AbortSignal | undefined,
    work: (snapshot: DataSnapshot, signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    if (this.#closed.signal.aborted) throw new CancelledError('The cubes of this connection were closed.');
    const stop = signal === undefined ? this.#closed.signal : AbortSignal.any([signal, this.#closed.signal]);
    const { warehouse } = this.#options;
    for (let attempt = 1; ; attempt++) {
      const version = await warehouse.dataVersion();
      this.#options.onVersion?.(version);
      const snapshot = this.#of(version);
      const result = await work(snapshot, stop);
      if (attempt === MAX_SNAPSHOT_ATTEMPTS || snapshot.version === undefined) return result;
      if ((await warehouse.dataVersion()) === snapshot.version) return result;
    }
  }

  #of(version: string | undefined): DataSnapshot {
    const current = this.#current;
    const fresh =
      current !== undefined &&
      current.version === version &&
      (version !== undefined || this.#options.clock() - current.openedAtMillis < this.#options.maxAgeMs);
    return fresh ? current : this.#begin(version);
  }

  #begin(version: string | undefined): DataSnapshot {
    this.#statements += this.#current?.store.statements ?? 0;
    this.#current = new DataSnapshot(version, this.#options.clock(), this.#options.maxBytes);
    return this.#current;
  }

  /** Starts the next query on a new snapshot. */
  forget(): void {
    this.#statements += this.#current?.store.statements ?? 0;
    this.#current = undefined;
  }

  /** Cancels running queries and drops all data. */
  close(): void {
    this.#closed.abort();
    for (const cube of this.#current?.openCubes() ?? []) cube.close();
    this.#current?.store.clear();
    this.forget();
  }
}
