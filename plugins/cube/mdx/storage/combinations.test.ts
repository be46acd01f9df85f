import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ResultColumn, Scalar } from '../../../../router/capabilities/warehouse.ts';
import { SEED } from '../../../../router/testing/seed.ts';
import { readCombinations } from './combinations.ts';

const columns = (count: number): ResultColumn[] =>
  Array.from({ length: count }, (_, index) => ({ name: `c${index}`, type: 'integer', nativeType: 'INTEGER' }));

it(`finds the row of each combination, and none for others (seed ${SEED})`, async () => {
  // Few keys fill most of their combinations; many keys leave most of them out.
  const keys = fc.constantFrom(3, 40).chain((most) => fc.tuple(fc.nat({ max: most }), fc.nat({ max: most })));
  const lists = fc.uniqueArray(keys, { minLength: 1, maxLength: 60, selector: ([one, other]) => `${one} ${other}` });
  await fc.assert(
    fc.asyncProperty(lists, async (rows) => {
      const values: readonly (readonly Scalar[])[] = [rows.map(([one]) => one), rows.map(([, other]) => other)];
      const found = await readCombinations(
        { columns: columns(2), rowCount: rows.length, truncated: false, values },
        [1, 1],
      );
      for (const [row, [one, other]] of rows.entries()) {
        const of = [String(one), String(other)];
        expect(found.rowOf((place) => of[place] ?? '')).toBe(row);
        expect(found.keysAt(row)).toEqual(of);
      }
      const known = new Set(rows.map(([one, other]) => `${one} ${other}`));
      for (let one = 0; one < 8; one++)
        for (let other = 0; other < 8; other++)
          if (!known.has(`${one} ${other}`))
            expect(found.rowOf((place) => String(place === 0 ? one : other))).toBeUndefined();
    }),
    { seed: SEED, numRuns: 200 },
  );
});
