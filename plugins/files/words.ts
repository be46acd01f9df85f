/** The words that files contain beside their data, by language. */
const WORDS = {
  en: {
    asOf: 'As of',
    filter: 'Filter',
    more: 'There are more rows than the limit of this answer.',
    hidden: 'Values of small groups are hidden',
    missing: 'This tile is not available.',
  },
  de: {
    asOf: 'Stand',
    filter: 'Filter',
    more: 'Es gibt mehr Zeilen, als diese Antwort haben darf.',
    hidden: 'Werte kleiner Gruppen sind ausgeblendet',
    missing: 'Diese Kachel ist nicht verfügbar.',
  },
  fr: {
    asOf: 'État au',
    filter: 'Filtre',
    more: 'Il y a plus de lignes que la limite de cette réponse.',
    hidden: 'Les valeurs de petits groupes sont masquées',
    missing: 'Cette tuile n’est pas disponible.',
  },
  es: {
    asOf: 'Datos del',
    filter: 'Filtro',
    more: 'Hay más filas que el límite de esta respuesta.',
    hidden: 'Los valores de grupos pequeños están ocultos',
    missing: 'Este panel no está disponible.',
  },
} as const;

type Words = Readonly<Record<keyof (typeof WORDS)['en'], string>>;

/** Returns the words of a locale's language; English for a language without words. */
export function wordsOf(locale: string): Words {
  const language = locale.slice(0, 2).toLowerCase();
  return Object.entries(WORDS).find(([each]) => each === language)?.[1] ?? WORDS.en;
}
