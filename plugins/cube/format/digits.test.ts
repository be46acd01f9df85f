import fc from 'fast-check';
import { expect, it } from 'vitest';
import { SEED } from '../../../router/testing/seed.ts';
import { digitsOf } from './digits.ts';

it(`reads the digits of a double as it reads the same number as a text (seed ${SEED})`, () => {
  const amounts = fc.tuple(fc.integer(), fc.constantFrom(1, 10, 100, 1_000_000)).map(([whole, by]) => whole / by);
  const doubles = fc.oneof(amounts, fc.double(), fc.constantFrom(0, -0, 0.05, -0.001, 1e20, 1e21, 1e-6, 1e-7, -120));
  fc.assert(
    fc.property(doubles, (value) => {
      expect(digitsOf(value)).toEqual(digitsOf(String(value)));
    }),
    { seed: SEED, numRuns: 2_000 },
  );
  expect(digitsOf(-1200.05)).toEqual({ negative: true, digits: '120005', point: 4 });
  expect(digitsOf(0.0012)).toEqual({ negative: false, digits: '12', point: -2 });
});
