/** Exact decimal digits of numbers, without binary arithmetic. */

/** The number `0.digits × 10^point`. The digits have no leading or trailing zeros; zero has no digits. */
export interface Digits {
  readonly negative: boolean;
  readonly digits: string;
  readonly point: number;
  /** The double with these digits, where its exact value counts: an apparent half may be slightly less. */
  readonly exact?: number | undefined;
}

/** Returns the shortest digits of a finite number, or the digits of a decimal. They treat 1.005 as exact. */
export function digitsOf(value: number | bigint | string): Digits {
  const text = String(value);
  return typeof value === 'number' && Number.isFinite(value) && !text.includes('e')
    ? withoutExponent(text)
    : read(text);
}

/** Returns the digits of a number as `String` writes it without an exponent: `-12.5`. Most numbers are, and need no regular expression. */
function withoutExponent(text: string): Digits {
  const negative = text.charCodeAt(0) === MINUS;
  const from = negative ? 1 : 0;
  const point = text.indexOf('.', from);
  return point < 0
    ? normalized(negative, from === 0 ? text : text.slice(from), text.length - from)
    : normalized(negative, text.slice(from, point) + text.slice(point + 1), point - from);
}

/**
 * Returns the digits of a number like `digitsOf`, but rounds a double by its exact value: 1.005 is 1.00499999999999989… and
 * less than a half.
 */
export function exactDigitsOf(value: number | bigint | string): Digits {
  const { negative, digits, point } = digitsOf(value);
  return { negative, digits, point, exact: typeof value === 'number' ? value : undefined };
}

function read(text: string): Digits {
  const parts = /^(-?)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i.exec(text.trim());
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts ?? [];
  return normalized(sign === '-', whole + fraction, whole.length + Number(exponent));
}

/** Number of digits of a double's exact value. It differs from the shortest digits much earlier. */
const EXACT = 100;

/** Returns whether the exact value of a double is nearer to zero than its shortest digits. This matters only for a half (a last 5). */
function isLess(value: number): boolean {
  const { digits, point } = digitsOf(value);
  const exact = read(Math.abs(value).toPrecision(EXACT));
  return exact.point < point || exact.digits < digits;
}

/** The character `0`. */
const ZERO = 48;
/** The character `-`. */
const MINUS = 45;

function normalized(negative: boolean, all: string, point: number): Digits {
  let leading = 0;
  while (all.charCodeAt(leading) === ZERO) leading++;
  let end = all.length;
  while (end > leading && all.charCodeAt(end - 1) === ZERO) end--;
  const digits = all.slice(leading, end);
  return digits === '' ? { negative, digits, point: 0 } : { negative, digits, point: point - leading };
}

/** Multiplies by ten to the power of `places`. */
export function shifted(value: Digits, places: number): Digits {
  if (places === 0 || value.digits === '') return value;
  return { negative: value.negative, digits: value.digits, point: value.point + places, exact: value.exact };
}

/** Rounds to `places` decimals. A half is rounded away from zero, anything less towards zero. */
export function rounded(value: Digits, places: number): Digits {
  const kept = value.point + places;
  if (kept >= value.digits.length) return value;
  if (kept < 0) return { negative: value.negative, digits: '', point: 0 };
  const head = value.digits.slice(0, kept);
  const rest = value.digits.slice(kept);
  if (rest < '5' || (rest === '5' && value.exact !== undefined && isLess(value.exact)))
    return normalized(value.negative, head, value.point);
  return normalized(value.negative, incremented(head), value.point + (/^9*$/.test(head) ? 1 : 0));
}

/** Adds one to the last digit: `129` becomes `130`, `99` becomes `100`, and no digits become `1`. */
function incremented(digits: string): string {
  const nines = /9*$/.exec(digits)?.[0].length ?? 0;
  const head = digits.slice(0, digits.length - nines);
  const last = head === '' ? '1' : `${head.slice(0, -1)}${Number(head.at(-1)) + 1}`;
  return last + '0'.repeat(nines);
}

/** Returns the digits before the decimal point. */
export function wholeDigits({ digits, point }: Digits): string {
  return point <= 0 ? '' : digits.slice(0, point).padEnd(point, '0');
}

/** Returns the digits after the decimal point. */
export function fractionDigits({ digits, point }: Digits): string {
  return point >= 0 ? digits.slice(point) : '0'.repeat(-point) + digits;
}
