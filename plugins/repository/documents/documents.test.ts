import { describe, expect, it } from 'vitest';
import { toProblemBody } from '../../../router/error-body.ts';
import { ValidationError } from '../../../router/errors.ts';
import { parseDashboard, parseSavedQuery } from '../index.ts';

const request = { connection: 'demo', model: 'shop', rows: [{ dataset: 'stores', field: 'region' }] };
const source = { surface: 'semantic', request };
const query = { version: 1, title: 'Sales by region', description: 'All shops', source };
const text = { id: 'intro', kind: 'text', text: 'Hello', x: 0, y: 0, w: 12, h: 1 };
/** Written out, so that a name that is lost or changed fails. */
const MODES = [
  ...['bar', 'line', 'pie', 'stacked-bar', 'area', 'scatter', 'combo', 'histogram', 'boxplot', 'heatmap', 'calendar'],
  ...[
    'treemap',
    'sunburst',
    'funnel',
    'waterfall',
    'sankey',
    'radar',
    'gauge',
    'bullet',
    'candlestick',
    'bubble',
    'map',
  ],
];
const chart = {
  id: 'by-region',
  kind: 'chart',
  title: 'Sales by region',
  chartType: 'bar',
  query: { path: 'shared/demo/sales-by-region.service' },
  x: 0,
  y: 1,
  w: 6,
  h: 4,
};
const kpi = { id: 'revenue', kind: 'kpi', measure: 'net_sales', query: { source }, x: 6, y: 1, w: 3, h: 2 };
const filter = { id: 'f', kind: 'filter', title: 'Region', x: 9, y: 1, w: 3, h: 1 };
const dashboard = { version: 1, title: 'Shop', layout: { columns: 12 }, tiles: [text, chart, kpi, filter] };

function problemsOf(parse: (text: string) => unknown, value: unknown): Record<string, string> {
  try {
    parse(typeof value === 'string' ? value : JSON.stringify(value));
  } catch (error) {
    if (error instanceof ValidationError)
      return Object.fromEntries(error.problems.map(toProblemBody).map(({ field, message }) => [field, message]));
    throw error;
  }
  return {};
}

const withTile = (tile: object) => ({ ...dashboard, tiles: [text, tile] });
const without = (value: object, member: string) =>
  Object.fromEntries(Object.entries(value).filter(([key]) => key !== member));

describe('a saved query', () => {
  it('is read with its request unchanged', () => {
    expect(parseSavedQuery(JSON.stringify(query))).toEqual(query);
    expect(parseSavedQuery(JSON.stringify(without(query, 'description')))).toEqual(without(query, 'description'));
  });

  it.each([
    ['no JSON', 'title: yaml', ''],
    ['a list', [], ''],
    ['null', null, ''],
    ['another version', { ...query, version: 2 }, 'version'],
    ['no version', without(query, 'version'), 'version'],
    ['no title', without(query, 'title'), 'title'],
    ['a blank title', { ...query, title: '  ' }, 'title'],
    ['a title that is no text', { ...query, title: 7 }, 'title'],
    ['no source', without(query, 'source'), 'source'],
    ['no surface', { ...query, source: { request } }, 'source.surface'],
    ['no request', { ...query, source: { surface: 'semantic' } }, 'source.request'],
    ['a request that is a list', { ...query, source: { surface: 'semantic', request: [] } }, 'source.request'],
    ['a misspelt member', { ...query, tilte: 'x' }, 'tilte'],
    ['SQL beside the request', { ...query, source: { ...source, sql: 'select 1' } }, 'source.sql'],
  ])('with %s is refused at the place', (_, value, field) => {
    expect(Object.keys(problemsOf(parseSavedQuery, value))).toEqual([field]);
  });

  it('reports all its mistakes at once', () => {
    expect(Object.keys(problemsOf(parseSavedQuery, { version: 1, source: {} }))).toEqual([
      'title',
      'source.surface',
      'source.request',
    ]);
  });
});

describe('a dashboard', () => {
  it('is read unchanged', () => {
    expect(parseDashboard(JSON.stringify(dashboard))).toEqual(dashboard);
  });

  it('may have tiles of unknown kinds, with their own fields', () => {
    const map = { id: 'm', kind: 'map', zoom: 4, x: 0, y: 1, w: 12, h: 6 };
    expect(parseDashboard(JSON.stringify(withTile(map))).tiles[1]).toEqual(map);
  });

  it('may fill its grid to the last column and no further', () => {
    expect(problemsOf(parseDashboard, withTile({ ...chart, x: 6, w: 6 }))).toEqual({});
    expect(problemsOf(parseDashboard, withTile({ ...chart, x: 7, w: 6 }))).toEqual({
      'tiles[1].x': 'This tile ends at column 13; the layout has 12.',
    });
    expect(Object.keys(problemsOf(parseDashboard, withTile({ ...chart, x: 0, w: 13 })))).toEqual(['tiles[1].w']);
  });

  it.each([
    ['no tiles', without(dashboard, 'tiles'), 'tiles'],
    ['no layout', without(dashboard, 'layout'), 'layout'],
    ['no columns', { ...dashboard, layout: { columns: 0 } }, 'layout.columns'],
    ['a tile without a place', withTile(without(chart, 'x')), 'tiles[1].x'],
    ['half a cell', withTile({ ...chart, y: 0.5 }), 'tiles[1].y'],
    ['a place left of the grid', withTile({ ...chart, x: -1 }), 'tiles[1].x'],
    ['a tile of no height', withTile({ ...chart, h: 0 }), 'tiles[1].h'],
    ['a tile without a kind', withTile(without(chart, 'kind')), 'tiles[1].kind'],
    ['a tile id that no address can hold', withTile({ ...chart, id: 'a/b' }), 'tiles[1].id'],
    ['two tiles of one id', withTile({ ...chart, id: 'intro' }), 'tiles[1].id'],
    ['a text tile without text', withTile(without({ ...text, id: 't' }, 'text')), 'tiles[1].text'],
    ['a chart without a query', withTile(without(chart, 'query')), 'tiles[1].query'],
    ['a kpi without a query', withTile(without(kpi, 'query')), 'tiles[1].query'],
    ['a kpi without a measure', withTile(without(kpi, 'measure')), 'tiles[1].measure'],
    ['an unknown chart type', withTile({ ...chart, chartType: 'spiral' }), 'tiles[1].chartType'],
    ['a misspelt member of a known kind', withTile({ ...chart, charttype: 'bar' }), 'tiles[1].charttype'],
    [
      'a query that is a dashboard',
      withTile({ ...chart, query: { path: 'shared/a.servicedash' } }),
      'tiles[1].query.path',
    ],
    [
      'an inline query without a request',
      withTile({ ...chart, query: { source: { surface: 's' } } }),
      'tiles[1].query.source.request',
    ],
  ])('with %s is refused at the place', (_, value, field) => {
    expect(Object.keys(problemsOf(parseDashboard, value))).toEqual([field]);
  });

  it.each(MODES)('may draw a %s', (chartType) => {
    expect(problemsOf(parseDashboard, withTile({ ...chart, chartType }))).toEqual({});
  });

  it('lists the chart types if one is unknown', () => {
    expect(() => parseDashboard(JSON.stringify(withTile({ ...chart, chartType: 'spiral' })))).toThrow(
      expect.objectContaining({
        available: MODES,
        message: 'There is no chart type "spiral".',
      }),
    );
  });
});
