import type { Parameter, Scalar } from '../../../router/capabilities/warehouse.ts';
import { decimalFromText, fractionText, integerFromText, isoYear } from '../values.ts';
import { type ArrayItem, parseArray } from './arrays.ts';
import { elementTypeOf, scalarTypeOf } from './types.ts';

/**
 * Reads values from the server's text, with `DateStyle` ISO, `TimeZone` UTC, `bytea_output` hex and the shortest exact text of floats (`session.ts`
 * sets these for each statement).
 */
export type Converter = (text: string) => Scalar;

export function converterFor(nativeType: string): Converter {
  const type = scalarTypeOf(nativeType);
  switch (type) {
    case 'integer':
      return integerFromText;
    case 'decimal':
      return decimalFromText;
    case 'float':
      return Number;
    case 'boolean':
      return (text) => text === 't';
    case 'date':
    case 'time':
    case 'timestamp':
    case 'timestamptz':
      return instant;
    case 'binary':
      return (text) => Buffer.from(text.slice('\\x'.length), 'hex').toString('base64');
    case 'json':
      return nativeType.endsWith('[]') ? arrayConverter(elementTypeOf(nativeType)) : (text) => text;
    case 'text':
    case 'other':
      return (text) => text;
  }
}

/**
 * Converts `2024-01-02 03:04:05.5+00` to `2024-01-02T03:04:05.500000Z`. A value without an instant (`infinity`) stays
 * unchanged.
 */
function instant(text: string): string {
  const parts = /^(?:(\d{4,})(-\d\d-\d\d))?( ?)(?:(\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?)?(\+00)?( BC)?$/.exec(text);
  if (parts === null) return text;
  const [, year, monthAndDay = '', gap, clock = '', fraction = '', zone, beforeChrist] = parts;
  const date =
    year === undefined ? '' : `${isoYear(beforeChrist === undefined ? Number(year) : 1 - Number(year))}${monthAndDay}`;
  const seconds = fractionText(BigInt(fraction.padEnd(6, '0')), 6);
  return `${date}${gap === '' ? '' : 'T'}${clock}${seconds}${zone === undefined ? '' : 'Z'}`;
}

function arrayConverter(elementType: string): Converter {
  const type = scalarTypeOf(elementType);
  const convert = converterFor(elementType);
  const element = (text: string): string => {
    const scalar = convert(text);
    const isLiteral = type === 'json' || typeof scalar === 'bigint' || typeof scalar === 'boolean';
    if (isLiteral || (type === 'decimal' && typeof scalar === 'string')) return String(scalar);
    // JSON has no NaN and no infinities; a string is more precise than null.
    return typeof scalar === 'number' && Number.isFinite(scalar) ? String(scalar) : JSON.stringify(String(scalar));
  };
  const json = (item: ArrayItem): string => {
    if (item === null) return 'null';
    return typeof item === 'string' ? element(item) : `[${item.map(json).join(',')}]`;
  };
  return (text) => json(parseArray(text));
}

/** Returns a bound value as the text that `postgresqlDialect.placeholder` casts. */
export function parameterText({ type, value }: Parameter): string | null {
  if (value === null) return null;
  if (type === 'binary') return `\\x${Buffer.from(String(value), 'base64').toString('hex')}`;
  return String(value);
}
