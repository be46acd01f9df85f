/** Decides by names and values whether a column, level or field holds personal data. Pure. */
import { nameWords } from '../../router/name-words.ts';
import { GIVEN_NAMES } from './given-names.ts';
import {
  JOINED_LISTS,
  JOINED_NAME_ENDS,
  JOINED_PERSONS,
  NAME_WORDS,
  PERSON_WORDS,
  PERSONAL_KINDS,
  PERSONAL_VALUES,
  type PersonalKind,
  type PersonalKindName,
  REFERENCE_WORDS,
} from './personal-words.ts';

export interface PersonalVerdict extends Pick<PersonalKind, 'content' | 'identifies'> {
  readonly kind: PersonalKindName;
  /** The words of the name that led to the verdict. */
  readonly words: string;
}

/** The type of the values, where it is known: a number or a date is no name, a flag is never personal. */
export type ValueType = 'text' | 'flag' | 'key' | 'other';

export interface NamedThing {
  /** The words of its name, as `nameWords` splits it. */
  readonly words: readonly string[];
  /** The words of its container: a table, dataset or dimension. */
  readonly context?: readonly string[];
  /** Default: `text`. */
  readonly type?: ValueType | undefined;
}

/** Returns the verdict on a name; `undefined` where it names nothing personal. */
export function personalByName({ words, context = [], type = 'text' }: NamedThing): PersonalVerdict | undefined {
  const isReference = REFERENCE_WORDS.has(words.at(-1) ?? '') && words.length > 1;
  if (type === 'flag' || (isReference && type === 'key')) return undefined;
  return verdictByPhrase(words, true) ?? verdictByPerson(words, context, type) ?? verdictByPhrase(words, false);
}

/** Returns the verdict on a name as it is written. */
export function personalByText(name: string, context = '', type?: ValueType): PersonalVerdict | undefined {
  return personalByName({ words: nameWords(name), context: nameWords(context), type });
}

/**
 * Returns what the given texts look like; `undefined` for no texts and for texts that are not personal.
 *
 * @param isOfPersons whether the name of the column says that it holds persons: fewer common names are enough then
 */
export function personalByValues(values: readonly string[], isOfPersons = false): string | undefined {
  if (values.length === 0) return undefined;
  const kind = PERSONAL_VALUES.find(([, pattern]) => values.every((value) => pattern.test(value)))?.[0];
  return kind ?? (areNames(values, isOfPersons) ? 'names of persons' : undefined);
}

/** Two to four words with capital letters, a comma or a slash between them or not: `Meyer, Anna`, `Dr. Ben van Dyk`. */
const FULL_NAME =
  /^\p{Lu}[\p{L}'’.-]*(?:(?:[,/] *| +)(?:(?:von|van|de|der|den|da|di|al|el|zu) )*\p{Lu}[\p{L}'’.-]*){1,3}$/u;
/** Words of companies and places. */
const NO_PERSON =
  /\b(GmbH|AG|KG|OHG|SE|UG|Ltd|Limited|Inc|Corp|LLC|PLC|Co|SA|BV|AB|Group|Gruppe|Verein|Bank|Hotel|Street|City|San|Santa|Saint|St|Port|New|Mount|Lake|Bad|Los|Las)\b\.?/;
/** Least share of the texts with a common given name, and least number of them. */
const MIN_NAMED_SHARE = 0.6;
const MIN_NAMED_SHARE_OF_PERSONS = 0.3;
const MIN_NAMES = 2;
/** Texts of one word must all be given names: some are names of cities, too. */
const MIN_GIVEN_NAMES = 4;

function areNames(values: readonly string[], isOfPersons: boolean): boolean {
  const isGiven = (word: string): boolean => GIVEN_NAMES.has(word.toLowerCase());
  if (values.length >= MIN_GIVEN_NAMES && values.every(isGiven)) return true;
  if (!values.every((value) => FULL_NAME.test(value) && !NO_PERSON.test(value))) return false;
  const named = values.filter((value) => value.split(/[^\p{L}'’]+/u).some(isGiven)).length;
  return named >= MIN_NAMES && named >= (isOfPersons ? MIN_NAMED_SHARE_OF_PERSONS : MIN_NAMED_SHARE) * values.length;
}

interface Phrase {
  readonly kind: PersonalKindName;
  readonly words: readonly string[];
}

const kindNames = Object.keys(PERSONAL_KINDS).filter((name): name is PersonalKindName => name in PERSONAL_KINDS);
const kindOfName = (name: PersonalKindName): PersonalKind => PERSONAL_KINDS[name];
const PHRASES: readonly Phrase[] = kindNames.flatMap((kind) =>
  kindOfName(kind).phrases.map((phrase) => ({ kind, words: phrase.split(' ') })),
);
const JOINED_ENDS = kindNames.flatMap((kind) => (kindOfName(kind).joinedEnds ?? []).map((end) => ({ kind, end })));

function verdictByPhrase(words: readonly string[], identifies: boolean): PersonalVerdict | undefined {
  const isAsked = ({ kind }: { readonly kind: PersonalKindName }): boolean =>
    kindOfName(kind).identifies === identifies;
  const phrase = PHRASES.find((each) => isAsked(each) && each.words.every((word) => words.includes(word)));
  if (phrase !== undefined) return verdict(phrase.kind, phrase.words.join(' '));
  for (const word of words) {
    const joined = JOINED_ENDS.find((each) => isAsked(each) && word.endsWith(each.end));
    if (joined !== undefined) return verdict(joined.kind, word);
  }
  return undefined;
}

function verdictByPerson(
  words: readonly string[],
  context: readonly string[],
  type: ValueType,
): PersonalVerdict | undefined {
  if (type !== 'text') return undefined;
  const last = words.at(-1) ?? '';
  const named = words.map(personNamedIn).find((person) => person !== undefined);
  const person = named ?? (NAME_WORDS.has(last) ? personOfName(words, context) : undefined);
  if (person !== undefined) return verdict('name', person);
  return PERSON_WORDS.has(last) ? verdict('person', last) : undefined;
}

function verdict(kind: PersonalKindName, words: string): PersonalVerdict {
  const { content, identifies } = PERSONAL_KINDS[kind];
  return { kind, content, identifies, words };
}

/** Finds the person that a column called `name` names: in its own words, and in its context where it has two words at most. */
function personOfName(words: readonly string[], context: readonly string[]): string | undefined {
  const candidates = words.length <= 2 ? [...words, ...context] : words;
  return candidates.map(personIn).find((person) => person !== undefined);
}

const JOINED_LIST = new RegExp(`^(${JOINED_PERSONS.join('|')})(${JOINED_LISTS.join('|')})$`);
const JOINED_NAME = new RegExp(`^(\\p{L}{4,}?)(${JOINED_NAME_ENDS.join('|')})$`, 'u');

/** Returns the person in a word, joined with a word for a list or not. */
function personIn(word: string): string | undefined {
  return PERSON_WORDS.has(word) ? word : JOINED_LIST.exec(word)?.[1];
}

/** Returns the person whose name a joined word holds: `kundenname`. */
function personNamedIn(word: string): string | undefined {
  const [, person = ''] = JOINED_NAME.exec(word) ?? [];
  return [person, person.replace(/s$/, '')].find((each) => PERSON_WORDS.has(each));
}
