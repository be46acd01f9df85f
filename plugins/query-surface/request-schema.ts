/** The JSON Schema of a surface's requests, as its descriptions answer it. */
import { z } from 'zod';
import { type JsonSchema, objectSchema } from '../../router/json-schema.ts';

/** True where a description has the JSON Schema of a query. */
export const RequestSchemaAsked = z
  .boolean()
  .optional()
  .describe(
    'Whether the answer has `requestSchema`, the JSON Schema of a query. Default true; of the agent tool false.',
  );

/** The parts of a description for agents: names and examples are enough to write a query, and errors name the rest. */
export const DESCRIBE_DEFAULTS = { requestSchema: false } as const;

/** Returns the JSON Schema of a request, complete in itself. */
export function requestSchemaOf(schema: z.ZodObject): JsonSchema {
  return { $schema: 'https://json-schema.org/draft/2020-12/schema', ...objectSchema(schema, 'input') };
}
