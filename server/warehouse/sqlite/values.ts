import type { Parameter, Scalar, ScalarType } from '../../../router/capabilities/warehouse.ts';
import { WarehouseError } from '../../../router/errors.ts';
import { decimalFromText, fractionText, integerFromBigint } from '../values.ts';
import type { SqliteValue } from './protocol.ts';

/**
 * Returns a value in a column of this type. SQLite columns may contain values of other types, too, which stay
 * unchanged.
 */
export function scalarOf(value: SqliteValue, type: ScalarType): Scalar {
  if (value === null) return null;
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64');
  switch (type) {
    case 'integer':
      return typeof value === 'bigint' ? integerFromBigint(value) : value;
    case 'decimal':
      return typeof value === 'bigint' ? decimalFromText(String(value)) : value;
    case 'float':
      return typeof value === 'bigint' ? Number(value) : value;
    case 'boolean':
      return typeof value === 'string' ? /^(t|true|1|yes|on)$/i.test(value) : Number(value) !== 0;
    case 'date':
    case 'time':
    case 'timestamp':
    case 'timestamptz':
      return instant(String(value), type);
    case 'binary':
      return Buffer.from(String(value)).toString('base64');
    case 'text':
    case 'json':
    case 'other':
      return String(value);
  }
}

/** Converts `2024-01-02 03:04:05.5` to `2024-01-02T03:04:05.500000`. Text in another form stays unchanged. */
function instant(text: string, type: ScalarType): string {
  const parts =
    /^(?:(\d{4}-\d\d-\d\d)(?:[ T](?=\d))?)?(?:(\d\d:\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?)?(Z|\+00(?::?00)?)?$/.exec(text);
  if (parts === null) return text;
  const [, date, minutes, seconds = '00', fraction = ''] = parts;
  const clock =
    minutes === undefined ? undefined : `${minutes}:${seconds}${fractionText(BigInt(fraction.padEnd(9, '0')), 9)}`;
  if (type === 'date') return clock === undefined || date === undefined ? text : /^00:00:00$/.test(clock) ? date : text;
  if (type === 'time') return clock ?? text;
  if (date === undefined) return text;
  return `${date}T${clock ?? '00:00:00'}${type === 'timestamptz' ? 'Z' : ''}`;
}

/**
 * Converts a value for SQLite. Integers keep 64 bits. A decimal is a double, like every decimal in SQLite. Instants have the form of SQLite's date
 * functions, so that texts compare.
 */
export function boundValue({ type, value }: Parameter): SqliteValue {
  if (value === null) return null;
  switch (type) {
    case 'integer': {
      const whole = Number.isInteger(value) || /^-?\d+$/.test(String(value)) ? BigInt(value) : undefined;
      if (whole === undefined || BigInt.asIntN(64, whole) !== whole) throw unbindable();
      return whole;
    }
    case 'decimal':
    case 'float': {
      const number = Number(value);
      if (Number.isNaN(number)) throw unbindable();
      return number;
    }
    case 'boolean':
      return value === true || value === 'true' ? 1n : 0n;
    case 'binary':
      return Buffer.from(String(value), 'base64');
    case 'timestamp':
    case 'timestamptz':
      return String(value)
        .replace('T', ' ')
        .replace(/Z$/, '')
        .replace(/\.0+$/, '')
        .replace(/(\.\d*?)0+$/, '$1');
    case 'text':
    case 'date':
    case 'time':
    case 'json':
    case 'other':
      return String(value);
  }
}

function unbindable(): WarehouseError {
  return new WarehouseError(
    'A number in the query does not fit the types of the warehouse: SQLite has integers of 64 bits and doubles.',
  );
}
