import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SEED } from '../../../../router/testing/seed.ts';
import type { Cell } from './cell-set.ts';
import { filledPositions, itemsAt, keptCells } from './kept-cells.ts';

const cell = (value: number | null, error?: string): Cell => ({
  value,
  formatted: String(value),
  properties: [],
  ...(error === undefined ? {} : { error }),
});

/** Returns all combinations of places, of which the first changes fastest. */
function places(sizes: readonly number[]): readonly (readonly number[])[] {
  return sizes.reduceRight<readonly (readonly number[])[]>(
    (outer, size) => outer.flatMap((rest) => Array.from({ length: size }, (_, place) => [place, ...rest])),
    [[]],
  );
}

const cellSets = fc.array(fc.nat(4), { maxLength: 4 }).chain((sizes) => {
  const count = sizes.reduce((product, size) => product * size, 1);
  const value = fc.oneof({ weight: 3, arbitrary: fc.constant(null) }, fc.nat(9));
  const flag = { minLength: count, maxLength: count };
  return fc.record({
    sizes: fc.constant(sizes),
    values: fc.array(value, flag),
    failed: fc.array(
      fc.nat(9).map((one) => one === 0),
      flag,
    ),
    counted: fc.array(fc.boolean(), flag),
    nonEmpty: fc.array(fc.boolean(), { minLength: sizes.length, maxLength: sizes.length }),
  });
});

describe('the cells of NON EMPTY axes', () => {
  it(`are the cells whose positions have a counted value or error on each such axis (seed ${SEED})`, async () => {
    const seen = { whole: 0, partial: 0 };
    await fc.assert(
      fc.asyncProperty(cellSets, async ({ sizes, values, failed, counted, nonEmpty }) => {
        const cells = values.map((value, index) => cell(value, failed[index] === true ? 'failed' : undefined));
        const all = places(sizes);
        const isFilled = (index: number) =>
          (values[index] !== null || failed[index] === true) && counted[index] === true;
        const stays = (at: readonly number[]) =>
          at.every(
            (place, axis) =>
              nonEmpty[axis] !== true || all.some((other, index) => other[axis] === place && isFilled(index)),
          );
        const expected = all.flatMap((at, index) => (stays(at) ? [cells[index]] : []));
        const kept = [];
        let stride = 1;
        for (const [axis, size] of sizes.entries()) {
          kept.push(nonEmpty[axis] === true ? await filledPositions(cells.length, stride, size, isFilled) : undefined);
          stride *= size;
        }
        expect(await itemsAt(cells, keptCells(sizes, kept))).toEqual(expected);
        seen[expected.length === cells.length ? 'whole' : 'partial']++;
      }),
      { seed: SEED, numRuns: 300 },
    );
    expect(seen.whole).toBeGreaterThan(20);
    expect(seen.partial).toBeGreaterThan(20);
  });
});
