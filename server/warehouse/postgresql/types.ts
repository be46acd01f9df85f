import type { ScalarType } from '../../../router/capabilities/warehouse.ts';

/**
 * Type names in the spelling of `format_type`, without parameters. Any other type is `other`, with values in the
 * server's own text.
 */
const SCALAR_TYPES: Readonly<Record<string, ScalarType>> = {
  boolean: 'boolean',
  smallint: 'integer',
  integer: 'integer',
  bigint: 'integer',
  oid: 'integer',
  numeric: 'decimal',
  real: 'float',
  'double precision': 'float',
  text: 'text',
  'character varying': 'text',
  character: 'text',
  bpchar: 'text',
  '"char"': 'text',
  name: 'text',
  citext: 'text',
  uuid: 'text',
  xml: 'text',
  unknown: 'text',
  date: 'date',
  'time without time zone': 'time',
  'timestamp without time zone': 'timestamp',
  'timestamp with time zone': 'timestamptz',
  json: 'json',
  jsonb: 'json',
  bytea: 'binary',
};

/**
 * Maps a native type: `numeric(18,2)` -> `decimal`; `timestamp(3) without time zone` -> `timestamp`; arrays become
 * JSON.
 */
export function scalarTypeOf(nativeType: string): ScalarType {
  if (nativeType.endsWith('[]')) return 'json';
  return SCALAR_TYPES[withoutParameters(nativeType)] ?? 'other';
}

function withoutParameters(nativeType: string): string {
  return nativeType.replace(/\([^)]*\)/, '');
}

/** Returns the element type of an array type with any number of dimensions, because PostgreSQL stores no such number. */
export function elementTypeOf(arrayType: string): string {
  return arrayType.slice(0, -'[]'.length);
}
