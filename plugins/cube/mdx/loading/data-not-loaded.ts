/** Loads that are better made together: all items of one key are read with one call. */
export interface Batch {
  readonly key: string;
  readonly item: string;
  readonly load: (items: readonly string[], signal: AbortSignal | undefined) => Promise<void>;
}

/**
 * Thrown when an evaluation needs data that is not in memory. Evaluation is synchronous; its caller catches this,
 * loads what was asked for and evaluates again. Not an `Error`: it says nothing went wrong.
 */
export class DataNotLoaded {
  /** The same load asked for twice has the same key. */
  readonly key: string;
  readonly load: ((signal: AbortSignal | undefined) => Promise<void>) | undefined;
  readonly batch: Batch | undefined;

  constructor(key: string, load: DataNotLoaded['load'], batch?: Batch) {
    this.key = key;
    this.load = load;
    this.batch = batch;
  }

  /** Makes the notice of an item that is loaded together with others of its key. */
  static inBatch(batch: Batch): DataNotLoaded {
    return new DataNotLoaded(`${batch.key} ${batch.item}`, (signal) => batch.load([batch.item], signal), batch);
  }
}

/** Cells are missing; they are already in the cell reader's list. */
export const CELLS_MISSING = new DataNotLoaded('cells', undefined);

/** Thrown when the evaluation has had its turn: other work of the process goes first, then it goes on where it was. */
export const YIELD = new DataNotLoaded('turn', undefined);

/** Loads all of them; items of one batch load together. */
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

/** Repeats a computation that needs members only, loading between what it lacked. */
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
