import type { ScalarType } from '../../../router/capabilities/warehouse.ts';

/** Type names without their parameters. */
const SCALAR_TYPES: Readonly<Record<string, ScalarType>> = {
  boolean: 'boolean',
  tinyint: 'integer',
  smallint: 'integer',
  integer: 'integer',
  bigint: 'integer',
  real: 'float',
  double: 'float',
  decimal: 'decimal',
  varchar: 'text',
  char: 'text',
  uuid: 'text',
  ipaddress: 'text',
  unknown: 'text',
  date: 'date',
  time: 'time',
  timestamp: 'timestamp',
  'timestamp with time zone': 'timestamptz',
  json: 'json',
  array: 'json',
  map: 'json',
  row: 'json',
  varbinary: 'binary',
};

/**
 * Maps a native type: `decimal(18,2)` -> `decimal`; `timestamp(6) with time zone` -> `timestamptz`; `row(a bigint)`
 * -> `json`.
 */
export function scalarTypeOf(nativeType: string): ScalarType {
  const [, name = '', zone = ''] = /^(\w+)(?:\(.*\))?( with time zone)?$/.exec(nativeType) ?? [];
  return SCALAR_TYPES[`${name}${zone}`] ?? 'other';
}

/** Returns whether values of the type arrive as JSON structures; all others arrive as one JSON value. */
export function isNested(nativeType: string): boolean {
  return /^(array|map|row)\(/.test(nativeType);
}
