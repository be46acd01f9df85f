import type { ScalarType } from '../../../router/capabilities/warehouse.ts';

const SCALAR_TYPES: Readonly<Record<string, ScalarType>> = {
  String: 'text',
  FixedString: 'text',
  UUID: 'text',
  Enum8: 'text',
  Enum16: 'text',
  IPv4: 'text',
  IPv6: 'text',
  Bool: 'boolean',
  Date: 'date',
  Date32: 'date',
  Time: 'time',
  Time64: 'time',
  BFloat16: 'float',
  Array: 'json',
  Tuple: 'json',
  Map: 'json',
  Nested: 'json',
  JSON: 'json',
  Object: 'json',
  Variant: 'json',
  Dynamic: 'json',
  Point: 'json',
  Ring: 'json',
  LineString: 'json',
  MultiLineString: 'json',
  Polygon: 'json',
  MultiPolygon: 'json',
};

/**
 * Maps a native type: `Nullable(Decimal(18, 2))` -> `decimal`. A DateTime with a zone is an instant, one without is
 * shown in UTC.
 */
export function scalarTypeOf(nativeType: string): ScalarType {
  const type = withoutWrappers(nativeType);
  const name = type.split('(', 1)[0] ?? '';
  if (/^U?Int\d+$/.test(name)) return 'integer';
  if (/^Float\d+$/.test(name)) return 'float';
  if (/^Decimal\d*$/.test(name)) return 'decimal';
  if (/^DateTime(64)?$/.test(name)) return type.includes("'") ? 'timestamptz' : 'timestamp';
  return SCALAR_TYPES[name] ?? 'other';
}

/**
 * Returns the type inside `Nullable(…)`, `LowCardinality(…)` and `SimpleAggregateFunction(sum, …)`, which change only
 * the storage of values.
 */
function withoutWrappers(nativeType: string): string {
  const inner = /^(?:Nullable\(|LowCardinality\(|SimpleAggregateFunction\(\w+, )(.*)\)$/.exec(nativeType)?.[1];
  return inner === undefined ? nativeType : withoutWrappers(inner);
}
