import type { ScalarType } from '../../../router/capabilities/warehouse.ts';
import type { DeclaredColumn, Rows, SqliteValue } from './protocol.ts';

/**
 * Declared types mean nothing to SQLite; these are the common ones, without parameters. Dates and times are ISO 8601
 * text, as SQLite's own date functions write it.
 */
const SCALAR_TYPES: Readonly<Record<string, ScalarType>> = {
  BOOL: 'boolean',
  BOOLEAN: 'boolean',
  BIT: 'boolean',
  DATE: 'date',
  TIME: 'time',
  DATETIME: 'timestamp',
  TIMESTAMP: 'timestamp',
  'TIMESTAMP WITHOUT TIME ZONE': 'timestamp',
  TIMESTAMPTZ: 'timestamptz',
  'TIMESTAMP WITH TIME ZONE': 'timestamptz',
  JSON: 'json',
  UUID: 'text',
  ENUM: 'text',
  STRING: 'text',
  DECIMAL: 'decimal',
  NUMERIC: 'decimal',
  NUMBER: 'decimal',
  MONEY: 'decimal',
};

/** Maps a declared type; a type outside the table by SQLite's rules of affinity (SQLite documentation, "Datatypes", 3.1). */
export function scalarTypeOf(declared: string): ScalarType {
  const word = declared
    .replace(/\([^)]*\)/g, '')
    .trim()
    .replace(/\s+/g, ' ')
    .toUpperCase();
  const scalarType = SCALAR_TYPES[word];
  if (scalarType !== undefined) return scalarType;
  if (word.includes('INT')) return 'integer';
  if (/CHAR|CLOB|TEXT/.test(word)) return 'text';
  if (word.includes('BLOB')) return 'binary';
  if (/REAL|FLOA|DOUB/.test(word)) return 'float';
  return 'other';
}

/** Returns the type of a result column: the declared one, or for a computed column the type of the first rows' values. */
export function columnType(column: DeclaredColumn, rows: Rows, index: number) {
  if (column.declared !== null && column.declared.trim() !== '') {
    const type = scalarTypeOf(column.declared);
    if (type !== 'other') return { type, nativeType: column.declared };
  }
  return typeOfValues(rows.values[index] ?? []);
}

function typeOfValues(values: readonly SqliteValue[]): { readonly type: ScalarType; readonly nativeType: string } {
  const kinds = new Set(values.filter((value) => value !== null).map((value) => typeof value));
  const only = (...allowed: readonly string[]): boolean => [...kinds].every((kind) => allowed.includes(kind));
  if (kinds.size === 0) return { type: 'other', nativeType: '' };
  if (only('bigint')) return { type: 'integer', nativeType: 'INTEGER' };
  if (only('bigint', 'number')) return { type: 'float', nativeType: 'REAL' };
  if (only('string')) return { type: 'text', nativeType: 'TEXT' };
  if (only('object')) return { type: 'binary', nativeType: 'BLOB' };
  return { type: 'other', nativeType: '' };
}
