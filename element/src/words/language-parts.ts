// Written by `npx tsx scripts/element-lists.ts` from the files of element/src/words/languages/; do not edit.

/** Imports the words of each language dynamically, so that a bundler writes each into a file of its own. */
export const LANGUAGE_PARTS = {
  'words-de': () => import('./languages/de.ts'),
  'words-es': () => import('./languages/es.ts'),
  'words-fr': () => import('./languages/fr.ts'),
  'words-it': () => import('./languages/it.ts'),
  'words-nl': () => import('./languages/nl.ts'),
  'words-pt': () => import('./languages/pt.ts'),
} as const;
