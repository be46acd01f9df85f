import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Scalar } from '../../../router/capabilities/scalar.ts';
import { SEED } from '../../../router/testing/seed.ts';
import { type PackedColumn, packColumn, unpackColumn } from './packed-column.ts';

/** Passes a column through another thread's copy, after the values that are there. */
function passed(
  values: readonly Scalar[],
  present: Scalar[] = [],
): { readonly kind: PackedColumn['kind']; readonly values: Scalar[] } {
  const column = structuredClone(packColumn(values));
  unpackColumn(column, present);
  return { kind: column.kind, values: present };
}

it.each<readonly [PackedColumn['kind'], readonly Scalar[]]>([
  ['numbers', [1, -0, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 60]],
  ['numbers', []],
  ['texts', ['a', 'b', 'a', 'b', '', '']],
  ['values', ['a', 'b', 'a']],
  ['values', [1, null]],
  ['values', ['a', 'a', 'a', null]],
  ['values', [1n, 1n]],
  ['values', [true, false]],
])('%s of case %#', (kind, values) => {
  expect(passed(values, ['before'])).toEqual({ kind, values: ['before', ...values] });
});

it('any column is the same afterwards', () => {
  const text = fc.constantFrom('', 'a', 'b', 'Ünal', '1');
  const column = fc.oneof(
    fc.array(fc.double()),
    fc.array(text),
    fc.array(fc.string()),
    fc.array(fc.oneof(fc.double(), text, fc.constant(null), fc.boolean(), fc.bigInt())),
  );
  fc.assert(
    fc.property(column, (values) => {
      expect(passed(values).values).toEqual(values);
    }),
    { seed: SEED },
  );
});
