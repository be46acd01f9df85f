/** Tests that viewers see the rows of their attributes only: in their dataset, and in every fact that leads to it. */
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Attributes } from '../../../router/capabilities/attributes.ts';
import type { Scope } from '../../../router/capabilities/identity.ts';
import { ValidationError } from '../../../router/errors.ts';
import { SEED } from '../../../router/testing/seed.ts';
import { openCache } from '../../../server/cache/cache.ts';
import { describeEngines } from '../../../server/warehouse/testing/describe-engines.ts';
import { type AnyEngineName, startWarehouse } from '../../../server/warehouse/testing/engines.ts';
import { runsOn } from '../../../server/warehouse/testing/runs-on.ts';
import type { Row, Shop } from '../testing/brute-force.ts';
import { openOn } from '../testing/engine-fixture.ts';
import { Fixture, scope } from '../testing/fixture.ts';
import {
  expectedOf,
  randomQueries,
  requestOf,
  rounded,
  type ShopViewerFilters,
  shopDocument,
  shops,
  shopTables,
} from '../testing/random-shop.ts';
import { statementsFor, type Table } from '../testing/tables.ts';

const FILTERS: ShopViewerFilters = {
  regions: [{ field: 'name', attribute: 'regions' }],
  stores: [{ field: 'size', attribute: 'sizes' }],
  products: [{ field: 'price', attribute: 'prices' }],
};

/** Cuts the shop to the rows of a viewer, by loops: a row is kept if its value is one of the viewer's, and its matches are kept. */
function cutFor(attributes: Attributes, shop: Shop): Shop {
  const has = (rows: readonly Row[], key: Row[string] | undefined) => rows.some(({ id }) => id === key);
  const isOne = (name: string, value: Row[string] | undefined) =>
    value !== null && value !== undefined && (attributes[name] ?? []).includes(value);
  const regions = shop.regions.filter((row) => isOne('regions', row.name));
  const stores = shop.stores.filter((row) => isOne('sizes', row.size) && has(regions, row.region_id));
  const products = shop.products.filter((row) => isOne('prices', row.price));
  const sales = shop.sales.filter((row) => has(stores, row.store_id) && has(products, row.product_id));
  const returns = shop.returns.filter((row) => has(products, row.product_id));
  return { ...shop, regions, stores, products, sales, returns };
}

const [shop] = fc.sample(shops, { seed: SEED, numRuns: 1 });
if (shop === undefined) throw new Error('no shop was made');
const valuesOf = (rows: readonly Row[], column: string) =>
  [...new Set(rows.map((row) => row[column]))].flatMap((value) =>
    value === null || value === undefined ? [] : [value],
  );
const anyOf = (rows: readonly Row[], column: string) =>
  fc.option(fc.subarray(valuesOf(rows, column)), { freq: 8, nil: undefined });

const viewers: fc.Arbitrary<Attributes> = fc
  .record({
    regions: anyOf(shop.regions, 'name'),
    sizes: anyOf(shop.stores, 'size'),
    prices: anyOf(shop.products, 'price'),
  })
  .map((lists) =>
    Object.fromEntries(
      Object.entries(lists).flatMap(([name, values]) => (values === undefined ? [] : [[name, values]])),
    ),
  );

describeEngines(`random requests of viewers on $engine (SEED=${SEED})`, (engine) => {
  let fixture: Fixture;
  beforeAll(async () => {
    const warehouse = await startWarehouse(engine, statementsFor(engine, shopTables(shop)), { poolSize: 2 });
    const cache = openCache({ maxBytes: 10_000_000, clock: Date.now });
    const document = shopDocument({}, FILTERS);
    // Answers are kept, so that the answer of one viewer would reach another if the key left out their values.
    fixture = await Fixture.open({ warehouse, cache, document, settings: { cacheTtlMs: 600_000 } });
    expect(fixture.problems).toEqual([]);
  });
  afterAll(() => fixture.close());

  it('have the answers of loops over the rows of each viewer', async () => {
    await fc.assert(
      fc.asyncProperty(randomQueries, viewers, async (query, attributes) => {
        const viewer: Scope = { ...scope('ROLE_USER'), attributes };
        const expected = expectedOf(query, cutFor(attributes, shop));
        if (expected === undefined) {
          await expect(fixture.run(requestOf(query), viewer)).rejects.toBeInstanceOf(ValidationError);
          return;
        }
        const table = await fixture.table(requestOf(query), viewer);
        expect(table.map((row) => row.map(rounded))).toEqual(expected.map((row) => row.map(rounded)));
      }),
      { seed: SEED, numRuns: runsOn(engine, 60) },
    );
  });
});

const TABLES: readonly Table[] = [
  {
    name: 'regions',
    columns: [
      ['id', 'integer'],
      ['name', 'text'],
      ['opened', 'date'],
      ['is_open', 'boolean'],
    ],
    rows: [
      [1, 'South', '2024-01-01', true],
      [2, 'North', '2024-06-01', false],
      [3, "O'Hara", '2024-06-01', true],
      [4, null, null, null],
    ],
  },
  {
    name: 'sales',
    columns: [
      ['id', 'integer'],
      ['region_id', 'integer'],
      ['amount', 'integer'],
    ],
    rows: [
      [1, 1, 1],
      [2, 2, 2],
      [3, 3, 4],
      [4, 4, 8],
      [5, null, 16],
    ],
  },
];
const field = (name: string) => `{ name: ${name}, expression: [{ dialect: ANSI_SQL, expression: ${name} }] }`;

/** A model of sales by region. */
function salesDocument({ filters, model = {} }: { readonly filters: object; readonly model?: object }): string {
  const extension = (data: object) => `custom_extensions: [{ vendor_name: SERVICE, data: '${JSON.stringify(data)}' }]`;
  return `
semantic_model:
  - name: shop
    ${extension(model)}
    datasets:
      - { name: sales, source: sales, primary_key: [id], fields: [${field('id')}] }
      - name: regions
        source: regions
        primary_key: [id]
        ${extension(filters)}
        fields:
          - ${field('name')}
          - ${field('opened')}
          - ${field('is_open')}
          - { name: rank, expression: [{ dialect: ANSI_SQL, expression: id * 10 }] }
    relationships: [{ name: of_region, from: sales, to: regions, from_columns: [region_id], to_columns: [id] }]
    metrics: [{ name: amount, expression: [{ dialect: ANSI_SQL, expression: SUM(sales.amount) }] }]
`;
}

const TOTAL = { model: 'shop', values: [{ metric: 'amount' }] };
const ofViewer = (attributes: Attributes, ...roles: readonly string[]): Scope => ({ ...scope(...roles), attributes });

async function openSales(engine: AnyEngineName, document: string): Promise<Fixture> {
  return openOn(engine, TABLES, { document });
}

describeEngines(
  'viewer filters on $engine',
  (engine) => {
    const total = async (filters: object, viewer: Scope, model: object = {}) => {
      const fixture = await openSales(engine, salesDocument({ filters, model }));
      try {
        expect(fixture.problems).toEqual([]);
        return (await fixture.numbers(TOTAL, viewer))[0]?.[0];
      } finally {
        await fixture.close();
      }
    };
    const byName = { viewer_filters: [{ field: 'name', attribute: 'names' }] };

    it('sum the rows whose field is one of the values, although the query does not name the dataset', async () => {
      expect(await total(byName, ofViewer({ names: ['South', "O'Hara"] }))).toBe(5);
      // SQL in a value is a value.
      expect(await total(byName, ofViewer({ names: ["South' OR '1'='1"] }))).toBe(null);
    });

    it('show no row to a caller without the attribute, or without values', async () => {
      expect(await total(byName, scope('ROLE_USER'))).toBe(null);
      expect(await total(byName, ofViewer({ names: [] }))).toBe(null);
      expect(await total(byName, ofViewer({ regions: ['South'] }))).toBe(null);
    });

    it('compare values by the type of the field; a value of another type selects no row', async () => {
      const by = (name: string) => ({ viewer_filters: [{ field: name, attribute: 'values' }] });
      expect(await total(by('rank'), ofViewer({ values: [10, '20'] }))).toBe(3);
      expect(await total(by('rank'), ofViewer({ values: ['ten', true, '1e999', 10.5] }))).toBe(null);
      expect(await total(by('opened'), ofViewer({ values: ['2024-06-01', 'June'] }))).toBe(6);
      expect(await total(by('is_open'), ofViewer({ values: [true] }))).toBe(5);
      expect(await total(by('is_open'), ofViewer({ values: ['yes', 1] }))).toBe(null);
      expect(await total(by('name'), ofViewer({ values: [1, true, '\u0000'] }))).toBe(null);
    });

    it('apply together, and beside row predicates', async () => {
      const both = {
        roles: { row_predicates: { ROLE_OPEN: 'is_open', '*': '1 = 1' } },
        viewer_filters: [
          { field: 'name', attribute: 'names' },
          { field: 'opened', attribute: 'days' },
        ],
      };
      const attributes = { names: ['North', "O'Hara"], days: ['2024-06-01'] };
      expect(await total(both, ofViewer(attributes, 'ROLE_USER'))).toBe(6);
      expect(await total(both, ofViewer(attributes, 'ROLE_OPEN'))).toBe(4);
    });

    it('free a session of an exempt role, but no embed that reads with the role', async () => {
      const model = { viewer_exempt: ['ROLE_ADMIN'] };
      expect(await total(byName, { ...scope('ROLE_ADMIN'), isAccount: true }, model)).toBe(31);
      expect(await total(byName, scope('ROLE_ADMIN'), model)).toBe(null);
      expect(await total(byName, { ...scope('ROLE_USER'), isAccount: true }, model)).toBe(null);
    });

    it('are narrowed, never widened, by the caller who views as somebody', async () => {
      const south: Scope = { ...ofViewer({ names: ['South'] }, 'ROLE_ADMIN'), isAccount: true };
      const seen = (names: readonly string[], viewedBy: Scope) => ({ ...ofViewer({ names }, 'ROLE_ADMIN'), viewedBy });
      expect(await total(byName, seen(['South', 'North'], south))).toBe(1);
      const exempt: Scope = { ...scope('ROLE_ADMIN'), isAccount: true };
      const model = { viewer_exempt: ['ROLE_ADMIN'] };
      expect(await total(byName, seen(['South', 'North'], exempt), model)).toBe(3);
    });
  },
  // The filters of viewers are row predicates, which `row-predicates.test.ts` runs on every engine.
  { engines: ['duckdb', 'postgresql'] },
);

describe('a document whose viewer filters cannot be applied is refused', () => {
  const problemsOf = async (document: string) => {
    const fixture = await openSales('duckdb', document);
    try {
      await expect(fixture.run(TOTAL, scope('ROLE_ADMIN'))).rejects.toThrow();
      return fixture.problems.filter(({ severity }) => severity === 'error').map(({ message }) => message);
    } finally {
      await fixture.close();
    }
  };

  it.each<[string, { readonly filters: object; readonly model?: object }, RegExp]>([
    [
      'an unknown field',
      { filters: { viewer_filters: [{ field: 'nmae', attribute: 'names' }] } },
      /field nmae.*It has name/,
    ],
    [
      'an undeclared attribute',
      {
        filters: { viewer_filters: [{ field: 'name', attribute: 'nams' }] },
        model: { viewer_attributes: [{ name: 'names' }] },
      },
      /attribute nams.*declares names/,
    ],
    [
      'an attribute of another type',
      {
        filters: { viewer_filters: [{ field: 'name', attribute: 'names' }] },
        model: { viewer_attributes: [{ name: 'names', type: 'number' }] },
      },
      /compares name.*declared as number/,
    ],
    ['a misspelled member', { filters: { viewer_filter: [] } }, /no member viewer_filter/],
    ['a filter without an attribute', { filters: { viewer_filters: [{ field: 'name' }] } }, /viewer_filters/],
    [
      'filters of the model',
      { filters: {}, model: { viewer_filters: [{ field: 'name', attribute: 'a' }] } },
      /belong to a dataset/,
    ],
    ['exempt roles of a dataset', { filters: { viewer_exempt: ['ROLE_USER'] } }, /belong to the model/],
  ])('%s', async (_, parts, message) => {
    expect(await problemsOf(salesDocument(parts))).toContainEqual(expect.stringMatching(message));
  });
});
