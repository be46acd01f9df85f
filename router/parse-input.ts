import type { z } from 'zod';
import { toServiceError } from './to-service-error.ts';
import { withoutNulls } from './without-nulls.ts';

/**
 * Reads a value as an operation reads its input: null means the same as an absent member. Saved queries, documents, embeds, jobs,
 * commands and language models give values that no operation has read.
 *
 * @throws ValidationError with every mistake of its shape
 */
export function parseInput<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(withoutNulls(schema, value));
  if (!parsed.success) throw toServiceError(parsed.error);
  return parsed.data;
}
