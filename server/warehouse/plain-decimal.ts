/** Writes a decimal as digits with at most a point: no exponent, no leading zeros. */
export interface PlainDecimal {
  readonly text: string;
  /** Digits before the point. */
  readonly before: number;
  /** Digits after it. */
  readonly after: number;
}

/** Maximum number of zeros from an exponent: more than the digits of any warehouse's decimals. */
const MAX_EXPONENT = 1_000;

/**
 * Expands a decimal exactly, `1.5e-7` to `0.00000015`; returns `undefined` for a text that is not a decimal, such as
 * NaN.
 */
export function plainDecimal(text: string): PlainDecimal | undefined {
  const parts = /^(-?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(text);
  if (parts === null) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts;
  const shift = Number(exponent);
  if (whole + fraction === '' || Math.abs(shift) > MAX_EXPONENT) return undefined;
  const after = Math.max(0, fraction.length - shift);
  const digits = `${whole}${fraction}${'0'.repeat(Math.max(0, shift - fraction.length))}`.padStart(after + 1, '0');
  const before = digits.slice(0, digits.length - after).replace(/^0+(?=\d)/, '');
  const point = after === 0 ? '' : `.${digits.slice(digits.length - after)}`;
  return { text: `${sign}${before}${point}`, before: before.length, after };
}
