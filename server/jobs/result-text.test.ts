import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isHeld, longestHold } from '../../router/testing/loop-delay.ts';
import { SEED } from '../../router/testing/seed.ts';
import { resultOf, resultText } from './result-text.ts';

it('a result is read as it was written, whatever lists it contains', async () => {
  const long = fc.array(fc.jsonValue({ maxDepth: 2 }), { minLength: 90, maxLength: 230 });
  const { value } = fc.letrec((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.jsonValue({ maxDepth: 2 }),
      long,
      fc.dictionary(fc.oneof(fc.string(), fc.constantFrom('__proto__', 'constructor')), tie('value'), { maxKeys: 3 }),
      fc.array(tie('value'), { maxLength: 3 }),
    ),
  }));
  await fc.assert(
    fc.asyncProperty(value, async (result) => {
      expect(await resultOf(await resultText(result))).toEqual(JSON.parse(JSON.stringify(result)));
    }),
    { seed: SEED, numRuns: 200 },
  );
});

it('values that JSON omits or converts are omitted and converted in the same way', async () => {
  const entries = [undefined, new Date(0), 'a\nb', ...Array<number>(200).fill(1)];
  const result = { none: undefined, at: new Date(0), entries };
  expect(await resultOf(await resultText(result))).toEqual(JSON.parse(JSON.stringify(result)));
  expect(await resultOf(await resultText(undefined))).toBe(null);
});

it('100,000 records are written and read without blocking the event loop', { timeout: 120_000 }, async () => {
  const records = Array.from({ length: 100_000 }, (_, at) => ({
    city: `Città ${at}`,
    net: { value: at, formatted: `${at}` },
  }));
  const result = { columns: [{ key: 'city' }], records };
  const text = await resultText(result);
  expect(await resultOf(text)).toEqual(result);
  const hold = await longestHold(async () => resultOf(await resultText(result)));
  expect(isHeld(hold), JSON.stringify(hold)).toBe(false);
});
