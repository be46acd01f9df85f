/// <reference types="vite/client" />
/**
 * The words of the pages. `msg('Save')` and `msg(str`${count} tiles`)` return the words in the language of the visitor. A module that imports this one
 * runs after the words have arrived, so that no page shows another language first.
 */
import { configureLocalization } from '@lit/localize';
import { chosenLanguage } from './language.ts';
import { type Translations, toTemplates } from './templates.ts';

export { msg, str } from '@lit/localize';

/** The language that the words in the sources have. */
const SOURCE_LANGUAGE = 'en';

const FILES = import.meta.glob<Translations>('../locales/*.json', { import: 'default' });
const loaderByLanguage = new Map(
  Object.entries(FILES).map(([file, load]) => [file.replace(/^.*\/|\.json$/g, ''), load] as const),
);

/** The languages that the pages speak: `['en', 'de']`. Each file in `locales/` is one. */
export const LANGUAGES: readonly string[] = [SOURCE_LANGUAGE, ...loaderByLanguage.keys()];

const { setLocale } = configureLocalization({
  sourceLocale: SOURCE_LANGUAGE,
  targetLocales: [...loaderByLanguage.keys()],
  async loadLocale(language) {
    return { templates: toTemplates((await loaderByLanguage.get(language)?.()) ?? {}) };
  },
});

/** The language of this page. */
export const language = typeof document === 'undefined' ? SOURCE_LANGUAGE : await speak(chosenLanguage(LANGUAGES));

async function speak(wanted: string): Promise<string> {
  try {
    await setLocale(wanted);
  } catch (error) {
    // The page works in the language of its sources.
    reportError(error);
    return SOURCE_LANGUAGE;
  }
  document.documentElement.lang = wanted;
  return wanted;
}

/**
 * The attribute `locale` of the embeds of this page, with which numbers, periods and headings of answers are in its language, too. In the language of the
 * sources, answers stay as the server writes them.
 */
export const embedLocale = language === SOURCE_LANGUAGE ? null : language;
