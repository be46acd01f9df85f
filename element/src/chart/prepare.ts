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
export function requestChart(answer: Answer, form: AnswerViewOptions, formats?: Formats): ChartRequest {
  const choose = (settings: ChartSettings): ChosenMode => chooseMode(answer, form.mode, settings, formats);
  const { settings, problems } = readSettings(answer, form, choose);
  const chosen = choose(settings);
  const drawsSeries = ['bar', 'line', 'area', 'stacked-bar', 'combo'].includes(chosen.mode);
  return { settings, problems, chosen, others: drawsSeries ? findOthers(answer, settings) : undefined };
}

const specs = new WeakMap<Answer, { readonly spec: ChartSpec; readonly given: readonly unknown[] }>();

/** Describes the chart to draw. Equal arguments return the same object, whose plan is kept. */
export function specifyChart(
  answer: Answer,
  mode: ChartMode,
  { settings }: ChartRequest,
  {
    others,
    peers,
    formats,
    selected,
    hidden,
  }: {
    readonly others: Answer | undefined;
    readonly peers: readonly Answer[] | undefined;
    readonly formats: Formats;
    readonly selected: number | undefined;
    readonly hidden?: readonly string[] | undefined;
  },
): ChartSpec {
  const colours = assignColours(answer, peers ?? []);
  const given = [mode, settings, others, colours, formats, selected, hidden];
  const known = specs.get(answer);
  if (known?.given.every((each, at) => each === given[at])) return known.spec;
  const plotted = capRows(answer, mode);
  const spec: ChartSpec = {
    answer: plotted,
    mode,
    settings,
    others,
    colours,
    description: describeChart(plotted, chooseRoles(plotted, settings), formats),
    formats,
    selected,
    hidden,
  };
  specs.set(answer, { spec, given });
  return spec;
}

/** Notes the rows that a capped chart does not draw; undefined where it draws all. */
export function cappedNote(answer: Answer, plotted: Answer, formats: Formats): string | undefined {
  const { number } = formats;
  return plotted.rows.length < answer.rows.length
    ? formats.say(
        'First {0} of {1} points; all are in the table',
        number(plotted.rows.length),
        number(answer.rows.length),
      )
    : undefined;
}
