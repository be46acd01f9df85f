import type { Cell, Column } from './api/parse-answer.ts';
import { LANGUAGES, type Language } from './generated/languages.ts';
import type { Words } from './words/words.ts';

/** Replaces a missing value, in charts and in tables. */
export const DASH = '–';

/**
 * Formats the element's own texts, in the language and the time zone of one embed. The server formats metrics; with
 * `locale`, the part `notation` rewrites its texts.
 */
export interface Formats {
  readonly locale: string | undefined;
  readonly timeZone: string | undefined;
  /** Language of the element's own words: two letters, such as `de`; empty for the default, English. */
  readonly language: string;
  /** The element's words in that language; undefined for English, and until they are loaded. Words that it lacks are English. */
  readonly words: Words | undefined;
  /** Writes words of the element in that language, with values in the places `{0}`, `{1}` … */
  readonly say: (english: string, ...values: readonly (string | number)[]) => string;
  readonly number: (value: number, options?: Intl.NumberFormatOptions) => string;
  readonly date: (value: Date, options: Intl.DateTimeFormatOptions) => string;
  /** Formats a cell: dates by Intl, everything else as its text. */
  readonly cell: (cell: Cell | undefined, column: Column | undefined) => string;
}

const formatsByLocale = new Map<string, Formats>();
const translations: Record<string, Words> = {};

/** Adds the words of a language once they are loaded. Formats of this language are new objects from then on. */
export function addWords(language: Language, words: Words): void {
  translations[language] = words;
}

/** Returns the language whose words are to be loaded; undefined where they are here, or there are none. */
export function missingWords({ language, words }: Formats): Language | undefined {
  return words ? undefined : LANGUAGES.find((each) => each === language);
}

/** Returns the formats of one language and time zone. Each call returns the same object. `page` is the page's language. */
export function formatsFor(locale: string | undefined, timeZone: string | undefined, page = ''): Formats {
  const language = (locale ?? page).slice(0, 2).toLowerCase();
  const words = translations[language];
  const name = `${locale} ${timeZone} ${language} ${!words}`;
  const formats = formatsByLocale.get(name) ?? makeFormats(locale, timeZone, language, words);
  formatsByLocale.set(name, formats);
  return formats;
}

function makeFormats(
  locale: string | undefined,
  timeZone: string | undefined,
  language: string,
  words: Words | undefined,
): Formats {
  const formatters = new Map<string, { format(value: number): string }>();
  // Creating a formatter costs some hundred times as much as using it.
  const formatWith = (kind: 'NumberFormat' | 'DateTimeFormat', value: number, options: object): string => {
    const key = kind + JSON.stringify(options);
    const formatter =
      formatters.get(key) ??
      (kind === 'NumberFormat' ? new Intl.NumberFormat(locale, options) : new Intl.DateTimeFormat(locale, options));
    formatters.set(key, formatter);
    return formatter.format(value);
  };
  const number: Formats['number'] = (value, options = {}) => formatWith('NumberFormat', value, options);
  const date: Formats['date'] = (value, options) =>
    formatWith('DateTimeFormat', value.getTime(), { timeZone, ...options });
  return {
    locale,
    timeZone,
    language,
    words,
    say: (english, ...values) =>
      (words?.[english] ?? english).replace(/\{(\d)\}/g, (_, place: string) => String(values[Number(place)])),
    number,
    date,
    cell(cell, column) {
      const text = cell?.text;
      if (text === undefined) return DASH;
      if (!column || column.labels || !/^(date|timestamp)/.test(column.dataType)) return text;
      // Only an instant is converted to a zone. A date, or a timestamp without a zone, is shown unchanged.
      const instant = column.dataType === 'timestamptz';
      const value = new Date(
        instant || /z$/i.test(text) ? text : text.replace(' ', 'T') + (text.length > 10 ? 'Z' : ''),
      );
      if (Number.isNaN(+value)) return text;
      return date(value, {
        dateStyle: 'medium',
        timeStyle: column.dataType === 'date' ? undefined : 'short',
        ...(instant ? {} : { timeZone: 'UTC' }),
      });
    },
  };
}
