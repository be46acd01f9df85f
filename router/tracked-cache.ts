import type { Cache, Cached } from './capabilities/cache.ts';

/** A cache that remembers which values it returned. */
export interface TrackedCache {
  readonly cache: Cache;
  /** Returns whether the cache would still return each of these values; false where none was returned. */
  areKept(): boolean;
}

/**
 * Makes a view of a cache that remembers which values it returned, so that what was made from them is valid as long as
 * they are.
 */
export function trackedCache(cache: Cache): TrackedCache {
  const given: Cached<unknown>[] = [];
  return {
    cache: {
      async through(request) {
        const cached = await cache.through(request);
        given.push(cached);
        return cached;
      },
      holds: (cached) => cache.holds(cached),
      drop: (prefix) => cache.drop(prefix),
    },
    areKept: () => given.length > 0 && given.every((cached) => cache.holds(cached)),
  };
}
