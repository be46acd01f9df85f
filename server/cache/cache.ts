import { LRUCache } from 'lru-cache';
import type { Cache, Cached, CacheRequest } from '../../router/capabilities/cache.ts';
import type { Clock } from '../../router/capabilities/clock.ts';
import { CancelledError } from '../../router/errors.ts';
import { SingleFlight } from '../../router/single-flight.ts';

interface Entry {
  readonly value: unknown;
  readonly computedAtMillis: number;
  readonly expiresAtMillis: number;
}

/** The counts of the cache since the start, and its present size. */
export interface CacheUse {
  /** Answers that somebody else had asked for, kept or still being computed. */
  readonly hits: number;
  readonly misses: number;
  readonly bytes: number;
  readonly entries: number;
}

interface OpenCache extends Cache {
  readonly use: CacheUse;
}

/** Opens a cache bounded by the bytes its answers say they take. Failures are never kept. */
export function openCache(options: { readonly maxBytes: number; readonly clock: Clock }): OpenCache {
  const { maxBytes, clock } = options;
  const entries = maxBytes > 0 ? new LRUCache<string, Entry>({ maxSize: maxBytes }) : undefined;
  const flights = new SingleFlight<Entry>(CANCELLED);

  let hits = 0;
  let misses = 0;

  return {
    get use() {
      return { hits, misses, bytes: entries?.calculatedSize ?? 0, entries: entries?.size ?? 0 };
    },
    async through<T>(request: CacheRequest<T>): Promise<Cached<T>> {
      const { signal, ttlMs } = request;
      if (signal?.aborted === true) throw new CancelledError(CANCELLED);
      const key = keyText(request.key);
      const kept = request.refresh === true ? undefined : entries?.get(key);
      if (kept !== undefined && kept.expiresAtMillis > clock()) {
        hits++;
        return { value: kept.value as T, computedAtMillis: kept.computedAtMillis, cached: true };
      }
      if (request.refresh === true) flights.forget((other) => other === key);
      const cached = flights.has(key);
      if (cached) hits++;
      else misses++;
      const { value, computedAtMillis } = await flights.run(key, signal, async (stop, isCurrent) => {
        const computed = await request.compute(stop);
        const now = clock();
        const entry: Entry = { value: computed, computedAtMillis: now, expiresAtMillis: now + ttlMs };
        // One that was replaced by a refresh must not overwrite the newer answer.
        if (ttlMs > 0 && isCurrent()) {
          entries?.set(key, entry, { size: Math.max(1, Math.ceil(request.sizeOf(computed)) + key.length * 2) });
        }
        return entry;
      });
      return { value: value as T, computedAtMillis, cached };
    },
    drop(prefix) {
      const start = keyText(prefix);
      for (const key of entries?.keys() ?? []) if (key.startsWith(start)) entries?.delete(key);
      flights.forget((key) => key.startsWith(start));
    },
  };
}

const CANCELLED = 'The request was cancelled.';

/**
 * Joins the parts of a key with what cannot occur in JSON text, so that no two keys collide and a prefix is a prefix.
 */
function keyText(parts: readonly string[]): string {
  return parts.map((part) => `${JSON.stringify(part)}\n`).join('');
}
