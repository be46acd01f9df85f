import mysql from 'mysql2';
import type { Parameter, Scalar, ScalarType } from '../../../router/capabilities/warehouse.ts';
import { WarehouseError } from '../../../router/errors.ts';
import { plainDecimal } from '../plain-decimal.ts';
import { decimalFromText, fractionText, integerFromText } from '../values.ts';
import { DECIMAL_DIGITS, DECIMAL_SCALE } from './decimals.ts';

/**
 * Converts a cell as the library reads it with the settings of `connect.ts`: numbers that may not fit a double as text, instants as text, bytes as
 * bytes.
 */
export function scalarOf(value: unknown, type: ScalarType): Scalar {
  if (value === null || value === undefined) return null;
  switch (type) {
    case 'integer':
      return Buffer.isBuffer(value) ? integerFromText(String(bigEndian(value))) : integerFromText(String(value));
    case 'boolean':
      return Buffer.isBuffer(value) ? bigEndian(value) !== 0n : Number(value) !== 0;
    case 'decimal':
      return decimalFromText(String(value));
    case 'float':
      return Number(value);
    case 'date':
    case 'time':
    case 'timestamp':
    case 'timestamptz':
      return instant(String(value), type);
    case 'binary':
      return Buffer.isBuffer(value) ? value.toString('base64') : Buffer.from(String(value)).toString('base64');
    case 'text':
    case 'json':
    case 'other':
      if (Buffer.isBuffer(value)) return value.toString('utf8');
      return typeof value === 'object' ? JSON.stringify(value) : String(value);
  }
}

function bigEndian(bytes: Buffer): bigint {
  return bytes.length === 0 ? 0n : BigInt(`0x${bytes.toString('hex')}`);
}

/**
 * Converts `2024-01-02 03:04:05.5` to `2024-01-02T03:04:05.500000`. Times of day beyond 24 hours or below zero, and
 * the dates of day, month or year zero that these engines know (`0000-00-00`), are no instants and stay as the server
 * writes them.
 */
function instant(text: string, type: ScalarType): string {
  const parts = /^(?:(\d{4})-(\d\d)-(\d\d))?(?: ?(\d\d:\d\d:\d\d)(?:\.(\d{1,6}))?)?$/.exec(text);
  if (parts === null) return text;
  const [, year, month, day, clock, fraction = ''] = parts;
  if (month === '00' || day === '00') return text;
  const seconds = clock === undefined ? '' : `${clock}${fractionText(BigInt(fraction.padEnd(6, '0')), 6)}`;
  if (year === undefined) return seconds;
  const date = `${year}-${month}-${day}`;
  if (type === 'date') return date;
  return `${date}T${seconds === '' ? '00:00:00' : seconds}${type === 'timestamptz' ? 'Z' : ''}`;
}

/** Read once: the library searches its module at each access, in 15 µs, and a list has 10,000 values. */
const { TypedParameter } = mysql;

/** Converts a value to the binary protocol's own type, so that the server converts no text. */
export function boundValue({ type, value }: Parameter): mysql.ExecuteValues {
  if (value === null) return null;
  switch (type) {
    case 'integer':
      return integer(String(value));
    case 'decimal':
      return decimal(String(value));
    case 'float': {
      const number = Number(value);
      if (!Number.isFinite(number)) throw unbindable();
      return TypedParameter.DOUBLE(number);
    }
    case 'boolean':
      return TypedParameter.TINY(value === true || value === 'true' ? 1 : 0);
    case 'binary':
      return Buffer.from(String(value), 'base64');
    case 'date':
      return TypedParameter.DATE(String(value));
    case 'time':
      return TypedParameter.TIME(String(value));
    case 'timestamp':
    case 'timestamptz':
      return TypedParameter.DATETIME(String(value).replace('T', ' ').replace(/Z$/, ''));
    case 'text':
    case 'json':
    case 'other':
      return TypedParameter.VAR_STRING(String(value));
  }
}

function integer(text: string): mysql.ExecuteValues {
  if (!/^-?\d+$/.test(text)) throw unbindable();
  const whole = BigInt(text);
  if (BigInt.asIntN(64, whole) === whole) return TypedParameter.LONGLONG(whole);
  if (BigInt.asUintN(64, whole) === whole) return TypedParameter.LONGLONG.unsigned(whole);
  return decimal(text);
}

/** Binds a decimal with exactly its digits. */
function decimal(text: string): mysql.ExecuteValues {
  const plain = plainDecimal(text);
  if (plain === undefined || plain.after > DECIMAL_SCALE || plain.before + plain.after > DECIMAL_DIGITS)
    throw unbindable();
  return TypedParameter.NEWDECIMAL(plain.text);
}

function unbindable(): WarehouseError {
  return new WarehouseError(
    `A number in the query does not fit the types of the warehouse, which have ${DECIMAL_DIGITS} digits at most, ${DECIMAL_SCALE} of them after the point.`,
  );
}
