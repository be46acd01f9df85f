import type { Scope } from '../../router/capabilities/identity.ts';
import type { DocumentInfo, Repository } from '../../router/capabilities/repository.ts';
import { ServiceError } from '../../router/errors.ts';
import type { Dashboard } from './documents/dashboard.ts';
import { type DocumentKind, EXTENSION } from './documents/kinds.ts';
import { parseDocument } from './documents/parse.ts';
import type { DocumentListing } from './schemas.ts';

/** Files that are read at the same time for their titles. */
const AT_ONCE = 16;

/**
 * Returns the caller's documents of some kinds, by path. One that is broken or too large is listed under its file
 * name.
 */
export async function listDocuments(
  repository: Repository,
  caller: Scope,
  kinds: readonly DocumentKind[],
  lastUsers: ReadonlyMap<string, string> = new Map(),
): Promise<DocumentListing[]> {
  const entries = await Promise.all(
    kinds.map(async (kind) => {
      const infos = await repository.list(caller, EXTENSION[kind]);
      return infos.map((info) => ({ kind, info }));
    }),
  );
  const documents = entries.flat().sort((left, right) => (left.info.path < right.info.path ? -1 : 1));
  const listings: (DocumentListing | undefined)[] = [];
  for (let at = 0; at < documents.length; at += AT_ONCE) {
    const batch = documents.slice(at, at + AT_ONCE);
    listings.push(...(await Promise.all(batch.map(({ kind, info }) => listingOf(repository, caller, kind, info)))));
  }
  return listings
    .filter((listing) => listing !== undefined)
    .map((listing) => {
      const changedBy = lastUsers.get(listing.path) ?? '';
      return changedBy === '' ? listing : { ...listing, changedBy };
    });
}

/** Makes one line of the list; `undefined` for a document that was removed meanwhile. */
async function listingOf(
  repository: Repository,
  caller: Scope,
  kind: DocumentKind,
  { path, updatedAtMillis }: DocumentInfo,
): Promise<DocumentListing | undefined> {
  const line = { path, kind, updatedAt: new Date(updatedAtMillis).toISOString() };
  try {
    const document = await repository.read(caller, path);
    if (document === undefined) return undefined;
    const { document: content } = parseDocument(kind, document.text);
    return { ...line, title: content.title, ...('tiles' in content ? { queries: queriesOf(content) } : {}) };
  } catch (error) {
    // A broken document never breaks the list; reading that document reports its problems.
    if (error instanceof ServiceError) return { ...line, title: path.slice(path.lastIndexOf('/') + 1) };
    throw error;
  }
}

/** Returns the paths of the saved queries that the tiles of a dashboard show, each once. */
function queriesOf({ tiles }: Dashboard): string[] {
  return [...new Set(tiles.flatMap(({ query }) => (query !== undefined && 'path' in query ? [query.path] : [])))];
}
