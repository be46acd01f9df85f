/** A cache of answers, bounded by bytes, with one computation per key at a time: a hundred callers of one key cost one computation. */
export interface Cached<T> {
  readonly value: T;
  /** When the value was computed, epoch milliseconds. */
  readonly computedAtMillis: number;
  /** True when it was not computed for this call. */
  readonly cached: boolean;
}

export interface CacheRequest<T> {
  /** Everything the answer depends on: connection, statement, parameters and the caller's row-level scope. */
  readonly key: readonly string[];
  /** Lifetime of the answer. 0 caches nothing, but simultaneous callers still share a computation. */
  readonly ttlMs: number;
  /** Computes again even when an answer is cached. */
  readonly refresh?: boolean | undefined;
  /** Ends this caller's wait. The computation is aborted only when no caller waits for it. */
  readonly signal?: AbortSignal | undefined;
  /** Returns the approximate size of the answer in bytes. */
  readonly sizeOf: (value: T) => number;
  readonly compute: (signal: AbortSignal) => Promise<T>;
}

export interface Cache {
  through<T>(request: CacheRequest<T>): Promise<Cached<T>>;
  /** Returns whether the cache would still give the value of this answer of `through` for its key. Counts as a use of it. */
  holds(cached: Cached<unknown>): boolean;
  /** Drops every answer with a key that begins with these parts. */
  drop(prefix: readonly string[]): void;
}
