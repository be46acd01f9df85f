import type { z } from 'zod';
import { toServiceError } from './to-service-error.ts';
import { withoutNulls } from './without-nulls.ts';

/**
 * Parses a value like an operation's input: null means the same as an absent member. Used for values that no operation has parsed: in saved queries,
 * documents, embeds, jobs, commands and answers of language models.
 *
 * @throws ValidationError with every mistake of its shape
 */
export function parseInput<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(withoutNulls(schema, value));
  if (!parsed.success) throw toServiceError(parsed.error);
  return parsed.data;
}
