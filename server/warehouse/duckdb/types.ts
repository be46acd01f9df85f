import type { DuckDBType } from '@duckdb/node-api';
import type { ScalarType } from '../../../router/capabilities/warehouse.ts';

/** DuckDB's type names in its catalog's spelling, without parameters. Nested types become JSON. */
const SCALAR_TYPES: Readonly<Record<string, ScalarType>> = {
  BOOLEAN: 'boolean',
  TINYINT: 'integer',
  SMALLINT: 'integer',
  INTEGER: 'integer',
  BIGINT: 'integer',
  HUGEINT: 'integer',
  UTINYINT: 'integer',
  USMALLINT: 'integer',
  UINTEGER: 'integer',
  UBIGINT: 'integer',
  UHUGEINT: 'integer',
  BIGNUM: 'integer',
  FLOAT: 'float',
  DOUBLE: 'float',
  DECIMAL: 'decimal',
  VARCHAR: 'text',
  ENUM: 'text',
  UUID: 'text',
  DATE: 'date',
  TIME: 'time',
  TIME_NS: 'time',
  TIMESTAMP: 'timestamp',
  TIMESTAMP_S: 'timestamp',
  TIMESTAMP_MS: 'timestamp',
  TIMESTAMP_NS: 'timestamp',
  'TIMESTAMP WITH TIME ZONE': 'timestamptz',
  JSON: 'json',
  STRUCT: 'json',
  MAP: 'json',
  UNION: 'json',
  VARIANT: 'json',
  BLOB: 'binary',
};

export function nativeTypeOf(type: DuckDBType): string {
  return type.alias ?? type.toString();
}

/**
 * Maps a native type: `DECIMAL(18,2)` -> `decimal`; `INTEGER[]` -> `json`. An unknown type is `other`, with values in
 * DuckDB's own text.
 */
export function scalarTypeOf(nativeType: string): ScalarType {
  if (nativeType.endsWith(']')) return 'json';
  return SCALAR_TYPES[nativeType.split('(', 1)[0] ?? ''] ?? 'other';
}
