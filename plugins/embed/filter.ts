/** The filter of a host page: it can only narrow what the author published, and one that is not understood is an error. */
import { closest } from 'fastest-levenshtein';
import { z } from 'zod';
import type { Narrowing } from '../../router/capabilities/query-source.ts';
import { toServiceError } from '../../router/error-shape.ts';
import { ValidationError } from '../../router/errors.ts';

const Value = z.union([z.string().max(1_000), z.number(), z.boolean()]);
const Values = z.array(Value).max(1_000);

const Condition = z.discriminatedUnion('op', [
  z.strictObject({ field: z.string(), op: z.enum(['EQ', 'NEQ', 'LT', 'LTE', 'GT', 'GTE']), values: Values.length(1) }),
  z.strictObject({ field: z.string(), op: z.literal('IN'), values: Values }),
  z.strictObject({ field: z.string(), op: z.literal('BETWEEN'), values: Values.length(2) }),
  z.strictObject({ field: z.string(), op: z.enum(['IS_NULL', 'IS_NOT_NULL']), values: Values.length(0).optional() }),
]);

/** `{"stores.region": ["North"]}`, or a list of conditions. */
const Filter = z.union([z.array(Condition).max(50), z.record(z.string(), Values)]);

export const FilterText = z
  .string()
  .max(100_000)
  .optional()
  .describe('JSON: `{"dataset.field": [values]}` or a list of `{field, op, values}`. It can only narrow the answer.');

/**
 * What the filter asks for.
 *
 * @param allowed keys of the dimensions that it may name
 * @throws ValidationError at `filter` when it is not of a known shape or names another dimension
 */
export function narrowingOf(text: string | undefined, allowed: readonly string[]): readonly Narrowing[] {
  if (text === undefined) return [];
  const narrowing = conditionsOf(text);
  for (const { field } of narrowing) {
    if (allowed.includes(field)) continue;
    const available = [...new Set(allowed)].sort();
    const nearest = available.length === 0 ? '' : ` Did you mean ${closest(field, available)}?`;
    throw ValidationError.at('filter', `This embed cannot be filtered by ${field}.${nearest}`, available);
  }
  return narrowing;
}

function conditionsOf(text: string): readonly Narrowing[] {
  const parsed = Filter.safeParse(json(text));
  if (!parsed.success) {
    const { message } = toServiceError(parsed.error);
    throw ValidationError.at('filter', `The filter is of no known shape: ${message}`);
  }
  const conditions = Array.isArray(parsed.data)
    ? parsed.data
    : Object.entries(parsed.data).map(([field, values]) => ({ field, op: 'IN' as const, values }));
  return conditions.map(({ field, op, values = [] }) => ({ field, op, values: values.map(String) }));
}

function json(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw ValidationError.at(
      'filter',
      `The filter is not JSON: ${cause instanceof Error ? cause.name : 'unreadable'}.`,
    );
  }
}
