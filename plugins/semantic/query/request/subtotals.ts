/** A request for the subtotals of an answer: its query without some of its dimensions. */
import { ValidationError } from '../../../../router/errors.ts';
import type { FieldItem, SemanticQueryRequest } from '../../schemas.ts';
import { isSortBy, requireWhole } from './others.ts';
import { rawKeyOf } from './runtime-filters.ts';

/**
 * Leaves dimensions out of the request.
 *
 * @param keys of dimensions that the request shows
 * @throws ValidationError at `without` where the groups of the request decide what it shows: by a limit, or by a filter of a metric
 */
export function subtotalsRequest(request: SemanticQueryRequest, keys: readonly string[]): SemanticQueryRequest {
  requireWhole(request, 'without', 'subtotals');
  const { rows = [], columns = [], sorts = [] } = request;
  const left = [...rows, ...columns].filter((item) => keys.includes(rawKeyOf(item)));
  if (left.length < keys.length)
    throw ValidationError.at(['without'], 'The request does not show all these dimensions.');
  const isShown = (item: FieldItem) => !left.includes(item);
  return {
    ...request,
    rows: rows.filter(isShown),
    columns: columns.filter(isShown),
    sorts: sorts.filter((sort) => !left.some((item) => isSortBy(sort, item))),
  };
}
