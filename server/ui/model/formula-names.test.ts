import { expect, test } from 'vitest';
import { namesInFormula, unknownNames } from './formula-names.ts';

const dataset = (name: string, fields: readonly string[], columns: readonly string[] | undefined) => ({
  name,
  columns,
  fields: fields.map((field) => ({
    name: field,
    label: undefined,
    description: undefined,
    synonyms: [],
    instructions: undefined,
    expression: field,
    format: undefined,
    unit: undefined,
    hidden: false,
    allow: undefined,
    deny: [],
    personal: false,
    isTime: false,
    type: undefined,
    valueType: undefined,
  })),
  label: undefined,
  description: undefined,
  synonyms: [],
  instructions: undefined,
  source: '',
  primaryKey: [],
  personal: false,
  mainDate: undefined,
  rowPredicates: {},
});
const datasets = [dataset('sales', ['date'], ['sold_on', 'net_amount']), dataset('visits', [], undefined)];

test('names have their places; texts, comments, quoted names and numbers are none', () => {
  const formula = `SUM(sales . net_amount) / 1.5e3 -- no.name\n + "quoted.name" + 'a.b' /* c.d */ + rate`;
  expect(namesInFormula(formula).map(({ text, isCall }) => [text, isCall])).toEqual([
    ['SUM', true],
    ['sales.net_amount', false],
    ['rate', false],
  ]);
  const [, second] = namesInFormula(formula);
  expect(formula.slice(second?.start, second?.end)).toBe('sales . net_amount');
});

test('an unknown name has its place and the nearest names', () => {
  const formula = 'SUM(sales.net_amout) / COUNT(sale.date)';
  expect(unknownNames(formula, { datasets })).toMatchObject([
    {
      start: 4,
      end: 19,
      message: 'sales has no field "net_amout".',
      candidates: ['sales.net_amount', 'sales.date', 'sales.sold_on'],
    },
    { text: 'sale.date', message: 'There is no dataset "sale".', candidates: ['sales.date', 'visits.date'] },
  ]);
});

test('fields and columns are known in any letter case; the columns of a query are not judged', () => {
  expect(unknownNames('SALES.Date + sales.NET_AMOUNT + visits.anything', { datasets })).toEqual([]);
});
