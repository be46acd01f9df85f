/** Computes differences and ratios of values; differences are exact where the values are. */
import type { Scalar } from '../../../router/capabilities/warehouse.ts';

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;

/** Returns the difference of two values; null where either is not a number. */
export function differenceOf(value: Scalar, base: Scalar): Scalar {
  const [left, right] = [decimalOf(value), decimalOf(base)];
  const isExact = [value, base].some((each) => typeof each === 'bigint' || typeof each === 'string');
  if (!isExact || left === undefined || right === undefined) {
    const difference = numberOf(value) - numberOf(base);
    return Number.isFinite(difference) ? difference : null;
  }
  const digits = Math.max(left.fraction, right.fraction);
  const units = unitsAt(left, digits) - unitsAt(right, digits);
  if (digits === 0) return units;
  const text = String(units < 0n ? -units : units).padStart(digits + 1, '0');
  return `${units < 0n ? '-' : ''}${text.slice(0, -digits)}.${text.slice(-digits)}`;
}

/** Returns the ratio of a value to its base; null where either is not a number or the base is 0. */
export function ratioOf(value: Scalar, base: Scalar): number | null {
  const ratio = numberOf(value) / numberOf(base);
  return Number.isFinite(ratio) ? ratio : null;
}

function numberOf(value: Scalar): number {
  return value === null || typeof value === 'boolean' || value === '' ? Number.NaN : Number(value);
}

interface Decimal {
  readonly units: bigint;
  /** Digits behind the point. */
  readonly fraction: number;
}

function decimalOf(value: Scalar): Decimal | undefined {
  const digits = value === null ? null : DECIMAL.exec(String(value));
  if (digits === null) return undefined;
  const [, sign = '', whole = '', fraction = ''] = digits;
  const units = BigInt(`${whole}${fraction}`);
  return { units: sign === '-' ? -units : units, fraction: fraction.length };
}

function unitsAt({ units, fraction }: Decimal, digits: number): bigint {
  return units * 10n ** BigInt(digits - fraction);
}
