/** Decimal digits of numbers, exactly: nothing here passes through binary arithmetic. */

/** `0.digits × 10^point`, digits without leading or trailing zeros; zero has none. */
export interface Digits {
  readonly negative: boolean;
  readonly digits: string;
  readonly point: number;
  /** The number is known to be a little nearer to zero than its digits say: what looks like a half is less. */
  readonly less?: boolean | undefined;
}

/** Returns a finite number, or the text of a decimal, by the shortest digits that stand for it: 1.005 is no less than it looks. */
export function digitsOf(value: number | bigint | string): Digits {
  return read(String(value));
}

/** Returns the digits of a number as `digitsOf` does, but a double is rounded by its exact value: 1.005 is 1.00499999999999989… and less than a half. */
export function exactDigitsOf(value: number | bigint | string): Digits {
  const digits = digitsOf(value);
  return typeof value === 'number' && isLess(value, digits) ? { ...digits, less: true } : digits;
}

function read(text: string): Digits {
  const parts = /^(-?)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i.exec(text.trim());
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts ?? [];
  return normalized(sign === '-', whole + fraction, whole.length + Number(exponent));
}

/** Digits that are shown of a double's exact value at most; it differs from the shortest digits long before. */
const EXACT = 100;

/** Returns whether the exact value lies below the shortest digits. Only a half (a last 5) matters. */
function isLess(value: number, { digits, point }: Digits): boolean {
  if (!digits.endsWith('5')) return false;
  const exact = read(Math.abs(value).toPrecision(EXACT));
  return exact.point < point || exact.digits < digits;
}

function normalized(negative: boolean, all: string, point: number): Digits {
  const leading = /^0*/.exec(all)?.[0].length ?? 0;
  const digits = all.slice(leading).replace(/0+$/, '');
  return digits === '' ? { negative, digits, point: 0 } : { negative, digits, point: point - leading };
}

/** Multiplies by ten to the power of `places`. */
export function shifted(value: Digits, places: number): Digits {
  return value.digits === '' ? value : { ...value, point: value.point + places };
}

/** Rounds to `places` digits behind the decimal point; a half away from zero, what is less than a half towards it. */
export function rounded(value: Digits, places: number): Digits {
  const kept = value.point + places;
  if (kept >= value.digits.length) return value;
  if (kept < 0) return { negative: value.negative, digits: '', point: 0 };
  const head = value.digits.slice(0, kept);
  const rest = value.digits.slice(kept);
  if (rest < '5' || (rest === '5' && value.less)) return normalized(value.negative, head, value.point);
  return normalized(value.negative, incremented(head), value.point + (/^9*$/.test(head) ? 1 : 0));
}

/** Adds one in the last place: `129` gives `130`, `99` gives `100`, nothing gives `1`. */
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

/** Returns the digits behind the decimal point. */
export function fractionDigits({ digits, point }: Digits): string {
  return point >= 0 ? digits.slice(point) : '0'.repeat(-point) + digits;
}
