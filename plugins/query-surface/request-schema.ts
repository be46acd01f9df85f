/** The JSON Schema of a surface's requests, which descriptions of models and cubes contain. */
import { z } from 'zod';
import { type JsonSchema, objectSchema } from '../../router/json-schema.ts';

/** True where a description has the JSON Schema of a query. */
export const SamplesAsked = z
  .boolean()
  .optional()
  .describe('false leaves the sample values out, which are read from the warehouse. Default true.');

export const RequestSchemaAsked = z
  .boolean()
  .optional()
  .describe(
    'Whether the answer has `requestSchema`, the JSON Schema of a query. Default true; false for the agent tool.',
  );

/**
 * The defaults of descriptions for agents: names and examples are enough to write a query, and errors name the legal
 * values.
 */
export const DESCRIBE_DEFAULTS = { requestSchema: false, detail: 'index' } as const;

/** Returns the JSON Schema of a request, without references to other documents. */
export function requestSchemaOf(schema: z.ZodObject): JsonSchema {
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', ...objectSchema(schema, 'input') };
}
