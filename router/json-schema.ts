/** JSON Schemas 2020-12 of our zod schemas, made in one way for the API reference, for agents and for language models. */
import { z } from 'zod';
import { isRecord } from './record.ts';

export type JsonSchema = { readonly [key: string]: unknown };

/** Where in a schema complete in itself the definition of a name stands. */
const DEFINITIONS = '#/$defs/';

/** A schema and the named schemas that it refers to as `#/$defs/Name`. */
export interface SplitSchema {
  readonly root: JsonSchema;
  readonly definitions: Readonly<Record<string, JsonSchema>>;
}

/**
 * Returns the JSON Schema of a zod schema. A schema that carries an id (`.meta({ id })`) is a definition, written once
 * and referred to.
 *
 * @param io `input` describes what callers send, `output` what they get
 */
export function splitSchema(schema: z.ZodType, io: 'input' | 'output'): SplitSchema {
  const {
    $schema: _,
    $defs,
    ...root
  } = z.toJSONSchema(schema, {
    io,
    target: 'draft-2020-12',
    unrepresentable: 'any',
    // An id is how zod names a definition; the name of the definition says it.
    override: ({ jsonSchema }) => delete jsonSchema.id,
  }) as JsonSchema;
  return { root, definitions: isRecord($defs) ? Object.fromEntries(Object.entries($defs).filter(isSchemaEntry)) : {} };
}

/**
 * Returns a JSON Schema that is complete in itself and has its members at the root, as protocols of agents want it; a
 * union of objects is an object, too, although JSON Schema has no word for it there.
 */
export function objectSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { root, definitions } = splitSchema(schema, io);
  const { $ref, ...beside } = root;
  const named = typeof $ref === 'string' ? $ref.slice(DEFINITIONS.length) : undefined;
  const members = named === undefined ? root : { ...definitions[named], ...beside };
  const others = Object.entries(definitions).filter(([name]) => name !== named);
  return { ...members, type: 'object', ...(others.length === 0 ? {} : { $defs: Object.fromEntries(others) }) };
}

/**
 * Returns a schema that parses as before and says this of itself: a type that another place describes already need not be
 * written out again.
 */
export function describedAs<Schema extends z.ZodType>(schema: Schema, json: JsonSchema): Schema {
  // With a definition given, the copy has no parent that zod would describe, too.
  const described = schema.clone(schema.def);
  described._zod.toJSONSchema = () => json;
  return described;
}

function isSchemaEntry(entry: [string, unknown]): entry is [string, JsonSchema] {
  return isRecord(entry[1]);
}
