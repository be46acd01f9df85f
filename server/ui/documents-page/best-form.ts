/** The form in which an answer is read best. */
import { type ChartMode, isChartMode } from '../../../router/chart-modes.ts';
import { VIEW_FORMS, type ViewForm } from '../../../router/view-forms.ts';
import { isObject } from '../api-client/json.ts';

export interface Form {
  readonly render: ViewForm;
  readonly mode: ChartMode | undefined;
}

/** More bars than these are a table. */
const MAX_BARS = 40;

/** Reads the form that a reader has chosen for a saved query. */
export function chosenForm(view: unknown): Form | undefined {
  if (!isObject(view)) return undefined;
  const render = VIEW_FORMS.find((each) => each === view.render);
  if (render === undefined) return undefined;
  return { render, mode: typeof view.mode === 'string' && isChartMode(view.mode) ? view.mode : undefined };
}

/**
 * Proposes the form of an answer: one number is a number, one date with metrics is lines, one text with up to 40 values is bars, and everything else
 * is a table.
 */
export function bestForm(answer: unknown): Form {
  const table: Form = { render: 'table', mode: undefined };
  if (!isObject(answer) || !Array.isArray(answer.columns) || !Array.isArray(answer.records)) return table;
  const columns = answer.columns.filter(isObject);
  const dimensions = columns.filter(({ type }) => type === 'dimension');
  const metrics = columns.filter(({ type }) => type === 'metric');
  const { length: rows } = answer.records;
  const [dimension] = dimensions;
  if (metrics.length === 0 || rows === 0) return table;
  if (dimensions.length === 0) return rows === 1 ? { render: 'kpi', mode: undefined } : table;
  if (dimensions.some(({ axis }) => axis === 'columns')) return { render: 'matrix', mode: undefined };
  if (dimensions.length > 1 || dimension === undefined || rows < 2) return table;
  const isDate =
    dimension.dataType === 'date' || dimension.dataType === 'timestamp' || typeof dimension.grain === 'string';
  if (isDate) return { render: 'chart', mode: 'line' };
  return rows <= MAX_BARS && metrics.length <= 3 ? { render: 'chart', mode: 'bar' } : table;
}
