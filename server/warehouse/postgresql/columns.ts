import type pg from 'pg';
import type { ResultColumn } from '../../../router/capabilities/warehouse.ts';
import { scalarTypeOf } from './types.ts';
import { type Converter, converterFor } from './values.ts';

export interface DescribedColumn {
  readonly column: ResultColumn;
  readonly convert: Converter;
}

interface TypeNames {
  readonly name: string;
  /** `text` for every string type and enumeration, else as `name`. */
  readonly base: string;
}

const UNKNOWN: TypeNames = { name: 'unknown', base: 'unknown' };

/** The types of result columns, looked up in the server's catalog once for each kind of type. */
export class ColumnTypes {
  readonly #typeNames = new Map<string, TypeNames>();

  /** Queries the connection that has just answered, inside its transaction. */
  async describe(client: pg.Client, fields: readonly pg.FieldDef[]): Promise<readonly DescribedColumn[]> {
    const unknown = fields.filter((field) => !this.#typeNames.has(typeKey(field)));
    if (unknown.length > 0) {
      const { rows } = await client.query<TypeNames>(
        `SELECT format_type(asked.oid, modifier) AS name,
           CASE WHEN t.typtype = 'e' OR t.typcategory = 'S' THEN 'text' ELSE format_type(asked.oid, modifier) END AS base
         FROM unnest($1::oid[], $2::int[]) WITH ORDINALITY AS asked (oid, modifier, position)
           LEFT JOIN pg_catalog.pg_type t ON t.oid = asked.oid
         ORDER BY position`,
        [unknown.map((field) => field.dataTypeID), unknown.map((field) => field.dataTypeModifier)],
      );
      for (const [i, field] of unknown.entries()) this.#typeNames.set(typeKey(field), rows[i] ?? UNKNOWN);
    }
    return fields.map((field) => {
      const { name, base } = this.#typeNames.get(typeKey(field)) ?? UNKNOWN;
      return { column: { name: field.name, type: scalarTypeOf(base), nativeType: name }, convert: converterFor(base) };
    });
  }
}

function typeKey({ dataTypeID, dataTypeModifier }: pg.FieldDef): string {
  return `${dataTypeID}:${dataTypeModifier}`;
}
