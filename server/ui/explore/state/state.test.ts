import { deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { filterTree, type Members } from '../tree-rows.ts';
import { insert, move, place, remove, replace, sortBy, transpose } from './actions.ts';
import { readAddress, writeAddress } from './address.ts';
import type { Catalog, Thing } from './catalog.ts';
import { readCondition, referenceOf, writeCondition } from './condition.ts';
import { type Draft, emptyDraft, type Surface } from './draft.ts';
import { advance, redo, startHistory, undo } from './history.ts';
import { withValueAt } from './json-value.ts';
import { byField, drillTargets, notThis, onlyThis } from './marks.ts';
import { chartSettings, proposeRender } from './propose-view.ts';
import { readCube, readModel } from './read-catalog.ts';
import { draftOf, withQuery } from './saved-query.ts';
import { fromRequest, placeOf, toRequest } from './typed-request.ts';
import { itemWords } from './words.ts';

const field = (name: string, type: string, more: object = {}) => ({ name, label: name.toUpperCase(), type, ...more });
const model = readModel({
  connectionName: 'demo',
  modelName: 'shop',
  datasets: {
    sales: { name: 'sales', fields: { day: field('day', 'DATE', { grains: ['day', 'month', 'year'] }) } },
    stores: {
      name: 'stores',
      roles: [{ via: 'sold_at', label: 'Sold at', from: ['sales'] }],
      fields: { city: field('city', 'VARCHAR'), area: field('area', 'DECIMAL(9,2)'), open: field('open', 'BOOLEAN') },
    },
  },
  metrics: {
    net: { name: 'net', label: 'Net sales', supportedOverrides: ['SUM', 'AVG'] },
    lines: { name: 'lines', label: 'Lines', supportedOverrides: [] },
  },
  time: { dataset: 'time', field: 'date', grains: ['month'] },
});
const level = (name: string) => ({ name, caption: name });
const cube = readCube({
  cubeId: 'c/cat/sch/Sales',
  connectionName: 'c',
  cubeCaption: 'Sales',
  measures: { amount: { name: 'Amount', caption: 'Amount of sales' } },
  dimensions: {
    time: {
      name: 'Time',
      caption: 'Time',
      type: 'time',
      hierarchies: { time: { name: 'Time', caption: 'Time', levels: { year: level('Year'), month: level('Month') } } },
    },
    store: {
      name: 'Store',
      caption: 'Store',
      type: 'standard',
      hierarchies: { store: { name: 'Store', caption: 'Store', levels: { city: level('City') } } },
    },
  },
});

function thing(catalog: Catalog, label: string): Thing {
  const found = [...catalog.byKey.values()].find((each) => each.label === label);
  if (found === undefined) throw new Error(`no ${label}`);
  return found;
}
const startOf = (catalog: Catalog): Draft => emptyDraft(catalog.source);
const add = (draft: Draft, catalog: Catalog, ...labels: readonly string[]): Draft =>
  labels.reduce((now, label) => place(now, thing(catalog, label), catalog), draft);

describe('a click', () => {
  test('puts each field of a model where it fits, a date by month', () => {
    expect(toRequest(add(startOf(model), model, 'Net sales', 'DAY', 'CITY'))).toEqual({
      connection: 'demo',
      model: 'shop',
      rows: [
        { dataset: 'sales', field: 'day', grain: 'month' },
        { dataset: 'stores', field: 'city' },
      ],
      values: [{ metric: 'net' }],
    });
  });

  test('adds nothing twice', () => {
    const once = add(startOf(model), model, 'Net sales', 'CITY');
    expect(add(once, model, 'Net sales', 'CITY')).toEqual(once);
  });

  test('on another level of a hierarchy shows it in the place of the first, on whichever axis', () => {
    const years = add(startOf(cube), cube, 'Amount of sales', 'Year');
    const months = { dimension: 'Time', hierarchy: 'Time', level: 'Month' };
    expect(add(years, cube, 'Month').rows).toEqual([months]);
    const across = place(years, thing(cube, 'Month'), cube, 'columns');
    expect([across.rows, across.columns]).toEqual([[], [months]]);
  });
});

test('a metric goes to no axis, and a measure of a cube to no filter', () => {
  const draft = startOf(model);
  expect(place(draft, thing(model, 'Net sales'), model, 'rows')).toBe(draft);
  const ofCube = startOf(cube);
  expect(place(ofCube, thing(cube, 'Amount of sales'), cube, 'filters')).toBe(ofCube);
});

test('removing what is shown removes its sort, and no other', () => {
  const shown = add(startOf(model), model, 'Net sales', 'Lines', 'CITY');
  const sorted = sortBy(shown, thing(model, 'Net sales'), 'desc');
  expect(remove(sorted, 'values', 1).sorts).toEqual([{ metric: 'net', direction: 'desc' }]);
  expect(remove(sorted, 'values', 0).sorts).toEqual([]);
  const byCity = sortBy(shown, thing(model, 'CITY'), 'asc');
  expect(remove(byCity, 'rows', 0).sorts).toEqual([]);
});

test('a date that moves from rows to columns is filled no more', () => {
  const draft = insert(startOf(model), 'rows', { dataset: 'sales', field: 'day', grain: 'month', fill: 'zero' });
  const plain = [{ dataset: 'sales', field: 'day', grain: 'month' }];
  expect(move(draft, { shelf: 'rows', index: 0 }, { shelf: 'columns', index: 0 }, model).columns).toEqual(plain);
  expect(transpose(draft).columns).toEqual(plain);
});

test('a field that moves from rows to filters becomes a filter, which is not sent before it has values', () => {
  const moved = move(
    add(startOf(model), model, 'Lines', 'CITY'),
    { shelf: 'rows', index: 0 },
    { shelf: 'filters', index: 0 },
    model,
  );
  expect(moved.filters).toEqual([{ dataset: 'stores', field: 'city', op: 'IN' }]);
  expect(toRequest(moved)).not.toHaveProperty('filters');
  const filled = replace(moved, 'filters', 0, { dataset: 'stores', field: 'city', op: 'IN', values: ['Oslo'] });
  expect(toRequest(filled).filters).toEqual([{ dataset: 'stores', field: 'city', op: 'IN', values: ['Oslo'] }]);
});

test('undo and redo go through every state, and a change after undo forgets the undone', () => {
  let history = startHistory(1);
  for (const state of [2, 3]) history = advance(history, state);
  expect(undo(undo(undo(history))).present).toBe(1);
  expect(redo(undo(history))).toEqual(history);
  const other = advance(undo(history), 9);
  expect([redo(other).present, undo(other).present]).toEqual([9, 2]);
  expect(advance(history, 3)).toBe(history);
});

describe('the address', () => {
  test('keeps a whole request of each surface, its view and its analysis', async () => {
    const requests: readonly (readonly [Surface, object])[] = [
      [
        'semantic',
        {
          connection: 'demo',
          model: 'shop',
          rows: [{ dataset: 'sales', field: 'day', grain: 'month', fill: true }],
          values: [{ metric: 'net', compare: { to: { offset: -3, grain: 'month' } } }],
          filters: [{ any: [{ dataset: 'stores', field: 'city', op: 'EQ', value: 'Zürich ✓' }] }],
          limit: 7,
          timezone: 'Europe/Oslo',
        },
      ],
      ['cube', { cube: 'c/cat/sch/Sales', measures: [{ name: 'Amount' }], order: [{ by: 'Amount' }], nonEmpty: false }],
    ];
    for (const [surface, request] of requests) {
      const draft: Draft = {
        ...fromRequest(surface, JSON.parse(JSON.stringify(request))),
        view: { render: 'chart', mode: 'area', chart: { stack: 'percent' } },
        analytics: { kind: 'forecast', timeAxis: 'sales.day' },
        drill: { down: [{ field: 'sales.day.year' }], rows: ['stores.city'] },
      };
      const text = await writeAddress(draft);
      expect(text).toMatch(/^[\w-]+$/);
      expect(await readAddress(text ?? '')).toEqual(draft);
      expect(toRequest(draft)).toEqual(request);
    }
  });

  test('is short for a short request, and refuses a long one', async () => {
    const short = await writeAddress(add(startOf(model), model, 'Net sales', 'CITY'));
    expect(short?.length).toBeLessThan(250);
    const values = Array.from({ length: 10_000 }, (_, at) => `${(at * 7919) % 99_991}`);
    const long = insert(startOf(model), 'filters', { dataset: 'stores', field: 'city', op: 'IN', values });
    expect(await writeAddress(long)).toBeUndefined();
  });

  test.each([
    ['nothing', ''],
    ['no letters of it', 'a b'],
    ['no compressed text', 'abcd'],
    ['another shape', deflateRawSync('{"s":"graph","r":{}}').toString('base64url')],
    ['a bomb', deflateRawSync(JSON.stringify({ s: 'cube', r: { cube: 'x'.repeat(1_000_000) } })).toString('base64url')],
  ])('that is %s is no request', async (_, text) => {
    expect(await readAddress(text)).toBeUndefined();
  });
});

test('an error names the item on the page, past filters that are not sent', () => {
  const draft = fromRequest('semantic', {
    connection: 'demo',
    filters: [
      { dataset: 'stores', field: 'city', op: 'IN' },
      { dataset: 'stores', field: 'area', op: 'GT', value: 'x' },
    ],
  });
  expect(placeOf(draft, 'source.request.filters[0].value')).toEqual({ shelf: 'filters', index: 1, rest: ['value'] });
  expect(placeOf(draft, 'source.request.filters[1].value')).toBeUndefined();
  expect(placeOf(draft, 'source.request.limit')).toBeUndefined();
  expect(placeOf(fromRequest('cube', { cube: 'x', measures: [{ name: 'A' }] }), 'measures[0].name')).toEqual({
    shelf: 'values',
    index: 0,
    rest: ['name'],
  });
  expect(withValueAt({ values: ['a', 'b'] }, ['values', 1], 'c')).toEqual({ values: ['a', 'c'] });
});

test.each([
  ['rows', { dataset: 'sales', field: 'day', grain: 'day_of_week' }, 'DAY by day of week'],
  ['rows', { dataset: 'stores', field: 'city', via: 'sold_at' }, 'CITY (Sold at)'],
  ['values', { metric: 'net', aggregation: 'AVG' }, 'Net sales (average)'],
  ['values', { metric: 'net', compare: { to: { offset: -3, grain: 'month' } } }, 'Net sales · vs 3 months before'],
  [
    'filters',
    { dataset: 'sales', field: 'day', op: 'RELATIVE', value: 'last_n_months', n: 24 },
    'DAY · last 24 months',
  ],
  ['filters', { dataset: 'stores', field: 'city', op: 'IN', values: ['A', 'B', 'C', 'D'] }, 'CITY is A, B + 2'],
  [
    'filters',
    { metric: 'lines', op: 'GTE', value: 3, per: [{ dataset: 'stores', field: 'city' }] },
    'Lines ≥ 3 for each CITY',
  ],
  [
    'filters',
    {
      any: [
        { dataset: 'stores', field: 'city', op: 'IS_NULL' },
        { dataset: 'stores', field: 'area', op: 'BETWEEN', values: [1, 2] },
      ],
    },
    'CITY is empty or AREA 1 to 2',
  ],
  ['sorts', { metric: 'net', direction: 'DESC' }, 'Net sales ↓'],
  ['rows', { dataset: 'gone', field: 'lost' }, 'lost'],
] as const)('an item of %s is written in words: %j', (shelf, item, words) => {
  expect(itemWords(shelf, item, model)).toBe(words);
});

test('a member of a cube is written by its last name', () => {
  const item = { dimension: 'Store', level: 'City', op: 'not_in', members: ['[Store].[NO].[Oslo]', '[Store].&[A]]B]'] };
  expect(itemWords('filters', item, cube)).toBe('City is not Oslo, A]B');
});

test('a member with a key is written by its caption once that is known', () => {
  const item = { dimension: 'Store', level: 'City', members: ['[Store].&[17]'] };
  expect(itemWords('filters', item, cube)).toBe('City is 17');
  expect(itemWords('filters', item, cube, new Map([['[Store].&[17]', 'Oslo']]))).toBe('City is Oslo');
});

test('the tree lists the members of opened levels, and the children of opened members by the next level', () => {
  const year = thing(cube, 'Year');
  const month = thing(cube, 'Month');
  const member = `${year.key}\u0000[Time].[2024]`;
  const known = new Map<string, Members>([
    [year.key, { list: [{ caption: '2024', uniqueName: '[Time].[2024]' }], hasMore: true }],
    [member, { list: [{ caption: 'May', uniqueName: '[Time].[2024].[5]' }], hasMore: false }],
  ]);
  const rows = filterTree(cube, '', new Set([year.key, member]), known);
  const below = rows.slice(rows.findIndex((row) => row.kind === 'thing' && row.thing === year) + 1);
  expect(below.slice(0, 4)).toMatchObject([
    { kind: 'member', caption: '2024', level: year, below: month, isOpen: true, depth: 0 },
    { kind: 'member', caption: 'May', level: month, below: undefined, depth: 1 },
    { kind: 'note', level: year },
    { kind: 'thing', thing: month },
  ]);
});

test('a type follows from the type of the warehouse and the grains', () => {
  const types = Object.fromEntries([...model.byKey.values()].map(({ label, type }) => [label, type]));
  expect(types).toMatchObject({ DAY: 'date', CITY: 'text', AREA: 'number', OPEN: 'yes-no', 'Net sales': 'metric' });
});

const dimension = (key: string, grain?: string) => ({ key, type: 'dimension' as const, dataType: 'text', grain });
const metric = (key: string) => ({ key, type: 'metric' as const, dataType: 'decimal', grain: undefined });

test.each([
  ['one metric', ['Net sales'], { columns: [metric('net')], rows: 1 }, 'kpi'],
  ['two metrics', ['Net sales', 'Lines'], { columns: [metric('net'), metric('lines')], rows: 1 }, 'table'],
  ['a date', ['Net sales'], { columns: [dimension('d', 'month'), metric('net')], rows: 400 }, 'chart'],
  [
    'a part of a date with few values',
    ['Net sales'],
    { columns: [dimension('d', 'day_of_week'), metric('net')], rows: 7 },
    'chart',
  ],
  ['a text with few values', ['Net sales'], { columns: [dimension('a'), metric('net')], rows: 40 }, 'chart'],
  ['a text with many values', ['Net sales'], { columns: [dimension('a'), metric('net')], rows: 41 }, 'table'],
  ['no metric', [], { columns: [dimension('a')], rows: 5 }, 'table'],
  ['no row', ['Net sales'], { columns: [dimension('a'), metric('net')], rows: 0 }, 'table'],
] as const)('an answer of %s is proposed in a fitting view', (_, labels, shape, render) => {
  expect(proposeRender(shape, add(startOf(model), model, ...labels))).toBe(render);
});

test('two texts across each other are a matrix', () => {
  const across = place(add(startOf(model), model, 'Net sales', 'CITY'), thing(model, 'OPEN'), model, 'columns');
  const columns = [dimension('a'), dimension('b'), metric('net')];
  expect(proposeRender({ columns, rows: 20 }, across)).toBe('matrix');
});

test('bars begin with the largest, times with the first, and a comparison is drawn with its base', () => {
  const byCity = add(startOf(model), model, 'Net sales', 'CITY');
  expect(chartSettings(byCity, false)).toEqual({ kind: 'auto', sort: 'descending' });
  expect(chartSettings(sortBy(byCity, thing(model, 'CITY'), 'asc'), false)).toEqual({ kind: 'auto' });
  expect(chartSettings(add(startOf(cube), cube, 'Amount of sales', 'Year'), true)).toEqual({ kind: 'line' });
  const compared = replace(byCity, 'values', 0, { metric: 'net', compare: { to: 'previous_year' } });
  expect(chartSettings(compared, true)).toMatchObject({ metrics: ['net', 'net.base'] });
});

test('a mark is kept, left out, and looked into by the next level of its hierarchy', () => {
  const draft = add(startOf(cube), cube, 'Amount of sales', 'Year');
  const parts = [{ item: draft.rows[0] ?? {}, label: 'Year', value: '2024', text: '2024' }];
  const year = { dimension: 'Time', hierarchy: 'Time', level: 'Year' };
  expect(onlyThis(draft, parts).filters).toEqual([{ ...year, members: ['2024'] }]);
  expect(notThis(draft, parts).filters).toEqual([{ ...year, op: 'not_in', members: ['2024'] }]);
  const [month] = drillTargets(parts, draft, cube);
  expect(month?.label).toBe('Month');
  const drilled = byField(draft, parts, thing(cube, 'Month'), cube);
  expect([drilled.rows, drilled.filters]).toEqual([[{ ...year, level: 'Month' }], [{ ...year, members: ['2024'] }]]);
});

test('a mark of several fields is left out as a whole, and one without a value too', () => {
  const draft = add(startOf(model), model, 'Net sales', 'CITY', 'OPEN');
  const parts = draft.rows.map((item, at) => ({ item, label: '', value: at === 0 ? 'Oslo' : null, text: '' }));
  const [city, open] = draft.rows;
  expect(notThis(draft, parts).filters).toEqual([
    {
      any: [
        { ...city, op: 'NEQ', value: 'Oslo' },
        { ...city, op: 'IS_NULL' },
        { ...open, op: 'IS_NOT_NULL' },
      ],
    },
  ]);
  // Rows without a city are not of Oslo.
  const [without] = notThis(draft, parts.slice(0, 1)).filters;
  expect(without).toEqual({
    any: [
      { ...city, op: 'NEQ', value: 'Oslo' },
      { ...city, op: 'IS_NULL' },
    ],
  });
  expect(without && itemWords('filters', without, model)).toBe('CITY is not Oslo');
  expect(onlyThis(onlyThis(draft, parts), parts).filters).toEqual([
    { ...city, op: 'EQ', value: 'Oslo' },
    { ...open, op: 'IS_NULL' },
  ]);
});

test.each([
  { dataset: 'stores', field: 'city', op: 'EQ', value: 'Oslo' },
  { dataset: 'stores', field: 'city', op: 'IN', values: ['Oslo', 'Rome'] },
  {
    all: [
      { dataset: 'stores', field: 'city', op: 'NEQ', value: 'A' },
      { dataset: 'stores', field: 'city', op: 'NEQ', value: 'B' },
    ],
  },
  {
    any: [
      { dataset: 'stores', field: 'city', op: 'IN', values: ['A', 'B'] },
      { dataset: 'stores', field: 'city', op: 'IS_NULL' },
    ],
  },
  {
    any: [
      {
        all: [
          { dataset: 'stores', field: 'city', op: 'NEQ', value: 'A' },
          { dataset: 'stores', field: 'city', op: 'NEQ', value: 'B' },
        ],
      },
      { dataset: 'stores', field: 'city', op: 'IS_NULL' },
    ],
  },
  { metric: 'net', op: 'NEQ', value: 5 },
  { dataset: 'sales', field: 'day', grain: 'month', op: 'RELATIVE', value: 'previous_period', n: 2 },
  { dataset: 'stores', field: 'area', op: 'BETWEEN', values: [1, 2] },
  { metric: 'net', op: 'GTE', value: 5, per: [{ dataset: 'stores', field: 'city' }] },
  { dimension: 'Store', level: 'City', op: 'between', members: ['A', 'B'] },
  { dimension: 'Time', level: 'Month', op: 'relative', value: 'ytd' },
])('the panel writes a filter as it has read it: %j', (filter) => {
  const condition = readCondition(filter);
  expect(condition && writeCondition(referenceOf(filter), condition)).toEqual(filter);
});

test('a group of filters of different fields is no condition of one', () => {
  const inner = [
    { dataset: 'stores', field: 'city', op: 'NEQ', value: 'A' },
    { dataset: 'stores', field: 'area', op: 'NEQ', value: 1 },
  ];
  expect(readCondition({ all: inner })).toBeUndefined();
});

test('a saved query opens with its form and settings, and what the explorer does not know stays in its document', () => {
  const source = {
    surface: 'semantic',
    request: { connection: 'demo', model: 'shop', values: [{ metric: 'net' }] },
  } as const;
  const document = {
    version: 1,
    title: 'Net',
    filterable: ['stores.city'],
    source,
    chart: { kind: 'area', stack: 'percent' },
    view: { render: 'chart', mode: 'area' },
    analytics: { kind: 'forecast', timeAxis: 'sales.day' },
    drill: { rows: true },
  };
  const draft = draftOf(document);
  expect(draft).toMatchObject({
    values: [{ metric: 'net' }],
    view: { render: 'chart', mode: 'area', chart: { stack: 'percent' } },
    analytics: { kind: 'forecast', timeAxis: 'sales.day' },
    drill: { rows: true },
  });
  const other = { surface: 'cube', request: { cube: 'a/b/c/d' } } as const;
  expect(withQuery(document, { title: 'New', source: other, render: 'table', shown: {} })).toEqual({
    version: 1,
    title: 'Net',
    filterable: ['stores.city'],
    source: other,
  });
  const drill = { rows: ['stores.city'] };
  const shown = { title: 'New', source: other, render: 'table', shown: {}, drill } as const;
  expect(withQuery(document, shown)).toMatchObject({ drill });
  expect(draftOf({ source, chart: { kind: 'auto' }, view: { render: 'poster' } }).view).toEqual({});
});
