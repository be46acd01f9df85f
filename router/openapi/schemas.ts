import type { z } from 'zod';
import { type JsonSchema, splitSchema } from '../json-schema.ts';

/**
 * Turns zod schemas into schemas of an OpenAPI document. Schemas with an id (`.meta({ id })`) become components and
 * are referred to; the others are written inline.
 */
export class SchemaCollector {
  readonly #components: Record<string, JsonSchema> = {};

  get all(): Record<string, JsonSchema> {
    return Object.fromEntries(Object.entries(this.#components).sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** The common envelope of all surfaces' errors. */
  get error(): JsonSchema {
    this.#components.Error ??= {
      type: 'object',
      properties: {
        error: { type: 'string', description: 'A stable code.' },
        message: { type: 'string' },
        field: { type: 'string', description: 'Where in the request, as a path: `rows[1].field`.' },
        available: { type: 'array', items: { type: 'string' }, description: 'Legal candidates, nearest first.' },
      },
      required: ['error'],
    };
    return { $ref: '#/components/schemas/Error' };
  }

  inline(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
    const { root, definitions } = splitSchema(schema, io);
    for (const [name, definition] of Object.entries(definitions)) {
      // The same type may have two forms (defaults), for requests and for answers; the form of requests keeps the name.
      const component = relinked(definition) as JsonSchema;
      if (io === 'input' || this.#components[name] === undefined) this.#components[name] = component;
    }
    return relinked(root) as JsonSchema;
  }

  /** Returns the referenced schema where `schema` refers to a component, else `schema`. */
  resolved(schema: JsonSchema): JsonSchema {
    const { $ref } = schema;
    return (typeof $ref === 'string' && this.#components[$ref.slice(COMPONENTS.length)]) || schema;
  }
}

const COMPONENTS = '#/components/schemas/';

function relinked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(relinked);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) =>
      key === '$ref' && typeof inner === 'string'
        ? [key, inner.replace('#/$defs/', COMPONENTS)]
        : [key, relinked(inner)],
    ),
  );
}
