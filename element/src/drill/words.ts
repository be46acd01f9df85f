import type { Formats } from '../formats.ts';

/** The words of going down and of rows, by English words and language. */
const WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  de: {
    'Filter other tiles': 'Andere Kacheln filtern',
    'Stop filtering other tiles': 'Andere Kacheln nicht mehr filtern',
    'Drill down to {0}': 'Aufgliedern nach {0}',
    'Drill down {1} to {0}': '{1} aufgliedern nach {0}',
    'Drilled down': 'Aufgegliedert',
    'Show rows': 'Zeilen zeigen',
    Rows: 'Zeilen',
    Close: 'Schließen',
    'The rows could not be read.': 'Die Zeilen konnten nicht gelesen werden.',
    'These rows are not available.': 'Diese Zeilen sind nicht verfügbar.',
    'Try again': 'Noch einmal versuchen',
    'These rows are hidden': 'Diese Zeilen sind verborgen',
    'No rows': 'Keine Zeilen',
    'There are no rows behind this figure any more.': 'Hinter dieser Zahl stehen keine Zeilen mehr.',
  },
  fr: {
    'Filter other tiles': 'Filtrer les autres tuiles',
    'Stop filtering other tiles': 'Ne plus filtrer les autres tuiles',
    'Drill down to {0}': 'Détailler par {0}',
    'Drill down {1} to {0}': 'Détailler {1} par {0}',
    'Drilled down': 'Niveaux de détail',
    'Show rows': 'Afficher les lignes',
    Rows: 'Lignes',
    Close: 'Fermer',
    'The rows could not be read.': 'Les lignes n’ont pas pu être lues.',
    'These rows are not available.': 'Ces lignes ne sont pas disponibles.',
    'Try again': 'Réessayer',
    'These rows are hidden': 'Ces lignes sont masquées',
    'No rows': 'Aucune ligne',
    'There are no rows behind this figure any more.': 'Il n’y a plus de lignes derrière ce chiffre.',
  },
  es: {
    'Filter other tiles': 'Filtrar los demás mosaicos',
    'Stop filtering other tiles': 'Dejar de filtrar los demás mosaicos',
    'Drill down to {0}': 'Desglosar por {0}',
    'Drill down {1} to {0}': 'Desglosar {1} por {0}',
    'Drilled down': 'Niveles de desglose',
    'Show rows': 'Mostrar filas',
    Rows: 'Filas',
    Close: 'Cerrar',
    'The rows could not be read.': 'No se pudieron leer las filas.',
    'These rows are not available.': 'Estas filas no están disponibles.',
    'Try again': 'Intentar de nuevo',
    'These rows are hidden': 'Estas filas están ocultas',
    'No rows': 'Sin filas',
    'There are no rows behind this figure any more.': 'Ya no hay filas detrás de esta cifra.',
  },
};

/** Writes words of this part in the language of the embed, with values in the places `{0}` and `{1}`. */
export function say({ language }: Formats, english: string, ...values: readonly string[]): string {
  return (WORDS[language]?.[english] ?? english).replace(
    /\{(\d)\}/g,
    (_, place: string) => values[Number(place)] ?? '',
  );
}
