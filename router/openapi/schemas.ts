import { z } from 'zod';

export type JsonSchema = { readonly [key: string]: unknown };

/**
 * Turns zod schemas into JSON Schema 2020-12 for an OpenAPI document. Schemas that carry an id (`.meta({ id })`)
 * become components and are referred to; the others stand where they are used.
 */
export class SchemaCollector {
  readonly #components: Record<string, JsonSchema> = {};

  get all(): Record<string, JsonSchema> {
    return Object.fromEntries(Object.entries(this.#components).sort(([a], [b]) => (a < b ? -1 : 1)));
  }

  /** The envelope every surface's errors have in common. */
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
    const {
      $schema: _,
      $defs,
      ...root
    } = z.toJSONSchema(schema, { io, target: 'draft-2020-12', unrepresentable: 'any' }) as Record<string, unknown>;
    for (const [name, definition] of Object.entries(($defs ?? {}) as Record<string, JsonSchema>)) {
      // The same type may be read and written in two forms (defaults); the form that callers send keeps the name.
      const component = relinked(definition) as JsonSchema;
      if (io === 'input' || this.#components[name] === undefined) this.#components[name] = component;
    }
    return relinked(root) as JsonSchema;
  }
}

function relinked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(relinked);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      // An id is how zod names a component; in the document the component's key says it.
      .filter(([key, inner]) => key !== 'id' || typeof inner !== 'string')
      .map(([key, inner]) =>
        key === '$ref' && typeof inner === 'string'
          ? [key, inner.replace('#/$defs/', '#/components/schemas/')]
          : [key, relinked(inner)],
      ),
  );
}
