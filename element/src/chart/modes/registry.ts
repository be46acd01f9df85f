import type { ChartMode } from '../../chart-modes.ts';
import { area } from './area.ts';
import { bar } from './bar.ts';
import { combo } from './combo.ts';
import type { ChartModeDefinition } from './definition.ts';
import { line } from './line.ts';
import { pie } from './pie.ts';
import { scatter } from './scatter.ts';
import { stackedBar } from './stacked-bar.ts';

/** Defines every chart mode. A mode of the closed list that is missing here does not compile. */
export const CHART_MODE_DEFINITIONS: Readonly<Record<ChartMode, ChartModeDefinition>> = {
  bar,
  line,
  pie,
  'stacked-bar': stackedBar,
  area,
  scatter,
  combo,
};
