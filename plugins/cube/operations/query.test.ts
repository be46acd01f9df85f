/**
 * Tests typed queries and their answers, through REST, on a cube with figures computed by hand; see `testing/store.ts`.
 */
import { expect, it } from 'vitest';
import { CUBE, describeStore, REGIONS, SHOPS } from '../testing/engine-fixture.ts';
import { scope } from '../testing/fixture.ts';

describeStore('a cube query', (store) => {
  it('answers records with envelopes and the MDX that ran', async () => {
    const { status, body } = await store.cubes.call('POST /query', {
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
    const { body } = await store.cubes.call('POST /query?format=matrix', REGIONS);
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
      'with empty rows if they are requested',
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
  ])('answers %s', async (_, request, expected) => {
    expect(await store.cubes.table(request)).toEqual(expected);
  });

  it('puts columns across, one for each combination with the measures', async () => {
    const { body } = await store.cubes.call('POST /query', {
      ...REGIONS,
      columns: [{ dimension: 'Time', level: 'Year' }],
    });
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

  it('ranks rows by the total of the shown columns', async () => {
    const columns = [{ dimension: 'Time', level: 'Year', members: ['2026', '[Time].[2025]'] }];
    const request = { ...SHOPS, columns, order: [{ by: 'Units', direction: 'desc' }], limit: 2 };
    expect(await store.cubes.table(request)).toEqual(
      [
        ['Oslo', 30],
        ['Bergen', 4, 5],
      ].map((row) => (row.length === 2 ? ['Oslo', null, 30] : row)),
    );
    const in2026 = { ...request, columns: [{ dimension: 'Time', level: 'Year', members: ['2026'] }], limit: 1 };
    expect(await store.cubes.table(in2026)).toEqual([['Bergen', 4]]);
  });

  it('distinguishes columns of one caption by their unique names', async () => {
    const { body } = await store.cubes.call('POST /query', {
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

  it('is previewed with exactly the MDX that runs', async () => {
    const request = { ...SHOPS, order: [{ by: 'Units', direction: 'desc' }], limit: 2 };
    const preview = await store.cubes.call('POST /query/preview', request);
    expect(preview).toMatchObject({ status: 200, body: { status: 'PREVIEW', queryId: expect.any(String) } });
    const { body } = await store.cubes.call('POST /query', request);
    expect(preview.body.generatedMdx).toBe(body.metadata.generatedMdx);
  });

  it('is cut at the server’s row limit and reports it', async () => {
    const small = await store.open({ maxRows: 2 });
    const { body } = await small.call('POST /query', SHOPS);
    expect(body).toMatchObject({ totalRows: 2, metadata: { truncated: true } });
    expect((await small.call('POST /query', { ...SHOPS, limit: 3 })).body.metadata.truncated).toBe(false);
    await small.close();
  });

  it('is cached and reports it', async () => {
    const keeping = await store.open({ cacheTtlMs: 60_000 });
    const first = await keeping.call('POST /query', SHOPS);
    const second = await keeping.call('POST /query', SHOPS);
    expect(first.body.metadata.freshness.cached).toBe(false);
    expect(second.body.metadata.freshness).toEqual({ ...first.body.metadata.freshness, cached: true });
    expect(second.body.data).toEqual(first.body.data);
    // Roles do not share answers.
    expect((await keeping.call('POST /query', SHOPS, scope('north'))).body.metadata.freshness.cached).toBe(false);
    await keeping.close();
  });

  it('treats a name with brackets only as a name', async () => {
    const members = [
      '[Store].[North]}, {[Measures].[Margin]',
      "x' OR 1=1",
      '[Store].[No]]rth]',
      'Descendants([Store])',
    ];
    const { status, body } = await store.cubes.call('POST /query', {
      ...REGIONS,
      filters: [{ dimension: 'Store', level: 'Region', members }],
    });
    expect(status).toBe(400);
    expect(body.problems.map(({ field }: { field: string }) => field)).toEqual(
      members.map((_, index) => `filters[0].members[${index}]`),
    );
  });
});
