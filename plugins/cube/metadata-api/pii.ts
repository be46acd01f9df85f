/** Names that sound like personal data: what a schema's author may want to annotate. */
import type { CubeMetadata } from './cube-metadata.ts';

/** Words in names of levels and measures, and what they are likely to hold. */
const SIGNS: readonly (readonly [pattern: RegExp, reason: string])[] = [
  [/\b(e-?mail|mail address)/, 'an e-mail address'],
  [/\b(phone|mobile|telephone|fax|cell number)/, 'a telephone number'],
  [/\b(ssn|social security|national id|tax id|passport|driver'?s? licen[cs]e)/, 'an official number of a person'],
  [/\b(iban|bank account|account (no|number)|credit card|card (no|number)|cvv)/, 'a payment detail'],
  [/\b(birth ?(day|date)?|dob|date of birth|age)\b/, 'a date of birth or an age'],
  [/\b(first|last|full|sur|maiden|middle|given|family) ?name\b/, 'the name of a person'],
  [
    /\b(customer|client|patient|person|employee|user|contact|member|student|subscriber)s?( full)?( name)?$/,
    'single persons',
  ],
  [/\b(street|address|post ?code|postal code|zip)\b/, 'an address'],
  [/\b(ip address|device id|cookie|imei|mac address)/, 'something that tells a device'],
  [
    /\b(gender|sex|religion|ethnicity|race|marital status|disability|diagnosis|health)\b/,
    'a sensitive trait of persons',
  ],
  [/\b(salary|wage|income)\b/, 'what a person earns'],
  [/\b(latitude|longitude|geo ?location)\b/, 'a place of a person'],
];

export interface Suggestion {
  readonly target: string;
  readonly reason: string;
}

/** Returns the levels and measures that look personal and whose author has neither said so nor denied it. */
export function piiSuggestions({ dimensions, measures }: CubeMetadata): readonly Suggestion[] {
  const levels = dimensions.flatMap((dimension) =>
    dimension.hierarchies.flatMap(({ levels }) =>
      levels
        .filter(({ isAll }) => !isAll)
        // A level `Name` of a dimension `Customers` holds names of customers.
        .map((level) => ({ ...level, texts: [level.name, level.caption, `${dimension.name} ${level.name}`] })),
    ),
  );
  return [...levels, ...measures.map((measure) => ({ ...measure, texts: [measure.name, measure.caption] }))].flatMap(
    ({ uniqueName, texts, annotations }) => {
      const reason = annotations.piiStated ? undefined : reasonOf(texts);
      return reason === undefined
        ? []
        : [
            {
              target: uniqueName,
              reason: `By its name it may hold ${reason}. If so, annotate it with service.semantic.pii.`,
            },
          ];
    },
  );
}

function reasonOf(texts: readonly string[]): string | undefined {
  for (const text of texts) {
    // `BirthDate` and `birth_date` read `birth date`.
    const words = text
      .replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
      .replaceAll(/[_\-.]+/g, ' ')
      .toLowerCase()
      .trim();
    const found = SIGNS.find(([pattern]) => pattern.test(words));
    if (found !== undefined) return found[1];
  }
  return undefined;
}
