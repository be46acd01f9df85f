/** The addresses that both apps use: the analytics server, and the backend that mints tokens for visitors. */
import type { GetToken } from 'service-embed';

const parameters = new URLSearchParams(location.search);

/** Uses the address that the page contains, where it contains one. */
export const server = serverAt(parameters.get('server') ?? 'http://localhost:8080');

/**
 * Gets a token from the page's own backend, which knows the visitor and mints the token at the service. The page has no
 * credentials. One function serves all elements: those with the same resource share one call and one token.
 */
const fromBackend: GetToken = async ({ kind, path }) => {
  const response = await fetch(`/embed-token?${new URLSearchParams({ kind, path })}`);
  if (!response.ok) throw new Error(`The backend has no token: ${response.status}`);
  return response.json();
};

/** Undefined without a token backend: public documents need no token. */
export const getToken = parameters.has('tokens') ? fromBackend : undefined;

function serverAt(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) ? url.origin + url.pathname.replace(/\/+$/, '') : '';
}
