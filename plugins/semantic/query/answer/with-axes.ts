import type { TabularAnswer } from '../../../../router/capabilities/query-source.ts';
import type { SemanticQueryRequest } from '../../schemas.ts';
import { rawKeyOf } from '../request/runtime-filters.ts';

/** Marks the dimensions that the request has in `columns`. */
export function withAxes<A extends Pick<TabularAnswer, 'columns'>>(
  answer: A,
  { columns = [] }: SemanticQueryRequest,
): A {
  const across = new Set(columns.map(rawKeyOf));
  if (across.size === 0) return answer;
  return {
    ...answer,
    columns: answer.columns.map((column) => (across.has(column.key) ? { ...column, axis: 'columns' } : column)),
  };
}
