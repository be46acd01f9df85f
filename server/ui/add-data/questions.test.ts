import { expect, test } from 'vitest';
import type { DraftCube } from './draft.ts';
import { chooseQuestions, parseAnswer } from './questions.ts';

const guess = { reason: '', isKept: true, weight: '', raw: {} };
const CUBE: DraftCube = {
  name: 'Orders [2024]',
  factTable: 'orders',
  isKept: true,
  raw: {},
  measures: [
    { ...guess, name: 'Left out', column: 'x', aggregator: 'sum', isKept: false },
    { ...guess, name: 'Amount', column: 'amount', aggregator: 'sum' },
    { ...guess, name: 'Row Count', column: 'id', aggregator: 'count' },
  ],
  dimensions: [
    {
      ...guess,
      name: 'Placed',
      table: 'orders',
      isOfKeysOnly: false,
      levels: [
        { name: 'Year', datePart: 'year' },
        { name: 'Month', datePart: 'month' },
      ],
    },
    {
      ...guess,
      name: 'Customers',
      table: 'customers',
      isOfKeysOnly: false,
      levels: [
        { name: 'Country', datePart: '' },
        { name: 'City', datePart: '' },
      ],
    },
    {
      ...guess,
      name: 'Numbers',
      table: 'customers',
      isOfKeysOnly: true,
      levels: [{ name: 'Customer Id', datePart: '' }],
    },
  ],
};

test('the first queries of a cube are its totals, its months and its first dimensions, in MDX with quoted names', () => {
  expect(chooseQuestions(CUBE).map(({ title, kind, mdx }) => [title, kind, mdx])).toEqual([
    ['Key figures', 'figures', 'SELECT {[Measures].[Amount], [Measures].[Row Count]} ON COLUMNS FROM [Orders [2024]]]'],
    [
      'Amount by month',
      'course',
      'SELECT {[Measures].[Amount]} ON COLUMNS, NON EMPTY [Placed].[Month].Members ON ROWS FROM [Orders [2024]]]',
    ],
    [
      'Amount by country',
      'bars',
      'WITH SET [No member] AS Filter([Customers].[Country].Members, [Customers].CurrentMember.Name = "#null") SET [First members] AS TopCount(Except([Customers].[Country].Members, [No member]), 6, [Measures].[Amount]) MEMBER [Customers].[All other members] AS IIf(Abs(([Measures].[Amount], [Customers].DefaultMember) - Sum({[First members], [No member]}, [Measures].[Amount])) < 0.000001, NULL, ([Measures].[Amount], [Customers].DefaultMember) - Sum({[First members], [No member]}, [Measures].[Amount])) SELECT {[Measures].[Amount]} ON COLUMNS, NON EMPTY {[First members], [Customers].[All other members], [No member]} ON ROWS FROM [Orders [2024]]]',
    ],
  ]);
  expect(chooseQuestions({ ...CUBE, measures: [] })).toEqual([]);
});

test('titles are in the language of the data', () => {
  const titles = chooseQuestions(CUBE, 'de').map(({ title }) => title);
  expect(titles.slice(1).every((title) => title.includes(' nach '))).toBe(true);
  expect(titles).toContain('Amount nach Monat');
});

test('rows without a group are a bar of their own with their share, beside the rest', () => {
  const question = {
    title: '',
    mdx: '',
    kind: 'bars',
    parts: { measure: 'Umsatz', group: 'Ort', none: 'Ohne Ort', others: 'Übrige' },
  } as const;
  const answer = (...rows: readonly (readonly string[])[]) =>
    parseAnswer(question, { columns: ['Kunden', 'Umsatz'], rows });
  const shown = answer(['Ulm', '486.00'], ['Bonn', '400.00'], ['All other members', '100.00'], ['#null', '14.00']);
  expect(shown.rows.map(({ label }) => label)).toEqual(['Ulm', 'Bonn', 'Übrige', 'Ohne Ort']);
  expect(shown.without).toEqual({ share: 0.014, measure: 'Umsatz', group: 'Ort' });
  expect(answer(['Ulm', '1.00'], ['All other members', '2.00']).without).toBeUndefined();
});

test('an answer has a label and a number for each row; totals have one for each column', () => {
  const question = { title: '', mdx: '' };
  const bars = {
    columns: ['Customers', 'Amount'],
    rows: [
      ['Rome', '1,200.50'],
      ['Oslo', ''],
      ['#null', '3.00'],
    ],
  };
  expect(parseAnswer({ ...question, kind: 'bars' }, bars).rows).toEqual([
    { label: 'Rome', written: '1,200.50', value: 1200.5 },
    { label: 'Oslo', written: '', value: 0 },
    { label: '–', written: '3.00', value: 3 },
  ]);
  const figures = { columns: ['Amount', 'Row Count'], rows: [['1,600.00', '4']] };
  expect(parseAnswer({ ...question, kind: 'figures' }, figures).rows).toEqual([
    { label: 'Amount', written: '1,600.00', value: 1600 },
    { label: 'Row Count', written: '4', value: 4 },
  ]);
});
