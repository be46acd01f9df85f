/** Reads which rest of an answer a page asks for: the members of a series that its chart does not draw one by one. */
import { z } from 'zod';
import { list } from '../../router/bounded.ts';
import type { Others } from '../../router/capabilities/query-source.ts';
import { MalformedBodyError, ValidationError } from '../../router/errors.ts';
import { readJson } from '../../router/json.ts';
import { MAX_NAME_LENGTH } from '../../router/limits.ts';

/** Most members that a chart draws one by one. */
const MAX_MEMBERS = 50;

const OthersShape = z.strictObject({
  field: z.string().max(3 * MAX_NAME_LENGTH),
  except: list(z.string().max(1_000).nullable(), MAX_MEMBERS).min(1),
});

export const OthersText = z
  .string()
  .max(60_000)
  .optional()
  .describe(
    'JSON: `{"field": "dataset.field", "except": [values]}` answers all other members of that dimension as one, without the dimension.',
  );

/**
 * Parses the rest that is asked for.
 *
 * @param dimensions keys of the dimensions that the answer shows; `undefined` where only its surface knows them
 * @throws ValidationError at `others`
 */
export function parseOthers(text: string, dimensions: readonly string[] | undefined): Others {
  const parsed = OthersShape.safeParse(jsonOf(text));
  if (!parsed.success)
    throw ValidationError.at(['others'], 'others has to be {"field": "dataset.field", "except": [values]}.');
  const { field, except } = parsed.data;
  if (dimensions?.includes(field) === false)
    throw ValidationError.at(['others'], `The answer has no dimension "${field}".`, dimensions);
  return { field, except };
}

/** Reads JSON; undefined where the text is none. */
export function jsonOf(text: string): unknown {
  try {
    return readJson(text);
  } catch (error) {
    if (error instanceof MalformedBodyError) return undefined;
    throw error;
  }
}
