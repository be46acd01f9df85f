import { expect, test } from 'vitest';
import { draftOfTile, tileOf, withTileQuery } from './query-tile.ts';

const source = {
  surface: 'semantic',
  request: { connection: 'demo', model: 'shop', values: [{ metric: 'net' }, { metric: 'lines' }] },
} as const;
const query = { title: 'Net sales', source, shown: { kind: 'auto', sort: 'descending' } } as const;
const place = { id: 'chart-1', x: 1, y: 2, w: 3, h: 4 };

test('a query from the explorer becomes the tile that shows it alike', () => {
  const base = { title: 'Net sales', query: { source } };
  expect(tileOf({ ...query, render: 'chart', mode: 'area' })).toEqual({
    ...base,
    kind: 'chart',
    chartType: 'area',
    chart: query.shown,
  });
  expect(tileOf({ ...query, render: 'kpi' })).toEqual({ ...base, kind: 'kpi', measure: 'net' });
  expect(tileOf({ ...query, render: 'matrix' })).toEqual({ ...base, kind: 'table' });
  const forecast = { kind: 'forecast', timeAxis: 'sales.day' };
  expect(tileOf({ ...query, render: 'table', analytics: forecast })).toMatchObject({
    query: { source, analytics: forecast },
  });
});

test('a tile opens in the explorer as it is shown, and takes another query in its place', () => {
  const tile = { ...place, ...tileOf({ ...query, render: 'chart', mode: 'area' }), title: 'Ours' };
  expect(draftOfTile(tile)).toMatchObject({
    source: { surface: 'semantic', names: { connection: 'demo', model: 'shop' } },
    values: [{ metric: 'net' }, { metric: 'lines' }],
    view: { render: 'chart', mode: 'area', chart: { sort: 'descending' } },
  });
  expect(withTileQuery(tile, { ...query, render: 'kpi' })).toEqual({
    ...place,
    kind: 'kpi',
    title: 'Ours',
    query: { source },
    measure: 'net',
  });
  expect(draftOfTile({ ...tile, query: { path: 'shared/a.service' } })).toBeUndefined();
});
