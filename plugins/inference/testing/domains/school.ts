/** A German school: teachers by their initials, classes, marks, bookings of halls 0 to 2. */
import { type DomainSchema, dayWithin, FIRST_NAMES, LAST_NAMES, oneOf, pick } from './domain-schema.ts';

const teacher = (of: string): string =>
  `chr(65 + CAST((${of}) % 26 AS INTEGER)) || chr(97 + CAST((${of}) // 3 % 26 AS INTEGER)) || chr(97 + CAST((${of}) * 7 % 26 AS INTEGER))`;
const SUBJECTS = ['DE', 'MA', 'EN', 'FR', 'BIO', 'CH', 'PH', 'GE', 'SP', 'MU'] as const;
const subject = (of: string): string => `([${SUBJECTS.map((each) => `'${each}'`).join(', ')}])[1 + ${of}]`;

export const SCHOOL: DomainSchema = {
  name: 'school, German',
  setUp: [
    `CREATE TABLE lehrer AS SELECT ${teacher('range')} AS kuerzel, ${oneOf(LAST_NAMES, 1)} AS name, ${oneOf(FIRST_NAMES, 2)} AS vorname, 12 + ${pick(15, 3)} AS stunden_pro_woche FROM range(60)`,
    `CREATE TABLE faecher AS SELECT ${subject('CAST(range AS INTEGER)')} AS fach_kuerzel, 'Fach ' || range AS fach FROM range(10)`,
    `CREATE TABLE raeume AS SELECT ([ 'A','B','C' ])[1 + range // 12] || (100 + range % 12) AS raum_nr, ([ 'Altbau','Neubau','Turm' ])[1 + range // 12] AS gebaeude, range % 4 AS etage, 18 + ${pick(16, 5)} AS plaetze FROM range(36)`,
    `CREATE TABLE klassen AS SELECT range + 1 AS klasse_id, (5 + range // 4) || chr(97 + CAST(range % 4 AS INTEGER)) AS bezeichnung, 5 + range // 4 AS jahrgang, ${teacher(`CAST(range * 2 AS BIGINT)`)} AS klassenlehrer FROM range(30)`,
    `CREATE TABLE schueler AS SELECT 3000 + range AS schueler_id, ${oneOf(LAST_NAMES, 7)} AS nachname, ${oneOf(FIRST_NAMES, 8)} AS rufname, (DATE '2006-01-01' + ${pick(2500, 9)}) AS geburtsdatum, 1 + ${pick(30, 10)} AS klasse_id, 10115 + ${pick(40, 11)} * 7 AS plz FROM range(800)`,
    `CREATE TABLE stundenplan AS SELECT 1 + range // 30 AS klasse_id, ([ 'Mo','Di','Mi','Do','Fr' ])[1 + range % 30 // 6] AS wochentag, 1 + range % 6 AS stunde, ${subject(pick(10, 21))} AS fach, ${teacher(pick(60, 22))} AS lehrer_kuerzel, ([ 'A','B','C' ])[1 + ${pick(36, 23)} // 12] || (100 + ${pick(36, 23)} % 12) AS raum FROM range(900)`,
    `CREATE TABLE noten AS SELECT 3000 + ${pick(800, 31)} AS schueler_id, ${subject(pick(10, 32))} AS fach_kuerzel, ${dayWithin(600, 33)} AS datum, 1 + ${pick(6, 34)} AS note, ${oneOf(['schriftlich', 'muendlich'], 35)} AS art FROM range(15000)`,
    `CREATE TABLE hallenbuchungen AS SELECT range + 1 AS buchung_id, ${pick(3, 41)} AS halle, 1 + ${pick(30, 42)} AS klasse_id, ${dayWithin(600, 43)} AS datum, 30 + ${pick(3, 44)} * 30 AS minuten, 12 + ${pick(18, 45)} AS teilnehmer, ${pick(4, 46)} AS tor, CAST(60 + ${pick(400, 47)} / 10.0 AS DECIMAL(5,1)) AS auslastung FROM range(2000)`,
  ],
  foreignKeys: [
    'klassen(klassenlehrer) -> lehrer(kuerzel)',
    'schueler(klasse_id) -> klassen(klasse_id)',
    'stundenplan(klasse_id) -> klassen(klasse_id)',
    'stundenplan(fach) -> faecher(fach_kuerzel)',
    'stundenplan(lehrer_kuerzel) -> lehrer(kuerzel)',
    'stundenplan(raum) -> raeume(raum_nr)',
    'noten(schueler_id) -> schueler(schueler_id)',
    'noten(fach_kuerzel) -> faecher(fach_kuerzel)',
    'hallenbuchungen(klasse_id) -> klassen(klasse_id)',
  ],
  summed: ['lehrer.stunden_pro_woche', 'raeume.plaetze', 'hallenbuchungen.minuten', 'hallenbuchungen.teilnehmer'],
  averaged: ['noten.note', 'hallenbuchungen.auslastung'],
  personalData: ['lehrer.name', 'lehrer.vorname', 'schueler.nachname', 'schueler.rufname', 'schueler.geburtsdatum'],
  hierarchies: [],
};
