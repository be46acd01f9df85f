import type { DocumentEntry } from '../documents/document-entries.ts';

/** What a folder shows: the folders in it, and its documents. */
export interface FolderContents {
  readonly folders: readonly { readonly name: string; readonly count: number }[];
  readonly documents: readonly DocumentEntry[];
}

/** Returns what is in a folder. With a text, all documents below it that have every word in their title or path. */
export function folderContents(
  entries: readonly DocumentEntry[],
  folder: readonly string[],
  text: string,
): FolderContents {
  const prefix = folder.map((name) => `${name}/`).join('');
  const below = entries.filter(({ path }) => path.startsWith(prefix));
  const words = text.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length > 0)
    return {
      folders: [],
      documents: below.filter((entry) => {
        const all = `${entry.title} ${entry.path}`.toLowerCase();
        return words.every((word) => all.includes(word));
      }),
    };
  const counts = new Map<string, number>();
  const documents: DocumentEntry[] = [];
  for (const entry of below) {
    const [name, ...rest] = entry.path.slice(prefix.length).split('/');
    if (rest.length === 0) documents.push(entry);
    else if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return {
    folders: [...counts].map(([name, count]) => ({ name, count })).toSorted((a, b) => a.name.localeCompare(b.name)),
    documents,
  };
}
