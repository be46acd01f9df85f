import type { Formats } from '../formats.ts';

/** The words of the menu, by English words and language. */
const WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  de: {
    Export: 'Exportieren',
    'Whole dashboard': 'Ganzes Dashboard',
    'Excel workbook': 'Excel-Arbeitsmappe',
    'CSV table': 'CSV-Tabelle',
    'PNG picture': 'PNG-Bild',
    'PDF, {0}': 'PDF, {0}',
    Letter: 'Letter',
    '{0}: {1}': '{0}: {1}',
    'Making the file…': 'Die Datei wird erstellt …',
    'The file is made.': 'Die Datei ist erstellt.',
    'The file could not be made. Try again.': 'Die Datei konnte nicht erstellt werden. Versuchen Sie es noch einmal.',
    'This page allows no PNG; the picture is an SVG file.':
      'Diese Seite erlaubt kein PNG; das Bild ist eine SVG-Datei.',
  },
  fr: {
    Export: 'Exporter',
    'Whole dashboard': 'Tout le tableau de bord',
    'Excel workbook': 'Classeur Excel',
    'CSV table': 'Tableau CSV',
    'PNG picture': 'Image PNG',
    'PDF, {0}': 'PDF, {0}',
    Letter: 'Letter',
    '{0}: {1}': '{0} : {1}',
    'Making the file…': 'Création du fichier…',
    'The file is made.': 'Le fichier est créé.',
    'The file could not be made. Try again.': 'Le fichier n’a pas pu être créé. Réessayez.',
    'This page allows no PNG; the picture is an SVG file.':
      'Cette page n’autorise pas le PNG ; l’image est un fichier SVG.',
  },
  es: {
    Export: 'Exportar',
    'Whole dashboard': 'Todo el panel',
    'Excel workbook': 'Libro de Excel',
    'CSV table': 'Tabla CSV',
    'PNG picture': 'Imagen PNG',
    'PDF, {0}': 'PDF, {0}',
    Letter: 'Carta',
    '{0}: {1}': '{0}: {1}',
    'Making the file…': 'Creando el archivo…',
    'The file is made.': 'El archivo está creado.',
    'The file could not be made. Try again.': 'No se pudo crear el archivo. Inténtelo de nuevo.',
    'This page allows no PNG; the picture is an SVG file.': 'Esta página no permite PNG; la imagen es un archivo SVG.',
  },
};

/** Writes words of the menu in the language of the embed, with values in the places `{0}` and `{1}`. */
export function say({ language }: Formats, english: string, ...values: readonly string[]): string {
  return (WORDS[language]?.[english] ?? english).replace(
    /\{(\d)\}/g,
    (_, place: string) => values[Number(place)] ?? '',
  );
}
