import type { ColumnType } from '../../../router/capabilities/dialect.ts';
import { freeze } from './freeze.ts';
import type { ColumnExpression, Schema } from './model.ts';

/** Returns the schema with types in some of its column expressions; all else is equal, and what was one object is one again. */
export function withColumnTypes(schema: Schema, types: ReadonlyMap<ColumnExpression, ColumnType>): Schema {
  const copies = new Map<object, object>();
  const copy = <Value>(value: Value): Value => {
    if (typeof value !== 'object' || value === null) return value;
    // Annotations are maps of texts.
    if (value instanceof Map) return value;
    const made = copies.get(value) ?? (Array.isArray(value) ? value.map(copy) : copyOf(value));
    copies.set(value, made);
    return made as Value;
  };
  const copyOf = (value: object): object => {
    const members = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copy(member)]));
    const columnType = types.get(value as ColumnExpression);
    if (columnType === undefined) return members;
    const { type, nativeType } = columnType;
    return { ...members, columnType: { type, nativeType } };
  };
  return freeze(copy(schema));
}
