/** The surface as REST callers see it, on a cube whose figures are computed by hand; see `testing/store.ts`. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Warehouse } from '../../../router/capabilities/warehouse.ts';
import { CancelledError } from '../../../router/errors.ts';
import { openCache } from '../../../server/cache/cache.ts';
import { jobMigrations, type OpenJobs, openJobs } from '../../../server/jobs/index.ts';
import { openState, type StateStore } from '../../../server/state/index.ts';
import { ENGINES, startWarehouse, type TestWarehouse } from '../../../server/warehouse/testing/engines.ts';
import { recentQueryMigrations } from '../recent-queries.ts';
import type { CubeSettings } from '../settings.ts';
import { Fixture, scope, silent, TENANT } from '../testing/fixture.ts';
import { STORE_SCHEMA, STORE_TABLES } from '../testing/store.ts';

const CUBE = 'test/Shops/Shops/Sales';
const REGIONS = { cube: CUBE, measures: [{ name: 'Units' }], rows: [{ dimension: 'Store', level: 'Region' }] };
const SHOPS = { cube: CUBE, measures: [{ name: 'Units' }], rows: [{ dimension: 'Store', level: 'Shop' }] };
/** 15 November 2025. */
const TODAY = Date.UTC(2025, 10, 15, 12);

describe.each(ENGINES)('the cube surface on %s', (engine) => {
  let warehouse: TestWarehouse;
  let state: StateStore;
  let jobs: OpenJobs;
  let folder: string;
  let cubes: Fixture;

  const open = (settings: Partial<CubeSettings> = {}) =>
    Fixture.open({
      warehouses: warehouse.warehouses,
      address: warehouse.address,
      cache: openCache({ maxBytes: 1_000_000, clock: Date.now }),
      state,
      jobs,
      clock: () => TODAY,
      schema: STORE_SCHEMA,
      settings,
    });

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'service-cube-'));
    warehouse = await startWarehouse(engine, STORE_TABLES);
    state = await openState({ url: undefined, sqliteFile: join(folder, 'state.sqlite'), log: silent });
    await state.migrate({ jobs: jobMigrations, cube: recentQueryMigrations });
    jobs = openJobs({ state, clock: Date.now, log: silent });
    cubes = await open();
  });
  afterAll(async () => {
    await cubes.close();
    await jobs.close();
    await state.close();
    await warehouse.stop();
    await rm(folder, { recursive: true });
  });

  it('reads the schema without a problem', () => {
    expect(cubes.problems).toEqual([]);
  });

  describe('what there is', () => {
    it('lists cubes', async () => {
      const { status, body } = await cubes.call('GET /cubes');
      expect(status).toBe(200);
      expect(body).toHaveLength(2);
      expect(body[1]).toEqual({
        connectionName: 'test',
        catalog: 'Shops',
        schema: 'Shops',
        cubeName: 'Sales',
        cubeCaption: 'Sales of shops',
        defaultMeasure: 'Units',
        measureCount: 6, // Units, Amount, Lines, Customers, Yearly, Price
        cubeId: CUBE,
        description: 'What shops sell.',
      });
    });

    it('does not offer the count of facts that MDX has of itself', async () => {
      const { body } = await cubes.call('GET /cubes');
      expect(body[0]).toMatchObject({ cubeName: 'Other', measureCount: 1, defaultMeasure: 'Units' });
      expect(JSON.stringify((await cubes.call('GET /schema/test/Shops/Shops/Other')).body)).not.toContain('Fact Count');
      const asked = { cube: 'test/Shops/Shops/Other', measures: [{ name: 'Fact Count' }] };
      expect((await cubes.call('POST /query', asked)).status).toBe(400);
    });

    it('describes a cube, with keys in lower case and no personal data', async () => {
      const { status, body } = await cubes.call(`GET /schema/${CUBE}`);
      expect(status).toBe(200);
      expect(Object.keys(body.measures)).toEqual(['units', 'amount', 'lines', 'customers', 'yearly', 'price']);
      expect(body.measures.units).toEqual({
        name: 'Units',
        uniqueName: '[Measures].[Units]',
        caption: 'Units sold',
        description: 'Pieces that left the shop.',
        synonyms: ['Units sold', 'quantity', 'pieces'],
        unit: 'pcs',
        aggregationKind: 'sum',
      });
      expect(body.measures.amount).toMatchObject({ unit: 'USD' });
      expect(body.measures.price).toMatchObject({ aggregationKind: 'calculated' });
      expect(body.measureAliases).toEqual({ 'Units sold': 'units', quantity: 'units', pieces: 'units' });
      expect(Object.keys(body.dimensions)).toEqual(['store', 'time', 'customer']);
      const { region } = body.dimensions.store.hierarchies.store.levels;
      expect(region).toMatchObject({
        name: 'Region',
        uniqueName: '[Store].[Region]',
        synonyms: ['territory', 'area'],
        grain: 'one row for each sales region',
        sampleMembers: [
          { caption: 'North', uniqueName: '[Store].[North]' },
          { caption: 'South', uniqueName: '[Store].[South]' },
        ],
      });
      expect(body.dimensions.time.hierarchies.time.levels.month).toMatchObject({ levelType: 'TimeMonths' });
      expect(JSON.stringify(body)).not.toMatch(/Secret|Margin|Buyer|~rows/);
    });

    it('offers a JSON Schema with the legal names, and examples that run as they stand', async () => {
      const { body } = await cubes.call(`GET /schema/${CUBE}`);
      expect(body.requestSchema.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
      const { properties } = body.requestSchema;
      expect(properties.measures.items.properties.name.enum).toContain('quantity');
      expect(properties.rows.items.properties.level.enum).toContain('territory');
      expect(Object.keys(body.examples)).toEqual(['simpleGroupBy', 'topN', 'crosstab', 'filtered']);
      for (const { body: request } of Object.values<{ body: object }>(body.examples)) {
        const { status, body: answer } = await cubes.call('POST /query', request);
        expect(status).toBe(200);
        expect(answer.totalRows).toBeGreaterThan(0);
      }
    });

    it('searches members', async () => {
      const search = `GET /members/search?cubeId=${CUBE}&dimension=Store&level=Shop`;
      expect((await cubes.call(`${search}&q=O`)).body).toEqual({
        members: [
          { caption: 'Oslo', uniqueName: '[Store].[North].[Oslo]' },
          { caption: 'Rome', uniqueName: '[Store].[South].[Rome]' },
        ],
      });
      expect((await cubes.call(`${search}&limit=1`)).body.members).toHaveLength(1);
      expect((await cubes.call(`${search}&q=%25`)).body.members).toEqual([]);
      expect(await cubes.call(`GET /members/search?cubeId=${CUBE}&dimension=Store&level=Shops`)).toMatchObject({
        status: 400,
        body: { status: 'VALIDATION_ERROR', field: 'level', available: expect.arrayContaining(['Shop', 'Region']) },
      });
    });

    it('suggests what to annotate as personal, but nothing that is annotated either way', async () => {
      const { body } = await cubes.call(`GET /schema/test/Shops/Shops/Other/pii-suggestions`);
      expect(body.suggestions).toEqual([
        { target: '[Customer].[Person]', reason: expect.stringContaining('single persons') },
      ]);
      expect((await cubes.call(`GET /schema/${CUBE}/pii-suggestions`)).body).toEqual({
        suggestions: [{ target: '[Measures].[Customers]', reason: expect.any(String) }],
      });
    });
  });

  describe('a query', () => {
    it('answers records with envelopes, and says what ran', async () => {
      const { status, body } = await cubes.call('POST /query', {
        ...REGIONS,
        measures: [{ name: 'Units' }, { name: 'Amount' }, { name: 'Price' }],
      });
      expect(status).toBe(200);
      expect(body).toMatchObject({
        status: 'SUCCESS',
        format: 'records',
        totalRows: 2,
        runtimeMs: expect.any(Number),
        queryId: expect.any(String),
        data: [
          {
            Region: 'North',
            'Units sold': { value: 39, formatted: '39', unit: 'pcs' },
            Amount: { value: 394.5, formatted: '$394.50', unit: 'USD' },
            Price: { formatted: '$10.12', unit: 'USD' }, // 394.5 / 39
          },
          {
            Region: 'South',
            'Units sold': { value: 8, formatted: '8', unit: 'pcs' },
            Amount: { value: 80, formatted: '$80.00', unit: 'USD' },
            Price: { value: 10, formatted: '$10.00', unit: 'USD' },
          },
        ],
      });
      expect(body.metadata.freshness).toMatchObject({ computedAtMillis: expect.any(Number), cached: false });
      expect(body.metadata.generatedMdx).toBe(
        'SELECT {[Measures].[Units], [Measures].[Amount], [Measures].[Price]} ON COLUMNS,\n  NON EMPTY [Store].[Region].Members ON ROWS\nFROM [Sales]',
      );
    });

    it('answers a matrix keyed by the index of the column', async () => {
      const { body } = await cubes.call('POST /query?format=matrix', REGIONS);
      expect(body.format).toBe('matrix');
      expect(body.data).toBeUndefined();
      expect(body.matrix).toEqual([
        { 0: 'North', 1: { value: 39, formatted: '39', unit: 'pcs' } },
        { 0: 'South', 1: { value: 8, formatted: '8', unit: 'pcs' } },
      ]);
      expect(body.metadata.columns).toEqual([
        { index: 0, key: 'Region' },
        { index: 1, key: 'Units sold', measure: 'Units' },
      ]);
    });

    it.each([
      ['without rows, one row', { cube: CUBE, measures: [{ name: 'Units' }] }, [[47]]],
      [
        'by synonyms, aliases and unique names',
        { cube: CUBE, measures: [{ name: 'PIECES' }], rows: [{ dimension: '[Store]', level: 'territory' }] },
        [
          ['North', 39],
          ['South', 8],
        ],
      ],
      [
        'by the object form of the cube',
        { ...REGIONS, cube: { connectionName: 'test', catalog: 'Shops', schema: 'Shops', cubeName: 'Sales' } },
        [
          ['North', 39],
          ['South', 8],
        ],
      ],
      [
        'with the topmost level where none is named',
        { ...REGIONS, rows: [{ dimension: 'Store' }] },
        [
          ['North', 39],
          ['South', 8],
        ],
      ],
      [
        'by several levels of one hierarchy',
        {
          ...SHOPS,
          rows: [
            { dimension: 'Store', level: 'Region' },
            { dimension: 'Store', level: 'Shop' },
          ],
        },
        [
          ['North', 'Bergen', 9],
          ['North', 'Oslo', 30],
          ['South', 'Rome', 8],
        ],
      ],
      [
        'by several hierarchies',
        {
          ...REGIONS,
          rows: [
            { dimension: 'Store', level: 'Region' },
            { dimension: 'Time', level: 'Year' },
          ],
        },
        [
          ['North', '2025', 35],
          ['North', '2026', 4],
          ['South', '2025', 8],
        ],
      ],
      [
        'with empty rows where they are asked for',
        { ...SHOPS, nonEmpty: false },
        [
          ['Bergen', 9],
          ['Oslo', 30],
          ['Paris', null],
          ['Rome', 8],
        ],
      ],
      [
        'of the members that are named, in their order',
        { ...SHOPS, rows: [{ dimension: 'Store', level: 'Shop', members: ['[Store].[South].[Rome]', 'Oslo'] }] },
        [
          ['Rome', 8],
          ['Oslo', 30],
        ],
      ],
      [
        'of members of several levels',
        { ...SHOPS, rows: [{ dimension: 'Store', members: ['[Store].[North]', '[Store].[North].[Oslo]'] }] },
        [
          ['North', 39],
          ['Oslo', 30],
        ],
      ],
      [
        'with totals of what is shown',
        {
          ...SHOPS,
          visualTotals: true,
          rows: [{ dimension: 'Store', members: ['[Store].[North]', '[Store].[North].[Oslo]'] }],
        },
        [
          ['North', 30],
          ['Oslo', 30],
        ],
      ],
      [
        'ordered downwards',
        { ...SHOPS, order: [{ by: 'Units', direction: 'desc' }] },
        [
          ['Oslo', 30],
          ['Bergen', 9],
          ['Rome', 8],
        ],
      ],
      [
        'ordered upwards, the default',
        { ...SHOPS, order: [{ by: 'Units' }] },
        [
          ['Rome', 8],
          ['Bergen', 9],
          ['Oslo', 30],
        ],
      ],
      [
        'ordered with the empty ones last',
        { ...SHOPS, nonEmpty: false, order: [{ by: 'Units', direction: 'ASC' }] },
        [
          ['Rome', 8],
          ['Bergen', 9],
          ['Oslo', 30],
          ['Paris', null],
        ],
      ],
      [
        'ordered by a measure that is not shown',
        { ...SHOPS, order: [{ by: 'Price', direction: 'desc' }] },
        [
          ['Bergen', 9],
          ['Oslo', 30],
          ['Rome', 8],
        ],
      ], // 10.44, 10.02, 10
      [
        'ordered by two measures',
        {
          ...SHOPS,
          order: [
            { by: 'Lines', direction: 'desc' },
            { by: 'Units', direction: 'asc' },
          ],
        },
        [
          ['Rome', 8],
          ['Bergen', 9],
          ['Oslo', 30],
        ],
      ], // 2 lines each
      [
        'the top two',
        { ...SHOPS, order: [{ by: 'Units', direction: 'desc' }], limit: 2 },
        [
          ['Oslo', 30],
          ['Bergen', 9],
        ],
      ],
      ['the lowest one, which is not an empty one', { ...SHOPS, order: [{ by: 'Units' }], limit: 1 }, [['Rome', 8]]],
      [
        'the first two',
        { ...SHOPS, limit: 2 },
        [
          ['Bergen', 9],
          ['Oslo', 30],
        ],
      ],
      [
        'the first three, which are not empty ones',
        { ...SHOPS, limit: 3 },
        [
          ['Bergen', 9],
          ['Oslo', 30],
          ['Rome', 8],
        ],
      ],
      [
        'filtered by a hierarchy that is not shown',
        { ...SHOPS, filters: [{ dimension: 'Time', level: 'Year', members: ['2026'] }] },
        [['Bergen', 4]],
      ],
      [
        'filtered on the level that is shown',
        { ...SHOPS, filters: [{ dimension: 'Store', level: 'Shop', op: 'not_in', members: ['Oslo'] }] },
        [
          ['Bergen', 9],
          ['Rome', 8],
        ],
      ],
      [
        'filtered above what is shown',
        { ...SHOPS, filters: [{ dimension: 'Store', level: 'Region', members: ['North'] }] },
        [
          ['Bergen', 9],
          ['Oslo', 30],
        ],
      ],
      [
        'filtered below what is shown: totals of what is left',
        { ...REGIONS, filters: [{ dimension: 'Store', level: 'Shop', members: ['Oslo', 'Rome'] }] },
        [
          ['North', 30],
          ['South', 8],
        ],
      ],
      [
        'filtered two levels below',
        {
          cube: CUBE,
          measures: [{ name: 'Units' }],
          rows: [{ dimension: 'Time', level: 'Year' }],
          filters: [{ dimension: 'Time', level: 'Month', members: ['September', 'November'] }],
        },
        [['2025', 23]],
      ],
      [
        'filtered by two conditions on one hierarchy',
        {
          ...SHOPS,
          filters: [
            { dimension: 'Store', level: 'Region', members: ['North'] },
            { dimension: 'Store', level: 'Shop', op: 'not_in', members: ['Oslo'] },
          ],
        },
        [['Bergen', 9]],
      ],
      [
        'filtered by a range',
        {
          ...SHOPS,
          rows: [{ dimension: 'Time', level: 'Month' }],
          filters: [
            {
              dimension: 'Time',
              level: 'Month',
              op: 'between',
              members: ['[Time].[2025].[Q4].[10]', '[Time].[2026].[Q1].[1]'],
            },
          ],
        },
        [
          ['October', 20],
          ['November', 1],
          ['January', 4],
        ],
      ],
      [
        'filtered by descendants',
        {
          ...REGIONS,
          filters: [{ dimension: 'Time', level: 'Month', op: 'descendants_of', members: ['[Time].[2025].[Q4]'] }],
        },
        [
          ['North', 20],
          ['South', 1],
        ],
      ],
      [
        'of the last two months',
        {
          ...REGIONS,
          rows: [{ dimension: 'Time', level: 'Month' }],
          filters: [{ dimension: 'Time', level: 'Month', op: 'relative', value: 'last_n_months', n: 2 }],
        },
        [
          ['October', 20],
          ['November', 1],
        ],
      ],
      [
        'of the year so far',
        { ...REGIONS, filters: [{ dimension: 'Time', level: 'Month', op: 'relative', value: 'ytd' }] },
        [
          ['North', 35],
          ['South', 8],
        ],
      ],
      [
        'of the quarter so far',
        { ...REGIONS, filters: [{ dimension: 'Time', level: 'Month', op: 'relative', value: 'qtd' }] },
        [
          ['North', 20],
          ['South', 1],
        ],
      ],
      [
        'of the previous month',
        { ...REGIONS, filters: [{ dimension: 'Time', level: 'Month', op: 'relative', value: 'previous_period' }] },
        [['North', 20]],
      ],
      [
        'of the previous quarter',
        { ...REGIONS, filters: [{ dimension: 'Time', level: 'Quarter', op: 'relative', value: 'previous_period' }] },
        [
          ['North', 15],
          ['South', 7],
        ],
      ],
      [
        'of days that no member has',
        { ...REGIONS, filters: [{ dimension: 'Time', level: 'Year', op: 'relative', value: 'previous_period' }] },
        [],
      ],
    ])('is answered %s', async (_, request, expected) => {
      expect(await cubes.table(request)).toEqual(expected);
    });

    it('puts columns across, one for each combination with the measures', async () => {
      const { body } = await cubes.call('POST /query', { ...REGIONS, columns: [{ dimension: 'Time', level: 'Year' }] });
      expect(body.data).toMatchObject([
        { Region: 'North', '2025 / Units sold': { value: 35 }, '2026 / Units sold': { value: 4 } },
        { Region: 'South', '2025 / Units sold': { value: 8 }, '2026 / Units sold': { value: null, formatted: '' } },
      ]);
      expect(body.metadata.columns[1]).toEqual({
        index: 1,
        key: '2025 / Units sold',
        measure: 'Units',
        members: [{ caption: '2025', uniqueName: '[Time].[2025]' }],
      });
    });

    it('ranks rows by the total of the columns that are shown', async () => {
      const columns = [{ dimension: 'Time', level: 'Year', members: ['2026', '[Time].[2025]'] }];
      const request = { ...SHOPS, columns, order: [{ by: 'Units', direction: 'desc' }], limit: 2 };
      expect(await cubes.table(request)).toEqual(
        [
          ['Oslo', 30],
          ['Bergen', 4, 5],
        ].map((row) => (row.length === 2 ? ['Oslo', null, 30] : row)),
      );
      const in2026 = { ...request, columns: [{ dimension: 'Time', level: 'Year', members: ['2026'] }], limit: 1 };
      expect(await cubes.table(in2026)).toEqual([['Bergen', 4]]);
    });

    it('tells columns of one caption apart by their unique names', async () => {
      const { body } = await cubes.call('POST /query', {
        ...SHOPS,
        rows: [{ dimension: 'Store', level: 'Shop' }, { dimension: 'Customer' }],
        filters: [{ dimension: 'Store', level: 'Shop', members: ['Rome'] }],
      });
      expect(body.data.map((row: object) => Object.keys(row))[0]).toEqual([
        'Name ([Store].[Shop])',
        'Name ([Customer].[Person])',
        'Units sold',
      ]);
      expect(body.totalRows).toBe(2);
    });

    it('is previewed by exactly the MDX that it runs', async () => {
      const request = { ...SHOPS, order: [{ by: 'Units', direction: 'desc' }], limit: 2 };
      const preview = await cubes.call('POST /query/preview', request);
      expect(preview).toMatchObject({ status: 200, body: { status: 'PREVIEW', queryId: expect.any(String) } });
      const { body } = await cubes.call('POST /query', request);
      expect(preview.body.generatedMdx).toBe(body.metadata.generatedMdx);
    });

    it('is cut at the server’s number of rows and says so', async () => {
      const small = await open({ maxRows: 2 });
      const { body } = await small.call('POST /query', SHOPS);
      expect(body).toMatchObject({ totalRows: 2, metadata: { truncated: true } });
      expect((await small.call('POST /query', { ...SHOPS, limit: 3 })).body.metadata.truncated).toBe(false);
      await small.close();
    });

    it('is kept, and says so', async () => {
      const keeping = await open({ cacheTtlMs: 60_000 });
      const first = await keeping.call('POST /query', SHOPS);
      const second = await keeping.call('POST /query', SHOPS);
      expect(first.body.metadata.freshness.cached).toBe(false);
      expect(second.body.metadata.freshness).toEqual({ ...first.body.metadata.freshness, cached: true });
      expect(second.body.data).toEqual(first.body.data);
      // What one role was answered is nothing to another.
      expect((await keeping.call('POST /query', SHOPS, scope('north'))).body.metadata.freshness.cached).toBe(false);
      await keeping.close();
    });

    it('takes a name with brackets for nothing but a name', async () => {
      const members = [
        '[Store].[North]}, {[Measures].[Margin]',
        "x' OR 1=1",
        '[Store].[No]]rth]',
        'Descendants([Store])',
      ];
      const { status, body } = await cubes.call('POST /query', {
        ...REGIONS,
        filters: [{ dimension: 'Store', level: 'Region', members }],
      });
      expect(status).toBe(400);
      expect(body.problems.map(({ field }: { field: string }) => field)).toEqual(
        members.map((_, index) => `filters[0].members[${index}]`),
      );
    });
  });

  describe('what is wrong', () => {
    it.each([
      ['a measure', { ...REGIONS, measures: [{ name: 'Unit' }] }, 'measures[0].name', 'Units'],
      ['a dimension', { ...REGIONS, rows: [{ dimension: 'Shop' }] }, 'rows[0].dimension', 'Store'],
      [
        'a hierarchy',
        { ...REGIONS, rows: [{ dimension: 'Store', hierarchy: 'Stores' }] },
        'rows[0].hierarchy',
        'Store',
      ],
      ['a level', { ...REGIONS, rows: [{ dimension: 'Store', level: 'Regions' }] }, 'rows[0].level', 'Region'],
      [
        'a member',
        { ...REGIONS, rows: [{ dimension: 'Store', level: 'Region', members: ['Nort'] }] },
        'rows[0].members[0]',
        '[Store].[North]',
      ],
      [
        'a member of another level',
        { ...REGIONS, filters: [{ dimension: 'Store', level: 'Region', members: ['[Store].[North].[Oslo]'] }] },
        'filters[0].members[0]',
        '[Store].[North]',
      ],
      ['an order', { ...REGIONS, order: [{ by: 'Unitz' }] }, 'order[0].by', 'Units'],
      [
        'an operator',
        { ...REGIONS, filters: [{ dimension: 'Store', level: 'Region', op: 'like', members: ['North'] }] },
        'filters[0].op',
        'in',
      ],
      [
        'a relative value',
        { ...REGIONS, filters: [{ dimension: 'Time', op: 'relative', value: 'yesterday' }] },
        'filters[0].value',
        'last_n_days',
      ],
      [
        'a level too coarse for the value',
        { ...REGIONS, filters: [{ dimension: 'Time', level: 'Year', op: 'relative', value: 'last_n_months' }] },
        'filters[0].level',
        'Month',
      ],
      [
        'personal data',
        { ...REGIONS, rows: [{ dimension: 'Buyer', level: 'Secret Name' }] },
        'rows[0].dimension',
        undefined,
      ],
      ['a personal measure', { ...REGIONS, measures: [{ name: 'Margin' }] }, 'measures[0].name', undefined],
      [
        'what is computed from one',
        { ...REGIONS, measures: [{ name: 'Four Margins' }] },
        'measures[0].name',
        undefined,
      ],
      [
        'a measure of this surface’s own',
        { ...REGIONS, measures: [{ name: '~rows of Sales' }] },
        'measures[0].name',
        undefined,
      ],
    ])('%s is told with its place and the candidates', async (_, request, field, nearest) => {
      const { status, body } = await cubes.call('POST /query', request);
      expect({ status, code: body.status, field: body.field }).toEqual({
        status: 400,
        code: 'VALIDATION_ERROR',
        field,
      });
      expect(body.error).toEqual(expect.any(String));
      expect(body.available).toEqual(expect.any(Array));
      if (nearest !== undefined) expect(body.available[0]).toBe(nearest);
      expect(JSON.stringify(body.available)).not.toMatch(/Margin|Secret|~rows/);
    });

    it.each([
      ['no measure', { ...REGIONS, measures: [] }, 'measures'],
      ['measures of another type', { ...REGIONS, measures: 'Units' }, 'measures'],
      ['an unknown member', { ...REGIONS, having: 1 }, 'having'],
      ['a limit of nothing', { ...REGIONS, limit: 0 }, 'limit'],
      ['a direction', { ...REGIONS, order: [{ by: 'Units', direction: 'up' }] }, 'order[0].direction'],
      [
        'between with one member',
        { ...REGIONS, filters: [{ dimension: 'Store', level: 'Region', op: 'between', members: ['North'] }] },
        'filters[0].members',
      ],
      ['in without members', { ...REGIONS, filters: [{ dimension: 'Store', level: 'Region' }] }, 'filters[0].members'],
      [
        'one hierarchy on both axes',
        { ...REGIONS, columns: [{ dimension: 'Store', level: 'Shop' }] },
        'columns[0].dimension',
      ],
      ['a measure without what it requires', { ...REGIONS, measures: [{ name: 'Yearly' }] }, 'filters'],
    ])('%s is refused', async (_, request, field) => {
      const { status, body } = await cubes.call('POST /query', request);
      expect({ status, code: body.status, field: body.field }).toEqual({
        status: 400,
        code: 'VALIDATION_ERROR',
        field,
      });
    });

    it('all of it is told at once', async () => {
      const { body } = await cubes.call('POST /query', {
        ...REGIONS,
        measures: [{ name: 'A' }],
        rows: [{ dimension: 'B' }, { dimension: 'Store', level: 'C' }],
        filters: [{ dimension: 'Store', level: 'Region', members: ['D'] }],
        order: [{ by: 'E' }],
      });
      expect(body.problems.map(({ field }: { field: string }) => field)).toEqual([
        'measures[0].name',
        'rows[0].dimension',
        'rows[1].level',
        'filters[0].members[0]',
        'order[0].by',
      ]);
    });

    it('a cube that is not there is 404 with the candidates, in a query and in a path', async () => {
      const wanted = { status: 404, body: { error: 'NOT_FOUND', available: [CUBE, 'test/Shops/Shops/Other'] } };
      expect(await cubes.call('POST /query', { ...REGIONS, cube: 'test/Shops/Shops/Sale' })).toMatchObject(wanted);
      expect(await cubes.call('GET /schema/test/Shops/Shops/Sale')).toMatchObject(wanted);
    });

    it('a query that takes too long is 504', async () => {
      const hasty = await open({ timeoutMs: 0 });
      const { status, body } = await hasty.call('POST /query', SHOPS);
      expect({ status, code: body.status }).toEqual({ status: 504, code: 'TIMEOUT' });
      await hasty.close();
    });
  });

  describe('roles', () => {
    it('see their part, and totals of that part', async () => {
      expect(await cubes.table(REGIONS, scope('ROLE_USER', 'north'))).toEqual([['North', 39]]);
      expect(await cubes.table({ cube: CUBE, measures: [{ name: 'Units' }] }, scope('south'))).toEqual([[8]]);
    });

    it('of several see what any of them sees', async () => {
      expect(await cubes.table(REGIONS, scope('north', 'south'))).toEqual([
        ['North', 39],
        ['South', 8],
      ]);
    });

    it('do not find what they do not see', async () => {
      const north = scope('north');
      const { body } = await cubes.call(`GET /schema/${CUBE}`, undefined, north);
      expect(Object.keys(body.measures)).toEqual(['units']);
      expect(Object.keys(body.dimensions)).toEqual(['store', 'time']);
      expect(JSON.stringify(body)).not.toMatch(/South|Rome|Customer/);
      const members = await cubes.call(
        'POST /query',
        { ...REGIONS, rows: [{ dimension: 'Store', level: 'Region', members: ['South'] }] },
        north,
      );
      expect(members.body).toMatchObject({ field: 'rows[0].members[0]', available: ['[Store].[North]'] });
      const level = await cubes.call('POST /query', SHOPS, scope('south'));
      expect(level.body).toMatchObject({ field: 'rows[0].level', available: expect.not.arrayContaining(['Shop']) });
      const search = `GET /members/search?cubeId=${CUBE}&dimension=Store&level=Shop`;
      expect((await cubes.call(search, undefined, north)).body.members).toHaveLength(2);
      expect((await cubes.call('GET /cubes', undefined, north)).body).toHaveLength(1);
    });

    it('of the schema are needed where it has some: nothing is shown to others, everything to administrators', async () => {
      expect((await cubes.call('GET /cubes', undefined, scope('ROLE_USER'))).body).toEqual([]);
      expect((await cubes.call('POST /query', REGIONS, scope('ROLE_USER'))).status).toBe(404);
      expect((await cubes.call('GET /cubes', undefined, scope('ROLE_ADMIN'))).body).toHaveLength(2);
    });
  });

  describe('small groups', () => {
    let masking: Fixture;
    beforeAll(async () => {
      masking = await open({ kAnonymity: { threshold: 3, mask: null } });
    });
    afterAll(() => masking.close());

    it('are masked by the facts behind them, whichever measure is asked for', async () => {
      const { body } = await masking.call('POST /query', REGIONS); // North 4 facts, South 2
      expect(body.data).toEqual([
        { Region: 'North', 'Units sold': { value: 39, formatted: '39', unit: 'pcs' } },
        { Region: 'South', 'Units sold': { value: null, formatted: '-', unit: null, suppressed: true } },
      ]);
      expect(body.metadata.suppressed).toEqual({ count: 1, reason: expect.stringContaining('3') });
    });

    it('are counted among the rows that are shown, not among those that were cut off', async () => {
      const cut = await open({ kAnonymity: { threshold: 3, mask: null }, maxRows: 1 });
      const { body } = await cut.call('POST /query', REGIONS); // South, which is masked, is cut off
      expect([body.totalRows, body.metadata.truncated, body.metadata.suppressed]).toEqual([1, true, undefined]);
      await cut.close();
    });

    it('are masked by a measure that counts where one is asked for', async () => {
      const { body } = await masking.call('POST /query', { ...REGIONS, measures: [{ name: 'Customers' }] });
      expect(body.data.map((row: { Customers: { suppressed?: true } }) => row.Customers.suppressed)).toEqual([
        true,
        true,
      ]);
    });

    it('are masked in a matrix too, and with the token that is set', async () => {
      const tokens = await open({ kAnonymity: { threshold: 3, mask: -1 } });
      const { body } = await tokens.call('POST /query?format=matrix', REGIONS);
      expect(body.matrix[1]).toEqual({ 0: 'South', 1: { value: -1, formatted: '-1', unit: null, suppressed: true } });
      await tokens.close();
    });

    it('are masked for roles that may not see what counts', async () => {
      const { body } = await masking.call('POST /query', SHOPS, scope('north')); // 2 facts each
      expect(body.data.map((row: Record<string, { suppressed?: true }>) => row['Units sold']?.suppressed)).toEqual([
        true,
        true,
      ]);
    });

    it('cannot be ranked: they stand behind all others', async () => {
      const request = { ...REGIONS, order: [{ by: 'Units', direction: 'asc' }] }; // South would be the first
      expect(await masking.table(request)).toEqual([
        ['North', 39],
        ['South', null],
      ]);
      expect(await masking.table({ ...request, limit: 1 })).toEqual([['North', 39]]);
      expect(await masking.table({ ...request, limit: 2 })).toEqual([
        ['North', 39],
        ['South', null],
      ]);
    });

    it('are masked each in its column', async () => {
      const { body } = await masking.call('POST /query', {
        ...REGIONS,
        columns: [{ dimension: 'Time', level: 'Year' }],
      });
      expect(body.data).toMatchObject([
        { Region: 'North', '2025 / Units sold': { value: 35 }, '2026 / Units sold': { suppressed: true } },
        { Region: 'South', '2025 / Units sold': { suppressed: true }, '2026 / Units sold': { value: null } },
      ]);
    });

    it('are masked in what-if answers and asynchronous ones', async () => {
      const whatIf = await masking.call('POST /scenario/whatif', {
        query: REGIONS,
        changes: [{ measure: 'Units', members: ['[Store].[South]'], value: 100 }],
      });
      expect(whatIf.body.data[1]['Units sold']).toMatchObject({ suppressed: true });
      const { body } = await masking.call('POST /query/execute-async', REGIONS);
      const result = await whenDone(masking, body.queryId);
      expect(result.body.data[1]['Units sold']).toMatchObject({ suppressed: true });
    });

    it('are not drilled through', async () => {
      const { body } = await masking.call('POST /query', REGIONS);
      const north = await masking.call(`GET /query/${body.queryId}/drillthrough?position=0:0`);
      expect(north).toMatchObject({ status: 200, body: { rowCount: 4 } });
      expect(await masking.call(`GET /query/${body.queryId}/drillthrough?position=0:1`)).toMatchObject({
        status: 403,
        body: { error: 'FORBIDDEN' },
      });
    });
  });

  describe('asynchronously', () => {
    it('is submitted, told of and fetched in either format', async () => {
      const submitted = await cubes.call('POST /query/execute-async', REGIONS);
      expect(submitted).toMatchObject({ status: 202, body: { status: expect.stringMatching(/PENDING|RUNNING/) } });
      const { queryId } = submitted.body;
      const result = await whenDone(cubes, queryId);
      expect(result.body).toMatchObject({ queryId, status: 'SUCCESS', format: 'records', totalRows: 2 });
      expect((await cubes.call(`GET /query/status/${queryId}`)).body).toEqual({ queryId, status: 'DONE' });
      expect((await cubes.call(`GET /query/result/${queryId}?format=matrix`)).body.matrix).toHaveLength(2);
      expect((await cubes.call(`DELETE /query/${queryId}`)).body).toEqual({ queryId, status: 'DONE' });
      expect((await cubes.call(`GET /query/${queryId}/drillthrough`)).status).toBe(200);
    });

    it('is checked before it is accepted', async () => {
      const { status, body } = await cubes.call('POST /query/execute-async', { ...REGIONS, measures: [{ name: 'X' }] });
      expect({ status, field: body.field }).toEqual({ status: 400, field: 'measures[0].name' });
    });

    it('is nobody else’s', async () => {
      const { body } = await cubes.call('POST /query/execute-async', REGIONS);
      const other = { ...scope('ROLE_ADMIN'), user: 'bob' };
      for (const request of [
        `GET /query/status/${body.queryId}`,
        `GET /query/result/${body.queryId}`,
        `DELETE /query/${body.queryId}`,
      ]) {
        const strangers = await cubes.call(request, undefined, other);
        const unknown = await cubes.call(request.replace(body.queryId, 'none'), undefined, other);
        expect(strangers).toEqual(unknown);
        expect(strangers).toMatchObject({ status: 404, body: { error: 'NOT_FOUND' } });
      }
    });
  });

  describe('drilling through', () => {
    it('gives the facts of a cell, with the levels and the measure', async () => {
      const { body } = await cubes.call('POST /query', {
        ...REGIONS,
        filters: [{ dimension: 'Time', level: 'Year', members: ['2025'] }],
      });
      const { status, body: rows } = await cubes.call(`GET /query/${body.queryId}/drillthrough?position=0:0`);
      expect(status).toBe(200);
      expect(rows).toMatchObject({ queryId: body.queryId, rowCount: 3, truncated: false });
      expect(
        rows.rows.map((row: { Units?: number; 'Units sold'?: number }) => row['Units sold'] ?? row.Units).sort(),
      ).toEqual([10, 20, 5]);
      expect(JSON.stringify(rows)).not.toMatch(/Secret|Margin/);
    });

    it('shows what is asked for, as much as is asked for', async () => {
      const { body } = await cubes.call('POST /query', SHOPS); // Bergen, Oslo, Rome
      const path = `GET /query/${body.queryId}/drillthrough?position=0:1&maxrows=1&returns=${encodeURIComponent('[Store].[Shop], [Measures].[Amount]')}`;
      const { body: rows } = await cubes.call(path);
      expect(rows).toMatchObject({ rowCount: 1, truncated: true });
      expect(Object.values(rows.rows[0])[0]).toBe('Oslo');
      expect(Object.keys(rows.rows[0])).toHaveLength(2);
    });

    it('follows filters below what is shown', async () => {
      const { body } = await cubes.call('POST /query', {
        ...REGIONS,
        filters: [{ dimension: 'Store', level: 'Shop', members: ['Oslo', 'Rome'] }],
      });
      const { body: rows } = await cubes.call(`GET /query/${body.queryId}/drillthrough?position=0:0`);
      expect(rows.rowCount).toBe(2); // Oslo's two, not Bergen's.
    });

    it.each([
      ['position=0:9', 'position'],
      ['position=9:0', 'position'],
      ['position=a', 'position'],
      ['maxrows=0', 'maxrows'],
      ['returns=%5BStore%5D.%5BNope%5D', 'returns'],
      ['returns=%5BBuyer%5D.%5BSecret%20Name%5D', 'returns'],
      ['returns=%5BMeasures%5D.%5BMargin%5D', 'returns'],
    ])('refuses %s', async (parameters, field) => {
      const { body } = await cubes.call('POST /query', SHOPS);
      const answer = await cubes.call(`GET /query/${body.queryId}/drillthrough?${parameters}`);
      expect(answer).toMatchObject({ status: 400, body: { status: 'VALIDATION_ERROR', field } });
    });

    it('refuses a calculated measure, and a query that is not the caller’s', async () => {
      const { body } = await cubes.call('POST /query', { ...SHOPS, measures: [{ name: 'Price' }] });
      const path = `GET /query/${body.queryId}/drillthrough`;
      expect(await cubes.call(path)).toMatchObject({ status: 400, body: { field: 'position' } });
      expect((await cubes.call(path, undefined, { ...scope('ROLE_ADMIN'), user: 'bob' })).status).toBe(404);
      expect((await cubes.call(path, undefined, scope('north'))).status).toBe(404);
    });
  });

  describe('what if', () => {
    it('answers as if a cell held another value, and saves nothing', async () => {
      const changes = [
        { measure: 'Units', members: ['[Store].[North]'], value: 78, allocation: 'weighted_allocation' },
      ];
      const { status, body } = await cubes.call('POST /scenario/whatif', { query: SHOPS, changes });
      expect(status).toBe(200);
      // Twice the 39 of North, in proportion.
      expect(body.data.map((row: Record<string, { value: number }>) => row['Units sold']?.value)).toEqual([18, 60, 8]);
      expect(await cubes.table(SHOPS)).toEqual([
        ['Bergen', 9],
        ['Oslo', 30],
        ['Rome', 8],
      ]);
    });

    it.each([
      ['an unknown measure', { measure: 'Unit', value: 1 }, 'changes[0].measure'],
      ['a measure that is no sum', { measure: 'Customers', value: 1 }, 'changes[0].measure'],
      ['a calculated measure', { measure: 'Price', value: 1 }, 'changes[0].measure'],
      ['an unknown member', { measure: 'Units', value: 1, members: ['[Store].[East]'] }, 'changes[0].members[0]'],
      [
        'two members of a hierarchy',
        { measure: 'Units', value: 1, members: ['[Store].[North]', '[Store].[South]'] },
        'changes[0].members[1]',
      ],
      ['personal data', { measure: 'Units', value: 1, members: ['[Buyer].[ann]'] }, 'changes[0].members[0]'],
      ['an allocation', { measure: 'Units', value: 1, allocation: 'even' }, 'changes[0].allocation'],
    ])('refuses %s', async (_, change, field) => {
      const { status, body } = await cubes.call('POST /scenario/whatif', { query: REGIONS, changes: [change] });
      expect({ status, field: body.field }).toEqual({ status: 400, field });
    });

    it('tells what is wrong with its query at the query', async () => {
      const query = { ...REGIONS, measures: [{ name: 'X' }] };
      const { body } = await cubes.call('POST /scenario/whatif', { query, changes: [{ measure: 'Units', value: 1 }] });
      expect(body.field).toBe('query.measures[0].name');
    });
  });

  describe('as a source of saved queries', () => {
    const crosstab = { ...REGIONS, columns: [{ dimension: 'Time', level: 'Year' }] };

    it('takes null for members that may be left out, as the query does', async () => {
      const { rows, ...others } = crosstab;
      const saved = {
        ...others,
        rows: rows.map((item) => ({ ...item, hierarchy: null, members: null })),
        filters: null,
        order: null,
        limit: null,
        nonEmpty: null,
      };
      const answered = await cubes.surface.source.prepare(crosstab).run(scope('ROLE_ADMIN'), {});
      const { records } = await cubes.surface.source.prepare(saved).run(scope('ROLE_ADMIN'), {});
      expect(records).toEqual(answered.records);
      const { status, body } = await cubes.call('POST /query', saved);
      expect([status, body.totalRows]).toEqual([200, 2]);
    });

    it('answers a table with one record for each combination', async () => {
      const answer = await cubes.surface.source.prepare(crosstab).run(scope('ROLE_ADMIN'), {});
      expect(answer.columns).toEqual([
        { key: 'Store.Region', label: 'Region', type: 'dimension', dataType: 'text' },
        { key: 'Time.Year', label: 'Year', type: 'dimension', dataType: 'text' },
        { key: 'Units', label: 'Units sold', type: 'metric', dataType: 'integer', aggregationKind: 'sum' },
      ]);
      expect(answer.records).toEqual([
        { 'Store.Region': 'North', 'Time.Year': '2025', Units: { value: 35, formatted: '35' } },
        { 'Store.Region': 'North', 'Time.Year': '2026', Units: { value: 4, formatted: '4' } },
        { 'Store.Region': 'South', 'Time.Year': '2025', Units: { value: 8, formatted: '8' } },
      ]);
    });

    it('shows what its owner may see', async () => {
      const { records } = await cubes.surface.source.prepare(REGIONS).run(scope('north'), {});
      expect(records).toHaveLength(1);
    });

    it('can be narrowed by what it shows', async () => {
      expect(cubes.surface.source.prepare(crosstab).dimensions).toEqual(['Store.Region', 'Time.Year']);
      const run = (op: 'IN' | 'NEQ' | 'GT', ...values: string[]) =>
        cubes.surface.source.prepare(crosstab).run(scope('ROLE_ADMIN'), {
          runtimeFilters: [{ field: 'Time.Year', op, values }],
        });
      expect((await run('IN', '2026')).records).toHaveLength(1);
      expect((await run('NEQ', '2026')).records).toHaveLength(2);
      expect((await run('IN', 'never')).records).toHaveLength(0);
      await expect(run('GT', '2025')).rejects.toMatchObject({ field: 'filter' });
    });
  });

  it('stops the warehouse’s work when the caller goes away', async () => {
    const started = moment();
    const stopped = moment();
    const plain = boundTo(warehouse.warehouse);
    let isStalling = false;
    const stalling: Warehouse = {
      ...plain,
      query(statement, options) {
        if (!isStalling) return plain.query(statement, options);
        const { signal } = options;
        started.reached();
        return new Promise((_, reject) => {
          signal?.addEventListener('abort', () => {
            stopped.reached();
            reject(new CancelledError('The statement was cancelled.'));
          });
        });
      },
    };
    const slow = await Fixture.open({
      warehouses: {
        ...warehouse.warehouses,
        open: async () => stalling,
        supported: [],
        release: async () => undefined,
      },
      address: warehouse.address,
      cache: openCache({ maxBytes: 1_000_000, clock: Date.now }),
      state,
      schema: STORE_SCHEMA,
    });
    // Loading asks, too: it checks the formulas.
    isStalling = true;
    const caller = new AbortController();
    const answer = slow.surface.source.prepare(REGIONS).run(scope('ROLE_ADMIN'), { signal: caller.signal });
    const refused = expect(answer).rejects.toMatchObject({ kind: 'CANCELLED' });
    await started.promise;
    caller.abort();
    await refused;
    await stopped.promise;
    await slow.close();
  });

  it('a sort by a formula that has no value over several periods is refused, not a failure', async () => {
    const changing = await open();
    const formula = 'formula="([Measures].[Units], [Time].CurrentMember.PrevMember)"';
    await changing.reload(STORE_SCHEMA.replace('formula="[Measures].[Amount] / [Measures].[Units]"', formula));
    const { body: found } = await changing.call(`GET /members/search?cubeId=${CUBE}&dimension=Time&level=Year`);
    const filters = [
      {
        dimension: 'Time',
        level: 'Year',
        members: found.members.map((member: { readonly uniqueName: string }) => member.uniqueName),
      },
    ];
    expect(filters[0]?.members.length).toBeGreaterThan(1);
    const answer = await changing.call('POST /query', { ...REGIONS, filters, order: [{ by: 'Price' }] });
    expect(answer).toMatchObject({ status: 400, body: { status: 'VALIDATION_ERROR', field: 'order' } });
    await changing.close();
  });

  describe('another version of the schema', () => {
    it('serves when it can be read; else the earlier one goes on, and the problem has its line', async () => {
      const versions = await open();
      const broken = STORE_SCHEMA.replace('aggregator="sum"', 'aggregator="some"');
      expect(await versions.reload(broken)).toEqual([
        { severity: 'error', line: expect.any(Number), message: expect.stringContaining('"some"') },
      ]);
      expect((await versions.reload('<Schema name="x"><Cube name="y">'))[0]).toMatchObject({ severity: 'error' });
      expect(await versions.table(REGIONS)).toEqual([
        ['North', 39],
        ['South', 8],
      ]);
      const renamed = STORE_SCHEMA.replace(
        '<Measure name="Units" column="units"',
        '<Measure name="Units" column="amount"',
      );
      expect(await versions.reload(renamed)).toEqual([]);
      expect(await versions.table(REGIONS)).toEqual([
        ['North', 394.5],
        ['South', 80],
      ]);
      versions.surface.loaderOf(TENANT).unload('test');
      expect((await versions.call('GET /cubes')).body).toEqual([]);
      await versions.close();
    });

    it('is served with a warning where the warehouse lacks a table or a column', async () => {
      const versions = await open();
      const problems = await versions.reload(
        STORE_SCHEMA.replace('<Table name="store"/>', '<Table name="shop"/>').replace(
          'column="month_no"',
          'column="month_number"',
        ),
      );
      expect(problems.map(({ severity, message }) => `${severity}: ${message}`)).toEqual([
        'warning: The warehouse has no table shop.',
        'warning: The table period has no column month_number.',
      ]);
      await versions.close();
    });
  });
});

/** Makes a moment to wait for. */
function moment() {
  let reached = (): void => undefined;
  const promise = new Promise<void>((resolve) => {
    reached = resolve;
  });
  return { promise, reached: () => reached() };
}

/** Copies the warehouse's members as properties of its own, so that some can be replaced. */
function boundTo(warehouse: Warehouse): Warehouse {
  return {
    dialect: warehouse.dialect,
    ping: (signal) => warehouse.ping(signal),
    query: (statement, options) => warehouse.query(statement, options),
    stream: (statement, options) => warehouse.stream(statement, options),
    tables: (options) => warehouse.tables(options),
    columns: (table, signal) => warehouse.columns(table, signal),
    columnsOf: (tables, signal) => warehouse.columnsOf(tables, signal),
    catalogStatistics: (tables, signal) => warehouse.catalogStatistics(tables, signal),
    declaredKeys: (tables, signal) => warehouse.declaredKeys(tables, signal),
    rowEstimates: (options) => warehouse.rowEstimates(options),
    dataVersion: () => warehouse.dataVersion(),
    close: () => warehouse.close(),
  };
}

/** Waits for the answer of an asynchronous query. */
async function whenDone(cubes: Fixture, queryId: string) {
  for (let attempt = 0; attempt < 200; attempt++) {
    const result = await cubes.call(`GET /query/result/${queryId}`);
    if (result.status === 200) return result;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('the query was never done');
}
