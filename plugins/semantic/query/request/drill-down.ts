/** Goes down from a dimension of a request to the next finer one: a grain of its date, or a field that the author names. */
import { type Drill, type DrillPath, listedTo, nextInList } from '../../../../router/capabilities/drilling.ts';
import type { RuntimeFilter } from '../../../../router/capabilities/query-source.ts';
import { ValidationError } from '../../../../router/errors.ts';
import type { FieldItem, RowItem, SemanticQueryRequest, SortItem } from '../../schemas.ts';
import { isSortBy } from './others.ts';
import { dimensionsOf, rawKeyOf, referenceOf, withRuntimeFilters } from './runtime-filters.ts';

/** The grains below each other. A week is no part of one month, so the way down has none. */
const DOWNWARDS = ['year', 'quarter', 'month', 'day', 'hour', 'minute'] as const;

/** A request after some steps, and the conditions that the steps add. */
export interface DrilledRequest {
  readonly request: SemanticQueryRequest;
  readonly conditions: readonly RuntimeFilter[];
  /** The request before each step. */
  readonly before: readonly SemanticQueryRequest[];
}

/**
 * Goes down the steps of a reader.
 *
 * @throws ValidationError at `drill` for a step that the paths do not allow, or that names values of other dimensions
 */
export function drilledRequest(whole: SemanticQueryRequest, { down, steps }: Drill): DrilledRequest {
  let request = whole;
  const conditions: RuntimeFilter[] = [];
  const before: SemanticQueryRequest[] = [];
  for (const { field, values } of steps) {
    const next = requestBelow(request, field, down);
    if (next === undefined)
      throw ValidationError.at(['drill'], `There is no way down from ${field}.`, drillable(request, down));
    const by = neededBy(request, field, down);
    const missing = by.find((key) => values[key] === undefined);
    const other = Object.keys(values).find((key) => !by.includes(key));
    if (missing !== undefined || other !== undefined)
      throw ValidationError.at(['drill'], `The step down from ${field} needs a value of each: ${by.join(', ')}.`, by);
    before.push(request);
    conditions.push(...conditionsAt(values));
    request = next;
  }
  return { request, conditions, before };
}

/** Lists the dimensions from which a further step leads. */
export function drillable(request: SemanticQueryRequest, down: readonly DrillPath[]): readonly string[] {
  return dimensionsOf(request).filter((key) => requestBelow(request, key, down) !== undefined);
}

/** Returns the request with the next dimension in the place of a shown one; undefined where there is no way down. */
export function requestBelow(
  request: SemanticQueryRequest,
  key: string,
  down: readonly DrillPath[],
): SemanticQueryRequest | undefined {
  const { rows = [], columns = [], sorts = [] } = request;
  const item: RowItem | undefined = [...rows, ...columns].find((each) => rawKeyOf(each) === key);
  const next = item === undefined ? undefined : itemBelow(item, key, down);
  if (item === undefined || next === undefined || dimensionsOf(request).includes(rawKeyOf(next))) return undefined;
  const replaced = <Item extends FieldItem>(each: Item): Item | FieldItem => (each === item ? next : each);
  return {
    ...request,
    rows: rows.map(replaced),
    columns: columns.map(replaced),
    sorts: sorts.map((sort): SortItem => (isSortBy(sort, item) ? { ...next, direction: sort.direction } : sort)),
  };
}

/** Returns the keys of the shown dimensions whose values name the member that a step goes down from. */
export function neededBy(request: SemanticQueryRequest, key: string, down: readonly DrillPath[]): readonly string[] {
  const above = down.flatMap((path) => (nextInList(path, key) === undefined ? [] : listedTo(path, key)));
  return dimensionsOf(request).filter((each) => each === key || above.includes(each));
}

/** Lists the keys of the dimensions that are below the paths. */
export function keysBelow(request: SemanticQueryRequest, down: readonly DrillPath[]): readonly string[] {
  return down.flatMap(({ field, to }) => {
    if (to !== undefined) return to;
    const keys: string[] = [];
    for (let item = finer(referenceOf(field, request)); item !== undefined; item = finer(item))
      keys.push(rawKeyOf(item));
    return keys;
  });
}

/** Returns the conditions of the values of one row. */
export function conditionsAt(values: Readonly<Record<string, string | null>>): readonly RuntimeFilter[] {
  return Object.entries(values).map(([field, value]) =>
    value === null ? { field, op: 'IS_NULL', values: [] } : { field, op: 'EQ', values: [value] },
  );
}

/** Calls `use` with a request that has gone down, and with its conditions. Names of any step may stand in the conditions. */
export function withDrill<Result>(
  { request, before }: Pick<DrilledRequest, 'request' | 'before'>,
  conditions: readonly RuntimeFilter[],
  asked: SemanticQueryRequest,
  use: (request: SemanticQueryRequest) => Result,
): Result {
  const spelled = [...before, request].flatMap(({ rows = [], columns = [] }) => [...rows, ...columns]);
  return withRuntimeFilters(asked, conditions, use, { ...request, rows: spelled, columns: [] });
}

function itemBelow(item: RowItem, key: string, down: readonly DrillPath[]): FieldItem | undefined {
  for (const path of down) {
    const listed = nextInList(path, key);
    if (listed !== undefined) return listedItem(listed);
    if (path.to === undefined && isOn(path, key)) {
      const below = finer(item);
      if (below !== undefined) return below;
    }
  }
  return undefined;
}

/** Reads a key of a list. Its grain may be one of the model's own calendars, such as `sales.date.fiscal_quarter`. */
function listedItem(key: string): FieldItem {
  const item = referenceOf(key, {});
  const [, field, grain] = /^(.+)\.([a-z][a-z0-9]*_(?:year|quarter|month|week))$/.exec(item.field) ?? [];
  return field === undefined || grain === undefined ? item : { ...item, field, grain };
}

/** Returns whether a key is that of a path without a list, or of a finer grain of its date. */
function isOn({ field }: DrillPath, key: string): boolean {
  for (let item: FieldItem | undefined = referenceOf(field, {}); item !== undefined; item = finer(item))
    if (rawKeyOf(item) === key) return true;
  return field === key;
}

/** Returns the same date with the next finer grain, of the same calendar where it is one of the model. */
function finer({ grain, ...item }: RowItem): RowItem | undefined {
  const at = DOWNWARDS.findIndex((each) => grain === each || grain?.endsWith(`_${each}`));
  const next = DOWNWARDS[at + 1];
  if (grain === undefined || (at < 0 && grain !== 'week')) return undefined;
  if (grain === 'week') return { ...item, grain: 'day' };
  const calendar = grain.slice(0, grain.length - (DOWNWARDS[at]?.length ?? 0));
  if (next === undefined) return undefined;
  return { ...item, grain: next === 'quarter' || next === 'month' ? `${calendar}${next}` : next };
}
