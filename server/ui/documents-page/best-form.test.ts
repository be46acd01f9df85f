import { expect, test } from 'vitest';
import { bestForm, chosenForm } from './best-form.ts';

const dimension = (dataType = 'string', more: object = {}) => ({ type: 'dimension', dataType, ...more });
const metric = { type: 'metric', dataType: 'decimal' };
const answer = (columns: readonly object[], rows: number) => ({
  columns,
  records: Array.from({ length: rows }, () => ({})),
});

test.each([
  ['one number', answer([metric], 1), 'kpi', undefined],
  ['a date', answer([dimension('date'), metric], 24), 'chart', 'line'],
  ['a text with few values', answer([dimension(), metric], 4), 'chart', 'bar'],
  ['a text with many values', answer([dimension(), metric], 41), 'table', undefined],
  ['texts only', answer([dimension(), dimension()], 10), 'table', undefined],
  ['two texts', answer([dimension(), dimension(), metric], 10), 'table', undefined],
  [
    'a dimension in columns',
    answer([dimension(), dimension('string', { axis: 'columns' }), metric], 10),
    'matrix',
    undefined,
  ],
  ['no row', answer([dimension(), metric], 0), 'table', undefined],
  ['no answer', 'nothing', 'table', undefined],
])('%s is read best in its form', (_, value, render, mode) => {
  expect(bestForm(value)).toEqual({ render, mode });
});

test('a chosen form is read from the document', () => {
  expect(chosenForm({ render: 'chart', mode: 'pie' })).toEqual({ render: 'chart', mode: 'pie' });
  expect(chosenForm({ render: 'poster' })).toBeUndefined();
  expect(chosenForm(undefined)).toBeUndefined();
});
