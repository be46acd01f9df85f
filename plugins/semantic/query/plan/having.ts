/** Filters by metrics of the answer: which metrics they test. */
import type { MetricTest } from '../nodes/plan.ts';
import type { MetricCondition, ResolvedQuery, ResolvedValue } from '../nodes/resolved-query.ts';

/** Returns what filters test of metrics, by their places among all that are computed; those that are not shown are added. */
export function testedMetrics({ values, having }: ResolvedQuery) {
  const hidden: ResolvedValue[] = [];
  const placeOf = (wanted: ResolvedValue): number => {
    const all = [...values, ...hidden];
    const found = all.findIndex(
      ({ metric, aggregation }) => metric === wanted.metric && aggregation === wanted.aggregation,
    );
    if (found < 0) hidden.push(wanted);
    return found < 0 ? all.length : found;
  };
  const placed = (condition: MetricCondition): MetricTest => {
    if (condition.kind !== 'filter') return { kind: condition.kind, of: condition.of.map(placed) };
    const { value, type, test } = condition.filter;
    return { kind: 'test', metric: placeOf(value), type, test };
  };
  return { having: having.map(placed), hidden };
}
