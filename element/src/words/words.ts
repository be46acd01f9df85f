/** Translations of the element's own words, by the English words. */
export type Words = Readonly<Record<string, string>>;
