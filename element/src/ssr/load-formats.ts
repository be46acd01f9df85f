import { addWords, type Formats, formatsFor, missingWords } from '../formats.ts';
import { LANGUAGE_PARTS } from '../words/language-parts.ts';

/** Returns the formats of a language and a time zone, with the words of the language. */
export async function loadFormats(locale: string | undefined, timeZone: string | undefined): Promise<Formats> {
  const language = missingWords(formatsFor(locale, timeZone));
  if (language) addWords(language, (await LANGUAGE_PARTS[`words-${language}`]()).words);
  return formatsFor(locale, timeZone);
}
