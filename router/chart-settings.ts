/**
 * The settings of a chart: the one table. The types, the schema of documents and of the API, the checks of the element
 * (by `npx tsx scripts/element-lists.ts`) and `docs/reference/charts.md` are made from it.
 */
import { CHART_MODES } from './chart-modes.ts';

/** One setting, or a group of settings. */
export type Setting =
  | { readonly type: 'choice'; readonly values: readonly string[]; readonly description: string }
  | { readonly type: 'boolean'; readonly description: string }
  | {
      readonly type: 'number';
      readonly min?: number;
      readonly max?: number;
      readonly isInteger?: true;
      readonly description: string;
    }
  | { readonly type: 'text'; readonly maxLength: number; readonly description: string }
  /** The key of a column of the answer. */
  | { readonly type: 'column'; readonly description: string }
  /** `#rrggbb`. */
  | { readonly type: 'colour'; readonly description: string }
  | { readonly type: 'list'; readonly of: Setting; readonly maxItems: number; readonly description: string }
  /** Settings by a name that the author chooses, such as a member or the key of a column. */
  | { readonly type: 'map'; readonly of: Setting; readonly maxItems: number; readonly description: string }
  | { readonly type: 'group'; readonly members: SettingTable; readonly description: string };

export interface SettingTable {
  readonly [name: string]: Setting;
}

const AXIS = {
  title: { type: 'text', maxLength: 200, description: 'Title of the axis; an empty text for none.' },
  min: { type: 'number', description: 'Lowest value. Bars begin at zero, so they ignore it.' },
  max: { type: 'number', description: 'Highest value.' },
  scale: { type: 'choice', values: ['linear', 'log'], description: 'Logarithmic axes need values above zero.' },
} as const satisfies SettingTable;

export const CHART_SETTINGS = {
  kind: {
    type: 'choice',
    values: ['auto', ...CHART_MODES],
    description: 'Kind of chart where neither `mode` nor `chartType` is given. `auto` chooses it by the answer.',
  },
  category: { type: 'column', description: 'Column along the axis. Default: a date, else the first dimension.' },
  series: { type: 'column', description: 'Dimension with one line, bar or area for each member.' },
  facet: { type: 'column', description: 'Dimension with one small chart for each member.' },
  metrics: {
    type: 'list',
    of: { type: 'column', description: 'Key of a metric.' },
    maxItems: 20,
    description: 'Metrics to draw, in this order. Default: all.',
  },
  sizeBy: { type: 'column', description: 'Metric that sizes bubbles. Default: the third metric.' },
  colourBy: { type: 'column', description: 'Dimension or metric that colours points.' },
  orientation: {
    type: 'choice',
    values: ['auto', 'vertical', 'horizontal'],
    description: 'Direction of bars. `auto` lays bars down where labels are long.',
  },
  stack: {
    type: 'choice',
    values: ['none', 'normal', 'percent'],
    description: 'Stacks bars and areas, or shows each as a share of 100 %.',
  },
  step: {
    type: 'choice',
    values: ['none', 'start', 'middle', 'end'],
    description: 'Draws lines as steps that change at this point.',
  },
  smooth: { type: 'boolean', description: 'Rounds the corners of lines.' },
  band: { type: 'boolean', description: 'Fills the space between the first two metrics of an area chart.' },
  hole: {
    type: 'number',
    min: 0,
    max: 0.9,
    description: 'Inner radius of a pie as a share of the outer. Default 0.52.',
  },
  trend: { type: 'boolean', description: 'Adds a line of least squares and its formula to points.' },
  bins: { type: 'number', min: 1, max: 100, isInteger: true, description: 'Number of bars of a histogram.' },
  sort: {
    type: 'choice',
    values: ['answer', 'name', 'ascending', 'descending'],
    description: 'Order of the categories. Dates always follow the calendar.',
  },
  top: {
    type: 'number',
    min: 1,
    max: 50,
    isInteger: true,
    description: 'Number of series: the largest members. Default 12.',
  },
  others: {
    type: 'boolean',
    description: 'Adds the other members as one series, where the metric adds up over them. Default true.',
  },
  ungrouped: {
    type: 'boolean',
    description:
      'Notes the share of the first metric in the group without a name: "1.4% of Revenue has no Customer". For answers with all groups.',
  },
  labels: { type: 'choice', values: ['auto', 'none', 'all'], description: 'Values beside the marks.' },
  legend: {
    type: 'choice',
    values: ['auto', 'none', 'top', 'end'],
    description: 'Names of the series: above, at the ends of up to five lines, or nowhere.',
  },
  axes: {
    type: 'group',
    members: {
      x: { type: 'group', members: AXIS, description: 'The axis of the categories, or of the first metric of points.' },
      y: { type: 'group', members: AXIS, description: 'The axis of the values.' },
      y2: { type: 'group', members: AXIS, description: 'The second axis of `combo`.' },
    },
    description: 'The axes.',
  },
  colours: {
    type: 'map',
    of: { type: 'colour', description: 'A colour, `#rrggbb`.' },
    maxItems: 100,
    description: 'Colours by member or by key of a metric.',
  },
  formats: {
    type: 'map',
    of: {
      type: 'group',
      members: {
        style: {
          type: 'choice',
          values: ['number', 'percent', 'compact'],
          description: '`percent` writes 0.12 as 12 %.',
        },
        decimals: { type: 'number', min: 0, max: 6, isInteger: true, description: 'Digits after the point.' },
        unit: { type: 'text', maxLength: 20, description: 'Unit behind the numbers.' },
      },
      description: 'Notation of one metric.',
    },
    maxItems: 20,
    description: 'Notation of axes and labels by key of a metric. Tooltips show the text of the server.',
  },
  references: {
    type: 'list',
    of: {
      type: 'group',
      members: {
        type: {
          type: 'choice',
          values: ['target', 'average', 'band', 'event'],
          description:
            'A line at `value`, a line at the mean, a band `from` … `to`, or a mark `at` a category or date.',
        },
        value: { type: 'number', description: 'Of a target.' },
        from: { type: 'number', description: 'Lower edge of a band.' },
        to: { type: 'number', description: 'Upper edge of a band.' },
        at: { type: 'text', maxLength: 200, description: 'Category or date of an event.' },
        label: { type: 'text', maxLength: 200, description: 'Words beside the line.' },
      },
      description: 'One reference.',
    },
    maxItems: 20,
    description: 'Lines, bands and notes over the values.',
  },
  target: { type: 'number', description: 'Target of a number, a gauge or a bullet chart.' },
  targetColumn: { type: 'column', description: 'Metric that has the target of each row.' },
  bands: {
    type: 'list',
    of: { type: 'number', description: 'Upper edge.' },
    maxItems: 5,
    description: 'Upper edges of the bands of a gauge or a bullet chart, ascending.',
  },
  change: {
    type: 'choice',
    values: ['auto', 'percent', 'difference', 'none'],
    description: 'Change below a number: in percent (in points for rates), as a difference, or none.',
  },
  table: {
    type: 'group',
    members: {
      frozen: {
        type: 'number',
        min: 0,
        max: 3,
        isInteger: true,
        description: 'Number of first columns that stay in place while the table scrolls sideways.',
      },
      bars: {
        type: 'list',
        of: { type: 'column', description: 'Key of a metric.' },
        maxItems: 20,
        description: 'Metrics with a bar in each cell, from zero. The bars of a column share one scale.',
      },
      scales: {
        type: 'list',
        of: { type: 'column', description: 'Key of a metric.' },
        maxItems: 20,
        description: 'Metrics whose cells are coloured by value, in two colours where a column has both signs.',
      },
      headings: {
        type: 'map',
        of: {
          type: 'list',
          of: { type: 'column', description: 'Key of a column.' },
          maxItems: 50,
          description: 'Columns below one heading.',
        },
        maxItems: 20,
        description: 'Headings above neighbouring columns: lists of their keys, by the words of the heading.',
      },
    },
    description: 'The cells and columns of a table.',
  },
  totals: {
    type: 'list',
    of: { type: 'text', maxLength: 200, description: 'A category.' },
    maxItems: 50,
    description: 'Categories of a waterfall that are totals of the server: their bars begin at zero.',
  },
  regions: { type: 'text', maxLength: 64, description: 'Name of a map of the installation.' },
  join: { type: 'text', maxLength: 64, description: 'Property of a region that equals the category. Default `name`.' },
  latitude: { type: 'column', description: 'Column of latitudes, for points on a map.' },
  longitude: { type: 'column', description: 'Column of longitudes, for points on a map.' },
} as const satisfies SettingTable;

/** The values that a setting accepts. */
type ValueOf<S extends Setting> = S extends { readonly type: 'choice'; readonly values: readonly (infer V)[] }
  ? V
  : S extends { readonly type: 'boolean' }
    ? boolean
    : S extends { readonly type: 'number' }
      ? number
      : S extends { readonly type: 'list'; readonly of: infer I extends Setting }
        ? readonly ValueOf<I>[]
        : S extends { readonly type: 'map'; readonly of: infer I extends Setting }
          ? Readonly<Record<string, ValueOf<I>>>
          : S extends { readonly type: 'group'; readonly members: infer T extends SettingTable }
            ? ValuesOf<T>
            : string;

type ValuesOf<T extends SettingTable> = { readonly [N in keyof T]?: ValueOf<T[N]> | undefined };

/** The settings of one chart. Each is optional. */
export type ChartSettings = ValuesOf<typeof CHART_SETTINGS>;
