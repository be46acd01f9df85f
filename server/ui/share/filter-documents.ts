import type { DocumentEntry } from '../documents/document-entries.ts';

/** Returns the documents whose title, path or kind contain every word of `search`, ignoring case and accents. */
export function filterDocuments(documents: readonly DocumentEntry[], search: string): readonly DocumentEntry[] {
  const words = foldText(search).split(/\s+/).filter(Boolean);
  return documents.filter(({ title, path, kind }) => {
    const text = foldText(`${title} ${path} ${kind}`);
    return words.every((word) => text.includes(word));
  });
}

function foldText(text: string): string {
  return text
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase();
}
