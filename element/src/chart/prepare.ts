import type { Answer } from '../api/parse-answer.ts';
import type { ChartMode } from '../chart-modes.ts';
import type { Formats } from '../formats.ts';
import type { ChartSettings } from '../generated/chart-settings.ts';
import type { AnswerViewOptions } from '../types.ts';
import type { CheckedSettings } from './check-settings.ts';
import { type ChosenMode, chooseMode } from './choose-mode.ts';
import { chooseRoles } from './choose-series.ts';
import { assignColours } from './colours.ts';
import { describeChart } from './describe.ts';
import { findOthers, type OthersRequest } from './frame.ts';
import { capRows } from './row-cap.ts';
import { readSettings } from './settings.ts';
import type { ChartSpec } from './spec.ts';

/** Contains the settings, the mode and the rest of the series of a chart before it is planned. */
export interface ChartRequest extends CheckedSettings {
  readonly chosen: ChosenMode;
  /** The rest to ask the server for. */
  readonly others: OthersRequest | undefined;
}

/** Reads the settings of the saved query and of the page, and chooses the mode. */
export function requestChart(answer: Answer, form: AnswerViewOptions): ChartRequest {
  const choose = (settings: ChartSettings): ChosenMode => chooseMode(answer, form.mode, settings);
  const { settings, problems } = readSettings(answer, form, choose);
  const chosen = choose(settings);
  const drawsSeries = ['bar', 'line', 'area', 'stacked-bar', 'combo'].includes(chosen.mode);
  return { settings, problems, chosen, others: drawsSeries ? findOthers(answer, settings) : undefined };
}

/** Describes the chart to draw. */
export function specifyChart(
  answer: Answer,
  mode: ChartMode,
  { settings }: ChartRequest,
  {
    others,
    peers,
    language,
    formats,
    selected,
  }: {
    readonly others: Answer | undefined;
    readonly peers: readonly Answer[] | undefined;
    readonly language: string | undefined;
    readonly formats: Formats;
    readonly selected: number | undefined;
  },
): ChartSpec {
  const plotted = capRows(answer, mode);
  return {
    answer: plotted,
    mode,
    settings,
    others,
    colours: assignColours(answer, peers ?? []),
    description: describeChart(plotted, chooseRoles(plotted, settings), language, formats),
    formats,
    selected,
  };
}

/** Notes the rows that a capped chart does not draw; undefined where it draws all. */
export function cappedNote(answer: Answer, plotted: Answer, { number }: Formats): string | undefined {
  return plotted.rows.length < answer.rows.length
    ? `First ${number(plotted.rows.length)} of ${number(answer.rows.length)} points; all are in the table`
    : undefined;
}
