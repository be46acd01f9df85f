import { LRUCache } from 'lru-cache';
import type { HttpMethod } from '../operation.ts';
import type { Route, RouteLookup } from './routes.ts';
import { matchTemplate } from './template.ts';

/** Finds the route of a request. A non-empty `allowed` without a route means that the path exists for other methods. */
export function routeLookup(routes: readonly Route[]): (method: string, path: string) => RouteLookup {
  const find = searchIn(routes);
  const found = new LRUCache<string, RouteLookup>({ max: MAX_FOUND });
  return (method, path) => {
    const key = `${method} ${path}`;
    const before = found.get(key);
    if (before !== undefined) return before;
    const lookup = find(method, path);
    if (lookup.isFound && path.length <= MAX_PATH_LENGTH) found.set(key, lookup);
    return lookup;
  };
}

/** Requests whose route is remembered, and the longest path among them. */
const MAX_FOUND = 1_000;
const MAX_PATH_LENGTH = 500;

function searchIn(routes: readonly Route[]): (method: string, path: string) => RouteLookup {
  return (method, path) => {
    const segments = path.split('/').slice(1);
    const allowed = new Set<HttpMethod>();
    for (const route of routes) {
      const parameters = matchTemplate(route.template, segments);
      if (parameters === undefined) continue;
      if (route.meta.rest.method === method) return { isFound: true, route, parameters };
      allowed.add(route.meta.rest.method);
    }
    return { isFound: false, allowed: [...allowed] };
  };
}
