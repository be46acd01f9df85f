import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AnomalyMethod, detectPlanted, PLANTED } from './testing/planted.ts';
import { type AskableWarehouse, generated } from './testing/warehouse.ts';
import { DEFAULT_FACT_ROWS, DEFAULT_SEED } from './warehouse/generate.ts';

let warehouse: AskableWarehouse;
beforeAll(async () => {
  warehouse = await generated({ seed: DEFAULT_SEED, factRows: DEFAULT_FACT_ROWS });
});
afterAll(async () => warehouse?.close());

/** Months have few points, so chance flags none beyond the planted ones at the default. */
test.each(['supplier', 'container'] as const)('stl flags all planted points and nothing else: %s', async (name) => {
  expect(await detectPlanted(warehouse, PLANTED[name], 'stl')).toMatchObject({ used: 'stl', precision: 1, recall: 1 });
});

/** A thousand days of a shop with campaigns: an obvious fault exceeds chance and campaigns by far. */
test.each<[keyof typeof PLANTED, AnomalyMethod, number]>([
  ['till', 'zscore', 6],
  ['till', 'stl', 6],
  ['till', 'mad', 8],
  ['price', 'zscore', 8],
  ['web', 'zscore', 6],
])('%s by %s from %d on: precision of 0.8 and recall of 0.9 or more', async (name, method, threshold) => {
  const { precision, recall } = await detectPlanted(warehouse, PLANTED[name], method, threshold);
  expect(precision).toBeGreaterThanOrEqual(0.8);
  expect(recall).toBeGreaterThanOrEqual(0.9);
});

test.each(['till', 'price', 'web', 'closed'] as const)('with the defaults every method flags it: %s', async (name) => {
  for (const method of ['zscore', 'mad', 'stl'] as const) {
    expect(await detectPlanted(warehouse, PLANTED[name], method), method).toMatchObject({ recall: 1 });
  }
});
