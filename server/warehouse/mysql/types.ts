import mysql from 'mysql2';
import type { ScalarType } from '../../../router/capabilities/warehouse.ts';

// Read once: the library searches its module at each access.
const { Types } = mysql;

/** Type names as `information_schema` spells them, without their parameters. */
const SCALAR_TYPES: Readonly<Record<string, ScalarType>> = {
  tinyint: 'integer',
  smallint: 'integer',
  mediumint: 'integer',
  int: 'integer',
  integer: 'integer',
  bigint: 'integer',
  year: 'integer',
  bit: 'integer',
  decimal: 'decimal',
  numeric: 'decimal',
  float: 'float',
  double: 'float',
  date: 'date',
  time: 'time',
  datetime: 'timestamp',
  timestamp: 'timestamptz',
  char: 'text',
  varchar: 'text',
  tinytext: 'text',
  text: 'text',
  mediumtext: 'text',
  longtext: 'text',
  enum: 'text',
  set: 'text',
  uuid: 'text',
  json: 'json',
  binary: 'binary',
  varbinary: 'binary',
  tinyblob: 'binary',
  blob: 'binary',
  mediumblob: 'binary',
  longblob: 'binary',
};

/** Maps a native type: `decimal(18,2) unsigned` -> `decimal`. `tinyint(1)` and `bit(1)` are these engines' booleans, as in the JDBC drivers. */
export function scalarTypeOf(nativeType: string): ScalarType {
  if (/^(tinyint|bit)\(1\)/i.test(nativeType)) return 'boolean';
  return SCALAR_TYPES[/^[a-z]+/i.exec(nativeType)?.[0].toLowerCase() ?? ''] ?? 'other';
}

/** Character set of bytes that are not text (MySQL protocol, collation `binary`). */
const BINARY = 63;

/** Returns the protocol's type of a result column in the spelling of `information_schema`. */
export function nativeTypeOf(field: mysql.FieldPacket): string {
  const length = field.columnLength ?? 0;
  const isBinary = field.characterSet === BINARY;
  if (field.extendedFormat === 'json') return 'json';
  if (field.extendedTypeName !== undefined) return field.extendedTypeName;
  switch (field.columnType) {
    case Types.TINY:
      return length === 1 ? 'tinyint(1)' : 'tinyint';
    case Types.SHORT:
      return 'smallint';
    case Types.INT24:
      return 'mediumint';
    case Types.LONG:
      return 'int';
    case Types.LONGLONG:
      return 'bigint';
    case Types.YEAR:
      return 'year';
    case Types.BIT:
      return `bit(${length})`;
    case Types.FLOAT:
      return 'float';
    case Types.DOUBLE:
      return 'double';
    case Types.DECIMAL:
    case Types.NEWDECIMAL: {
      // The length counts the text, including a sign and a point.
      const precision = length - (field.decimals > 0 ? 1 : 0) - (isUnsigned(field) ? 0 : 1);
      return `decimal(${precision},${field.decimals})`;
    }
    case Types.DATE:
    case Types.NEWDATE:
      return 'date';
    case Types.TIME:
      return 'time';
    case Types.DATETIME:
      return 'datetime';
    case Types.TIMESTAMP:
      return 'timestamp';
    case Types.JSON:
      return 'json';
    case Types.VARCHAR:
    case Types.VAR_STRING:
      return isBinary ? 'varbinary' : 'varchar';
    case Types.STRING:
    case Types.ENUM:
    case Types.SET:
      return isBinary ? 'binary' : 'char';
    case Types.TINY_BLOB:
    case Types.MEDIUM_BLOB:
    case Types.LONG_BLOB:
    case Types.BLOB:
      return isBinary ? 'blob' : 'text';
    case Types.GEOMETRY:
      return 'geometry';
    default:
      return 'unknown';
  }
}

const UNSIGNED_FLAG = 32;

function isUnsigned(field: mysql.FieldPacket): boolean {
  return typeof field.flags === 'number' && (field.flags & UNSIGNED_FLAG) !== 0;
}
