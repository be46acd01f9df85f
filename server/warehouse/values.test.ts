import { describe, expect, it } from 'vitest';
import {
  decimalFromScaled,
  decimalFromText,
  fractionText,
  integerFromText,
  isoDate,
  isoTime,
  isoTimestamp,
} from './values.ts';

describe('a decimal', () => {
  it('is a number while it has at most 15 significant digits', () => {
    expect(decimalFromScaled(12050n, 2)).toBe(120.5);
    expect(decimalFromScaled(-999999999999999n, 2)).toBe(-9999999999999.99);
    expect(decimalFromScaled(1n, 10)).toBe(1e-10);
    expect(decimalFromScaled(0n, 2)).toBe(0);
    expect(decimalFromText('000.50')).toBe(0.5);
    expect(decimalFromText('100000000000000000000')).toBe(1e20);
    expect(Object.is(decimalFromText('-0.00'), 0)).toBe(true);
  });

  it('is its exact text from 16 digits on', () => {
    expect(decimalFromScaled(1234567890123456n, 2)).toBe('12345678901234.56');
    expect(decimalFromScaled(-1234567890123456n, 20)).toBe('-0.00001234567890123456');
    expect(decimalFromScaled(1000000000000001n, 0)).toBe('1000000000000001');
    expect(decimalFromText('9999999999999999')).toBe('9999999999999999');
    expect(decimalFromText('0.1000000000000001')).toBe('0.1000000000000001');
  });

  it('stays a number when it is none', () => {
    expect(decimalFromText('NaN')).toBeNaN();
    expect(decimalFromText('-Infinity')).toBe(Number.NEGATIVE_INFINITY);
  });

  it('of 15 digits at every scale is the nearest double', () => {
    for (let scale = 0; scale <= 30; scale++)
      expect(decimalFromScaled(123456789012345n, scale)).toBe(Number(`123456789012345e-${scale}`));
  });
});

it('an integer is a bigint only where a double cannot represent it', () => {
  expect(integerFromText('9007199254740991')).toBe(9007199254740991);
  expect(integerFromText('9007199254740992')).toBe(9007199254740992n);
  expect(integerFromText('-170141183460469231731687303715884105728')).toBe(-(2n ** 127n));
});

describe('an instant', () => {
  it('before 1970 counts its fraction forward', () => {
    expect(isoTimestamp(-1n, 6)).toBe('1969-12-31T23:59:59.999999');
    expect(isoTimestamp(-1_000_000n, 6)).toBe('1969-12-31T23:59:59');
    expect(isoDate(-1)).toBe('1969-12-31');
  });

  it('shows six digits of a fraction, nine or twelve when it is finer, none when it is whole', () => {
    expect(isoTimestamp(1_500n, 3)).toBe('1970-01-01T00:00:01.500000');
    expect(isoTimestamp(1_000_000_001n, 9)).toBe('1970-01-01T00:00:01.000000001');
    expect(isoTimestamp(5n, 0)).toBe('1970-01-01T00:00:05');
    expect(isoTime(86_400_000_000n, 6)).toBe('24:00:00');
    expect(isoTime(3_723_000_001n, 6)).toBe('01:02:03.000001');
    expect([1n, 1_000n, 1_000_000n].map((part) => fractionText(part, 12))).toEqual([
      '.000000000001',
      '.000000001',
      '.000001',
    ]);
  });

  it('outside the years 0 to 9999 has a sign and six digits of year, and far outside no text', () => {
    expect(isoDate(2_932_897)).toBe('+010000-01-01');
    expect(isoDate(-719_529)).toBe('-000001-12-31');
    expect(isoDate(2 ** 31 - 1)).toBeUndefined();
    expect(isoTimestamp(2n ** 63n - 1n, 6)).toBeUndefined();
  });
});
