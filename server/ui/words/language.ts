/** The visitor's language: the one they chose, else the first of the browser's that the pages speak. */
const STORAGE_KEY = 'service.language';

export function chosenLanguage(languages: readonly string[]): string {
  const wanted = [storedLanguage(), ...navigator.languages].map((tag) => tag?.split('-')[0]);
  return wanted.find((tag) => tag !== undefined && languages.includes(tag)) ?? languages[0] ?? 'en';
}

/** Remembers a choice and loads the page again in that language. */
export function chooseLanguage(language: string): void {
  try {
    localStorage.setItem(STORAGE_KEY, language);
  } catch {
    // Storage may be forbidden: the browser's language then stays.
  }
  location.reload();
}

/** Returns the name that a language has in itself: `Deutsch` for `de`. */
export function languageName(language: string): string {
  return new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language;
}

function storedLanguage(): string | undefined {
  try {
    return localStorage.getItem(STORAGE_KEY) ?? undefined;
  } catch {
    return undefined;
  }
}
