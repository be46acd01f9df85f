/** Checks which values of a request can be compared with a column, and binds them with the type of the comparison. */
import { DAY_MS, readMoment } from '../../../../router/calendar.ts';
import type { BoundLimits } from '../../../../router/capabilities/dialect.ts';
import type { Parameter } from '../../../../router/capabilities/warehouse.ts';
import type { Field } from '../../model/model.ts';

type Typed = Pick<Field, 'nativeType'>;

/** Floating-point types of 32 bits, in which 0.1 is another number than in a double. */
const SINGLE = /^(?:nullable\()?(float|real|float4|float32)\)?$/i;
/** Types with more fraction digits than bound timestamps and times have. */
const NANOSECONDS = /^(?:TIMESTAMP_NS|TIME_NS|(?:Nullable\()?DateTime64\([789].*)$/;
/** Types of Trino with so many digits of a second: a bound value has as many as are written. */
const PRECISION = /^time(?:stamp)?\((\d+)\)(?: with time zone)?$/;
/** Whole numbers too large to be bound as numbers. */
const WIDE = /^(?:U?HUGEINT|BIGNUM|(?:Nullable\()?U?Int(?:128|256)\)?|oid)$/;
/** Texts of a fixed length, which PostgreSQL fills with blanks and compares without them. */
const PADDED = /^(?:character\(|bpchar)/;

const FAR_YEAR = /^\+0*/;

/** Returns the type that a bound value is cast to before it is compared with a field; `undefined` for no cast. */
export function castOf({ nativeType }: Typed, { type }: Parameter): string | undefined {
  if (PADDED.test(nativeType)) return 'bpchar';
  if (WIDE.test(nativeType)) return type === 'float' ? undefined : nativeType;
  return NANOSECONDS.test(nativeType) ? nativeType : undefined;
}

/**
 * Returns the value to bind: as text where it is then cast, and as the nearest 32-bit number where the field has such
 * numbers.
 */
export function boundFor(field: Typed, parameter: Parameter, { singles }: BoundLimits): Parameter {
  const { type, value } = parameter;
  if (type === 'float' && singles && isSingle(field)) {
    const single = Math.fround(Number(value));
    // A number outside the range of 32 bits equals no value of the field. It is bound unchanged.
    return Number.isFinite(single) && (single !== 0 || Number(value) === 0) ? { type, value: single } : parameter;
  }
  // ISO 8601 writes a year beyond 9999 as +012024. Engines read it without the sign and the zeros.
  if (type === 'date' && value !== null) return { type, value: String(value).replace(FAR_YEAR, '') };
  // Zeros after the digits of the column are removed.
  if (value !== null && (type === 'time' || type.startsWith('timestamp'))) {
    const text = withoutEndingZeros(String(value), field);
    return castOf(field, parameter) === undefined
      ? { type, value: text.replace(FAR_YEAR, '') }
      : { type: 'text', value: text };
  }
  if (value === null || castOf(field, parameter) === undefined) return parameter;
  return { type: 'text', value: String(value) };
}

const NANOSECOND_DAYS: BoundLimits['days'] = ['1677-09-22', '2262-04-10'];

/** Returns a description of the values that can be compared with the field; `undefined` if this value can be. */
export function incomparableReason(
  { nativeType }: Typed,
  { type, value }: Parameter,
  limits: BoundLimits,
): string | undefined {
  switch (type) {
    case 'integer':
    case 'decimal':
      return fits(nativeType, String(value), limits) ? undefined : `a number that ${nativeType} can be compared with`;
    case 'float':
      return nativeType === 'oid' ? 'a whole number' : undefined;
    case 'time':
      return tooFine(nativeType, String(value));
    case 'date':
    case 'timestamp':
    case 'timestamptz': {
      const [first, last] = NANOSECONDS.test(nativeType) ? NANOSECOND_DAYS : limits.days;
      const [from = 0, to = 0, day = Number.NaN] = [first, last, String(value)].map(dayIn);
      if (!(day >= from && day <= to)) return `a day from ${first} to ${last}`;
      return tooFine(nativeType, String(value));
    }
    default:
      return undefined;
  }
}

/** Returns the number of the day that a date or a moment of ISO 8601 names. */
function dayIn(text: string): number | undefined {
  const moment = readMoment(text);
  return moment === undefined ? undefined : Math.floor(moment / DAY_MS);
}

/** Digits of a second that a comparison with any column has; columns of some types have more. */
const DIGITS_OF_SECOND = 6;
const IN_WORDS: Readonly<Record<number, string>> = { 6: 'six', 9: 'nine', 10: 'ten', 11: 'eleven', 12: 'twelve' };

function digitsOfSecond(nativeType: string): number {
  if (NANOSECONDS.test(nativeType)) return 9;
  return Math.max(DIGITS_OF_SECOND, Number(PRECISION.exec(nativeType)?.[1] ?? 0));
}

/**
 * Describes the fraction of a second that a column can be compared with, where a moment is finer; else returns `undefined`.
 * Engines round such a moment, and would compare with
 * another one than the request names.
 */
function tooFine(nativeType: string, text: string): string | undefined {
  const digits = digitsOfSecond(nativeType);
  const [, fraction = ''] = /\.(\d+)/.exec(text) ?? [];
  if (!/[1-9]/.test(fraction.slice(digits))) return undefined;
  return `at most ${IN_WORDS[digits] ?? digits} digits of a second`;
}

/** Removes zeros behind the digits that a column has: a nanosecond of zero is none. */
function withoutEndingZeros(text: string, { nativeType }: Typed): string {
  const digits = digitsOfSecond(nativeType);
  return text.replace(
    /\.\d+/,
    (fraction) => `${fraction.slice(0, digits + 1)}${fraction.slice(digits + 1).replace(/0+$/, '')}`,
  );
}

/**
 * Returns the properties that values in one list must share: their type and, where decimals become one type of limited
 * digits, their digits too. A list of 9223372036854775808 and 0.1 with thirty digits would need more digits than there are.
 */
export function listedType({ type, value }: Parameter, { decimals }: BoundLimits): string {
  if (type !== 'decimal' || decimals?.mixed !== true) return type;
  const [, whole = '', fraction = ''] = /^[+-]?0*(\d*)\.?(\d*)$/.exec(String(value)) ?? [];
  return `${type} ${whole.length} ${fraction.length}`;
}

/** Returns whether a member of a list survives ClickHouse's conversion of the list to the type of the column. */
export function isOfColumn({ nativeType, type }: Typed & Pick<Field, 'type'>, value: Parameter): boolean {
  if (type === 'integer') return value.type === 'integer';
  // `DateTime` has whole seconds. Bound values have fractions, which are another type.
  if (/\bDateTime(?!64)/.test(nativeType)) return false;
  if (type !== 'decimal') return true;
  const [, whole = '', fraction = ''] = /^[+-]?0*(\d*)\.?(\d*)$/.exec(String(value.value)) ?? [];
  const { before, after } = digitsOf(nativeType);
  return value.type !== 'float' && whole.length <= before && fraction.length <= after;
}

function fits(nativeType: string, text: string, { decimals }: BoundLimits): boolean {
  const [, sign = '', whole = '', fraction = ''] = /^([+-]?)0*(\d*)\.?(\d*)$/.exec(text) ?? [];
  if (WIDE.test(nativeType)) {
    const bounds = boundsOf(nativeType);
    const value = BigInt(`${sign.replace('+', '')}${whole === '' ? '0' : whole}`);
    return fraction === '' && (bounds === undefined || (value >= bounds[0] && value <= bounds[1]));
  }
  if (decimals === undefined) return true;
  const { before, after } = decimals.mixed ? digitsOf(nativeType) : NO_DIGITS;
  const [most, least] = [Math.max(whole.length, before), Math.max(fraction.length, after)];
  return most <= decimals.before && least <= decimals.after && most + least <= decimals.digits;
}

const NO_DIGITS = { before: 0, after: 0 };

/**
 * Returns the least and the greatest value of an integer type: `Nullable(UInt256)` has 256 bits and no sign. A BIGNUM has
 * no bounds.
 */
function boundsOf(nativeType: string): readonly [bigint, bigint] | undefined {
  const isUnsigned = /UHUGE|UInt/.test(nativeType);
  if (nativeType === 'oid') return [0n, 2n ** 32n - 1n];
  const bits = nativeType.endsWith('HUGEINT') ? 128n : BigInt(/\d+/.exec(nativeType)?.[0] ?? 0);
  if (bits === 0n) return undefined;
  return isUnsigned ? [0n, 2n ** bits - 1n] : [-(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n];
}

const INTEGER_DIGITS: Readonly<Record<string, number>> = {
  TINYINT: 3,
  UTINYINT: 3,
  SMALLINT: 5,
  USMALLINT: 5,
  INTEGER: 10,
  UINTEGER: 10,
  BIGINT: 19,
  UBIGINT: 20,
};

/**
 * Returns how many digits a column's values may have before and after the point, for engines that convert both sides to one
 * decimal type.
 */
function digitsOf(nativeType: string): { readonly before: number; readonly after: number } {
  const [, precision, scale = '0'] = /^(?:Nullable\()?DECIMAL\((\d+)(?:,\s*(\d+))?\)+$/i.exec(nativeType) ?? [];
  if (precision === undefined) return { before: INTEGER_DIGITS[nativeType] ?? 0, after: 0 };
  return { before: Number(precision) - Number(scale), after: Number(scale) };
}

/** Returns the shortest decimal number that is the same 32-bit number: 0.1 for 0.10000000149. */
export function shortestSingle(value: number): number {
  for (let digits = 1; digits <= 9; digits += 1) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return value;
}

/** Returns whether values of a field are single-precision numbers. */
export function isSingle({ nativeType }: Typed): boolean {
  return SINGLE.test(nativeType);
}
