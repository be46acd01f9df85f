// Written by `npx tsx scripts/element-lists.ts` from router/chart-settings.ts; do not edit.

/** Describes a setting, or a group of settings, without its words. */
export type Setting =
  | { readonly type: 'boolean' | 'text' | 'column' | 'colour' }
  | { readonly type: 'choice'; readonly values: readonly string[] }
  | { readonly type: 'number'; readonly min?: number; readonly max?: number; readonly isInteger?: true }
  | { readonly type: 'list'; readonly of: Setting; readonly maxItems: number }
  | { readonly type: 'map'; readonly of: Setting; readonly maxItems: number }
  | { readonly type: 'group'; readonly members: Readonly<Record<string, Setting>> };

/** The settings of a chart. Each is optional. */
export interface ChartSettings {
  /** Kind of chart where neither `mode` nor `chartType` is given. `auto` chooses it by the answer. */
  readonly kind?:
    | 'auto'
    | 'bar'
    | 'line'
    | 'pie'
    | 'stacked-bar'
    | 'area'
    | 'scatter'
    | 'combo'
    | 'histogram'
    | 'boxplot'
    | 'heatmap'
    | 'calendar'
    | 'treemap'
    | 'sunburst'
    | 'funnel'
    | 'waterfall'
    | 'sankey'
    | 'radar'
    | 'gauge'
    | 'bullet'
    | 'candlestick'
    | 'bubble'
    | 'map'
    | undefined;
  /** Column along the axis. Default: a date, else the first dimension. */
  readonly category?: string | undefined;
  /** Dimension with one line, bar or area for each member. */
  readonly series?: string | undefined;
  /** Dimension with one small chart for each member. */
  readonly facet?: string | undefined;
  /** Metrics to draw, in this order. Default: all. */
  readonly metrics?: readonly string[] | undefined;
  /** Metric that sizes bubbles. Default: the third metric. */
  readonly sizeBy?: string | undefined;
  /** Dimension or metric that colours points. */
  readonly colourBy?: string | undefined;
  /** Direction of bars. `auto` lays bars down where labels are long. */
  readonly orientation?: 'auto' | 'vertical' | 'horizontal' | undefined;
  /** Stacks bars and areas, or shows each as a share of 100 %. */
  readonly stack?: 'none' | 'normal' | 'percent' | undefined;
  /** Draws lines as steps that change at this point. */
  readonly step?: 'none' | 'start' | 'middle' | 'end' | undefined;
  /** Rounds the corners of lines. */
  readonly smooth?: boolean | undefined;
  /** Fills the space between the first two metrics of an area chart. */
  readonly band?: boolean | undefined;
  /** Inner radius of a pie as a share of the outer. Default 0.52. */
  readonly hole?: number | undefined;
  /** Adds a line of least squares and its formula to points. */
  readonly trend?: boolean | undefined;
  /** Number of bars of a histogram. */
  readonly bins?: number | undefined;
  /** Order of the categories. Dates always follow the calendar. */
  readonly sort?: 'answer' | 'name' | 'ascending' | 'descending' | undefined;
  /** Number of series: the largest members. Default 12. */
  readonly top?: number | undefined;
  /** Adds the other members as one series, where the metric adds up over them. Default true. */
  readonly others?: boolean | undefined;
  /** Notes the share of the first metric in the group without a name: "1.4% of Revenue has no Customer". For answers with all groups. */
  readonly ungrouped?: boolean | undefined;
  /** Values beside the marks. */
  readonly labels?: 'auto' | 'none' | 'all' | undefined;
  /** Names of the series: above, at the ends of up to five lines, or nowhere. */
  readonly legend?: 'auto' | 'none' | 'top' | 'end' | undefined;
  /** The axes. */
  readonly axes?:
    | {
        /** The axis of the categories, or of the first metric of points. */
        readonly x?:
          | {
              /** Title of the axis; an empty text for none. */
              readonly title?: string | undefined;
              /** Lowest value. Bars begin at zero, so they ignore it. */
              readonly min?: number | undefined;
              /** Highest value. */
              readonly max?: number | undefined;
              /** Logarithmic axes need values above zero. */
              readonly scale?: 'linear' | 'log' | undefined;
            }
          | undefined;
        /** The axis of the values. */
        readonly y?:
          | {
              /** Title of the axis; an empty text for none. */
              readonly title?: string | undefined;
              /** Lowest value. Bars begin at zero, so they ignore it. */
              readonly min?: number | undefined;
              /** Highest value. */
              readonly max?: number | undefined;
              /** Logarithmic axes need values above zero. */
              readonly scale?: 'linear' | 'log' | undefined;
            }
          | undefined;
        /** The second axis of `combo`. */
        readonly y2?:
          | {
              /** Title of the axis; an empty text for none. */
              readonly title?: string | undefined;
              /** Lowest value. Bars begin at zero, so they ignore it. */
              readonly min?: number | undefined;
              /** Highest value. */
              readonly max?: number | undefined;
              /** Logarithmic axes need values above zero. */
              readonly scale?: 'linear' | 'log' | undefined;
            }
          | undefined;
      }
    | undefined;
  /** Colours by member or by key of a metric. */
  readonly colours?: Readonly<Record<string, string>> | undefined;
  /** Notation of axes and labels by key of a metric. Tooltips show the text of the server. */
  readonly formats?:
    | Readonly<
        Record<
          string,
          {
            /** `percent` writes 0.12 as 12 %. */
            readonly style?: 'number' | 'percent' | 'compact' | undefined;
            /** Digits after the point. */
            readonly decimals?: number | undefined;
            /** Unit behind the numbers. */
            readonly unit?: string | undefined;
          }
        >
      >
    | undefined;
  /** Lines, bands and notes over the values. */
  readonly references?:
    | readonly {
        /** A line at `value`, a line at the mean, a band `from` … `to`, or a mark `at` a category or date. */
        readonly type?: 'target' | 'average' | 'band' | 'event' | undefined;
        /** Of a target. */
        readonly value?: number | undefined;
        /** Lower edge of a band. */
        readonly from?: number | undefined;
        /** Upper edge of a band. */
        readonly to?: number | undefined;
        /** Category or date of an event. */
        readonly at?: string | undefined;
        /** Words beside the line. */
        readonly label?: string | undefined;
      }[]
    | undefined;
  /** Target of a number, a gauge or a bullet chart. */
  readonly target?: number | undefined;
  /** Metric that has the target of each row. */
  readonly targetColumn?: string | undefined;
  /** Upper edges of the bands of a gauge or a bullet chart, ascending. */
  readonly bands?: readonly number[] | undefined;
  /** Change below a number: in percent (in points for rates), as a difference, or none. */
  readonly change?: 'auto' | 'percent' | 'difference' | 'none' | undefined;
  /** The cells and columns of a table. */
  readonly table?:
    | {
        /** Number of first columns that stay in place while the table scrolls sideways. */
        readonly frozen?: number | undefined;
        /** Metrics with a bar in each cell, from zero. The bars of a column share one scale. */
        readonly bars?: readonly string[] | undefined;
        /** Metrics whose cells are coloured by value, in two colours where a column has both signs. */
        readonly scales?: readonly string[] | undefined;
        /** Headings above neighbouring columns: lists of their keys, by the words of the heading. */
        readonly headings?: Readonly<Record<string, readonly string[]>> | undefined;
      }
    | undefined;
  /** Categories of a waterfall that are totals of the server: their bars begin at zero. */
  readonly totals?: readonly string[] | undefined;
  /** Name of a map of the installation. */
  readonly regions?: string | undefined;
  /** Property of a region that equals the category. Default `name`. */
  readonly join?: string | undefined;
  /** Column of latitudes, for points on a map. */
  readonly latitude?: string | undefined;
  /** Column of longitudes, for points on a map. */
  readonly longitude?: string | undefined;
}

/** Contains all settings, for their checks. */
export const CHART_SETTINGS: Readonly<Record<string, Setting>> = {
  kind: {
    type: 'choice',
    values: [
      'auto',
      'bar',
      'line',
      'pie',
      'stacked-bar',
      'area',
      'scatter',
      'combo',
      'histogram',
      'boxplot',
      'heatmap',
      'calendar',
      'treemap',
      'sunburst',
      'funnel',
      'waterfall',
      'sankey',
      'radar',
      'gauge',
      'bullet',
      'candlestick',
      'bubble',
      'map',
    ],
  },
  category: { type: 'column' },
  series: { type: 'column' },
  facet: { type: 'column' },
  metrics: { type: 'list', of: { type: 'column' }, maxItems: 20 },
  sizeBy: { type: 'column' },
  colourBy: { type: 'column' },
  orientation: { type: 'choice', values: ['auto', 'vertical', 'horizontal'] },
  stack: { type: 'choice', values: ['none', 'normal', 'percent'] },
  step: { type: 'choice', values: ['none', 'start', 'middle', 'end'] },
  smooth: { type: 'boolean' },
  band: { type: 'boolean' },
  hole: { type: 'number', min: 0, max: 0.9 },
  trend: { type: 'boolean' },
  bins: { type: 'number', min: 1, max: 100, isInteger: true },
  sort: { type: 'choice', values: ['answer', 'name', 'ascending', 'descending'] },
  top: { type: 'number', min: 1, max: 50, isInteger: true },
  others: { type: 'boolean' },
  ungrouped: { type: 'boolean' },
  labels: { type: 'choice', values: ['auto', 'none', 'all'] },
  legend: { type: 'choice', values: ['auto', 'none', 'top', 'end'] },
  axes: {
    type: 'group',
    members: {
      x: {
        type: 'group',
        members: {
          title: { type: 'text' },
          min: { type: 'number' },
          max: { type: 'number' },
          scale: { type: 'choice', values: ['linear', 'log'] },
        },
      },
      y: {
        type: 'group',
        members: {
          title: { type: 'text' },
          min: { type: 'number' },
          max: { type: 'number' },
          scale: { type: 'choice', values: ['linear', 'log'] },
        },
      },
      y2: {
        type: 'group',
        members: {
          title: { type: 'text' },
          min: { type: 'number' },
          max: { type: 'number' },
          scale: { type: 'choice', values: ['linear', 'log'] },
        },
      },
    },
  },
  colours: { type: 'map', of: { type: 'colour' }, maxItems: 100 },
  formats: {
    type: 'map',
    of: {
      type: 'group',
      members: {
        style: { type: 'choice', values: ['number', 'percent', 'compact'] },
        decimals: { type: 'number', min: 0, max: 6, isInteger: true },
        unit: { type: 'text' },
      },
    },
    maxItems: 20,
  },
  references: {
    type: 'list',
    of: {
      type: 'group',
      members: {
        type: { type: 'choice', values: ['target', 'average', 'band', 'event'] },
        value: { type: 'number' },
        from: { type: 'number' },
        to: { type: 'number' },
        at: { type: 'text' },
        label: { type: 'text' },
      },
    },
    maxItems: 20,
  },
  target: { type: 'number' },
  targetColumn: { type: 'column' },
  bands: { type: 'list', of: { type: 'number' }, maxItems: 5 },
  change: { type: 'choice', values: ['auto', 'percent', 'difference', 'none'] },
  table: {
    type: 'group',
    members: {
      frozen: { type: 'number', min: 0, max: 3, isInteger: true },
      bars: { type: 'list', of: { type: 'column' }, maxItems: 20 },
      scales: { type: 'list', of: { type: 'column' }, maxItems: 20 },
      headings: { type: 'map', of: { type: 'list', of: { type: 'column' }, maxItems: 50 }, maxItems: 20 },
    },
  },
  totals: { type: 'list', of: { type: 'text' }, maxItems: 50 },
  regions: { type: 'text' },
  join: { type: 'text' },
  latitude: { type: 'column' },
  longitude: { type: 'column' },
};
