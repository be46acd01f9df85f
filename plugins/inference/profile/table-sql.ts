import type { Dialect } from '../../../router/capabilities/dialect.ts';
import type { TableName } from '../../../router/capabilities/warehouse.ts';

/** Returns the SQL of a table's name. */
export function tableSql(dialect: Dialect, { schema, name }: TableName): string {
  return schema === undefined || schema === ''
    ? dialect.identifier(name)
    : `${dialect.identifier(schema)}.${dialect.identifier(name)}`;
}
