import type { z } from 'zod';
import { toServiceError } from '../../router/to-service-error.ts';
import { withoutNulls } from '../../router/without-nulls.ts';

/**
 * Reads a request as an operation reads its input: null means the same as an absent member. Saved queries, embeds, jobs, commands and
 * language models give requests that no operation has read.
 *
 * @throws ValidationError with every mistake of its shape
 */
export function parseRequest<Schema extends z.ZodType>(schema: Schema, request: unknown): z.output<Schema> {
  const parsed = schema.safeParse(withoutNulls(schema, request));
  if (!parsed.success) throw toServiceError(parsed.error);
  return parsed.data;
}
