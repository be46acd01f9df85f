/** Reads which dimensions a page leaves out of an answer, for the subtotals of its matrix. */
import { z } from 'zod';
import { list } from '../../router/bounded.ts';
import { ValidationError } from '../../router/errors.ts';
import { MAX_NAME_LENGTH } from '../../router/limits.ts';
import { jsonOf } from './others.ts';

const MAX_DIMENSIONS = 20;

const WithoutShape = list(z.string().max(3 * MAX_NAME_LENGTH), MAX_DIMENSIONS).min(1);

export const WithoutText = z
  .string()
  .max(20_000)
  .optional()
  .describe(
    'JSON: `["dataset.field"]` answers the same query without these dimensions, which gives the subtotals of a matrix.',
  );

/**
 * Parses the dimensions to leave out.
 *
 * @param dimensions keys of the dimensions that the answer shows; `undefined` where only its surface knows them
 * @throws ValidationError at `without`
 */
export function parseWithout(text: string, dimensions: readonly string[] | undefined): readonly string[] {
  const parsed = WithoutShape.safeParse(jsonOf(text));
  if (!parsed.success)
    throw ValidationError.at(['without'], 'without has to be a list of dimensions: ["dataset.field"].');
  const unknown = parsed.data.find((key) => dimensions?.includes(key) === false);
  if (unknown !== undefined)
    throw ValidationError.at(['without'], `The answer has no dimension "${unknown}".`, dimensions);
  return [...new Set(parsed.data)];
}
