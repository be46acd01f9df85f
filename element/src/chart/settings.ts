import type { Answer } from '../api/parse-answer.ts';
import type { AnswerViewOptions } from '../types.ts';
import type { CheckedSettings } from './check-settings.ts';
import type { ChosenMode } from './choose-mode.ts';
import type { ungroupedNote } from './ungrouped-note.ts';

/** Checks the settings of charts. */
export interface SettingsPart {
  readonly readChartSettings: (answer: Answer, layers: readonly unknown[]) => CheckedSettings;
  readonly ungroupedNote: typeof ungroupedNote;
  readonly withoutImpossible: (answer: Answer, mode: ChosenMode['mode'], checked: CheckedSettings) => CheckedSettings;
}

/** Notes the share without a group; undefined for charts without settings. */
export const noteUngrouped: SettingsPart['ungroupedNote'] = (...of) => part?.ungroupedNote(...of);

const NOTHING: CheckedSettings = { settings: {}, problems: [] };
let part: SettingsPart | undefined;

/** Adds the part once it is loaded. */
export function addSettings(loaded: SettingsPart): void {
  part = loaded;
}

/** Lists the settings of the saved query and of the page, unchecked; a later layer replaces members of an earlier one. */
function layersOf(answer: Answer, { chart, series }: AnswerViewOptions): readonly unknown[] {
  return [answer.chart, chart, series === undefined ? undefined : { series }].filter((each) => each != null);
}

/** Returns whether the settings of a chart can be checked now. A chart without settings needs no check. */
export function canCheckSettings(answer: Answer, form: AnswerViewOptions): boolean {
  return part !== undefined || layersOf(answer, form).length === 0;
}

/**
 * Reads the settings of a chart. `choose` returns the mode that is drawn with them; the settings that are impossible in
 * this mode are left out.
 */
export function readSettings(
  answer: Answer,
  form: AnswerViewOptions,
  choose: (settings: CheckedSettings['settings']) => ChosenMode,
): CheckedSettings {
  const layers = layersOf(answer, form);
  if (part === undefined || layers.length === 0) return NOTHING;
  const checked = part.readChartSettings(answer, layers);
  return part.withoutImpossible(answer, choose(checked.settings).mode, checked);
}
