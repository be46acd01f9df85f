// Written by `npx tsx scripts/element-lists.ts` from router/heading-words.ts; do not edit.

/**
 * The words of `column-headings.ts` by language. `scripts/element-lists.ts` copies this file into the element, where each language is a file that is
 * loaded when needed: so each has a table of its own.
 */
type HeadingWords = Readonly<Record<string, string>>;

export const germanHeadings = {
  'previous year': 'Vorjahr',
  'previous period': 'Vorperiode',
  '{0} earlier': '{0} früher',
  '{0} later': '{0} später',
  '{0} quarter': '{0} Quartal',
  '{0} quarters': '{0} Quartale',
  '{0}, difference ({1})': '{0}, Differenz ({1})',
  '{0}, ratio ({1})': '{0}, Verhältnis ({1})',
} as const satisfies HeadingWords;

export const spanishHeadings = {
  'previous year': 'el año anterior',
  'previous period': 'el período anterior',
  '{0} earlier': '{0} antes',
  '{0} later': '{0} después',
  '{0} quarter': '{0} trimestre',
  '{0} quarters': '{0} trimestres',
  '{0}, difference ({1})': '{0}, diferencia ({1})',
  '{0}, ratio ({1})': '{0}, proporción ({1})',
} as const satisfies HeadingWords;

export const frenchHeadings = {
  'previous year': 'l’année précédente',
  'previous period': 'la période précédente',
  '{0} earlier': '{0} plus tôt',
  '{0} later': '{0} plus tard',
  '{0} quarter': '{0} trimestre',
  '{0} quarters': '{0} trimestres',
  '{0}, difference ({1})': '{0}, écart ({1})',
  '{0}, ratio ({1})': '{0}, rapport ({1})',
} as const satisfies HeadingWords;
