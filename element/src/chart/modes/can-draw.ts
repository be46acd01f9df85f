import type { Answer } from '../../api/parse-answer.ts';
import type { ChartMode } from '../../chart-modes.ts';
import type { ChartSettings } from '../../generated/chart-settings.ts';
import { MAX_BAR_ROWS, MAX_PIE_ROWS, MAX_SCATTER_ROWS } from '../../limits.ts';
import type { Roles } from '../choose-series.ts';

/** Contains what a mode needs of an answer. A number pair is a least and a most. */
export interface Needs {
  readonly dimensions?: readonly [number, number];
  readonly metrics?: readonly [number, number];
  readonly rows?: readonly [number, number];
  /** Needs a dimension of dates. */
  readonly date?: true;
  /** Further needs, as a sentence for an answer that does not meet them. */
  readonly also?: (answer: Answer, roles: Roles, settings: ChartSettings) => string | undefined;
}

/** Contains what decides whether a mode can draw an answer. */
export interface ModeNeeds {
  /** Names the chart at the begin of messages: "A bar chart needs …". */
  readonly label: string;
  /** Maximum number of drawn rows; undefined for no maximum. See `limits.ts`. */
  readonly maxRows: number | undefined;
  readonly needs: Needs;
}

const MANY = Number.POSITIVE_INFINITY;
/** A category, series and small charts. */
const OVER_AXES: Needs = { dimensions: [0, 3], metrics: [1, MANY] };
const LEVELS: Needs = { dimensions: [1, 4], metrics: [1, MANY] };

/** Lists the needs of every chart mode. A mode of the closed list that is missing here does not compile. */
export const MODE_NEEDS: Readonly<Record<ChartMode, ModeNeeds>> = {
  bar: { label: 'A bar chart', maxRows: MAX_BAR_ROWS, needs: OVER_AXES },
  line: { label: 'A line chart', maxRows: undefined, needs: OVER_AXES },
  pie: {
    label: 'A pie chart',
    maxRows: MAX_PIE_ROWS,
    needs: { dimensions: [0, 2], metrics: [1, MANY] },
  },
  'stacked-bar': { label: 'A stacked bar chart', maxRows: MAX_BAR_ROWS, needs: OVER_AXES },
  area: { label: 'An area chart', maxRows: undefined, needs: OVER_AXES },
  scatter: {
    label: 'A scatter plot',
    maxRows: MAX_SCATTER_ROWS,
    needs: { metrics: [1, MANY] },
  },
  combo: { label: 'A bar and line chart', maxRows: MAX_BAR_ROWS, needs: OVER_AXES },
  histogram: {
    label: 'A histogram',
    maxRows: undefined,
    needs: { metrics: [1, MANY], rows: [2, MANY] },
  },
  boxplot: {
    label: 'A box plot',
    maxRows: undefined,
    needs: {
      dimensions: [0, 2],
      metrics: [1, MANY],
      also: (_, { metrics, series }) =>
        metrics.length >= 5 || series !== undefined
          ? undefined
          : 'five metrics (minimum, lower quartile, median, upper quartile, maximum) or two dimensions',
    },
  },
  heatmap: {
    label: 'A heat map',
    maxRows: undefined,
    needs: { dimensions: [2, 2], metrics: [1, MANY] },
  },
  calendar: {
    label: 'A calendar',
    maxRows: undefined,
    needs: { dimensions: [1, 1], metrics: [1, MANY], date: true },
  },
  treemap: { label: 'A treemap', maxRows: undefined, needs: LEVELS },
  sunburst: { label: 'A sunburst', maxRows: undefined, needs: LEVELS },
  funnel: {
    label: 'A funnel',
    maxRows: MAX_PIE_ROWS,
    needs: { dimensions: [0, 1], metrics: [1, MANY] },
  },
  waterfall: {
    label: 'A waterfall',
    maxRows: MAX_BAR_ROWS,
    needs: { dimensions: [0, 1], metrics: [1, MANY] },
  },
  sankey: {
    label: 'A sankey diagram',
    maxRows: MAX_BAR_ROWS,
    needs: { dimensions: [2, 4], metrics: [1, MANY] },
  },
  radar: {
    label: 'A radar chart',
    maxRows: undefined,
    needs: {
      dimensions: [1, 2],
      metrics: [1, MANY],
      also: (answer, { metrics, series }) =>
        metrics.length >= 3 || answer.rows.length >= (series === undefined ? 3 : 6)
          ? undefined
          : 'at least three spokes',
    },
  },
  gauge: {
    label: 'A gauge',
    maxRows: undefined,
    needs: { dimensions: [0, 1], metrics: [1, MANY], rows: [1, 6] },
  },
  bullet: {
    label: 'A bullet chart',
    maxRows: MAX_PIE_ROWS,
    needs: { dimensions: [0, 1], metrics: [1, MANY] },
  },
  candlestick: {
    label: 'A candlestick chart',
    maxRows: MAX_BAR_ROWS,
    needs: { dimensions: [1, 1], metrics: [4, MANY] },
  },
  bubble: {
    label: 'A bubble chart',
    maxRows: MAX_SCATTER_ROWS,
    needs: { metrics: [2, MANY] },
  },
  map: {
    label: 'A map',
    maxRows: MAX_SCATTER_ROWS,
    needs: {
      dimensions: [1, 4],
      metrics: [1, MANY],
      also: (_, __, { regions, latitude, longitude }) =>
        regions !== undefined || (latitude !== undefined && longitude !== undefined)
          ? undefined
          : 'the settings `regions`, or `latitude` and `longitude`',
    },
  },
};
