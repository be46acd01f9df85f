/** A request for the rest of an answer: all members of a dimension but some, as one. */
import type { Others } from '../../../../router/capabilities/query-source.ts';
import { ValidationError } from '../../../../router/errors.ts';
import { groupOf, isMetricFilter } from '../../filter-schemas.ts';
import type { FieldItem, FilterNode, SemanticQueryRequest, SortItem } from '../../schemas.ts';
import { rawKeyOf } from './runtime-filters.ts';

/**
 * Leaves the dimension out of the request, and the members out of its rows.
 *
 * @throws ValidationError at `others` where the groups of the request decide what it shows: by a limit, or by a filter of a metric
 */
export function othersRequest(request: SemanticQueryRequest, { field: key, except }: Others): SemanticQueryRequest {
  requireWhole(request, 'others', 'rest');
  const { rows = [], columns = [], filters = [], sorts = [] } = request;
  const item = [...rows, ...columns].find((each) => rawKeyOf(each) === key);
  if (item === undefined) throw ValidationError.at(['others'], `The request does not show "${key}".`);
  const { dataset, field, via, grain } = item;
  const place = { dataset, field, via, grain };
  const isNullLeftOut = except.includes(null);
  const left = except
    .filter((value) => value !== null)
    .map((value): FilterNode => {
      const differs: FilterNode = { ...place, op: 'NEQ', value };
      return isNullLeftOut ? differs : { any: [differs, { ...place, op: 'IS_NULL' }] };
    });
  return {
    ...request,
    rows: rows.filter((each) => each !== item),
    columns: columns.filter((each) => each !== item),
    filters: [...filters, ...left, ...(isNullLeftOut ? [{ ...place, op: 'IS_NOT_NULL' } as const] : [])],
    sorts: sorts.filter((sort) => !isSortBy(sort, item)),
  };
}

/**
 * Checks that the groups of a request do not decide what it shows.
 *
 * @throws ValidationError at `parameter`
 */
export function requireWhole({ limit, filters = [] }: SemanticQueryRequest, parameter: string, what: string): void {
  if (limit !== undefined) throw ValidationError.at([parameter], `A request with a limit has no ${what}.`);
  if (filters.some(testsMetric))
    throw ValidationError.at([parameter], `A request that filters by a metric has no ${what}.`);
}

/** Returns whether a sort names the field: by the key of its column, as `dataset.field`, or by its bare name with its dataset. */
export function isSortBy(sort: SortItem, item: FieldItem): boolean {
  if (sort.field === undefined) return false;
  const {
    field,
    dataset = field.includes('.') ? undefined : item.dataset,
    via,
    grain,
  } = { ...sort, field: sort.field };
  const name = dataset === undefined ? field : rawKeyOf({ dataset, field, via, grain });
  return name === rawKeyOf(item) || name === `${item.dataset}.${item.field}`;
}

function testsMetric(node: FilterNode): boolean {
  return groupOf(node)?.of.some(testsMetric) ?? isMetricFilter(node);
}
