/** Converts numbers and instants of engines to the scalars of `router/capabilities/warehouse.ts`, without rounding. */

/** Decimal digits that a double always represents (IEEE 754 binary64, `DBL_DIG`). */
const EXACT_DIGITS = 15;
const EXACT_BELOW = 10 ** EXACT_DIGITS;
/** Powers of ten up to this exponent are doubles themselves, so that one division by them rounds once, to the nearest double. */
const EXACT_POWER_OF_TEN = 22;
/** Range of a JavaScript date, in seconds. */
const LAST_SECOND = 8_640_000_000_000;

export function integerFromBigint(value: bigint): number | bigint {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

export function integerFromText(text: string): number | bigint {
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : BigInt(text);
}

/** Converts the decimal `value / 10^scale`: to a number where its digits fit a double, else to its text. @param value a whole number */
export function decimalFromScaled(value: bigint | number, scale: number): number | string {
  // A large value rounds to one that is not below, either.
  const number = Number(value);
  if (Math.abs(number) < EXACT_BELOW && scale <= EXACT_POWER_OF_TEN) return number / 10 ** scale;
  const digits = (value < 0 ? -value : value).toString().padStart(scale + 1, '0');
  const whole = digits.slice(0, digits.length - scale);
  const fraction = scale === 0 ? '' : `.${digits.slice(digits.length - scale)}`;
  return decimalFromText(`${value < 0 ? '-' : ''}${whole}${fraction}`);
}

/** Converts plain decimal text (no exponent) to a number where its digits fit a double; `NaN`, `Infinity` and `-Infinity` stay numbers. */
export function decimalFromText(text: string): number | string {
  if (text.length <= EXACT_DIGITS) return Number(text) + 0; // + 0 makes -0, as of `-0.00`, a plain 0
  const significant = text.replace(/[-.]/g, '').replace(/^0+|0+$/g, '');
  return significant.length <= EXACT_DIGITS ? Number(text) + 0 : text;
}

/** Converts the days since 1970-01-01 to a date; `undefined` beyond the years of ISO 8601 text here (±271,821). */
export function isoDate(days: number): string | undefined {
  const seconds = days * 86_400;
  if (Math.abs(seconds) > LAST_SECOND) return undefined;
  const text = new Date(seconds * 1000).toISOString();
  return text.slice(0, text.indexOf('T'));
}

/** Returns a timestamp from units since 1970-01-01T00:00:00, with `10^digits` units per second; `undefined` as for `isoDate`. */
export function isoTimestamp(units: bigint, digits: number): string | undefined {
  const perSecond = 10n ** BigInt(digits);
  const remainder = units % perSecond;
  const fraction = remainder < 0n ? remainder + perSecond : remainder;
  const seconds = Number((units - fraction) / perSecond);
  if (Math.abs(seconds) > LAST_SECOND) return undefined;
  return `${new Date(seconds * 1000).toISOString().slice(0, -'.000Z'.length)}${fractionText(fraction, digits)}`;
}

/** Returns a time of day from units since midnight, with `10^digits` units per second. 24:00:00 is legal in SQL and stays. */
export function isoTime(units: bigint, digits: number): string {
  const perSecond = 10n ** BigInt(digits);
  const seconds = Number(units / perSecond);
  const two = (value: number): string => String(value).padStart(2, '0');
  const clock = `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return `${clock}${fractionText(units % perSecond, digits)}`;
}

/** Writes a fraction of a second: nothing for zero, else six digits; nine or twelve only for a finer one. */
export function fractionText(fraction: bigint, digits: number): string {
  if (fraction === 0n) return '';
  const picoseconds = fraction.toString().padStart(digits, '0').padEnd(12, '0');
  return `.${picoseconds.replace(/(?:000){1,2}$/, '')}`;
}

/**
 * Writes a year as ISO 8601 does: it counts a year 0, which is 1 BC, and writes years that are not of four digits
 * with a sign and six.
 */
export function isoYear(year: number): string {
  if (year >= 0 && year <= 9999) return String(year).padStart(4, '0');
  return `${year < 0 ? '-' : '+'}${String(Math.abs(year)).padStart(6, '0')}`;
}
