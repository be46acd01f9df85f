/** The aggregation by which a request replaces the outer one of a metric. */
import type { NumberKind } from '../../model/model.ts';
import { resultKind } from '../../model/number-kind.ts';
import type { MetricColumn } from './plan.ts';

type Overridden = Pick<MetricColumn, 'metric' | 'aggregation'>;

/** Returns the aggregation that truly replaces the metric's own. */
export function overrideOf({ metric, aggregation }: Overridden) {
  return aggregation === metric.aggregationKind ? undefined : aggregation;
}

/** Returns the number kind of a metric under its override. */
export function numbersOf(column: Overridden): NumberKind {
  const override = overrideOf(column);
  return override === undefined ? column.metric.numbers : resultKind(override, column.metric.argumentNumbers);
}
