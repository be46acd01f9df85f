/** The aggregation with which a request replaces the outer aggregation of a metric. */
import type { NumberKind } from '../../model/model.ts';
import { resultKind } from '../../model/number-kind.ts';
import type { MetricColumn } from './plan.ts';

type Overridden = Pick<MetricColumn, 'metric' | 'aggregation'>;

/** Returns the aggregation that replaces the metric's own; `undefined` where the request names the metric's own or none. */
export function overrideOf({ metric, aggregation }: Overridden) {
  return aggregation === metric.aggregationKind ? undefined : aggregation;
}

/** Returns the number kind of a metric under its override. */
export function numbersOf(column: Overridden): NumberKind {
  const override = overrideOf(column);
  return override === undefined ? column.metric.numbers : resultKind(override, column.metric.argumentNumbers);
}
