/** The words that files contain beside their data, by language. */
import type { FilterOperator } from '../../router/filter-operators.ts';
import { frenchHeadings, germanHeadings, spanishHeadings } from '../../router/heading-words.ts';
import type { RelativePeriod } from '../../router/relative-periods.ts';

interface Words {
  readonly asOf: string;
  readonly filter: string;
  readonly more: string;
  readonly hidden: string;
  readonly missing: string;
  /** The unit of the difference of two rates. */
  readonly points: string;
  /** Names of periods: a quarter and a week with and without their year. */
  readonly periods: Readonly<Record<string, string>>;
  /** What headings of comparisons say. */
  readonly headings: Readonly<Record<string, string>>;
  /** Conditions: `{0}` is the field, `{1}` its value or values, `{2}` the second of two. */
  readonly conditions: Readonly<Record<Exclude<FilterOperator, 'RELATIVE'>, string>>;
  /** Relative periods: `{0}` is their number. */
  readonly relative: Readonly<Record<RelativePeriod, string>>;
}

const SIGNS = {
  EQ: '{0} = {1}',
  IN: '{0} = {1}',
  NEQ: '{0} ≠ {1}',
  GT: '{0} > {1}',
  GTE: '{0} ≥ {1}',
  LT: '{0} < {1}',
  LTE: '{0} ≤ {1}',
} as const;

const WORDS: Readonly<Record<string, Words>> & { readonly en: Words } = {
  en: {
    asOf: 'As of',
    filter: 'Filter',
    more: 'There are more rows than the limit of this answer.',
    hidden: 'Values of small groups are hidden',
    missing: 'This tile is not available.',
    points: 'points',
    periods: {},
    headings: {},
    conditions: {
      ...SIGNS,
      BETWEEN: '{0} from {1} to {2}',
      IS_NULL: '{0} is empty',
      IS_NOT_NULL: '{0} is not empty',
    },
    relative: {
      last_n_days: 'the last {0} days',
      last_n_months: 'the last {0} months',
      last_n_quarters: 'the last {0} quarters',
      last_n_years: 'the last {0} years',
      ytd: 'this year to date',
      qtd: 'this quarter to date',
      mtd: 'this month to date',
      previous_period: 'the {0} periods before',
    },
  },
  de: {
    asOf: 'Stand',
    filter: 'Filter',
    more: 'Es gibt mehr Zeilen, als diese Antwort haben darf.',
    hidden: 'Werte kleiner Gruppen sind ausgeblendet',
    missing: 'Diese Kachel ist nicht verfügbar.',
    points: 'Prozentpunkte',
    periods: { 'W{0} {1}': 'KW {0} {1}', 'W{0}': 'KW {0}' },
    headings: germanHeadings,
    conditions: {
      ...SIGNS,
      BETWEEN: '{0} von {1} bis {2}',
      IS_NULL: '{0} ist leer',
      IS_NOT_NULL: '{0} ist nicht leer',
    },
    relative: {
      last_n_days: 'die letzten {0} Tage',
      last_n_months: 'die letzten {0} Monate',
      last_n_quarters: 'die letzten {0} Quartale',
      last_n_years: 'die letzten {0} Jahre',
      ytd: 'dieses Jahr bis heute',
      qtd: 'dieses Quartal bis heute',
      mtd: 'dieser Monat bis heute',
      previous_period: 'die {0} Zeiträume davor',
    },
  },
  fr: {
    asOf: 'État au',
    filter: 'Filtre',
    more: 'Il y a plus de lignes que la limite de cette réponse.',
    hidden: 'Les valeurs de petits groupes sont masquées',
    missing: 'Cette tuile n’est pas disponible.',
    points: 'points',
    periods: { 'Q{0} {1}': 'T{0} {1}', 'Q{0}': 'T{0}', 'W{0} {1}': 'S{0} {1}', 'W{0}': 'S{0}' },
    headings: frenchHeadings,
    conditions: {
      ...SIGNS,
      BETWEEN: '{0} de {1} à {2}',
      IS_NULL: '{0} est vide',
      IS_NOT_NULL: '{0} n’est pas vide',
    },
    relative: {
      last_n_days: 'les {0} derniers jours',
      last_n_months: 'les {0} derniers mois',
      last_n_quarters: 'les {0} derniers trimestres',
      last_n_years: 'les {0} dernières années',
      ytd: 'depuis le début de l’année',
      qtd: 'depuis le début du trimestre',
      mtd: 'depuis le début du mois',
      previous_period: 'les {0} périodes précédentes',
    },
  },
  es: {
    asOf: 'Datos del',
    filter: 'Filtro',
    more: 'Hay más filas que el límite de esta respuesta.',
    hidden: 'Los valores de grupos pequeños están ocultos',
    missing: 'Este panel no está disponible.',
    points: 'puntos',
    periods: { 'Q{0} {1}': 'T{0} {1}', 'Q{0}': 'T{0}', 'W{0} {1}': 'S{0} {1}', 'W{0}': 'S{0}' },
    headings: spanishHeadings,
    conditions: {
      ...SIGNS,
      BETWEEN: '{0} de {1} a {2}',
      IS_NULL: '{0} está vacío',
      IS_NOT_NULL: '{0} no está vacío',
    },
    relative: {
      last_n_days: 'los últimos {0} días',
      last_n_months: 'los últimos {0} meses',
      last_n_quarters: 'los últimos {0} trimestres',
      last_n_years: 'los últimos {0} años',
      ytd: 'este año hasta hoy',
      qtd: 'este trimestre hasta hoy',
      mtd: 'este mes hasta hoy',
      previous_period: 'los {0} periodos anteriores',
    },
  },
};

/** Returns the words of a locale's language; English for a language without words. */
export function wordsOf(locale: string): Words {
  const language = locale.slice(0, 2).toLowerCase();
  return (Object.hasOwn(WORDS, language) ? WORDS[language] : undefined) ?? WORDS.en;
}

/** Writes values in the places `{0}`, `{1}` … of words. */
export function filled(words: string, ...values: readonly (string | number)[]): string {
  return words.replace(/\{(\d)\}/g, (_, place: string) => String(values[Number(place)] ?? ''));
}
