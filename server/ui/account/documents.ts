import type { Client } from '../api-client/client.ts';
import { list, object, oneOf, text } from '../api-client/json.ts';

/** A document of the repository that the user may read. */
export interface DocumentEntry {
  readonly path: string;
  readonly kind: 'query' | 'dashboard';
  readonly title: string;
  readonly updatedAt: Date;
}

/** Reads the documents of the user: dashboards, then queries, each by title. */
export async function readDocuments(client: Client, signal: AbortSignal): Promise<readonly DocumentEntry[]> {
  const [dashboards, queries] = await Promise.all(
    (['dashboard', 'query'] as const).map((kind) =>
      client.get(`/rest/service/api/repository?kind=${kind}`, parseDocuments, signal),
    ),
  );
  return [...(dashboards ?? []), ...(queries ?? [])];
}

export function parseDocuments(json: unknown): readonly DocumentEntry[] {
  const entries = list(json, 'the list of documents', (item): DocumentEntry => {
    const of = object(item, 'a document');
    return {
      path: text(of, 'path'),
      kind: oneOf(of, 'kind', ['query', 'dashboard']),
      title: text(of, 'title'),
      updatedAt: new Date(text(of, 'updatedAt')),
    };
  });
  return [...entries].sort((a, b) => a.title.localeCompare(b.title) || a.path.localeCompare(b.path));
}
