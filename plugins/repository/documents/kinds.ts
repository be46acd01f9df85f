import { z } from 'zod';

/** What a document in the repository is; its file extension tells it. */
export const DocumentKind = z.enum(['query', 'dashboard', 'ai']).meta({ id: 'DocumentKind' });
export type DocumentKind = z.infer<typeof DocumentKind>;

export const EXTENSION: Readonly<Record<DocumentKind, string>> = {
  query: '.service',
  dashboard: '.servicedash',
  ai: '.serviceask',
};

/** Returns the kind that a path's extension stands for; `undefined` for any other extension. */
export function kindOf(path: string): DocumentKind | undefined {
  return DocumentKind.options.find((kind) => path.endsWith(EXTENSION[kind]));
}
