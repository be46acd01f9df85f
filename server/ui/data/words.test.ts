import { expect, it } from 'vitest';
import type { ModelEntry } from './data-entries.ts';
import { parseOverview } from './data-entries.ts';
import { ageWords, nameList, sizeWords, stateWords } from './words.ts';

const NOW = new Date(2026, 2, 4, 15, 30);
const shop: ModelEntry = {
  id: 'shop',
  name: 'shop',
  kind: 'model',
  explored: 'Shop',
  state: 'READY',
  problems: [],
  datasets: 12,
  dataFrom: new Date(2026, 2, 4, 9, 40),
  isReplaceable: true,
  links: [],
};

it('a model has its state in words, with the hour of data of today and the day of older data', () => {
  expect(stateWords(shop, NOW)).toBe('Ready · 12 datasets · fresh 09:40 AM');
  expect(stateWords({ ...shop, dataFrom: new Date(2026, 1, 3) }, NOW)).toBe('Ready · 12 datasets · fresh Feb 3, 2026');
  expect(stateWords({ ...shop, state: 'BROKEN', problems: ['x'], datasets: undefined }, NOW)).toBe(
    'Not served · fresh 09:40 AM',
  );
  expect(stateWords({ ...shop, kind: 'cube', datasets: undefined, dataFrom: undefined, problems: ['x'] }, NOW)).toBe(
    'Ready · cube · 1 warning',
  );
});

it('ages, sizes and lists of names are short', () => {
  expect(ageWords(new Date(2026, 2, 1, 15, 30), NOW)).toBe('3 days ago');
  expect(sizeWords(12_345_678)).toBe('12.3 MB');
  expect(nameList(['a', 'b', 'c', 'd', 'e'].map((name) => ({ id: name, name })))).toBe('a, b, c and 2 more');
});

it('models with problems come first', () => {
  const model = (name: string, status: string, problems: object[] = []) => ({
    id: name,
    name,
    kind: 'model',
    status,
    problems,
    isReplaceable: false,
    links: [],
  });
  const warning = { severity: 'warning', message: 'left out' };
  const { models } = parseOverview({
    models: [model('a', 'READY'), model('b', 'READY', [warning]), model('c', 'BROKEN'), model('d', 'STALE')],
    connections: [],
    uploads: [],
    refreshes: [],
    undos: [],
  });
  expect(models.map(({ name }) => name)).toEqual(['c', 'd', 'b', 'a']);
});
