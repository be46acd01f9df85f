import { FILTER_OPERATORS } from '../generated/closed-lists.ts';
import { isRecord } from './json.ts';

type Scalar = string | number | boolean | null;

/** Names an operator of the semantic surface. */
export type FilterOperator = keyof typeof FILTER_OPERATORS;

/** One condition; `op` is an operator of the semantic surface. A list of conditions means that all of them apply. */
export interface FilterCondition {
  /** `dataset.field`, as in the keys of an answer's dimensions. */
  readonly field: string;
  readonly op: FilterOperator;
  readonly values?: readonly Scalar[];
}

/**
 * Narrows an embed by the values that a field may have, or by conditions that all apply.
 *
 * @example
 * ```ts
 * import type { EmbedFilter } from 'service-embed';
 *
 * const byValue: EmbedFilter = { 'stores.region': ['North', 'South'] };
 * const byCondition: EmbedFilter = [{ field: 'sales.date', op: 'BETWEEN', values: ['2025-01-01', '2025-12-31'] }];
 * for (const embed of document.querySelectorAll('service-embed')) embed.filter = byValue ?? byCondition;
 * ```
 */
export type EmbedFilter = Readonly<Record<string, readonly Scalar[]>> | readonly FilterCondition[];

/** Marks a filter that cannot be read. It is no JSON, so no readable filter is written like this. */
export const MALFORMED_FILTER = '!';

/**
 * Writes the filter as the query parameter. Returns undefined where there is none, and `MALFORMED_FILTER` where its
 * shape is unknown. A malformed filter must never become no filter: the embed would show data that the page meant to
 * leave out.
 */
export function serializeFilter(filter: unknown): string | undefined {
  if (filter === undefined || filter === null) return undefined;
  try {
    const read: unknown = typeof filter === 'string' ? JSON.parse(filter) : filter;
    if (
      Array.isArray(read) ? read.every(isCondition) : isRecord(read) && Object.entries(read).every(isFieldWithValues)
    ) {
      return JSON.stringify(read);
    }
  } catch {
    // Either a text that is no JSON, or an object that JSON cannot represent.
  }
  return MALFORMED_FILTER;
}

function isFieldWithValues([field, values]: readonly [string, unknown]): boolean {
  return field !== '' && isScalars(values);
}

function isCondition(value: unknown): boolean {
  return (
    isRecord(value) &&
    typeof value.field === 'string' &&
    value.field !== '' &&
    isOperator(value.op) &&
    (isScalars(value.values) || !FILTER_OPERATORS[value.op])
  );
}

function isOperator(name: unknown): name is FilterOperator {
  return typeof name === 'string' && Object.hasOwn(FILTER_OPERATORS, name);
}

function isScalars(values: unknown): boolean {
  return (
    Array.isArray(values) &&
    values.every(
      (value) => value === null || typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value),
    )
  );
}
