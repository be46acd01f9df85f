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

/** Counts of the cache since the start, and its current size. */
export interface CacheUse {
  /** Answers to repeated requests, cached or still being computed. */
  readonly hits: number;
  readonly misses: number;
  readonly bytes: number;
  readonly entries: number;
}

interface OpenCache extends Cache {
  readonly use: CacheUse;
}

/** Opens a cache bounded by the reported bytes of its answers. Failures are not cached. */
export function openCache(options: { readonly maxBytes: number; readonly clock: Clock }): OpenCache {
  const { maxBytes, clock } = options;
  const entries = maxBytes > 0 ? new LRUCache<string, Entry>({ maxSize: maxBytes }) : undefined;
  const flights = new SingleFlight<Entry>(CANCELLED);

  let hits = 0;
  let misses = 0;

  const given = new WeakMap<Cached<unknown>, { readonly key: string; readonly entry: Entry }>();
  const give = <T>(key: string, entry: Entry, cached: boolean): Cached<T> => {
    const answer: Cached<T> = { value: entry.value as T, computedAtMillis: entry.computedAtMillis, cached };
    given.set(answer, { key, entry });
    return answer;
  };

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
        return give(key, kept, true);
      }
      if (request.refresh === true) flights.forget((other) => other === key);
      const cached = flights.has(key);
      if (cached) hits++;
      else misses++;
      const entry = await flights.run(key, signal, async (stop, isCurrent) => {
        const computed = await request.compute(stop);
        const now = clock();
        const made: Entry = { value: computed, computedAtMillis: now, expiresAtMillis: now + ttlMs };
        // An older computation must not overwrite the answer of a refresh.
        if (ttlMs > 0 && isCurrent()) {
          entries?.set(key, made, { size: Math.max(1, Math.ceil(request.sizeOf(computed)) + key.length * 2) });
        }
        return made;
      });
      return give(key, entry, cached);
    },
    holds(cached) {
      const { key, entry } = given.get(cached) ?? {};
      const isHeld =
        key !== undefined && entries?.get(key) === entry && entry !== undefined && entry.expiresAtMillis > clock();
      if (isHeld) hits++;
      return isHeld;
    },
    drop(prefix) {
      const start = keyText(prefix);
      for (const key of entries?.keys() ?? []) if (key.startsWith(start)) entries?.delete(key);
      flights.forget((key) => key.startsWith(start));
    },
  };
}

const CANCELLED = 'The request was cancelled.';

/** Joins the parts of a key with a character that JSON text cannot contain, so that keys do not collide and prefixes match whole parts. */
function keyText(parts: readonly string[]): string {
  return parts.map((part) => `${JSON.stringify(part)}\n`).join('');
}
