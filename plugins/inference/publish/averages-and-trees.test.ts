/**
 * Tests that a published rate is the average by its weight, in the cube as in the semantic model, and that a key to the own
 * table becomes a tree. The figures are computed by hand.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readDisplay, readExtension } from '../publish/semantic-models.ts';
import { type Published, publishDatabase } from '../testing/engine-fixture.ts';

/**
 * 120 lines in 12 categories, ten lines each. Categories 1 to 3 are at the top; below each are three others: 4, 7 and 10 below
 * 1, and so on. Lines of even numbers are 3 pieces at 10, the others 1 piece at 20; every twelfth line has no price.
 */
const SET_UP = [
  `CREATE TABLE categories AS SELECT range + 1 AS category_id, 'Category ' || (range + 1) AS category_name,
     CASE WHEN range >= 3 THEN range % 3 + 1 END AS parent_category_id FROM range(12)`,
  `CREATE TABLE sales AS SELECT range + 1 AS sale_id, range % 12 + 1 AS category_id, 'S' || range % 2 AS shop,
     DATE '2024-01-01' + CAST(range % 90 AS INTEGER) AS sold_on,
     CASE WHEN range % 12 = 11 THEN NULL WHEN range % 2 = 0 THEN 10.00 ELSE 20.00 END::DECIMAL(9,2) AS unit_price,
     CASE WHEN range % 2 = 0 THEN 3 ELSE 1 END AS quantity,
     CASE WHEN range % 2 = 0 THEN 4.5 ELSE 3.0 END AS humidity FROM range(120)`,
];
/** 60 lines of 3 at 10, and of the 60 others 50 with a price of 20: 2,800 for 230 pieces. */
const WEIGHTED = 2_800 / 230;

let published: Published;
beforeAll(async () => {
  published = await publishDatabase(SET_UP);
});
afterAll(() => published?.stop());

describe('a price beside a quantity', () => {
  it('is proposed as the average by the quantity, with the reason', () => {
    const measure = published.proposal.cubes[0]?.measures.find(({ column }) => column === 'unit_price');
    expect(measure).toMatchObject({
      aggregator: 'avg',
      weight: 'quantity',
      reason: 'Numeric column whose sum means nothing: averaged, weighted by quantity.',
    });
  });

  it('has the same figures in the cube and in the semantic model, without rows that have no price', async () => {
    const [all, shops] = [
      await published.cells('select {[Measures].[Average Unit Price]} on 0 from [Sales]'),
      await published.cells('select {[Measures].[Average Unit Price]} on 0, [Shop].[Shop].Members on 1 from [Sales]'),
    ];
    expect(all['']).toBeCloseTo(WEIGHTED, 10);
    expect(shops).toEqual({ S0: 10, S1: 20 });
    const metric = published.model.metrics?.find((each) => readDisplay(each)?.caption === 'Average Unit Price');
    const common = { connection: 'shop-model', model: published.model.name, values: [{ metric: metric?.name }] };
    expect(Object.values((await published.records(common))[0] ?? {})[0]).toBeCloseTo(WEIGHTED, 10);
    const byShop = await published.records({ ...common, rows: [{ dataset: 'sales', field: 'shop' }] });
    expect(byShop.map((record) => Object.values(record)).toSorted()).toEqual([
      ['S0', 10],
      ['S1', 20],
    ]);
  });

  it('says its weight in the model, which has none of its parts', () => {
    const metric = published.model.metrics?.find((each) => readDisplay(each)?.caption === 'Average Unit Price');
    expect(metric?.description).toBe('Average of unit_price, weighted by quantity');
    expect(published.model.metrics?.filter(({ name }) => name.includes('weight'))).toEqual([]);
  });

  it('is never offered as a sum, and neither is a number without a weight', () => {
    const averages = published.model.metrics?.filter((each) => /^Average/.test(String(readDisplay(each)?.caption)));
    expect(averages?.map(({ name }) => name).toSorted()).toEqual(['average_humidity', 'average_unit_price']);
    for (const each of averages ?? []) expect(readExtension(each)).toMatchObject({ additive: false });
  });
});

describe('a key to the own table', () => {
  it('is a tree in the cube: a parent has the figures of its children and its own', async () => {
    const trees = published.proposal.cubes[0]?.dimensions.filter(({ levels }) => levels[0]?.parentColumn !== undefined);
    expect(trees).toMatchObject([
      {
        name: 'Categories Hierarchy',
        foreignKey: 'category_id',
        levels: [{ column: 'category_id', nameColumn: 'category_name', parentColumn: 'parent_category_id' }],
      },
    ]);
    // Ten lines a category. Category 1 has its own and the lines of three others.
    expect(
      await published.cells(
        'select {[Measures].[Row Count]} on 0, [Categories Hierarchy].[All Categories Hierarchys].Children on 1 from [Sales]',
      ),
    ).toEqual({ 'Category 1': 40, 'Category 2': 40, 'Category 3': 40 });
    expect(
      await published.cells(
        'select {[Measures].[Row Count]} on 0, {[Categories Hierarchy].[Category 1].Children} on 1 from [Sales]',
      ),
    ).toMatchObject({ 'Category 4': 10, 'Category 7': 10, 'Category 10': 10 });
  });

  it('leads to the parents in the semantic model; rows at the top have none', async () => {
    const metric = published.model.metrics?.find((each) => readDisplay(each)?.caption === 'Row Count');
    const byParent = await published.records({
      connection: 'shop-model',
      model: published.model.name,
      rows: [{ dataset: 'categories_parent', field: 'category_name' }],
      values: [{ metric: metric?.name }],
    });
    expect(Object.fromEntries(byParent.map((record) => Object.values(record).map((each) => each ?? 'none')))).toEqual({
      none: 30,
      'Category 1': 30,
      'Category 2': 30,
      'Category 3': 30,
    });
  });
});
