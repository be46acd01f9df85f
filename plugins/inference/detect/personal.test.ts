import { expect, it } from 'vitest';
import type { Column } from '../schemas.ts';
import { viewOf } from './columns.ts';
import { personalReason } from './personal.ts';

const isPersonal = (table: string, name: string): boolean => {
  const column: Column = { name, type: 'VARCHAR', nullable: true, distinctApprox: 90, sampleValues: ['Anna', 'Berta'] };
  const [view] = viewOf({ tables: [{ schema: '', name: table, rowCount: 100, columns: [column] }] });
  const [first] = view?.columns ?? [];
  return first !== undefined && personalReason(first) !== undefined;
};

it.each([
  ['kunden', 'name'],
  ['kunde', 'Name'],
  ['auftraege', 'Kundenname'],
  ['auftraege', 'kunden_name'],
  ['mitarbeiter', 'name'],
  ['mitarbeiterliste', 'name'],
  ['kundenstamm', 'name'],
  ['orders', 'customername'],
  ['orders', 'customersName'],
  ['customers', 'name'],
  ['stays', 'patient_name'],
  ['patienten', 'Nachname'],
  ['besuche', 'patientenname'],
  ['rechnungen', 'Rechnungsadresse'],
  ['personal', 'geburtsdatum'],
  ['t', 'Straße'],
])('names of persons are found in German and English, singular, plural and joined: %s.%s', (table, name) => {
  expect(isPersonal(table, name)).toBe(true);
});

it.each([
  ['produkte', 'name'],
  ['produkte', 'produktname'],
  ['products', 'name'],
  ['categories', 'category_name'],
  ['kunden', 'branche'],
  ['kunden', 'kundengruppe'],
  ['orders', 'customer_segment'],
  ['laender', 'laendername'],
  ['files', 'filename'],
])('names of things are none: %s.%s', (table, name) => {
  expect(isPersonal(table, name)).toBe(false);
});
