import {
  DuckDBArrayType,
  DuckDBArrayValue,
  DuckDBBlobValue,
  DuckDBDateValue,
  DuckDBDecimalValue,
  DuckDBListType,
  DuckDBListValue,
  DuckDBMapType,
  DuckDBMapValue,
  DuckDBStructType,
  DuckDBStructValue,
  DuckDBTimeNSValue,
  DuckDBTimestampMillisecondsValue,
  DuckDBTimestampNanosecondsValue,
  DuckDBTimestampSecondsValue,
  DuckDBTimestampTZValue,
  DuckDBTimestampValue,
  DuckDBTimeValue,
  type DuckDBType,
  DuckDBUnionType,
  DuckDBUnionValue,
  type DuckDBValue,
  DuckDBVariantValue,
  JsonDuckDBValueConverter,
} from '@duckdb/node-api';
import type { Scalar } from '../../../router/capabilities/warehouse.ts';
import { decimalFromScaled, integerFromBigint, isoDate, isoTime, isoTimestamp } from '../values.ts';
import { nativeTypeOf, scalarTypeOf } from './types.ts';

/**
 * Converts one cell of a vector to a scalar. The library's own converters would give lossy doubles for decimals, and
 * strings for every BIGINT. Instants without an ISO 8601 text (`infinity`) stay in DuckDB's own text.
 */
export function scalarOf(value: DuckDBValue, type: DuckDBType): Scalar {
  if (value === null || typeof value === 'boolean' || typeof value === 'number' || typeof value === 'string')
    return value;
  if (typeof value === 'bigint') return integerFromBigint(value);
  if (value instanceof DuckDBDecimalValue) return decimalFromScaled(value.value, value.scale);
  if (value instanceof DuckDBDateValue) return isoDate(value.days) ?? endOfTime(value);
  if (value instanceof DuckDBTimestampValue) return isoTimestamp(value.micros, 6) ?? value.toString();
  if (value instanceof DuckDBTimestampTZValue) {
    const text = isoTimestamp(value.micros, 6);
    return text === undefined ? value.toString() : `${text}Z`;
  }
  if (value instanceof DuckDBTimestampSecondsValue) return isoTimestamp(value.seconds, 0) ?? value.toString();
  if (value instanceof DuckDBTimestampMillisecondsValue) return isoTimestamp(value.millis, 3) ?? value.toString();
  if (value instanceof DuckDBTimestampNanosecondsValue) return isoTimestamp(value.nanos, 9) ?? value.toString();
  if (value instanceof DuckDBTimeValue) return isoTime(value.micros, 6);
  if (value instanceof DuckDBTimeNSValue) return isoTime(value.nanos, 9);
  if (value instanceof DuckDBBlobValue) return Buffer.from(value.bytes).toString('base64');
  return scalarTypeOf(nativeTypeOf(type)) === 'json' ? jsonOf(value, type) : value.toString();
}

/** Names the infinite dates, which the library writes as days some five million years away. */
function endOfTime(date: DuckDBDateValue): string {
  if (date.days === DuckDBDateValue.PosInf.days) return 'infinity';
  return date.days === DuckDBDateValue.NegInf.days ? '-infinity' : date.toString();
}

/** Returns a nested value as JSON text, in the shape of DuckDB's own `to_json`, with every digit of a number. */
function jsonOf(value: DuckDBValue, type: DuckDBType): string {
  if (value === null) return 'null';
  if (value instanceof DuckDBListValue && type instanceof DuckDBListType) return jsonArray(value.items, type.valueType);
  if (value instanceof DuckDBArrayValue && type instanceof DuckDBArrayType)
    return jsonArray(value.items, type.valueType);
  if (value instanceof DuckDBStructValue && type instanceof DuckDBStructType) {
    return jsonObject(
      Object.entries(value.entries).map(([key, entry]) => [key, jsonOf(entry, type.typeForEntry(key))]),
    );
  }
  if (value instanceof DuckDBMapValue && type instanceof DuckDBMapType) {
    return jsonObject(
      value.entries.map((entry) => [String(scalarOf(entry.key, type.keyType)), jsonOf(entry.value, type.valueType)]),
    );
  }
  if (value instanceof DuckDBUnionValue && type instanceof DuckDBUnionType) {
    return jsonOf(value.value, type.memberTypeForTag(value.tag));
  }
  if (value instanceof DuckDBVariantValue)
    return JSON.stringify(JsonDuckDBValueConverter(value, type, JsonDuckDBValueConverter));
  const scalar = scalarOf(value, type);
  const scalarType = scalarTypeOf(nativeTypeOf(type));
  const isLiteral = scalarType === 'json' || scalarType === 'decimal' || typeof scalar === 'bigint';
  if (isLiteral || typeof scalar === 'boolean') return String(scalar);
  // JSON has no NaN and no infinities; a string is more precise than null.
  return typeof scalar === 'number' && Number.isFinite(scalar) ? String(scalar) : JSON.stringify(String(scalar));
}

function jsonArray(items: readonly DuckDBValue[], type: DuckDBType): string {
  return `[${items.map((item) => jsonOf(item, type)).join(',')}]`;
}

function jsonObject(entries: readonly (readonly [string, string])[]): string {
  return `{${entries.map(([key, json]) => `${JSON.stringify(key)}:${json}`).join(',')}}`;
}
