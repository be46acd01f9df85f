import { axisNumber } from '../clamp-to-axis.ts';
import type { ChartSpec } from '../spec.ts';

/** Returns the target of a row: of the column that the settings name, else of the settings; undefined for none. */
export function targetOf({ answer, settings }: ChartSpec, row: number, metric: number): number | undefined {
  const position = answer.columns.findIndex(({ key }) => key === settings.targetColumn);
  return position >= 0 && position !== metric ? axisNumber(answer.rows[row]?.[position]) : settings.target;
}
