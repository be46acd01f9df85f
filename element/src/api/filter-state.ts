import { isRecord } from './json.ts';

type Value = string | number | boolean;

/**
 * What a visitor chose in one filter: some values, a span of numbers or days (`2025-01-31`) with both ends included, or a
 * period counted to today.
 */
export type FilterChoice =
  | { readonly in: readonly Value[] }
  | { readonly from?: string | number; readonly to?: string | number }
  | { readonly period: string; readonly n?: number };

/**
 * Everything that a visitor chose in an embed. It is plain JSON: a page keeps it, and sets it again for the same picture.
 *
 * @example
 * ```ts
 * import type { FilterState } from 'service-embed';
 *
 * const northThisYear: FilterState = { filters: { 'stores.region': { in: ['North'] }, 'sales.date': { period: 'ytd' } } };
 * for (const embed of document.querySelectorAll('service-embed')) embed.filterState = northThisYear;
 * ```
 */
export interface FilterState {
  /** By the id of a filter: that of a filter tile, or of a query the key of the field. */
  readonly filters?: Readonly<Record<string, FilterChoice>>;
  /** By the id of a tile: the values by field that the visitor clicked in it. They narrow the tiles that it drives. */
  readonly selected?: Readonly<Record<string, Readonly<Record<string, SelectedValue>>>>;
  /** By the id of a tile, or `query` for an embed of a query: the steps that the visitor went down. */
  readonly drilled?: Readonly<Record<string, readonly DrillStep[]>>;
}

/** One step down: the dimension that was shown, and the values of the row that the visitor went down from. */
export interface DrillStep {
  readonly field: string;
  readonly values: Readonly<Record<string, SelectedValue>>;
}

/** A value of a dimension as filters take it; null for the group without a value. */
export type SelectedValue = string | number | boolean | null;

/** Reads a state from JSON, as an object or as text. What has no known shape is left out. */
export function readFilterState(json: unknown): FilterState {
  let read = json;
  try {
    read = typeof json === 'string' ? JSON.parse(json) : json;
  } catch {
    // An address that was cut is no state.
  }
  const { filters, selected, drilled } = isRecord(read) ? read : {};
  const clicked = entries(selected).flatMap(([tile, values]) => {
    const known = readSelected(values);
    return known ? [[tile, known] as const] : [];
  });
  const down = entries(drilled).flatMap(([tile, written]) => {
    const steps = (Array.isArray(written) ? written.filter(isRecord) : []).map(readStep);
    // A step that is unknown leads nowhere, and those after it neither.
    const known = steps.slice(0, steps.includes(undefined) ? steps.indexOf(undefined) : undefined);
    return known.length > 0 ? [[tile, known.flatMap((step) => step ?? [])] as const] : [];
  });
  return {
    ...(clicked.length > 0 ? { selected: Object.fromEntries(clicked) } : {}),
    ...(down.length > 0 ? { drilled: Object.fromEntries(down) } : {}),
    filters: Object.fromEntries(
      entries(filters).flatMap(([id, choice]) => {
        const chosen = readChoice(choice);
        return chosen ? [[id, chosen]] : [];
      }),
    ),
  };
}

function entries(json: unknown): readonly (readonly [string, unknown])[] {
  return isRecord(json) ? Object.entries(json) : [];
}

function readSelected(json: unknown): Readonly<Record<string, SelectedValue>> | undefined {
  const known = isRecord(json) ? Object.entries(json).filter(isSelectedValue) : [];
  return known.length > 0 ? Object.fromEntries(known) : undefined;
}

function readStep({ field, values: written }: Readonly<Record<string, unknown>>): DrillStep | undefined {
  const values = readSelected(written);
  return typeof field === 'string' && values ? { field, values } : undefined;
}

function readChoice(json: unknown): FilterChoice | undefined {
  if (!isRecord(json)) return undefined;
  const { in: values, from, to, period, n } = json;
  if (Array.isArray(values)) {
    const known = values.filter(isValue);
    return known.length > 0 ? { in: known } : undefined;
  }
  if (typeof period === 'string') return typeof n === 'number' ? { period, n } : { period };
  const ends = { ...(isEnd(from) ? { from } : {}), ...(isEnd(to) ? { to } : {}) };
  return 'from' in ends || 'to' in ends ? ends : undefined;
}

function isValue(value: unknown): value is Value {
  return typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value);
}

function isSelectedValue(entry: [string, unknown]): entry is [string, SelectedValue] {
  return entry[1] === null || isValue(entry[1]);
}

function isEnd(value: unknown): value is string | number {
  return isValue(value) && typeof value !== 'boolean' && value !== '';
}

/** Returns the conditions of the values that a visitor clicked. */
export function conditionsOfSelected(values: Readonly<Record<string, SelectedValue>>): readonly object[] {
  return Object.entries(values).map(([field, value]) =>
    value === null ? { field, op: 'IS_NULL' } : { field, op: 'EQ', values: [value] },
  );
}

/** Returns the conditions of a choice, as the query parameter `filter` has them. */
export function conditionsOf(field: string, choice: FilterChoice): readonly object[] {
  if ('in' in choice) return [{ field, op: 'IN', values: choice.in }];
  if ('period' in choice)
    return [{ field, op: 'RELATIVE', values: choice.n === undefined ? [choice.period] : [choice.period, choice.n] }];
  const { from, to } = choice;
  const until = typeof to === 'string' ? dayAfter(to) : undefined;
  return [
    ...(from === undefined ? [] : [{ field, op: 'GTE', values: [from] }]),
    // The last day is included, also of moments.
    ...(to === undefined ? [] : [until ? { field, op: 'LT', values: [until] } : { field, op: 'LTE', values: [to] }]),
  ];
}

function dayAfter(day: string): string | undefined {
  const at = /^\d{4}-\d\d-\d\d$/.test(day) ? Date.parse(day) : Number.NaN;
  return Number.isNaN(at) ? undefined : new Date(at + 86_400_000).toISOString().slice(0, 10);
}

/** Adds conditions to the filter of a page. A malformed filter stays one, which is an error. */
export function withConditions(filter: string | undefined, conditions: readonly object[]): string | undefined {
  if (conditions.length === 0 || filter === '!') return filter;
  const given: unknown = filter === undefined ? [] : JSON.parse(filter);
  const own = Array.isArray(given)
    ? given
    : Object.entries(isRecord(given) ? given : {}).map(([field, values]) => ({ field, op: 'IN', values }));
  return JSON.stringify([...own, ...conditions]);
}
