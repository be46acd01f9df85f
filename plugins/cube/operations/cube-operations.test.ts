/**
 * Tests the operations that list and describe cubes, through REST, on a cube with figures computed by hand; see
 * `testing/store.ts`.
 */
import { expect, it } from 'vitest';
import { CUBE, describeStore } from '../testing/engine-fixture.ts';

describeStore('listing and describing cubes', (store) => {
  it('reads the schema without a problem', () => {
    expect(store.cubes.problems).toEqual([]);
  });

  it('lists cubes', async () => {
    const { status, body } = await store.cubes.call('GET /cubes');
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

  it('does not list the implicit count of facts', async () => {
    const { body } = await store.cubes.call('GET /cubes');
    expect(body[0]).toMatchObject({ cubeName: 'Other', measureCount: 1, defaultMeasure: 'Units' });
    expect(JSON.stringify((await store.cubes.call('GET /schema/test/Shops/Shops/Other')).body)).not.toContain(
      'Fact Count',
    );
    const request = { cube: 'test/Shops/Shops/Other', measures: [{ name: 'Fact Count' }] };
    expect((await store.cubes.call('POST /query', request)).status).toBe(400);
  });

  it('describes a cube, with keys in lower case and no personal data', async () => {
    const { status, body } = await store.cubes.call(`GET /schema/${CUBE}`);
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

  it('offers a JSON Schema with the legal names, and examples that run unchanged', async () => {
    const { body } = await store.cubes.call(`GET /schema/${CUBE}`);
    expect(body.requestSchema.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
    const { properties } = body.requestSchema;
    expect(properties.measures.items.properties.name.enum).toContain('quantity');
    expect(properties.rows.items.properties.level.enum).toContain('territory');
    expect(Object.keys(body.examples)).toEqual(['simpleGroupBy', 'topN', 'crosstab', 'filtered']);
    for (const { body: request } of Object.values<{ body: object }>(body.examples)) {
      const { status, body: answer } = await store.cubes.call('POST /query', request);
      expect(status).toBe(200);
      expect(answer.totalRows).toBeGreaterThan(0);
    }
  });

  it('searches members', async () => {
    const search = `GET /members/search?cubeId=${CUBE}&dimension=Store&level=Shop`;
    expect((await store.cubes.call(`${search}&q=O`)).body).toEqual({
      members: [
        { caption: 'Oslo', uniqueName: '[Store].[North].[Oslo]' },
        { caption: 'Rome', uniqueName: '[Store].[South].[Rome]' },
      ],
    });
    expect((await store.cubes.call(`${search}&limit=1`)).body.members).toHaveLength(1);
    expect((await store.cubes.call(`${search}&q=%25`)).body.members).toEqual([]);
    expect((await store.cubes.call(`${search}&parent=%5BStore%5D.%5BNorth%5D`)).body).toEqual({
      members: [
        { caption: 'Bergen', uniqueName: '[Store].[North].[Bergen]' },
        { caption: 'Oslo', uniqueName: '[Store].[North].[Oslo]' },
      ],
    });
    expect((await store.cubes.call(`${search}&parent=%5BStore%5D.%5BNorth%5D&limit=1`)).body.members).toHaveLength(1);
    expect(await store.cubes.call(`${search}&parent=Nowhere`)).toMatchObject({
      status: 400,
      body: { status: 'VALIDATION_ERROR', field: 'parent' },
    });
    expect(await store.cubes.call(`GET /members/search?cubeId=${CUBE}&dimension=Store&level=Shops`)).toMatchObject({
      status: 400,
      body: { status: 'VALIDATION_ERROR', field: 'level', available: expect.arrayContaining(['Shop', 'Region']) },
    });
  });

  it('suggests what to annotate as personal, except what is annotated either way', async () => {
    const { body } = await store.cubes.call(`GET /schema/test/Shops/Shops/Other/pii-suggestions`);
    expect(body.suggestions).toEqual([
      { target: '[Customer].[Person]', reason: expect.stringContaining('single persons') },
    ]);
    expect((await store.cubes.call(`GET /schema/${CUBE}/pii-suggestions`)).body).toEqual({
      suggestions: [{ target: '[Measures].[Customers]', reason: expect.any(String) }],
    });
  });
});
