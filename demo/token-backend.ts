/** What the backend of a host page does for its visitors: it has credentials at the service, and mints tokens by them. */

/** What `getToken` of an element asks for. */
export interface TokenRequest {
  readonly kind: string;
  readonly path: string;
}

/** Gives the service's answer as it is: the element understands it. */
export type MintToken = (request: TokenRequest) => Promise<{ readonly status: number; readonly body: string }>;

/** Mints tokens of an hour as this user, who owns what they show. */
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
