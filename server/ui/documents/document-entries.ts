import type { Client } from '../api-client/client.ts';
import { list, object, oneOf, text } from '../api-client/json.ts';

/** The kinds of documents, in the order in which they are listed. */
export const DOCUMENT_KINDS = ['dashboard', 'ai', 'query'] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

/** What readers know a kind by. */
export const KIND_TITLES: Readonly<Record<DocumentKind, string>> = {
  dashboard: 'dashboard',
  ai: 'ask box',
  query: 'query',
};

/** A document of the repository that the user may read. */
export interface DocumentEntry {
  readonly path: string;
  readonly kind: DocumentKind;
  readonly title: string;
  readonly updatedAt: Date;
}

/** Reads the documents of the user: dashboards, ask boxes, then queries, each by title. */
export async function readDocuments(client: Client, signal: AbortSignal): Promise<readonly DocumentEntry[]> {
  const ofKinds = await Promise.all(
    DOCUMENT_KINDS.map((kind) => client.get(`/rest/service/api/repository?kind=${kind}`, parseDocuments, signal)),
  );
  return ofKinds.flat();
}

export function parseDocuments(json: unknown): readonly DocumentEntry[] {
  const entries = list(json, 'the list of documents', (item): DocumentEntry => {
    const of = object(item, 'a document');
    return {
      path: text(of, 'path'),
      kind: oneOf(of, 'kind', DOCUMENT_KINDS),
      title: text(of, 'title'),
      updatedAt: new Date(text(of, 'updatedAt')),
    };
  });
  return [...entries].sort((a, b) => a.title.localeCompare(b.title) || a.path.localeCompare(b.path));
}
