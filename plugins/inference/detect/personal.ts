/** Whether a column tells of persons, by its name and by its values. Pure. */
import { type ColumnView, kindOf } from './columns.ts';

/** Personal data by the words of a name; where two words stand together, both must be there. */
const PERSONAL_WORDS: readonly (readonly string[])[] = [
  ['email'],
  ['e', 'mail'],
  ['mail'],
  ['phone'],
  ['telephone'],
  ['mobile'],
  ['fax'],
  ['ssn'],
  ['passport'],
  ['iban'],
  ['birth'],
  ['birthday'],
  ['birthdate'],
  ['dob'],
  ['surname'],
  ['firstname'],
  ['lastname'],
  ['fullname'],
  ['first', 'name'],
  ['last', 'name'],
  ['full', 'name'],
  ['middle', 'name'],
  ['maiden', 'name'],
  ['fname'],
  ['lname'],
  ['address'],
  ['address1'],
  ['address2'],
  ['address3'],
  ['address4'],
  ['street'],
  ['lat', 'home'],
  ['ip'],
  ['tax', 'number'],
  ['credit', 'card'],
  ['card', 'number'],
  ['vorname'],
  ['nachname'],
  ['strasse'],
  ['telefon'],
  ['geburtsdatum'],
  ['account', 'num'],
  ['rufname'],
  ['familienname'],
  ['zuname'],
  ['straße'],
  ['hausnummer'],
  ['anschrift'],
  ['adresse'],
  ['handy'],
  ['handynummer'],
  ['mobilnummer'],
  ['telefonnummer'],
  ['geburtstag'],
  ['geburtsjahr'],
  ['steuernummer'],
  ['steuerid'],
  ['sozialversicherungsnummer'],
  ['kontonummer'],
];

/** Ends of words that German joins: `rechnungsadresse`, `kundentelefon`. */
const PERSONAL_ENDS =
  /(adresse|anschrift|telefon|telefonnummer|mobilnummer|email|geburtsdatum|vorname|nachname|strasse|straße)$/;

/** Persons, in English and German; plurals of German that no rule makes stand by themselves. */
export const PERSON_WORDS: ReadonlySet<string> = new Set([
  'customer',
  'employee',
  'person',
  'people',
  'user',
  'member',
  'patient',
  'contact',
  'client',
  'student',
  'passenger',
  'guest',
  'staff',
  'worker',
  'driver',
  'teacher',
  'applicant',
  'candidate',
  'doctor',
  'physician',
  'nurse',
  'visitor',
  'subscriber',
  'buyer',
  'kunde',
  'kunden',
  'mitarbeiter',
  'mitarbeiterin',
  'mitarbeitende',
  'patienten',
  'personen',
  'personal',
  'mitglied',
  'mitglieder',
  'nutzer',
  'benutzer',
  'besucher',
  'gast',
  'gäste',
  'gaeste',
  'schüler',
  'schueler',
  'studenten',
  'lehrer',
  'bewerber',
  'klient',
  'klienten',
  'ansprechpartner',
  'fahrer',
  'verkäufer',
  'verkaeufer',
  'arzt',
  'ärzte',
  'aerzte',
]);
/** Persons that German joins with what it says of them: `kundenstamm`, `mitarbeiterliste`. */
const JOINED_PERSONS =
  /^(kunden|mitarbeiter|patienten|personen|mitglieder|benutzer|nutzer)(stamm|daten|liste|tabelle|stammdaten|kartei)$/;
/** A person and its name, written as one: `kundenname`, `customername`. */
const JOINED_NAME = /^(\p{L}{4,}?)(name|namen|fullname)$/u;

/** Returns the person that a word is about, joined with other words or not. */
function personIn(word: string): string | undefined {
  if (PERSON_WORDS.has(word)) return word;
  return JOINED_PERSONS.exec(word)?.[1];
}

/** Returns the person whose name a joined word is. */
function personNamedIn(word: string): string | undefined {
  const [, person = ''] = JOINED_NAME.exec(word) ?? [];
  return [person, person.replace(/s$/, '')].find((each) => PERSON_WORDS.has(each));
}

/** Patterns of values that only personal data has. */
const PERSONAL_VALUES: readonly (readonly [string, RegExp])[] = [
  ['e-mail addresses', /^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/],
  ['telephone numbers', /^(\+\d{1,3}[\s.-]?)?(\(\d{2,4}\)|\d{3})[\s.-]\d{3}[\s.-]\d{3,4}$|^\+\d[\d\s()-]{8,}$/],
  ['bank accounts', /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/],
  ['social security numbers', /^\d{3}-\d{2}-\d{4}$/],
  ['network addresses', /^\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}$/],
];

/** Returns why a column holds personal data, or `undefined`. */
export function personalReason(view: ColumnView): string | undefined {
  const { words, column, family, table } = view;
  if (column.personal === true) return 'A served model of the warehouse marks it.';
  // `billing_address_id` leads to an address and tells none.
  const isReference = /^(id|key|sk|fk|uuid|guid)$/.test(words.at(-1) ?? '') && words.length > 1;
  if (family === 'boolean' || (isReference && (family === 'integer' || kindOf(view) === 'uuid'))) return undefined;
  const named = PERSONAL_WORDS.find((each) => each.every((word) => words.includes(word)));
  if (named !== undefined) return `The name says so (${named.join(' ')}).`;
  const joined = words.find((word) => PERSONAL_ENDS.test(word));
  if (joined !== undefined) return `The name says so (${joined}).`;
  if (family === 'text') {
    const own = words.map(personNamedIn).find((each) => each !== undefined);
    const isName = words.at(-1) === 'name' || (words[0] === 'name' && words.length === 1);
    const person = own ?? (isName ? personOfName(words, table.words) : undefined);
    if (person !== undefined) return `It is the name of a person (${person}).`;
  }
  const values = column.sampleValues.filter((value) => typeof value === 'string');
  if (values.length === 0) return undefined;
  const found = PERSONAL_VALUES.find(([, pattern]) => values.every((value) => pattern.test(value)));
  return found === undefined ? undefined : `The values look like ${found[0]}.`;
}

/** Returns the person that a column called `name` names: one of its own words, else of its table where it says no more than that. */
function personOfName(words: readonly string[], table: readonly string[]): string | undefined {
  const asked = words.length <= 2 ? [...words, ...table] : words;
  return asked.map(personIn).find((each) => each !== undefined);
}

/** Tells whether a column may name persons: personal data, and names of what is not known to be something else. */
export function mayNamePersons(view: ColumnView): boolean {
  return (
    personalReason(view) !== undefined ||
    view.words.some((word) => word === 'name' || word === 'vorname' || PERSON_WORDS.has(word))
  );
}
