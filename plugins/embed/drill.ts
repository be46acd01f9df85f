/** Reads the steps that a visitor has gone down an answer, and the row whose rows are asked for. */
import { z } from 'zod';
import { list } from '../../router/bounded.ts';
import type { Drill, DrillStep } from '../../router/capabilities/drilling.ts';
import { ValidationError } from '../../router/errors.ts';
import { MAX_NAME_LENGTH } from '../../router/limits.ts';
import { type DrillChoice, MAX_DRILL_STEPS } from '../repository/index.ts';
import { jsonOf } from './others.ts';

/** Dimensions of one row. */
const MAX_VALUES = 50;

const Value = z
  .union([z.string().max(1_000), z.number(), z.boolean(), z.null()])
  .transform((value) => (value === null ? null : String(value)));
const Values = z
  .record(z.string().max(3 * MAX_NAME_LENGTH), Value)
  .refine((values) => Object.keys(values).length <= MAX_VALUES);
const Steps = list(z.strictObject({ field: z.string().max(3 * MAX_NAME_LENGTH), values: Values }), MAX_DRILL_STEPS);

export const DrillText = z
  .string()
  .max(60_000)
  .optional()
  .describe(
    'JSON: `[{"field": "sales.date.year", "values": {"sales.date.year": "2025-01-01"}}]` goes down from these values, one step after the other. The document says from which dimensions, in `drill`.',
  );

export const AtText = z
  .string()
  .max(60_000)
  .optional()
  .describe(
    'JSON: a value for each dimension of the answer, which names one of its rows: `{"stores.region": "North"}`. An answer without dimensions needs none.',
  );

/**
 * Parses the steps of a visitor.
 *
 * @param choice what the document allows
 * @returns undefined where the document allows no way down and the visitor has gone none
 * @throws ValidationError at `drill`
 */
export function parseDrill(text: string | undefined, choice: DrillChoice | undefined): Drill | undefined {
  const down = choice?.down ?? [];
  if (text === undefined) return choice === undefined ? undefined : { down, steps: [] };
  const parsed = Steps.safeParse(jsonOf(text));
  if (!parsed.success)
    throw ValidationError.at(
      ['drill'],
      'drill has to be a list of steps: [{"field": "dataset.field", "values": {…}}].',
    );
  const steps: readonly DrillStep[] = parsed.data;
  if (choice === undefined && steps.length > 0)
    throw ValidationError.at(['drill'], 'The document allows no way down.', []);
  return choice === undefined ? undefined : { down, steps };
}

/** Parses the values of a row. @throws ValidationError at `at` */
export function parseAt(text: string | undefined): Readonly<Record<string, string | null>> {
  const parsed = Values.safeParse(text === undefined ? {} : jsonOf(text));
  if (parsed.success) return parsed.data;
  throw ValidationError.at(['at'], 'at has to be an object of values by dimension: {"dataset.field": value}.');
}
