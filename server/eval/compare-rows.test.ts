import { expect, test } from 'vitest';
import { compareRows, type Rows } from './compare-rows.ts';

const RIGHT: Rows = [
  ['North', 100],
  ['South', 250.5],
];

test.each<[string, Rows, 'same' | 'other shape' | 'different']>([
  ['the same rows in another order', [RIGHT[1] ?? [], RIGHT[0] ?? []], 'same'],
  ['columns in another order', RIGHT.map((row) => row.toReversed()), 'same'],
  [
    'a difference within the tolerance',
    [
      ['North', 100.00005],
      ['South', 250.5],
    ],
    'same',
  ],
  [
    'a number that is a text of digits',
    [
      ['North', '100'],
      ['South', '250.5'],
    ],
    'same',
  ],
  [
    'a difference beyond the tolerance',
    [
      ['North', 100.01],
      ['South', 250.5],
    ],
    'different',
  ],
  [
    'other texts',
    [
      ['N', 100],
      ['S', 250.5],
    ],
    'other shape',
  ],
  [
    'a further column',
    [
      ['North', 100, 3],
      ['South', 250.5, 4],
    ],
    'other shape',
  ],
  ['a further row', [...RIGHT, ['West', 7]], 'other shape'],
  ['one row', [['North', 100]], 'different'],
  [
    'figures at each other’s texts',
    [
      ['North', 250.5],
      ['South', 100],
    ],
    'other shape',
  ],
  ['no rows', [], 'different'],
])('%s', (_, answered, expected) => {
  expect(compareRows(RIGHT, answered, { tolerance: 1e-6, isOrdered: false })).toBe(expected);
});

test('the order of rows counts where the suite says so', () => {
  const ordered = { tolerance: 0, isOrdered: true };
  expect(compareRows(RIGHT, RIGHT, ordered)).toBe('same');
  expect(compareRows(RIGHT, RIGHT.toReversed(), ordered)).toBe('other shape');
});

test('two empty result sets are the same, and null is not 0', () => {
  const exact = { tolerance: 0, isOrdered: false };
  expect(compareRows([], [], exact)).toBe('same');
  expect(compareRows([[null]], [[0]], exact)).toBe('different');
});
