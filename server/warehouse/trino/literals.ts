import type { Parameter, ScalarType } from '../../../router/capabilities/warehouse.ts';
import { WarehouseError } from '../../../router/errors.ts';
import { plainDecimal } from '../plain-decimal.ts';
import { hexOfBase64, inSingleQuotes } from '../quoting.ts';

export const DECIMAL_DIGITS = 38;

const NULL_TYPE: Readonly<Record<ScalarType, string>> = {
  text: 'VARCHAR',
  integer: 'BIGINT',
  decimal: 'DECIMAL(38,10)',
  float: 'DOUBLE',
  boolean: 'BOOLEAN',
  date: 'DATE',
  time: 'TIME(6)',
  timestamp: 'TIMESTAMP(6)',
  timestamptz: 'TIMESTAMP(6) WITH TIME ZONE',
  json: 'JSON',
  binary: 'VARBINARY',
  other: 'VARCHAR',
};

/** Returns a bound value as the typed literal that follows USING; Trino has no other way to send one. */
export function literalOf({ type, value }: Parameter): string {
  if (value === null) return `CAST(NULL AS ${NULL_TYPE[type]})`;
  const text = String(value);
  switch (type) {
    case 'integer':
      return integer(text);
    case 'decimal':
      return decimal(text);
    case 'float': {
      const number = Number(value);
      if (Number.isNaN(number)) return 'nan()';
      if (!Number.isFinite(number)) return number > 0 ? 'infinity()' : '-infinity()';
      return `DOUBLE '${number}'`;
    }
    case 'boolean':
      return value === true || value === 'true' ? 'true' : 'false';
    case 'date':
      return `DATE ${inSingleQuotes(text)}`;
    case 'time':
      return `TIME ${inSingleQuotes(text)}`;
    case 'timestamp':
      return `TIMESTAMP ${inSingleQuotes(text.replace('T', ' '))}`;
    case 'timestamptz':
      return `TIMESTAMP ${inSingleQuotes(`${text.replace('T', ' ').replace(/Z$/, '')} UTC`)}`;
    case 'json':
      return `JSON ${inSingleQuotes(text)}`;
    case 'binary':
      return `X'${hexOfBase64(text)}'`;
    case 'text':
    case 'other':
      return inSingleQuotes(text);
  }
}

function integer(text: string): string {
  if (!/^-?\d+$/.test(text)) throw unbindable();
  const whole = BigInt(text);
  return BigInt.asIntN(64, whole) === whole ? `BIGINT '${text}'` : decimal(text);
}

function decimal(text: string): string {
  const plain = plainDecimal(text);
  if (plain === undefined || plain.before + plain.after > DECIMAL_DIGITS) throw unbindable();
  return `DECIMAL '${plain.text}'`;
}

function unbindable(): WarehouseError {
  return new WarehouseError(
    `A number in the query does not fit the types of the warehouse, which have ${DECIMAL_DIGITS} digits at most.`,
  );
}
