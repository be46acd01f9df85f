import { csrfToken } from '../api-client/client.ts';

/** A request as Swagger UI hands it over before it sends it. */
export interface ViewerRequest {
  url: string;
  method?: string;
  headers?: Record<string, string>;
}

/**
 * Makes a request of the viewer one that the server takes: the CSRF pair, JSON asked for, slashes of paths as slashes.
 */
export function prepareRequest(request: ViewerRequest, cookies: string): ViewerRequest {
  const csrf = csrfToken(cookies);
  const writes = !['GET', 'HEAD', 'OPTIONS'].includes((request.method ?? 'GET').toUpperCase());
  return {
    ...request,
    url: withSlashes(request.url),
    headers: {
      // It keeps the server from answering with a challenge, for which the browser would pop up its own password box.
      'X-Requested-With': 'XMLHttpRequest',
      ...request.headers,
      ...(writes && csrf !== undefined ? { 'X-XSRF-TOKEN': csrf } : {}),
    },
  };
}

/**
 * Writes the slashes of a path as slashes. The viewer encodes the slashes of a path parameter, but a repository path
 * has its slashes bare in the address. No parameter of ours has an encoded one.
 */
function withSlashes(url: string): string {
  const end = url.search(/[?#]/);
  const path = end < 0 ? url : url.slice(0, end);
  return path.replace(/%2F/gi, '/') + (end < 0 ? '' : url.slice(end));
}
