/** How values are compared with columns whose own type a bound value would not meet: the value is cast to that type. */
import type { Parameter } from '../../../router/capabilities/warehouse.ts';
import type { Field } from '../model/model.ts';

/** Types of 32 bits: 0.1 is another number there than among doubles. SQLite's are doubles, which the cast leaves. */
const SINGLE = /^(?:nullable\()?(float|real|float4|float32)\)?$/i;
/** Types with more digits than bound timestamps and times have. */
const NANOSECONDS = /^(?:TIMESTAMP_NS|TIME_NS)$/;
/** Whole numbers beyond those that are bound as numbers. */
const WIDE = /^(?:U?HUGEINT|BIGNUM|(?:Nullable\()?U?Int(?:128|256)\)?)$/;

/** Returns the type to cast a bound value to, where it is compared with a field. */
export function castOf({ nativeType }: Pick<Field, 'nativeType'>): string | undefined {
  const single = SINGLE.exec(nativeType)?.[1];
  if (single !== undefined) return nativeType.toLowerCase().startsWith('nullable') ? nativeType : single;
  return NANOSECONDS.test(nativeType) || WIDE.test(nativeType) ? nativeType : undefined;
}

/** Returns the value as it is bound before it is cast to the type of its column. */
export function boundForCast({ nativeType }: Pick<Field, 'nativeType'>, parameter: Parameter): Parameter {
  if (SINGLE.test(nativeType) || castOf({ nativeType }) === undefined) return parameter;
  return parameter.value === null ? parameter : { type: 'text', value: String(parameter.value) };
}

const DIGITS: Readonly<Record<string, readonly [bigint, bigint]>> = {
  HUGEINT: [-(2n ** 127n), 2n ** 127n - 1n],
  UHUGEINT: [0n, 2n ** 128n - 1n],
};

/** Whether a type with bounds of its own holds a whole number. */
export function holds(nativeType: string, text: string): boolean {
  const bounds = DIGITS[nativeType];
  if (bounds === undefined || !/^[+-]?\d+$/.test(text)) return true;
  const value = BigInt(text.replace('+', ''));
  return value >= bounds[0] && value <= bounds[1];
}

/** Returns the shortest number that is the same among numbers of 32 bits, as people write it. */
export function shortestSingle(value: number): number {
  for (let digits = 1; digits <= 9; digits += 1) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return short;
  }
  return value;
}

/** Whether values of a field are single-precision numbers. */
export function isSingle({ nativeType }: Pick<Field, 'nativeType'>): boolean {
  return SINGLE.test(nativeType);
}
