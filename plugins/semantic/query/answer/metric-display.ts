/** The label, format and unit of a metric after a request replaces its outer aggregation. */

import type { ScalarType } from '../../../../router/capabilities/warehouse.ts';
import { AGGREGATIONS, aggregationFacts } from '../../model/aggregations.ts';
import type { Display } from '../../model/extensions.ts';
import { overrideOf } from '../nodes/aggregation-override.ts';
import type { MetricColumn } from '../nodes/plan.ts';
import { withDecimals, withoutDecimals } from './format.ts';

/** Decimals of a mean or a single value, which the format of a sum may not have. */
const MIN_DECIMALS = 2;

/** Returns the label of a metric, followed by the aggregation where the request replaces the metric's own. */
export function labelOf(column: MetricColumn): string {
  const override = overrideOf(column);
  return override === undefined ? column.metric.label : `${column.metric.label} (${override})`;
}

/**
 * Returns the display of a metric's values. A count has neither the unit nor the format of the values that it counts; values
 * do not have the unit or the format of their count. A metric that keeps its unit gets the decimals that its numbers need.
 */
export function displayOf(column: MetricColumn, type: ScalarType): Display {
  const { metric } = column;
  const override = overrideOf(column);
  if (override === undefined) return metric.display;
  const hasUnit = !metric.isCount && aggregationFacts(metric.aggregationKind)?.keepsUnit === true;
  const isSameUnit = hasUnit && AGGREGATIONS[override].keepsUnit;
  if (!isSameUnit) return { ...metric.display, format: undefined, unit: undefined };
  const { format } = metric.display;
  if (format === undefined) return metric.display;
  const isFractional = type === 'decimal' || type === 'float';
  if (isFractional) return { ...metric.display, format: withDecimals(format, MIN_DECIMALS) };
  return type === 'integer' ? { ...metric.display, format: withoutDecimals(format) } : metric.display;
}
