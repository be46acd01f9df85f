import type { HttpMethod } from '../operation.ts';
import type { Route, RouteLookup } from './routes.ts';
import { matchTemplate } from './template.ts';

/** Finds the route of a request. A non-empty `allowed` without a route means that the path exists for other methods. */
export function routeLookup(routes: readonly Route[]): (method: string, path: string) => RouteLookup {
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
