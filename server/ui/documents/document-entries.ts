import type { Client } from '../api-client/client.ts';
import { readList, readObject, readOption, readText } from '../api-client/json.ts';
import { msg } from '../words/words.ts';

/** The kinds of documents, in their order in lists. */
export const DOCUMENT_KINDS = ['dashboard', 'ai', 'query'] as const;
export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

/** Names of the kinds for readers. */
export const KIND_TITLES: Readonly<Record<DocumentKind, string>> = {
  dashboard: msg('dashboard'),
  ai: msg('ask box'),
  query: msg('query'),
};

/** Describes a document of the repository that the user may read. */
export interface DocumentEntry {
  readonly path: string;
  readonly kind: DocumentKind;
  readonly title: string;
  readonly updatedAt: Date;
  /** The user of the last change, where it is known. */
  readonly changedBy?: string | undefined;
  /** Of a dashboard: the paths of the saved queries that its tiles show. */
  readonly queries?: readonly string[];
}

/** Reads the user's documents: dashboards, ask boxes, then queries, each sorted by title. */
export async function readDocuments(client: Client, signal: AbortSignal): Promise<readonly DocumentEntry[]> {
  const ofKinds = await Promise.all(
    DOCUMENT_KINDS.map((kind) => client.get(`/rest/service/api/repository?kind=${kind}`, parseDocuments, signal)),
  );
  return ofKinds.flat();
}

export function parseDocuments(json: unknown): readonly DocumentEntry[] {
  const entries = readList(json, 'the list of documents', (item): DocumentEntry => {
    const record = readObject(item, 'a document');
    return {
      path: readText(record, 'path'),
      kind: readOption(record, 'kind', DOCUMENT_KINDS),
      title: readText(record, 'title'),
      updatedAt: new Date(readText(record, 'updatedAt')),
      ...(typeof record.changedBy === 'string' ? { changedBy: record.changedBy } : {}),
      ...(Array.isArray(record.queries) ? { queries: record.queries.map(String) } : {}),
    };
  });
  return [...entries].sort((a, b) => a.title.localeCompare(b.title) || a.path.localeCompare(b.path));
}
