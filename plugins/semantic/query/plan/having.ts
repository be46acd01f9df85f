/** Finds the metrics that the filters on metrics test. */
import type { MetricTest } from '../nodes/plan.ts';
import type { MetricCondition, ResolvedQuery, ResolvedValue } from '../nodes/resolved-query.ts';

/**
 * Returns the filters on metrics, each with the index of its metric among all computed metrics, and the hidden metrics that
 * only filters need.
 */
export function testedMetrics({ values, having }: ResolvedQuery) {
  const hidden: ResolvedValue[] = [];
  const metricIndex = (value: ResolvedValue): number => {
    const all = [...values, ...hidden];
    const index = all.findIndex(
      ({ metric, aggregation }) => metric === value.metric && aggregation === value.aggregation,
    );
    if (index < 0) hidden.push(value);
    return index < 0 ? all.length : index;
  };
  const placed = (condition: MetricCondition): MetricTest => {
    if (condition.kind !== 'filter') return { kind: condition.kind, of: condition.of.map(placed) };
    const { value, type, test } = condition.filter;
    return { kind: 'test', metric: metricIndex(value), type, test };
  };
  return { having: having.map(placed), hidden };
}
