// Written by `npx tsx scripts/element-lists.ts` from the files of element/src/words/languages/; do not edit.

/** Lists the languages besides English that the element has words in. */
export const LANGUAGES = ['de', 'es', 'fr', 'it', 'nl', 'pt'] as const;

export type Language = (typeof LANGUAGES)[number];
