/** The analytics server, and the tokens that this app's backend mints there with its own credentials. */

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
  const response = await fetch(`${server()}/rest/service/api/embed/tokens`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${process.env.ANALYTICS_API_KEY ?? ''}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ resourceKind: kind, resourcePath: path, ttlHours: 1, label: 'The Next.js app of the demo' }),
    cache: 'no-store',
  });
  if (!response.ok) throw new Error(`The analytics server mints no token: ${response.status}`);
  return response.json();
}
