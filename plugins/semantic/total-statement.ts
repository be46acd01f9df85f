import type { Dialect } from '../../router/capabilities/dialect.ts';
import type { Statement } from '../../router/capabilities/warehouse.ts';
import { ValidationError } from '../../router/errors.ts';
import type { Metric, Model } from './model/model.ts';
import type { Plan } from './query/nodes/plan.ts';
import { plan } from './query/plan/planner.ts';
import { render } from './query/render/statement.ts';

/** Plans the totals of metrics over all rows; returns the reason where one cannot be computed along the relationships. */
export function totalOf(metrics: readonly Metric[], model: Model): Plan | { readonly refused: string } {
  const values = metrics.map((metric, index) => ({ path: ['values', index], metric, aggregation: undefined }));
  const query = { rows: [], columns: [], values, conditions: [], having: [], sorts: [], limit: 1, time: model.time };
  try {
    return plan(query, model, { maxRows: 1, threshold: 0 });
  } catch (error) {
    if (error instanceof ValidationError) return { refused: error.message };
    throw error;
  }
}

/** Returns the statement of a metric's total over all rows; `undefined` where it cannot be computed. */
export function totalStatement(metric: Metric, model: Model, dialect: Dialect): Statement | undefined {
  const planned = totalOf([metric], model);
  return 'refused' in planned ? undefined : render(planned, model, dialect);
}
