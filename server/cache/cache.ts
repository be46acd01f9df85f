import { LRUCache } from 'lru-cache';
import { untilAborted } from '../../router/abort.ts';
import type { Cache, Cached, CacheRequest } from '../../router/capabilities/cache.ts';
import type { Clock } from '../../router/capabilities/clock.ts';
import { CancelledError } from '../../router/errors.ts';

interface Entry {
  readonly value: unknown;
  readonly computedAtMillis: number;
  readonly expiresAtMillis: number;
}

interface Flight {
  readonly promise: Promise<Entry>;
  readonly controller: AbortController;
  waiting: number;
  settled: boolean;
}

/** A cache bounded by the bytes its answers say they take. Failures are never kept. */
export function openCache(options: { readonly maxBytes: number; readonly clock: Clock }): Cache {
  const { maxBytes, clock } = options;
  const entries = maxBytes > 0 ? new LRUCache<string, Entry>({ maxSize: maxBytes }) : undefined;
  const flights = new Map<string, Flight>();

  function launch<T>(key: string, request: CacheRequest<T>): Flight {
    const controller = new AbortController();
    const promise = request
      .compute(controller.signal)
      .then((value) => {
        const now = clock();
        const entry: Entry = { value, computedAtMillis: now, expiresAtMillis: now + request.ttlMs };
        // A flight that was replaced by a refresh must not overwrite the newer answer.
        if (request.ttlMs > 0 && flights.get(key) === flight) {
          entries?.set(key, entry, { size: Math.max(1, Math.ceil(request.sizeOf(value)) + key.length * 2) });
        }
        return entry;
      })
      .finally(() => {
        flight.settled = true;
        if (flights.get(key) === flight) flights.delete(key);
      });
    const flight: Flight = { promise, controller, waiting: 0, settled: false };
    flights.set(key, flight);
    return flight;
  }

  async function board<T>(
    key: string,
    flight: Flight,
    signal: AbortSignal | undefined,
  ): Promise<Cached<T> & { own: Entry }> {
    flight.waiting += 1;
    try {
      const entry = await untilAborted(flight.promise, signal, cancelled);
      return { value: entry.value as T, computedAtMillis: entry.computedAtMillis, cached: false, own: entry };
    } finally {
      flight.waiting -= 1;
      if (flight.waiting === 0 && !flight.settled) {
        flight.controller.abort();
        if (flights.get(key) === flight) flights.delete(key);
      }
    }
  }

  return {
    async through<T>(request: CacheRequest<T>): Promise<Cached<T>> {
      if (request.signal?.aborted === true) throw cancelled();
      const key = keyText(request.key);
      const kept = request.refresh === true ? undefined : entries?.get(key);
      if (kept !== undefined && kept.expiresAtMillis > clock()) {
        return { value: kept.value as T, computedAtMillis: kept.computedAtMillis, cached: true };
      }
      const running = request.refresh === true ? undefined : flights.get(key);
      const { own, ...answer } = await board<T>(key, running ?? launch(key, request), request.signal);
      return { ...answer, cached: running !== undefined };
    },
    drop(prefix) {
      const start = keyText(prefix);
      for (const key of entries?.keys() ?? []) if (key.startsWith(start)) entries?.delete(key);
      for (const key of flights.keys()) if (key.startsWith(start)) flights.delete(key);
    },
  };
}

function cancelled(): CancelledError {
  return new CancelledError('The request was cancelled.');
}

/** Parts are separated by what cannot occur in JSON text, so that no two keys collide and a prefix is a prefix. */
function keyText(parts: readonly string[]): string {
  return parts.map((part) => `${JSON.stringify(part)}\n`).join('');
}
