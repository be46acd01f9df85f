/** The titles of what a proposal adds to the data, in the language of the data. Pure. */
import { nameWords } from '../../../router/name-words.ts';

/** Languages of titles. A language needs its words in `TITLES`, and the words by which it is detected in `LANGUAGE_WORDS`. */
export const LANGUAGES = ['en', 'de'] as const;
export type Language = (typeof LANGUAGES)[number];

export interface Titles {
  readonly year: string;
  readonly quarter: string;
  readonly month: string;
  readonly day: string;
  /** The number of rows of a table. */
  readonly rowCount: string;
  readonly average: (caption: string) => string;
  /** The number of different members of a table. */
  readonly countOf: (caption: string) => string;
  /** The tree of a table whose rows have parents in the same table. */
  readonly tree: (caption: string) => string;
  /** A column of the parent's row. */
  readonly parent: (caption: string) => string;
  readonly keyFigures: (cube: string) => string;
  /** A measure by the groups of a column. */
  readonly by: (measure: string, group: string) => string;
  /** The groups with the greatest values. */
  readonly top: (title: string, groups: number) => string;
  /** The caption of a column within a title. */
  readonly group: (caption: string) => string;
}

export const TITLES: Readonly<Record<Language, Titles>> = {
  en: {
    year: 'Year',
    quarter: 'Quarter',
    month: 'Month',
    day: 'Day',
    rowCount: 'Row Count',
    average: (caption) => `Average ${caption}`,
    countOf: (caption) => `${caption} Count`,
    tree: (caption) => `${caption} Hierarchy`,
    parent: (caption) => `Parent ${caption}`,
    keyFigures: (cube) => `Key figures: ${cube}`,
    by: (measure, group) => `${measure} by ${group}`,
    top: (title, groups) => `${title}, top ${groups}`,
    group: (caption) => caption.toLowerCase(),
  },
  de: {
    year: 'Jahr',
    quarter: 'Quartal',
    month: 'Monat',
    day: 'Tag',
    rowCount: 'Anzahl Zeilen',
    average: (caption) => `Durchschnitt ${caption}`,
    countOf: (caption) => `Anzahl ${caption}`,
    tree: (caption) => `${caption} (Hierarchie)`,
    parent: (caption) => `${caption} (übergeordnet)`,
    keyFigures: (cube) => `Kennzahlen: ${cube}`,
    by: (measure, group) => `${measure} nach ${group}`,
    top: (title, groups) => `${title}, die ${groups} größten`,
    // Nouns have a capital letter.
    group: (caption) => caption,
  },
};

/** Words of column names that only one language has: whole words, and longer words that may be part of a compound. */
const LANGUAGE_WORDS: Readonly<Record<Exclude<Language, 'en'>, { readonly whole: RegExp; readonly part: RegExp }>> = {
  de: {
    whole:
      /^(nr|ort|plz|land|preis|menge|tag|monat|jahr|stück|stueck|lager|konto|name1|anrede|steuer|netto|brutto|gebiet|filiale|kanal|wert|rabatt|bezirk)$/,
    part: /datum|betrag|umsatz|kunde|auftrag|bestell|rechnung|artikel|lieferant|straße|strasse|nummer|anzahl|währung|waehrung|mitarbeiter|abteilung|gruppe|bezeichnung|geschlecht|gehalt|vorname|nachname|kosten|gewinn|zahlung|bestand|hersteller|bundesland|beschreibung|verkäufer|verkaeufer|buchung|[äöüß]/,
  },
};

/** Minimum number and share of the columns with a word of a language. */
const MIN_COLUMNS = 2;
const MIN_SHARE = 0.2;

/** Returns the language of column names, English unless their words show another. */
export function detectLanguage(columns: readonly string[]): Language {
  for (const language of LANGUAGES) {
    if (language === 'en') continue;
    const { whole, part } = LANGUAGE_WORDS[language];
    const matching = columns.filter((column) => nameWords(column).some((word) => whole.test(word) || part.test(word)));
    if (matching.length >= MIN_COLUMNS && matching.length >= MIN_SHARE * columns.length) return language;
  }
  return 'en';
}
