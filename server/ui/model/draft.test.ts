import { expect, test } from 'vitest';
import { applyDraft, datasetOf } from './apply-draft.ts';
import { type Edit, EMPTY_DRAFT, redone, undone, withEdit } from './draft.ts';
import { parseDocument } from './model-document.ts';

const shown = { synonyms: [], hidden: false, deny: [] };
const MODEL = parseDocument({
  id: 'shop',
  connection: 'shop',
  model: 'shop',
  synonyms: [],
  status: 'READY',
  version: 'v1',
  isEditable: true,
  text: '',
  datasets: [
    {
      name: 'sales',
      synonyms: [],
      source: 'main.sales',
      columns: ['id', 'amount', 'store_id'],
      primaryKey: ['id'],
      personal: false,
      rowPredicates: {},
      fields: [
        { ...shown, name: 'amount', expression: 'amount', personal: false, isTime: false, valueType: 'decimal' },
      ],
    },
    {
      name: 'stores',
      synonyms: [],
      source: 'main.stores',
      primaryKey: [],
      personal: false,
      rowPredicates: {},
      fields: [],
    },
  ],
  metrics: [
    {
      ...shown,
      name: 'total',
      expression: "SUM(sales.amount) -- sales.amount\n + LENGTH('sales.amount')",
      isServed: true,
    },
    { ...shown, name: 'double_total', expression: 'total * 2', filter: 'sales.amount > 0', isServed: true },
  ],
  relationships: [{ name: 'sold_in', from: 'sales', to: 'stores', fromColumns: ['store_id'], toColumns: ['store_id'] }],
  problems: [],
  functions: [],
});

const set = (property: 'label' | 'format', value: string | null): Edit => ({
  op: 'set',
  on: { kind: 'field', dataset: 'sales', name: 'amount' },
  property,
  value,
});

test('a property that is set twice in a row is one change, and is undone at once', () => {
  const draft = [set('label', 'A'), set('label', 'B'), set('format', '0')].reduce(withEdit, EMPTY_DRAFT);
  expect(draft.edits).toEqual([set('label', 'B'), set('format', '0')]);
  const back = undone(undone(draft));
  expect(back.edits).toEqual([]);
  expect(undone(back)).toEqual(back);
  expect(redone(back).edits).toEqual([set('label', 'B')]);
  expect(redone(redone(back))).toEqual({ edits: draft.edits, undone: [] });
  expect(withEdit(undone(draft), set('label', 'C')).undone).toEqual([]);
});

test('a removed property has no value', () => {
  const model = applyDraft(MODEL, [set('label', 'Amount'), set('format', '0'), set('label', null)]);
  expect(datasetOf(model, 'sales')?.fields[0]).toMatchObject({ label: undefined, format: '0' });
});

test('a renamed field is renamed in formulas and filters, and in no comment or text', () => {
  const on = { kind: 'field', dataset: 'sales', name: 'amount' } as const;
  const { metrics } = applyDraft(MODEL, [{ op: 'rename', on, name: 'net' }]);
  expect(metrics.map(({ expression, filter }) => [expression, filter])).toEqual([
    ["SUM(sales.net) -- sales.amount\n + LENGTH('sales.amount')", undefined],
    ['total * 2', 'sales.net > 0'],
  ]);
});

test('a renamed dataset keeps its joins, and a renamed metric is renamed in others', () => {
  const { metrics, relationships } = applyDraft(MODEL, [
    { op: 'rename', on: { kind: 'dataset', name: 'sales' }, name: 'orders' },
    { op: 'rename', on: { kind: 'metric', name: 'total' }, name: 'sum' },
  ]);
  expect(relationships[0]).toMatchObject({ from: 'orders', to: 'stores' });
  expect(metrics.map(({ name, filter }) => [name, filter])).toEqual([
    ['sum', undefined],
    ['double_total', 'orders.amount > 0'],
  ]);
  expect(metrics[1]?.expression).toBe('sum * 2');
});

test('elements are added and removed', () => {
  const model = applyDraft(MODEL, [
    { op: 'add-metric', name: 'lines', expression: 'COUNT(*)', label: 'Lines' },
    { op: 'remove', on: { kind: 'metric', name: 'total' } },
    { op: 'remove', on: { kind: 'relationship', name: 'sold_in' } },
  ]);
  expect(model.metrics.map(({ name }) => name)).toEqual(['double_total', 'lines']);
  expect(model.relationships).toEqual([]);
});
