import { expect, it } from 'vitest';
import { match } from './match-name.ts';

const items = [
  { name: 'Sales', synonyms: ['revenue'] },
  { name: 'sales', synonyms: ['turnover'] },
  { name: 'stores', synonyms: ['shops', 'revenue'] },
];

it('an exact name wins over one of another letter case', () => {
  expect(match('sales', items)).toEqual({ kind: 'one', item: items[1] });
});

it('letter case matters only where names differ by nothing else', () => {
  expect(match('STORES', items)).toEqual({ kind: 'one', item: items[2] });
  expect(match('SALES', items)).toMatchObject({ kind: 'several' });
});

it('a synonym finds its item, unless two have it', () => {
  expect(match('Shops', items)).toEqual({ kind: 'one', item: items[2] });
  expect(match('revenue', items)).toMatchObject({ kind: 'several' });
  expect(match('profit', items)).toEqual({ kind: 'none' });
});
