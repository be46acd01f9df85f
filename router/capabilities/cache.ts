/** Answers kept for a while, bounded by bytes, one flight per key: a hundred callers of one key cost one computation. */
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
  /** Time that the answer may be served. 0 keeps nothing, but still shares a flight. */
  readonly ttlMs: number;
  /** Recompute even when a kept answer is there. */
  readonly refresh?: boolean | undefined;
  /** Stops this caller's wait. The computation is aborted only when every caller that waits for it has stopped. */
  readonly signal?: AbortSignal | undefined;
  /** Returns the approximate size of the answer in bytes. */
  readonly sizeOf: (value: T) => number;
  readonly compute: (signal: AbortSignal) => Promise<T>;
}

export interface Cache {
  through<T>(request: CacheRequest<T>): Promise<Cached<T>>;
  /** Drops every answer with a key that begins with these parts. */
  drop(prefix: readonly string[]): void;
}
