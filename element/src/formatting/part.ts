import type { Answer } from '../api/parse-answer.ts';
import { readChartSettings } from '../chart/check-settings.ts';
import type { ChartSettings } from '../generated/chart-settings.ts';
import type { Panel } from '../state/panel.ts';
import type { FormattingPart } from '../types.ts';
import { placeFrozenColumns } from './frozen-columns.ts';
import { targetView } from './number-target.ts';
import { styles } from './styles.ts';
import { formatTable } from './table-format.ts';

export const table: FormattingPart['table'] = (panel, answer, chart) =>
  formatTable(answer, readSettings(panel, answer, chart));

export const number: FormattingPart['number'] = (panel, answer, { row, position }, chart, formats) => {
  const settings = readSettings(panel, answer, chart);
  return { change: settings.change, target: targetView(answer, row, position, settings, formats) };
};

/** Reads the settings of the saved query and of the page, and reports those that cannot be used. */
function readSettings(panel: Panel, answer: Answer, chart: unknown): ChartSettings {
  const { settings, problems } = readChartSettings(answer, [answer.chart, chart]);
  panel.problems = problems;
  return settings;
}

export const afterRender: NonNullable<FormattingPart['afterRender']> = placeFrozenColumns;

export { styles };
