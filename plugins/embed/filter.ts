/** Applies the filter of a host page. It can only narrow what the author published; an invalid filter is an error. */
import { closest } from 'fastest-levenshtein';
import { z } from 'zod';
import { list } from '../../router/bounded.ts';
import type { RuntimeFilter } from '../../router/capabilities/query-source.ts';
import { MalformedBodyError, ValidationError } from '../../router/errors.ts';
import { operatorsOf } from '../../router/filter-operators.ts';
import { readJson } from '../../router/json.ts';
import { MAX_NAME_LENGTH } from '../../router/limits.ts';
import { short } from '../../router/short.ts';
import { toServiceError } from '../../router/to-service-error.ts';
import { withoutNulls } from '../../router/without-nulls.ts';

/** Conditions of a filter, and fields of the short form. */
const MAX_CONDITIONS = 50;

/** Values of one condition. Members of a cube are looked up one by one: a page that shows more chooses another way. */
const MAX_VALUES = 200;

const Field = z.string().max(2 * MAX_NAME_LENGTH + 1);
const Value = z.union([z.string().max(1_000), z.number(), z.boolean()]);
const Values = list(Value, MAX_VALUES);

const Condition = z.discriminatedUnion('op', [
  z.strictObject({ field: Field, op: z.enum(operatorsOf('one')), values: Values.length(1) }),
  z.strictObject({ field: Field, op: z.enum(operatorsOf('list')), values: Values }),
  z.strictObject({ field: Field, op: z.enum(operatorsOf('two')), values: Values.length(2) }),
  z.strictObject({
    field: Field,
    op: z.enum(operatorsOf('period')),
    values: z.union([z.tuple([z.string().max(100)]), z.tuple([z.string().max(100), z.int().min(1).max(10_000)])]),
  }),
  z.strictObject({ field: Field, op: z.enum(operatorsOf('none')), values: Values.length(0).optional() }),
]);

/** `{"stores.region": ["North"]}`, or a list of conditions. */
const Filter = z.union([
  list(Condition, MAX_CONDITIONS),
  z
    .record(Field, Values)
    .refine((fields) => Object.keys(fields).length <= MAX_CONDITIONS, `At most ${MAX_CONDITIONS} fields.`),
]);

export const FilterText = z
  .string()
  .max(100_000)
  .optional()
  .describe('JSON: `{"dataset.field": [values]}` or a list of `{field, op, values}`. It can only narrow the answer.');

/**
 * Parses the conditions of the filter.
 *
 * @param allowed keys of the dimensions that it may name
 * @throws ValidationError at `filter` when it is not of a known shape or names another dimension
 */
export function parseRuntimeFilters(text: string | undefined, allowed: readonly string[]): readonly RuntimeFilter[] {
  if (text === undefined) return [];
  const narrowing = conditionsOf(text);
  for (const { field } of narrowing) requireOffered('filter', field, allowed);
  return narrowing;
}

/**
 * Checks that a page may filter by a field.
 *
 * @throws ValidationError at `place`, with the fields that it may filter by
 */
export function requireOffered(place: 'filter' | 'field', field: string, allowed: readonly string[]): void {
  if (allowed.includes(field)) return;
  const available = [...new Set(allowed)].sort();
  const nearest = available.length === 0 ? '' : ` Did you mean ${closest(field.slice(0, 200), available)}?`;
  throw ValidationError.at([place], `This embed cannot be filtered by ${short(field)}.${nearest}`, available);
}

/** Returns the conditions of a filter. @throws ValidationError at `filter` for an unknown shape */
export function conditionsOf(text: string): readonly RuntimeFilter[] {
  const parsed = Filter.safeParse(withoutNulls(Filter, json(text)));
  if (!parsed.success) {
    const { message } = toServiceError(parsed.error);
    throw ValidationError.at(['filter'], `The filter is of no known shape: ${message}`);
  }
  const conditions = Array.isArray(parsed.data)
    ? parsed.data
    : Object.entries(parsed.data).map(([field, values]) => ({ field, op: 'IN' as const, values }));
  return conditions.map(({ field, op, values = [] }) => ({ field, op, values: values.map(String) }));
}

function json(text: string): unknown {
  try {
    return readJson(text);
  } catch (error) {
    if (error instanceof MalformedBodyError)
      throw ValidationError.at(['filter'], 'The filter is not JSON, or nests too deep.');
    if (error instanceof ValidationError) throw ValidationError.at(['filter'], error.message);
    throw error;
  }
}
