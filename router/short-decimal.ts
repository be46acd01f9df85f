/** How the digits of a number are written. */
export interface DecimalForm {
  /** Digits before the point at least, and behind it at least and at most. */
  readonly leastWhole: number;
  readonly leastPlaces: number;
  readonly places: number;
  /** The power of ten that the number is multiplied by: 2 for per cent. */
  readonly scale: number;
  /** Separates each three digits before the point; empty for no groups. */
  readonly group: string;
  readonly point: string;
  /** Says whether the point is written where no digit is behind it. */
  readonly keepsPoint: boolean;
}

/**
 * The product of a double and its units, and the double's shortest digits, differ from its exact value by at most 2^-52 of it: below this limit, by a
 * quarter of a millionth.
 */
const MAX_UNITS = 1e9;
const NEAR_A_HALF = 1e-6;
/** The character `0`. */
const ZERO = 48;

/**
 * Returns a writer of positive doubles, which rounds a half away from zero. It takes a tenth of the time of exact digits, and is as exact: it answers
 * `undefined` for a number that is near a half, and for one that is zero, large, infinite or none.
 */
export function shortDecimalWriter(form: DecimalForm): (value: number) => string | undefined {
  const { leastWhole, leastPlaces, places, scale, group, point, keepsPoint } = form;
  const units = 10 ** (places + scale);
  const unitsOfOne = 10 ** places;
  if (units < 1) return () => undefined;
  return (value) => {
    const scaled = value * units;
    if (!(scaled < MAX_UNITS)) return undefined;
    const floor = Math.floor(scaled);
    const rest = scaled - floor;
    if (Math.abs(rest - 0.5) < NEAR_A_HALF) return undefined;
    const shown = rest < 0.5 ? floor : floor + 1;
    if (shown <= 0) return undefined;
    const whole = Math.floor(shown / unitsOfOne);
    let digits = whole === 0 ? '' : String(whole);
    if (digits.length < leastWhole) digits = digits.padStart(leastWhole, '0');
    if (group !== '' && digits.length > 3) digits = inGroups(digits, group);
    const behind = places === 0 ? '' : withoutZeros(String(shown % unitsOfOne).padStart(places, '0'), leastPlaces);
    return behind === '' && !keepsPoint ? digits : digits + point + behind;
  };
}

/** Writes a separator between each three digits. */
export function inGroups(digits: string, separator: string): string {
  let at = digits.length % 3;
  let text = digits.slice(0, at);
  for (; at < digits.length; at += 3) text += (text === '' ? '' : separator) + digits.slice(at, at + 3);
  return text;
}

/** Removes zeros at the end, and keeps `least` digits. */
function withoutZeros(digits: string, least: number): string {
  let end = digits.length;
  while (end > least && digits.charCodeAt(end - 1) === ZERO) end--;
  return digits.slice(0, end);
}
