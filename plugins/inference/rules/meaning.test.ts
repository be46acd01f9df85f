/** What numbers and places mean: shares, prices and durations, and a city below its state. */
import { describe, expect, it } from 'vitest';
import type { Column, Table } from '../schemas.ts';
import { proposeByRules } from './propose-by-rules.ts';

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

describe('durations are numbers and no dimensions', () => {
  it.each(['minutes', 'Stunden', 'los_days', 'dauer_minuten', 'days'])('%s', (name) => {
    const cube = cubeOf([
      text('ward', 5),
      number('year', [2019, 2024], 'INTEGER'),
      { ...number(name, [1, 40], 'INTEGER'), distinctApprox: 40 },
    ]);
    expect(cube.measures.filter(({ column }) => column === name)).toHaveLength(1);
    const columns = cube.dimensions.flatMap(({ levels }) => levels.map(({ column }) => column));
    expect(columns).not.toContain(name);
    expect(columns).toContain('ward');
  });
});

describe('numbers of places and steps are dimensions, and their plurals are counts', () => {
  it.each(['Halle', 'floor', 'gate_number', 'Filiale', 'seat_row', 'Jahrgang', 'stunde', 'Pos'])('%s', (name) => {
    expect(measuresOf([text('shop', 5), { ...number(name, [0, 12], 'INTEGER'), distinctApprox: 13 }])).toEqual([]);
  });
  it.each(['floors', 'gates', 'Filialen', 'room_count'])('%s is summed', (name) => {
    const columns = [text('shop', 5), { ...number(name, [0, 12], 'INTEGER'), distinctApprox: 13 }];
    expect(measuresOf(columns).map(([, aggregator]) => aggregator)).toEqual(['sum']);
  });
});

describe('a margin is averaged if it is a percentage, and summed if it is an amount', () => {
  it.each([
    ['margin', [-20, 60], 'avg'],
    ['Marge', [5, 45], 'avg'],
    ['margin', [10, 9_000], 'sum'],
    ['margin_amount', [1, 90], 'sum'],
    ['Durchschnitt', [10, 9_000], 'avg'],
    ['avg_basket', [10, 9_000], 'avg'],
    ['Ausschussrate', [1, 30], 'avg'],
  ] as const)('%s of %j: %s', (name, range, aggregator) => {
    expect(measuresOf([text('shop', 5), number(name, range)]).map(([, each]) => each)).toEqual([aggregator]);
  });
});

describe('amounts with a column of currencies', () => {
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

  it('are of the currency of their row, also where some numbers have a sign beside them', () => {
    const signed = { ...number('betrag', [1, 900]), unit: '€' };
    const currency = text('währung', 2, ['EUR', 'USD']);
    expect(measuresOf([signed, currency]).map(([name]) => name)).toEqual(['Betrag (EUR)', 'Betrag (USD)']);
    const named = { ...number('betrag_eur', [1, 900]), unit: '€' };
    expect(measuresOf([named, currency])).toHaveLength(1);
  });

  it('are left out with the reason if there are too many currencies', () => {
    const cube = cubeOf([
      ...columns(5).filter(({ name }) => name !== 'currency'),
      text('currency', 30, ['USD', 'EUR']),
    ]);
    expect(cube.measures.map(({ name }) => name)).toEqual(['Cost (EUR)', 'Quantity', 'Row Count']);
    expect(cube.notes).toEqual([
      'amount is in no measure. Its amounts are in about 30 currencies (currency), which do not add up.',
    ]);
  });

  it('are summed if there is one currency', () => {
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

it('a state is above its cities if their names repeat, for any counts', () => {
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

describe('dates in text or number columns', () => {
  const formOf = (column: Column) => {
    const cube = cubeOf([text('shop', 5), number('amount', [1, 900]), column]);
    expect(cube.measures.map((measure) => measure.column)).not.toContain(column.name);
    const dimensions = cube.dimensions.filter(({ levels }) => levels.some((level) => level.column === column.name));
    const forms = new Set(dimensions.flatMap(({ levels }) => levels.map(({ dateForm }) => dateForm)));
    expect(dimensions.length).toBeLessThanOrEqual(1);
    return { forms: [...forms], notes: cube.notes };
  };

  it('are a time axis and never summed, and the proposal reports it', () => {
    const ordered: Column = { ...number('ordered', [0, 20_241_231], 'INTEGER'), sampleValues: [20_240_131] };
    expect(formOf(ordered)).toEqual({
      forms: ['YYYYMMDD'],
      notes: [
        'ordered has dates as numbers, YYYYMMDD. The cube reads them as dates; other values are in the group without a date.',
      ],
    });
  });

  it.each([
    ['31.12.2024', 'DD.MM.YYYY'],
    ['2024-12-31', 'YYYY-MM-DD'],
    ['2024-12-31T10:00:00Z', 'YYYY-MM-DD'],
    ['12/31/2024', 'MM/DD/YYYY'],
    ['31/12/2024', 'DD/MM/YYYY'],
    ['31-12-2024', 'DD-MM-YYYY'],
    ['20241231', 'YYYYMMDD'],
  ])('%s is read as %s', (value, form) => {
    expect(formOf(text('ordered', 300, [value])).forms).toEqual([form]);
  });

  it('are not an axis if the day cannot be determined, or the samples contradict each other', () => {
    for (const samples of [
      ['03/04/2024', '05/06/2024'],
      ['13/04/2024', '04/13/2024'],
    ]) {
      expect(formOf(text('ordered', 300, samples))).toEqual({
        forms: [],
        notes: [
          `ordered has dates as texts such as ${samples[0]}. It is no time axis, as its values do not show which part is the day and which the month.`,
        ],
      });
    }
  });

  it('are months if the name says so, and amounts otherwise', () => {
    const months = (name: string) => ({ ...number(name, [202_301, 202_412], 'INTEGER'), sampleValues: [202_311] });
    expect(formOf(months('booking_month')).forms).toEqual(['YYYYMM']);
    expect(measuresOf([text('shop', 5), months('turnover')])).toEqual([['Turnover', 'sum']]);
  });

  it('are ignored if a number only looks like a date', () => {
    const big = { ...number('turnover', [100, 90_000_000], 'INTEGER'), sampleValues: [20_240_131] };
    expect(measuresOf([text('shop', 5), big])).toEqual([['Turnover', 'sum']]);
  });
});

describe('a rate is weighted by the count or amount that it is of', () => {
  const weightOf = (rate: string, ...others: readonly string[]) =>
    cubeOf([
      text('shop', 5),
      number(rate, [1, 90]),
      ...others.map((name) => number(name, [1, 900], 'INTEGER')),
    ]).measures.find(({ column }) => column === rate)?.weight;
  it.each([
    ['unit_price', 'quantity'],
    ['Stückpreis', 'Menge'],
    ['ctr', 'impressions'],
    ['conversion_rate', 'sessions'],
    ['occupancy_pct', 'seats'],
    ['discount_pct', 'net_amount'],
    ['rating', 'review_count'],
    ['unemployment_rate', 'population'],
    ['score', 'sample_size'],
    ['return_rate', 'order_count'],
  ])('%s by %s', (rate, weight) => {
    expect(weightOf(rate, weight)).toBe(weight);
  });
  it('by nothing where several columns may be meant, or the column is a part of the rate', () => {
    expect(weightOf('unit_price', 'quantity', 'quantity_returned')).toBeUndefined();
    expect(weightOf('defect_rate', 'defect_count')).toBeUndefined();
    expect(weightOf('humidity_pct', 'umsatz')).toBeUndefined();
    expect(weightOf('temperature', 'order_count')).toBeUndefined();
  });
  it('by no number that may be negative', () => {
    const cube = cubeOf([text('shop', 5), number('unit_price', [1, 90]), number('quantity', [-5, 90], 'INTEGER')]);
    expect(cube.measures.find(({ column }) => column === 'unit_price')?.weight).toBeUndefined();
  });
});

it('what a key counts is named by its word, and by its table where that word is cut', () => {
  const key = (name: string): Column => ({ ...number(name, [1, 400], 'INTEGER'), distinctApprox: 400 });
  const target = (name: string, column: string): Table => ({
    schema: 'main',
    name,
    rowCount: 400,
    columns: [key(column), text('Ort', 5)],
    keys: [[column]],
  });
  const lines: Table = {
    schema: 'main',
    name: 'positionen',
    rowCount: 5_000,
    columns: [key('Bestellnr'), key('customer_id'), number('betrag', [1, 900])],
    keys: [],
  };
  const tables = [lines, target('bestellungen', 'Bestellnr'), target('customers', 'customer_id')];
  const [cube] = proposeByRules({ tables }, { schemaName: 's' }).cubes;
  const counted = cube?.measures.filter(({ aggregator }) => aggregator === 'distinct-count').map(({ name }) => name);
  expect(counted).toEqual(expect.arrayContaining([expect.stringMatching(/Bestellungen/)]));
  expect(counted).toEqual(expect.arrayContaining([expect.stringMatching(/Customer(?!s)/)]));
});
