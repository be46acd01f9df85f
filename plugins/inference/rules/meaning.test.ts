/** What numbers and places mean: shares, prices and durations, and a city below its state. */
import { describe, expect, it } from 'vitest';
import type { Column, Table } from '../schemas.ts';
import { proposeByRules } from './rules.ts';

const text = (name: string, distinctApprox: number, sampleValues: string[] = ['Chad', 'Peru']): Column => ({
  name,
  type: 'VARCHAR',
  nullable: false,
  distinctApprox,
  sampleValues,
  nulls: 0,
});
const number = (name: string, [min, max]: readonly [number, number], type = 'DECIMAL(12,2)'): Column => ({
  name,
  type,
  nullable: false,
  distinctApprox: 300,
  sampleValues: [min, max],
  min,
  max,
  nulls: 0,
});
const cubeOf = (columns: readonly Column[], more: Partial<Table> = {}) => {
  const table: Table = { schema: 'main', name: 't', rowCount: 5_000, columns: [...columns], keys: [], ...more };
  const [cube] = proposeByRules({ tables: [table] }, { schemaName: 's' }).cubes;
  if (cube === undefined) throw new Error('no cube');
  return cube;
};
const measuresOf = (...of: Parameters<typeof cubeOf>) =>
  cubeOf(...of)
    .measures.filter(({ aggregator }) => aggregator !== 'count')
    .map(({ name, aggregator }) => [name, aggregator]);

describe('numbers of which a sum means nothing are averaged', () => {
  it.each([
    ['discount', [0, 0.25]],
    ['tax_rate', [7, 19]],
    ['Steuersatz', [7, 19]],
    ['stückpreis', [1, 900]],
    ['Auslastungsquote', [1, 100]],
    ['conversion_pct', [1, 100]],
    ['list_price', [1, 900]],
    ['Rabatt', [5, 30]],
  ] as const)('%s', (name, range) => {
    expect(measuresOf([text('shop', 5), number(name, range)]).map(([, aggregator]) => aggregator)).toEqual(['avg']);
  });

  it.each([
    ['umsatz', [10, 9_000]],
    ['Absatz', [10, 9_000]],
    ['discount_amount', [1, 900]],
    ['amount', [0.5, 1_000]],
  ] as const)('%s is summed all the same', (name, range) => {
    expect(measuresOf([text('shop', 5), number(name, range)]).map(([, aggregator]) => aggregator)).toEqual(['sum']);
  });
});

describe('amounts beside a column of currencies', () => {
  const columns = (currencies: number) => [
    text('shop', 5),
    text('currency', currencies, ['USD', 'EUR', 'CHF', 'GBP', 'PLN'].slice(0, currencies)),
    number('amount', [1, 900]),
    number('quantity', [1, 9], 'INTEGER'),
    number('cost_eur', [1, 900]),
  ];

  it('have a measure for each currency, and none over them', () => {
    expect(measuresOf(columns(2))).toEqual([
      ['Amount (EUR)', 'sum'],
      ['Amount (USD)', 'sum'],
      ['Cost (EUR)', 'sum'],
      ['Quantity', 'sum'],
    ]);
    expect(cubeOf(columns(2)).measures[0]).toMatchObject({ where: { column: 'currency', value: 'EUR' }, unit: 'EUR' });
  });

  it('are left out with the reason where the currencies are too many', () => {
    const cube = cubeOf([
      ...columns(5).filter(({ name }) => name !== 'currency'),
      text('currency', 30, ['USD', 'EUR']),
    ]);
    expect(cube.measures.map(({ name }) => name)).toEqual(['Cost (EUR)', 'Quantity', 'Row Count']);
    expect(cube.notes).toEqual([
      'amount is in no measure: its amounts are in about 30 currencies (currency), which do not add up.',
    ]);
  });

  it('are summed where there is one currency', () => {
    expect(measuresOf([text('shop', 5), text('currency', 1, ['EUR']), number('amount', [1, 900])])).toEqual([
      ['Amount', 'sum'],
    ]);
  });
});

it('the days of a stay are a measure, and no level of a calendar', () => {
  const columns = [
    number('year', [2020, 2024], 'INTEGER'),
    text('month', 12),
    number('los_days', [1, 30], 'INTEGER'),
    text('ward', 8),
  ];
  const cube = cubeOf(columns);
  const levels = cube.dimensions.flatMap((dimension) => dimension.levels.map(({ column }) => column));
  expect(levels).not.toContain('los_days');
  expect(levels).toContain('month');
  expect(measuresOf(columns).map(([name]) => name)).toEqual(['Los (d)']);
});

it('a state stands above its cities where their names repeat, however many there are of each', () => {
  // Forty states, thirty names of cities, each in several states: by counts the city would be the coarser one.
  const columns = [text('state', 40), text('city', 30), number('amount', [1, 900])];
  const dependencies = [
    { column: 'state', determines: [] },
    { column: 'city', determines: [] },
  ];
  const [location] = cubeOf(columns, { dependencies }).dimensions;
  expect(location?.levels.map(({ column, uniqueMembers }) => [column, uniqueMembers])).toEqual([
    ['state', true],
    ['city', false],
  ]);
});

describe('dates that a column holds as texts or numbers', () => {
  it('are summed nowhere, and the proposal says so', () => {
    const ordered: Column = { ...number('ordered', [20_240_101, 20_241_231], 'INTEGER'), sampleValues: [20_240_131] };
    const cube = cubeOf([text('shop', 5), number('amount', [1, 900]), ordered]);
    expect(cube.measures.map(({ column }) => column)).not.toContain('ordered');
    expect(cube.notes).toEqual([
      'ordered has dates as numbers such as 20240131: it is summed nowhere, and is a time axis once its column, or that of a view, is a date.',
    ]);
  });

  it.each(['31.12.2024', '2024-12-31', '12/31/2024'])('are reported: %s', (value) => {
    const cube = cubeOf([text('shop', 5), number('amount', [1, 900]), text('ordered', 300, [value])]);
    expect(cube.notes?.[0]).toContain(`ordered has dates as texts such as ${value}`);
  });

  it('are none where a number only looks like one', () => {
    const big = { ...number('turnover', [100, 90_000_000], 'INTEGER'), sampleValues: [20_240_131] };
    expect(measuresOf([text('shop', 5), big])).toEqual([['Turnover', 'sum']]);
  });
});
