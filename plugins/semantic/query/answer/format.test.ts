import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ScalarType } from '../../../../router/capabilities/warehouse.ts';
import { SEED } from '../../../../router/testing/seed.ts';
import type { Display } from '../../model/extensions.ts';
import { differenceFormatterFor, formatterFor } from './format.ts';

const written = (value: number | bigint | string, format?: string, type: ScalarType = 'decimal', unit?: string) =>
  formatterFor({ hidden: false, format, unit }, type)(value);

describe('a number', () => {
  it.each([
    [1234.5, '#,##0.00', '1,234.50'],
    [1234.5, '#,##0', '1,235'],
    [1234.5, '0.0', '1234.5'],
    [0.1234, '0.0%', '12.3%'],
    [-5, '$#,##0.00', '-$5.00'],
    [-0.001, '0.00', '0.00'],
    [7, '000', '007'],
    [2.5, '0.##', '2.5'],
    [1234567, '#,##0 "pieces"', '1,234,567 pieces'],
    [1.5, '0.00;(0.00)', '1.50'],
  ])('%d by %s is written %s', (value, format, expected) => {
    expect(written(value, format)).toBe(expected);
  });

  it('has a unit behind it', () => {
    expect(written(1234.5, '#,##0.00', 'decimal', 'EUR')).toBe('1,234.50 EUR');
  });

  it('without a pattern goes by its type', () => {
    expect(written(1234, undefined, 'integer')).toBe('1,234');
    expect(written(1234, undefined, 'float')).toBe('1,234.00');
    expect(written('2024-01-01', undefined, 'date')).toBe('2024-01-01');
  });

  it('beyond a double keeps its digits', () => {
    expect(written(123456789012345678901n, '#,##0', 'integer')).toBe('123,456,789,012,345,678,901');
    expect(written('12345678901234567890.12', '#,##0.00')).toBe('12,345,678,901,234,567,890.12');
  });
});

it.each<[Partial<Display>, ScalarType, string | number, string]>([
  // 46.3% after 47.0% is 0.7 points less, and not 1.5%.
  [{ format: '0.0%' }, 'float', -0.007, '-0.7 points'],
  [{ format: '#,##0.00 %' }, 'decimal', '-0.0070', '-0.70 points'],
  [{ format: '0%' }, 'float', 0.25, '25 points'],
  [{ format: '0.0', unit: '%' }, 'float', -0.7, '-0.7 points'],
  [{ unit: '%' }, 'decimal', '1.50', '1.50 points'],
  // A price is a ratio, but not a rate.
  [{ format: '#,##0.00', unit: 'EUR' }, 'decimal', '-1.50', '-1.50 EUR'],
  [{}, 'integer', -3, '-3'],
])('the difference of two values with the format %j is in points for a rate', (display, type, value, text) => {
  expect(differenceFormatterFor({ hidden: false, ...display }, type)(value)).toBe(text);
});

it(`writes a double as it writes the decimal with its digits (seed ${SEED})`, () => {
  const formats = ['#,##0.00', '#,##0', '0.0%', '$#,##0.##', '000.0#0', '#', '.00', '#,###0.000 "kg"', '0.0000000000'];
  const near = fc
    .tuple(fc.integer({ min: -2_000_000, max: 2_000_000 }), fc.constantFrom(1, 2, 8, 10, 200, 1_000, 2_000, 20_000))
    // Halves of the last place, and the doubles beside them.
    .chain(([whole, by]) => fc.constantFrom(-1, 0, 1).map((step) => (whole / by) * (1 + step * Number.EPSILON)));
  const doubles = fc
    .oneof(near, fc.double({ min: -1e15, max: 1e15, noNaN: true }), fc.integer())
    .filter((value) => !String(value).includes('e'));
  fc.assert(
    fc.property(doubles, fc.constantFrom(...formats), (value, format) => {
      expect(written(value, format)).toBe(written(String(value), format));
    }),
    { seed: SEED, numRuns: 20_000 },
  );
});
