/** Decimal digits of numbers, exactly: nothing here passes through binary arithmetic. */

/** `0.digits × 10^point`, digits without leading or trailing zeros; zero has none. */
export interface Digits {
  readonly negative: boolean;
  readonly digits: string;
  readonly point: number;
}

/** A finite number, or the text of a decimal, by the shortest digits that stand for it. */
export function digitsOf(value: number | bigint | string): Digits {
  const found = /^(-?)(\d*)(?:\.(\d*))?(?:e([+-]?\d+))?$/i.exec(String(value).trim());
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = found ?? [];
  return normalized(sign === '-', whole + fraction, whole.length + Number(exponent));
}

function normalized(negative: boolean, all: string, point: number): Digits {
  const leading = /^0*/.exec(all)?.[0].length ?? 0;
  const digits = all.slice(leading).replace(/0+$/, '');
  return digits === '' ? { negative, digits, point: 0 } : { negative, digits, point: point - leading };
}

/** Times ten to the power of `places`. */
export function shifted(value: Digits, places: number): Digits {
  return value.digits === '' ? value : { ...value, point: value.point + places };
}

/** To `places` digits behind the decimal point; a half away from zero. */
export function rounded(value: Digits, places: number): Digits {
  const kept = value.point + places;
  if (kept >= value.digits.length) return value;
  if (kept < 0) return { negative: value.negative, digits: '', point: 0 };
  const head = value.digits.slice(0, kept);
  if ((value.digits[kept] ?? '0') < '5') return normalized(value.negative, head, value.point);
  return normalized(value.negative, incremented(head), value.point + (/^9*$/.test(head) ? 1 : 0));
}

/** One more in the last place: `129` gives `130`, `99` gives `100`, nothing gives `1`. */
function incremented(digits: string): string {
  const nines = /9*$/.exec(digits)?.[0].length ?? 0;
  const head = digits.slice(0, digits.length - nines);
  const last = head === '' ? '1' : `${head.slice(0, -1)}${Number(head.at(-1)) + 1}`;
  return last + '0'.repeat(nines);
}

export function wholeDigits({ digits, point }: Digits): string {
  return point <= 0 ? '' : digits.slice(0, point).padEnd(point, '0');
}

export function fractionDigits({ digits, point }: Digits): string {
  return point >= 0 ? digits.slice(point) : '0'.repeat(-point) + digits;
}
