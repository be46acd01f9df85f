import {
  BIGINT,
  BLOB,
  BOOLEAN,
  DECIMAL,
  DOUBLE,
  DuckDBBlobValue,
  DuckDBDecimalValue,
  type DuckDBPreparedStatement,
  type DuckDBType,
  type DuckDBValue,
  HUGEINT,
  VARCHAR,
} from '@duckdb/node-api';
import type { Parameter, Scalar } from '../../../router/capabilities/warehouse.ts';
import { WarehouseError } from '../../../router/errors.ts';
import { MAX_DECIMAL_DIGITS } from './decimals.ts';

interface Bound {
  readonly value: DuckDBValue;
  readonly type: DuckDBType;
}

/** Binds a value in the type that `duckdbDialect.placeholder` expects. `index` is 0-based. */
export function bindParameter(prepared: DuckDBPreparedStatement, index: number, parameter: Parameter): void {
  if (parameter.value === null) {
    prepared.bindNull(index + 1);
    return;
  }
  const { value, type } = bound(parameter.type, parameter.value);
  prepared.bindValue(index + 1, value, type);
}

function bound(type: Parameter['type'], value: NonNullable<Scalar>): Bound {
  switch (type) {
    case 'integer':
      return integer(value);
    case 'decimal':
      return decimal(String(value));
    case 'float':
      return { value: Number(value), type: DOUBLE };
    case 'boolean':
      return { value: value === true || value === 'true', type: BOOLEAN };
    case 'binary':
      return { value: new DuckDBBlobValue(Buffer.from(String(value), 'base64')), type: BLOB };
    case 'text':
    case 'date':
    case 'time':
    case 'timestamp':
    case 'timestamptz':
    case 'json':
    case 'other':
      return { value: String(value), type: VARCHAR };
  }
}

function integer(value: NonNullable<Scalar>): Bound {
  if (!Number.isInteger(value) && !/^-?\d+$/.test(String(value))) throw unbindable();
  const whole = BigInt(value);
  if (BigInt.asIntN(64, whole) === whole) return { value: whole, type: BIGINT };
  if (BigInt.asIntN(128, whole) === whole) return { value: whole, type: HUGEINT };
  throw unbindable();
}

/** Binds a decimal with exactly its digits: `-12.30` as DECIMAL(4,2). */
function decimal(text: string): Bound {
  // A DECIMAL has no NaN and no infinity; a double has, and compares with decimals.
  if (text === 'NaN' || text === 'Infinity' || text === '-Infinity') return { value: Number(text), type: DOUBLE };
  const parts = /^(-?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(text);
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts ?? [];
  const shift = Number(exponent);
  // There is no negative scale, so the digits get zeros before the point.
  const scale = Math.max(0, fraction.length - shift);
  const zeros = Math.max(0, shift - fraction.length);
  if (whole + fraction === '' || scale > MAX_DECIMAL_DIGITS || zeros > MAX_DECIMAL_DIGITS) throw unbindable();
  const digits = `${whole}${fraction}${'0'.repeat(zeros)}`.replace(/^0+(?=\d)/, '');
  const width = Math.max(digits.length, scale);
  if (width > MAX_DECIMAL_DIGITS) throw unbindable();
  return { value: new DuckDBDecimalValue(BigInt(`${sign}${digits}`), width, scale), type: DECIMAL(width, scale) };
}

function unbindable(): WarehouseError {
  return new WarehouseError(
    `A number in the query does not fit the types of the warehouse, which have ${MAX_DECIMAL_DIGITS} digits at most.`,
  );
}
