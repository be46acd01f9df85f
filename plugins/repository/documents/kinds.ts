import { z } from 'zod';

/** The kind of a document in the repository, by its file extension. */
export const DocumentKind = z.enum(['query', 'dashboard', 'ai']).meta({ id: 'DocumentKind' });
export type DocumentKind = z.infer<typeof DocumentKind>;

export const EXTENSION: Readonly<Record<DocumentKind, string>> = {
  query: '.service',
  dashboard: '.servicedash',
  ai: '.serviceask',
};

/** Returns the kind of a path's extension; `undefined` for any other extension. */
export function kindOf(path: string): DocumentKind | undefined {
  return DocumentKind.options.find((kind) => path.endsWith(EXTENSION[kind]));
}
