/** What both apps know of their surroundings: the analytics server, and the backend that has tokens for its visitors. */
import type { GetToken } from 'service-embed';

const asked = new URLSearchParams(location.search);

/** A page that knows its server writes the address here. */
export const server = serverAt(asked.get('server') ?? 'http://localhost:8080');

/**
 * Gets a token from the page's own backend, which knows who the visitor is and mints it at the service; the page
 * itself has no credentials. One function for all elements: those that show the same share one call and one token.
 */
const fromBackend: GetToken = async ({ kind, path }) => {
  const response = await fetch(`/embed-token?${new URLSearchParams({ kind, path })}`);
  if (!response.ok) throw new Error(`The backend has no token: ${response.status}`);
  return response.json();
};

/** Undefined where the backend mints none: what is public needs none. */
export const getToken = asked.has('tokens') ? fromBackend : undefined;

function serverAt(address: string): string {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) ? url.origin + url.pathname.replace(/\/+$/, '') : '';
}
