/**
 * Numbers that no double represents: whole numbers as `bigint`, decimals as digits. Their sums and products are exact.
 */

/** A decimal that no double represents. */
export class ExactDecimal {
  /** The digits: `90071992547409930.25`. */
  readonly decimal: string;

  constructor(decimal: string) {
    this.decimal = decimal;
  }

  valueOf(): number {
    return Number(this.decimal);
  }

  toString(): string {
    return this.decimal;
  }
}

export type Exact = number | bigint | ExactDecimal;

/** The number of digits beyond which a result becomes a double. Otherwise repeated products would grow without end. */
const MAX_DIGITS = 100;

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;

/** The number `digits / 10 ** scale`. */
interface Scaled {
  readonly digits: bigint;
  readonly scale: number;
}

/**
 * Reads digits with or without a decimal point. Returns a double if one represents the number; `undefined` for any
 * other text.
 */
export function exactFromText(text: string): Exact | undefined {
  const scaled = scaledText(text);
  return scaled === undefined ? undefined : fromScaled(scaled);
}

/** Returns the sum of two numbers. It is exact if one of them is not a double. */
export function plus(left: Exact, right: Exact): Exact {
  if (typeof left === 'number' && typeof right === 'number') return left + right;
  return (
    exactly(left, right, (a, b) => ({ digits: a.digits + b.digits, scale: a.scale })) ?? Number(left) + Number(right)
  );
}

/** Returns the difference of two numbers. It is exact if one of them is not a double. */
export function minus(left: Exact, right: Exact): Exact {
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  return (
    exactly(left, right, (a, b) => ({ digits: a.digits - b.digits, scale: a.scale })) ?? Number(left) - Number(right)
  );
}

/** Returns the product of two numbers. It is exact if one of them is not a double. */
export function times(left: Exact, right: Exact): Exact {
  if (typeof left === 'number' && typeof right === 'number') return left * right;
  const product = exactly(left, right, (a, b) => ({ digits: a.digits * b.digits, scale: a.scale + b.scale }));
  return product ?? Number(left) * Number(right);
}

/** Compares two numbers that are not both doubles. */
export function compareExact(left: Exact, right: Exact): number {
  const [a, b] = [scaledOf(left), scaledOf(right)];
  if (a === undefined || b === undefined) return Number(left) - Number(right);
  const [x, y] = sameScale(a, b);
  return x.digits < y.digits ? -1 : x.digits > y.digits ? 1 : 0;
}

function exactly(left: Exact, right: Exact, compute: (a: Scaled, b: Scaled) => Scaled): Exact | undefined {
  const [a, b] = [scaledOf(left), scaledOf(right)];
  return a === undefined || b === undefined ? undefined : fromScaled(compute(...sameScale(a, b)));
}

/** Returns the digits of a number; `undefined` for NaN, infinities and doubles that are written with an exponent. */
function scaledOf(value: Exact): Scaled | undefined {
  return typeof value === 'bigint' ? { digits: value, scale: 0 } : scaledText(String(value));
}

function scaledText(text: string): Scaled | undefined {
  const [, sign = '', whole = '', fraction = ''] = DECIMAL.exec(text) ?? [];
  if (whole === '' || whole.length + fraction.length > MAX_DIGITS) return undefined;
  return { digits: BigInt(`${sign}${whole}${fraction}`), scale: fraction.length };
}

function sameScale(a: Scaled, b: Scaled): readonly [Scaled, Scaled] {
  const scale = Math.max(a.scale, b.scale);
  const at = (of: Scaled): Scaled => ({ digits: of.digits * 10n ** BigInt(scale - of.scale), scale });
  return [at(a), at(b)];
}

/** Returns a double if it has exactly these digits, or else the exact number. */
function fromScaled({ digits, scale }: Scaled): Exact | undefined {
  const isNegative = digits < 0n;
  const all = String(isNegative ? -digits : digits).padStart(scale + 1, '0');
  if (all.length > MAX_DIGITS) return undefined;
  const whole = all.slice(0, all.length - scale);
  const fraction = all.slice(all.length - scale).replace(/0+$/, '');
  const text = `${isNegative ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
  const double = Number(text);
  if (String(double) === text && (fraction !== '' || Number.isSafeInteger(double))) return double;
  return fraction === '' ? BigInt(text) : new ExactDecimal(text);
}
