/** A load that is better made together with others: one call loads all items of one key. */
export interface Batch {
  readonly key: string;
  readonly item: string;
  readonly load: (items: readonly string[], signal: AbortSignal | undefined) => Promise<void>;
}

/**
 * Thrown when an evaluation needs data that is not in memory. Evaluation is synchronous: its caller catches this, loads
 * the data and evaluates again. It is not an `Error`, because nothing went wrong.
 */
export class DataNotLoaded {
  /** Identifies the load: equal loads have equal keys. */
  readonly key: string;
  readonly load: ((signal: AbortSignal | undefined) => Promise<void>) | undefined;
  readonly batch: Batch | undefined;

  constructor(key: string, load: DataNotLoaded['load'], batch?: Batch) {
    this.key = key;
    this.load = load;
    this.batch = batch;
  }

  /** Creates a notice for an item that is loaded together with other items of its key. */
  static inBatch(batch: Batch): DataNotLoaded {
    return new DataNotLoaded(`${batch.key} ${batch.item}`, (signal) => batch.load([batch.item], signal), batch);
  }
}

/** Cells are missing. The cell reader has already noted them. */
export const CELLS_MISSING = new DataNotLoaded('cells', undefined);

/**
 * Thrown when an evaluation has used up its turn. Other work of the process runs first; then the evaluation continues
 * where it was.
 */
export const YIELD = new DataNotLoaded('turn', undefined);

/** Runs all loads. Items of one batch load together. */
export async function loadAll(pending: Iterable<DataNotLoaded>, signal: AbortSignal | undefined): Promise<void> {
  const batches = new Map<string, { readonly batch: Batch; readonly items: Set<string> }>();
  const loads: (Promise<void> | undefined)[] = [];
  for (const { load, batch } of pending) {
    if (batch === undefined) {
      loads.push(load?.(signal));
      continue;
    }
    const existing = batches.get(batch.key);
    if (existing === undefined) batches.set(batch.key, { batch, items: new Set([batch.item]) });
    else existing.items.add(batch.item);
  }
  for (const { batch, items } of batches.values()) loads.push(batch.load([...items], signal));
  await Promise.all(loads);
}

/** Repeats a computation that needs members only, and loads what it misses in between. */
export async function whenLoaded<T>(compute: () => T, signal: AbortSignal | undefined): Promise<T> {
  for (;;) {
    signal?.throwIfAborted();
    let missing: DataNotLoaded;
    try {
      return compute();
    } catch (error) {
      if (!(error instanceof DataNotLoaded)) throw error;
      missing = error;
    }
    await loadAll([missing], signal);
  }
}
