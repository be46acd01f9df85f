/** A request for the values of a field that the request itself does not show. */
import { isMetricFilter } from '../../filter-schemas.ts';
import type { FieldItem, SemanticQueryRequest } from '../../schemas.ts';

/**
 * Replaces the groups of a request by one field. Filters of rows stay, so that no value is offered that the author left
 * out. Filters of metrics test the groups of the request, which are gone.
 *
 * @param hasMetrics whether to offer only the values that the metrics of the request reach
 */
export function offerRequest(
  request: SemanticQueryRequest,
  place: FieldItem,
  { hasMetrics, limit, isDescending = false }: OfferShape,
): SemanticQueryRequest {
  return {
    ...request,
    rows: [place],
    columns: [],
    values: hasMetrics ? (request.values ?? []).map(({ metric, aggregation }) => ({ metric, aggregation })) : [],
    filters: [...(request.filters ?? []).filter((each) => !isMetricFilter(each)), { ...place, op: 'IS_NOT_NULL' }],
    sorts: [{ ...place, direction: isDescending ? 'DESC' : 'ASC' }],
    limit,
  };
}

export interface OfferShape {
  readonly hasMetrics: boolean;
  readonly limit: number;
  readonly isDescending?: boolean;
}
