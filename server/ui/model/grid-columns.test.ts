import { expect, test } from 'vitest';
import { GRID_COLUMNS, shownFields } from './grid-columns.ts';
import type { FieldElement } from './model-document.ts';

const field = (name: string, more: Partial<FieldElement> = {}): FieldElement => ({
  name,
  label: undefined,
  description: undefined,
  synonyms: [],
  instructions: undefined,
  expression: name,
  format: undefined,
  unit: undefined,
  hidden: false,
  allow: undefined,
  deny: [],
  personal: false,
  isTime: false,
  type: 'INTEGER',
  valueType: 'integer',
  ...more,
});
const FIELDS = [
  field('item10', { label: 'Tenth' }),
  field('item9', { synonyms: ['ninth'] }),
  field('mail', { personal: true, type: undefined, valueType: undefined, label: 'Address' }),
];
const names = (filter: string, by = '', isDescending = false) =>
  shownFields(FIELDS, undefined, { filter, order: { by, isDescending } }).map(({ name }) => name);

test('a filter looks in every column', () => {
  expect(names('NINTH')).toEqual(['item9']);
  expect(names('whole number')).toEqual(['item10', 'item9']);
  expect(names('nobody: personal')).toEqual(['mail']);
  expect(names('absent')).toEqual([]);
});

test('numbers in names sort by value, and empty texts come last in both directions', () => {
  expect(names('', 'name')).toEqual(['item9', 'item10', 'mail']);
  expect(names('', 'label')).toEqual(['mail', 'item10', 'item9']);
  expect(names('', 'label', true)).toEqual(['item10', 'mail', 'item9']);
  expect(names('')).toEqual(['item10', 'item9', 'mail']);
});

test('what is typed into a cell becomes the value of its property', () => {
  const read = (key: string, typed: string) => GRID_COLUMNS.find((column) => column.key === key)?.read?.(typed);
  expect(read('synonyms', 'a, b,, a ')).toEqual(['a', 'b']);
  expect(read('synonyms', '')).toBeNull();
  expect(read('label', '')).toBeNull();
});
