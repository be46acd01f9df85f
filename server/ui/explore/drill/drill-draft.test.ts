import { describe, expect, it } from 'vitest';
import { readCube, readModel } from '../state/read-catalog.ts';
import { downChoices, draftOfDrill, drillOfDraft, rowChoices, shownDimensions } from './drill-draft.ts';

const MODEL = readModel({
  connectionName: 'demo',
  modelName: 'shop',
  metrics: { net: { name: 'net', label: 'Net sales' } },
  datasets: {
    stores: {
      name: 'stores',
      fields: {
        region: { name: 'region', label: 'Region', type: 'VARCHAR' },
        opened: {
          name: 'opened',
          label: 'Opened',
          type: 'DATE',
          grains: ['year', 'fiscal_quarter', 'fiscal_month_of_year'],
        },
      },
    },
  },
});
const level = (name: string) => ({ name, caption: name });
const CUBE = readCube({
  cubeId: 'demo/Shop/Shop/Sales',
  connectionName: 'demo',
  cubeCaption: 'Sales',
  measures: { units: { name: 'Units', caption: 'Units' } },
  dimensions: {
    store: {
      name: 'Store',
      caption: 'Store',
      type: 'standard',
      hierarchies: {
        store: { name: 'Store', caption: 'Store', levels: { region: level('Region'), city: level('City') } },
        brand: { name: 'Brand', caption: 'Brand', levels: { brand: level('Name') } },
      },
    },
  },
});
const dimension = (key: string, more: object = {}) => ({ key, label: key, type: 'dimension', ...more });

describe('the draft of what a click leads to', () => {
  const answer = {
    columns: [dimension('stores.region'), dimension('d.date.year', { grain: 'year' }), { key: 'net', type: 'metric' }],
  };
  const shown = shownDimensions(answer, MODEL);

  it('reads and writes the document to the letter', () => {
    for (const drill of [
      undefined,
      { rows: true },
      { down: [{ field: 'd.date.year' }] },
      { down: [{ field: 'stores.region', to: ['stores.city'] }], rows: ['stores.name', 'sales.amount'] },
      // A way from a field that the answer does not show stays.
      {
        down: [
          { field: 'stores.region', to: ['stores.city'] },
          { field: 'stores.city', to: ['stores.name'] },
        ],
      },
    ])
      expect(drillOfDraft(draftOfDrill(drill, shown))).toEqual(drill);
  });

  it('has no way without fields', () => {
    const draft = draftOfDrill(undefined, shown);
    expect(draft.down.map(({ way }) => way)).toEqual(['none', 'none']);
    const chosen = {
      ...draft,
      down: draft.down.map((each) => ({ ...each, way: 'list' as const })),
      rows: 'list' as const,
    };
    expect(drillOfDraft(chosen)).toBe(undefined);
  });

  it('offers finer grains of dates, levels below, and the fields of the model', () => {
    expect(shown.map(({ finer }) => finer)).toEqual([undefined, 'grains']);
    const grains = ['day', 'fiscal_quarter', 'day_of_week', 'minute'];
    expect(
      shownDimensions({ columns: grains.map((grain) => dimension(grain, { grain })) }, MODEL).map(({ finer }) => finer),
    ).toEqual(['grains', 'grains', undefined, undefined]);
    expect(downChoices(MODEL).map(({ key }) => key)).toEqual([
      'stores.region',
      'stores.opened',
      'stores.opened.year',
      'stores.opened.fiscal_quarter',
      'stores.opened.fiscal_month_of_year',
    ]);
    expect(downChoices(MODEL).map(({ label }) => label)).toEqual([
      'Region',
      'Opened',
      'Opened: year',
      'Opened: quarter (fiscal)',
      'Opened: month of year (fiscal)',
    ]);
    expect(rowChoices(MODEL).map(({ key }) => key)).toEqual(['stores.region', 'stores.opened']);
    const levels = shownDimensions({ columns: [dimension('Store.Region'), dimension('Store.City')] }, CUBE);
    expect(levels.map(({ finer }) => finer)).toEqual(['levels', undefined]);
    expect(downChoices(CUBE).map(({ key }) => key)).toEqual(['Store.Region', 'Store.City', 'Store.Brand.Name']);
    expect(rowChoices(CUBE).map(({ key }) => key)).toEqual(['Units', 'Store.Region', 'Store.City', 'Store.Brand.Name']);
  });
});
