import { readCsrfToken } from '../api-client/client.ts';

/** Describes a request before Swagger UI sends it. */
export interface ViewerRequest {
  url: string;
  method?: string;
  headers?: Record<string, string>;
}

/** Adapts a request of the viewer to this server: adds the CSRF header and keeps slashes in paths. */
export function prepareRequest(request: ViewerRequest, cookies: string): ViewerRequest {
  const csrf = readCsrfToken(cookies);
  const writes = !['GET', 'HEAD', 'OPTIONS'].includes((request.method ?? 'GET').toUpperCase());
  return {
    ...request,
    url: restoreSlashes(request.url),
    headers: {
      // With this header the server sends no challenge, for which the browser would open its own password box.
      'X-Requested-With': 'XMLHttpRequest',
      ...request.headers,
      ...(writes && csrf !== undefined ? { 'X-XSRF-TOKEN': csrf } : {}),
    },
  };
}

/**
 * Restores the slashes of a path. The viewer encodes the slashes of a path parameter, but a repository path has plain
 * slashes in its address. No parameter of this API contains an encoded slash.
 */
function restoreSlashes(url: string): string {
  const end = url.search(/[?#]/);
  const path = end < 0 ? url : url.slice(0, end);
  return path.replace(/%2F/gi, '/') + (end < 0 ? '' : url.slice(end));
}
