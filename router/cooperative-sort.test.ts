import fc from 'fast-check';
import { expect, it } from 'vitest';
import { cooperativeSort } from './cooperative-sort.ts';

const numbered = (keys: readonly number[]) => keys.map((key, place) => ({ key, place }));

it('sorts like Array.sort, and keeps the order of equal values', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 200 }), async (keys) => {
      const items = numbered(keys);
      expect(await cooperativeSort(items, (left, right) => left.key - right.key)).toEqual(
        items.toSorted((left, right) => left.key - right.key),
      );
    }),
    { numRuns: 50, seed: 1 },
  );
});

it('sorts in many pieces, and lets the event loop run between them', async () => {
  const items = numbered(Array.from({ length: 30_001 }, (_, index) => (index * 7_919) % 1_000));
  let turns = 0;
  const count = setInterval(() => turns++, 0);
  const sorted = await cooperativeSort(items, (left, right) => left.key - right.key);
  clearInterval(count);
  expect(sorted).toEqual(items.toSorted((left, right) => left.key - right.key));
  expect(turns).toBeGreaterThan(3);
});
