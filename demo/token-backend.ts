/** Mints tokens for the visitors of a host page, with the page's own credentials at the service. */

/** Contains the parameters of an element's `getToken`. */
export interface TokenRequest {
  readonly kind: string;
  readonly path: string;
}

/** Returns the service's response unchanged: the element understands it. */
export type MintToken = (request: TokenRequest) => Promise<{ readonly status: number; readonly body: string }>;

/** Creates a function that mints tokens valid for an hour as this user, who owns the documents. */
export function tokenBackend(server: string, user: string, password: string): MintToken {
  const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
  return async ({ kind, path }) => {
    const response = await fetch(`${server.replace(/\/+$/, '')}/rest/service/api/embed/tokens`, {
      method: 'POST',
      headers: { authorization, accept: 'application/json', 'content-type': 'application/json' },
      body: JSON.stringify({ resourceKind: kind, resourcePath: path, ttlHours: 1, label: 'Host pages of the demo' }),
    });
    return { status: response.status, body: await response.text() };
  };
}
