/**
 * The kinds of personal data and the words that name them, in English and German.
 *
 * Words are lower case and singular, as `nameWords` splits names. A phrase applies where a name has all its words.
 */

export interface PersonalKind {
  /** Completes "it may hold …". */
  readonly content: string;
  /**
   * Whether a value identifies one person. Such columns are hidden from a proposed model; others are shown as groups
   * and only suggested for review.
   */
  readonly identifies: boolean;
  readonly phrases: readonly string[];
  /** Last parts of joined German words: `rechnungsadresse`, `kundentelefon`. */
  readonly joinedEnds?: readonly string[];
}

/** Kinds by their phrases; the first kind that applies wins. */
export const PERSONAL_KINDS = {
  email: {
    content: 'an e-mail address',
    identifies: true,
    phrases: ['email', 'e mail', 'mail'],
    joinedEnds: ['email'],
  },
  phone: {
    content: 'a telephone number',
    identifies: true,
    phrases: [
      'phone',
      'telephone',
      'mobile',
      'cell number',
      'fax',
      'telefon',
      'telefonnummer',
      'handy',
      'handynummer',
      'mobilnummer',
    ],
    joinedEnds: ['telefon', 'telefonnummer', 'mobilnummer'],
  },
  officialNumber: {
    content: 'an official number of a person',
    identifies: true,
    phrases: [
      'ssn',
      'social security',
      'national id',
      'tax number',
      'tax id',
      'passport',
      'driver license',
      'driver licence',
      'driving license',
      'driving licence',
      'steuernummer',
      'steuerid',
      'sozialversicherungsnummer',
      'mrn',
      'medical record',
      'insurance number',
      'versicherungsnummer',
      'versichertennummer',
      'matrikelnummer',
      'ausweisnummer',
      'license plate',
      'licence plate',
      'number plate',
    ],
  },
  payment: {
    content: 'a payment detail',
    identifies: true,
    phrases: [
      'iban',
      'bank account',
      'account number',
      'account num',
      'account no',
      'credit card',
      'card number',
      'card no',
      'cvv',
      'kontonummer',
    ],
  },
  birth: {
    content: 'a date of birth',
    identifies: true,
    phrases: ['birth', 'birthday', 'birthdate', 'dob', 'geburtsdatum', 'geburtstag', 'geburtsjahr'],
    joinedEnds: ['geburtsdatum'],
  },
  name: {
    content: 'the name of a person',
    identifies: true,
    phrases: [
      'surname',
      'firstname',
      'lastname',
      'fullname',
      'first name',
      'last name',
      'full name',
      'middle name',
      'maiden name',
      'given name',
      'family name',
      'fname',
      'lname',
      'vorname',
      'nachname',
      'rufname',
      'familienname',
      'zuname',
    ],
    joinedEnds: ['vorname', 'nachname'],
  },
  address: {
    content: 'an address',
    identifies: true,
    phrases: [
      'address',
      'address1',
      'address2',
      'address3',
      'address4',
      'street',
      'lat home',
      'strasse',
      'straße',
      'hausnummer',
      'anschrift',
      'adresse',
    ],
    joinedEnds: ['adresse', 'anschrift', 'strasse', 'straße'],
  },
  device: {
    content: "the address of a person's device",
    identifies: true,
    phrases: ['ip', 'imei', 'device id', 'cookie id'],
  },
  onlineTrace: { content: 'what follows a device', identifies: false, phrases: ['cookie'] },
  age: { content: 'an age', identifies: false, phrases: ['age', 'alter'] },
  area: {
    content: 'a part of an address',
    identifies: false,
    phrases: ['post code', 'postcode', 'postal code', 'zip', 'plz', 'postleitzahl'],
  },
  place: {
    content: 'a place of a person',
    identifies: false,
    phrases: ['latitude', 'longitude', 'geolocation', 'geo location'],
  },
  income: {
    content: 'what a person earns',
    identifies: false,
    phrases: ['salary', 'wage', 'income', 'gehalt', 'lohn', 'einkommen'],
  },
  trait: {
    content: 'a sensitive trait of persons',
    identifies: false,
    phrases: [
      'gender',
      'sex',
      'religion',
      'ethnicity',
      'race',
      'marital status',
      'disability',
      'diagnosis',
      'health',
      'geschlecht',
      'familienstand',
      'konfession',
      'diagnose',
    ],
  },
  person: { content: 'single persons', identifies: false, phrases: [] },
} as const satisfies Readonly<Record<string, PersonalKind>>;

export type PersonalKindName = keyof typeof PERSONAL_KINDS;

/** Last words of columns with names: `customer_name`. */
export const NAME_WORDS: ReadonlySet<string> = new Set(['name']);

/** Last parts of joined words with names: `kundenname`, `customerfullname`. */
export const JOINED_NAME_ENDS = ['name', 'namen', 'fullname'] as const;

/** Last words of references: `billing_address_id` refers to an address and shows none. */
export const REFERENCE_WORDS: ReadonlySet<string> = new Set(['id', 'key', 'sk', 'fk', 'uuid', 'guid']);

/** Persons; German plurals that no rule makes singular have a separate entry. */
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
  'manager',
  'owner',
  'seller',
  'salesperson',
  'trainer',
  'inhaber',
  'vertreter',
  'sachbearbeiter',
  'bearbeiter',
  'kassierer',
  'mieter',
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

/** German persons that are joined with a word for their list, and the words for lists: `kundenstamm`. */
export const JOINED_PERSONS = ['kunden', 'mitarbeiter', 'patienten', 'personen', 'mitglieder', 'benutzer', 'nutzer'];
export const JOINED_LISTS = ['stamm', 'daten', 'liste', 'tabelle', 'stammdaten', 'kartei'];

/** Patterns of values that only personal data has. */
export const PERSONAL_VALUES: readonly (readonly [content: string, pattern: RegExp])[] = [
  ['e-mail addresses', /^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/],
  ['telephone numbers', /^(\+\d{1,3}[\s.-]?)?(\(\d{2,4}\)|\d{3})[\s.-]\d{3}[\s.-]\d{3,4}$|^\+\d[\d\s()-]{8,}$/],
  ['bank accounts', /^[A-Z]{2}\d{2}[A-Z0-9]{11,30}$/],
  ['social security numbers', /^\d{3}-\d{2}-\d{4}$/],
  ['network addresses', /^\d{1,3}\.\d{1,3}\.\d{1,3}\.\d{1,3}$/],
];
