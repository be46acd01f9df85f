/** The analytics server, and the tokens that this app's backend mints there as a user: a token has the rights of its owner. */

/** Returns the address of the analytics server. */
export function server(): string {
  return process.env.ANALYTICS_SERVER ?? 'http://localhost:8080';
}

export interface Minted {
  readonly token: string;
  readonly expiresAt: string;
}

/** Mints a token for one document. A real backend checks its visitor first. */
export async function mint(kind: string, path: string): Promise<Minted> {
  const { ANALYTICS_USER: user = '', ANALYTICS_PASSWORD: password = '' } = process.env;
  const response = await fetch(`${server()}/rest/service/api/embed/tokens`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ resourceKind: kind, resourcePath: path, ttlHours: 1, label: 'The Next.js app of the demo' }),
    cache: 'no-store',
  });
  if (!response.ok) throw new Error(`The analytics server mints no token: ${response.status}`);
  return response.json();
}
