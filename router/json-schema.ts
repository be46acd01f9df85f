/** Makes JSON Schemas 2020-12 from zod schemas, alike for the API reference, for agents and for language models. */
import { z } from 'zod';
import { isRecord } from './record.ts';

export type JsonSchema = { readonly [key: string]: unknown };

/** The place of a name's definition in a self-contained schema. */
const DEFINITIONS = '#/$defs/';

/** A schema and the named schemas that it refers to as `#/$defs/Name`. */
export interface SplitSchema {
  readonly root: JsonSchema;
  readonly definitions: Readonly<Record<string, JsonSchema>>;
}

/**
 * Returns the JSON Schema of a zod schema. A schema with an id (`.meta({ id })`) is a definition, written once and
 * referred to.
 *
 * @param io `input` describes requests, `output` answers
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
    override({ jsonSchema }) {
      // The id is zod's name of a definition, which the key already contains.
      delete jsonSchema.id;
      if (jsonSchema.pattern !== undefined) jsonSchema.pattern = portablePattern(jsonSchema.pattern);
      if (io === 'input') takeNulls(jsonSchema);
    },
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

/** The character classes of patterns in this product, as ranges: regular expressions of other languages have no `\p`. */
const RANGES: Readonly<Record<string, string>> = { Cc: '\\u0000-\\u001f\\u007f-\\u009f' };

function portablePattern(pattern: string): string {
  return pattern.replace(/\\p\{(\w+)\}/g, (_, name: string) => {
    const ranges = RANGES[name];
    if (ranges === undefined) throw new Error(`there are no ranges for the class ${name} of the pattern ${pattern}`);
    return ranges;
  });
}

/** Makes the schema state that null in an optional member means the same as leaving it out, as `withoutNulls` handles it. */
function takeNulls(schema: z.core.JSONSchema.BaseSchema): void {
  const { properties, required = [] } = schema;
  if (properties === undefined) return;
  for (const [name, member] of Object.entries(properties)) {
    if (!required.includes(name) && typeof member === 'object') properties[name] = orNull(member);
  }
}

function takesNull({ type, anyOf }: z.core.JSONSchema.BaseSchema): boolean {
  return (Array.isArray(type) && type.includes('null')) || (anyOf?.some(isNullSchema) ?? false);
}

function isNullSchema(schema: unknown): boolean {
  return isRecord(schema) && schema.type === 'null';
}

/** Returns a schema without null, for places that contain text: parts of an address, headers, forms. */
export function notNull(schema: JsonSchema): JsonSchema {
  const { type, enum: values, anyOf, ...rest } = schema;
  if (Array.isArray(type) && type.includes('null')) {
    const [only, ...others]: unknown[] = type.filter((each) => each !== 'null');
    const options = Array.isArray(values) ? { enum: values.filter((value) => value !== null) } : {};
    return { ...schema, type: others.length === 0 ? only : [only, ...others], ...options };
  }
  if (!Array.isArray(anyOf) || !anyOf.some(isNullSchema)) return schema;
  const [only, ...others]: unknown[] = anyOf.filter((each) => !isNullSchema(each));
  return others.length === 0 && isRecord(only) ? { ...only, ...rest } : { ...rest, anyOf: [only, ...others] };
}

function orNull(schema: z.core.JSONSchema.BaseSchema): z.core.JSONSchema.BaseSchema {
  const { type, description, $ref, const: constant, anyOf, oneOf, allOf, not } = schema;
  const saying = description === undefined ? {} : { description };
  if (takesNull(schema) || Object.keys(schema).every((key) => key === 'description')) return schema;
  if (typeof type === 'string' && [constant, anyOf, oneOf, allOf, not].every((each) => each === undefined)) {
    return { ...schema, type: [type, 'null'], ...(schema.enum === undefined ? {} : { enum: [...schema.enum, null] }) };
  }
  if (anyOf !== undefined && $ref === undefined && type === undefined)
    return { ...schema, anyOf: [...anyOf, { type: 'null' }] };
  const { description: _, ...rest } = schema;
  return { ...saying, anyOf: [rest, { type: 'null' }] };
}

/** Returns a schema that parses unchanged and has this description; a type with a description elsewhere need not be repeated. */
export function describedAs<Schema extends z.ZodType>(schema: Schema, json: JsonSchema): Schema {
  // With a definition given, the copy has no parent that zod would describe, too.
  const described = schema.clone(schema.def);
  described._zod.toJSONSchema = () => json;
  return described;
}

function isSchemaEntry(entry: [string, unknown]): entry is [string, JsonSchema] {
  return isRecord(entry[1]);
}
