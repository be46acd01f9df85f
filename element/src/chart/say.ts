import type { Formats } from '../formats.ts';

/** Translations of the chart's words, by the English words. */
export type Words = Readonly<Record<string, string>>;

/** Languages that have words in `languages.ts`, which is loaded when one of them is needed. */
const TRANSLATED = ['de', 'fr', 'es', 'it', 'pt', 'nl'];
let translations: Readonly<Record<string, Words>> | undefined;

/** Adds the words of all languages once they are loaded. */
export function addLanguages({ languages }: { readonly languages: Readonly<Record<string, Words>> }): void {
  translations = languages;
}

/** Returns whether the words of a language are here, or are English because there are no others. */
export function canSpeak({ language }: Pick<Formats, 'language'>): boolean {
  return translations !== undefined || !TRANSLATED.includes(language);
}

/** Writes words of the chart's own in the language of the page, with values in the places `{0}`, `{1}` … */
export function say(
  { language }: Pick<Formats, 'language'>,
  english: string,
  ...values: readonly (string | number)[]
): string {
  const words = translations?.[language]?.[english] ?? english;
  return words.replace(/\{(\d)\}/g, (_, place: string) => String(values[Number(place)]));
}
