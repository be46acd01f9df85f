import { expect, test } from 'vitest';
import type { Entry } from './entry.ts';
import { matchEntries } from './match-entries.ts';
import { fieldEntries } from './model-entries.ts';

const entry = (group: Entry['group'], title: string, note = ''): Entry => ({
  group,
  title,
  note,
  action: { address: `/${group}/${title}` },
});

test('fields are found by their words, after models and documents, and are not listed without a text', () => {
  const entries = [
    entry('fields', 'Net sales', 'shop · demo'),
    entry('documents', 'Sales by month'),
    entry('models', 'sales', 'semantic model · demo'),
    entry('pages', 'Data'),
  ];
  expect(matchEntries(entries, 'sales').map(({ title }) => title)).toEqual(['sales', 'Sales by month', 'Net sales']);
  expect(matchEntries(entries, 'net shop').map(({ title }) => title)).toEqual(['Net sales']);
  expect(matchEntries(entries, '').map(({ title }) => title)).toEqual(['sales', 'Data']);
});

test('the fields of a model and the levels of a cube lead to the explorer that begins with them', () => {
  const model = { name: 'shop', connection: 'demo', address: 'demo/shop' };
  const listed = (json: object) =>
    fieldEntries(model, json).map(({ title, note, action }) => [title, note, 'address' in action && action.address]);
  expect(
    listed({
      metrics: { net_sales: { name: 'net_sales', label: 'Net sales' } },
      datasets: { stores: { name: 'stores', fields: { 'a/b': { name: 'a/b', label: 'City' } } } },
    }),
  ).toEqual([
    ['Net sales', 'shop · demo', '/ui/explore/demo/shop?add=metric/net_sales'],
    ['City', 'stores · shop · demo', '/ui/explore/demo/shop?add=field/stores/a%252Fb'],
  ]);
  expect(
    listed({
      measures: { Units: { name: 'Units', caption: 'Units' } },
      dimensions: {
        Store: {
          name: 'Store',
          caption: 'Store',
          hierarchies: { Store: { name: 'Store', levels: { 'Store City': { name: 'Store City', caption: 'City' } } } },
        },
      },
    }),
  ).toEqual([
    ['Units', 'shop · demo', '/ui/explore/demo/shop?add=metric/Units'],
    ['City', 'Store · shop · demo', '/ui/explore/demo/shop?add=level/Store/Store/Store%2520City'],
  ]);
});
