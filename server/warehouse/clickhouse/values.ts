import type { Parameter, ResultColumn, Scalar, ScalarType } from '../../../router/capabilities/warehouse.ts';
import { WarehouseError } from '../../../router/errors.ts';
import { plainDecimal } from '../plain-decimal.ts';
import { decimalFromText, fractionText, integerFromText } from '../values.ts';

/** Reads a cell from its JSON text: numbers keep all digits, and a nested value is already JSON. */
export function scalarOf(json: string, { type, nativeType }: Pick<ResultColumn, 'type' | 'nativeType'>): Scalar {
  if (json === 'null') return null;
  if (type === 'json') return json;
  const text = json.startsWith('"') ? String(JSON.parse(json)) : json;
  switch (type) {
    case 'integer':
      return integerFromText(text);
    case 'decimal':
      return decimalFromText(text);
    case 'float':
      return FLOATS[text] ?? Number(text);
    case 'boolean':
      return text === 'true';
    case 'time':
    case 'timestamp':
    case 'timestamptz':
      return instant(text, type);
    case 'text':
      return text.endsWith('\0') && nativeType.includes('FixedString(') ? withoutFill(text) : text;
    case 'date':
    case 'binary':
    case 'other':
      return text;
  }
}

/** Returns a text of a fixed length without the characters U+0000 that fill it. ClickHouse compares it with and without them. */
function withoutFill(text: string): string {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === 0) end--;
  return text.slice(0, end);
}

const FLOATS: Readonly<Record<string, number>> = {
  nan: Number.NaN,
  '-nan': Number.NaN,
  inf: Number.POSITIVE_INFINITY,
  '-inf': Number.NEGATIVE_INFINITY,
};

/** Converts `2024-01-02T03:04:05.500Z`, as `date_time_output_format=iso` writes every DateTime in UTC. */
function instant(text: string, type: ScalarType): string {
  const parts = /^(\d{4}-\d\d-\d\dT)?(\d\d:\d\d:\d\d)(?:\.(\d{1,9}))?Z?$/.exec(text);
  if (parts === null) return text;
  const [, date = '', clock = '', fraction = ''] = parts;
  return `${date}${clock}${fractionText(BigInt(fraction.padEnd(9, '0')), 9)}${type === 'timestamptz' ? 'Z' : ''}`;
}

const INTEGER_BITS = 128;
export const DECIMAL_DIGITS_BEFORE = 46;
export const DECIMAL_DIGITS_AFTER = 30;

/** Writes a bound value for the HTTP interface: text with the escapes of the format TabSeparated, NULL as `\N`. */
export function boundText({ type, value, isList }: Parameter): string {
  if (value === null) return '\\N';
  if (isList === true) return String(value);
  switch (type) {
    case 'integer':
      return integer(String(value));
    case 'decimal':
      return decimal(String(value));
    case 'float':
      return String(Number(value)).replace('Infinity', 'inf').replace('NaN', 'nan');
    case 'boolean':
      return value === true || value === 'true' ? 'true' : 'false';
    case 'timestamp':
    case 'timestamptz':
      return String(value).replace('T', ' ').replace(/Z$/, '');
    case 'text':
    case 'date':
    case 'time':
    case 'json':
    case 'binary':
    case 'other':
      return String(value).replace(/[\\\t\n\r\0\b\f]/g, (character) => ESCAPES[character] ?? character);
  }
}

/** Returns an array of values of one type for `boundText`, with escaped texts. */
export function listText(values: readonly Scalar[], type: ScalarType): string {
  const isBare = type === 'integer' || type === 'decimal' || type === 'float' || type === 'boolean';
  const written = values.map((value) => boundText({ type, value }));
  return `[${(isBare ? written : written.map((text) => `'${text.replaceAll("'", "\\'")}'`)).join(',')}]`;
}

const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
  '\0': '\\0',
  '\b': '\\b',
  '\f': '\\f',
};

/** Checks an integer, because ClickHouse would silently overflow digits beyond the type. */
function integer(text: string): string {
  if (!/^-?\d+$/.test(text) || BigInt.asIntN(INTEGER_BITS, BigInt(text)) !== BigInt(text)) throw unbindable();
  return text;
}

function decimal(text: string): string {
  const plain = plainDecimal(text);
  if (plain === undefined || plain.before > DECIMAL_DIGITS_BEFORE || plain.after > DECIMAL_DIGITS_AFTER)
    throw unbindable();
  return plain.text;
}

function unbindable(): WarehouseError {
  return new WarehouseError(
    `A number in the query does not fit the types of the warehouse, which have ${DECIMAL_DIGITS_BEFORE} digits before the point and ${DECIMAL_DIGITS_AFTER} after it.`,
  );
}
