import { memberKey } from '../api/member-key.ts';
import type { Answer, Cell } from '../api/parse-answer.ts';
import type { Formats } from '../formats.ts';
import type { ChartSettings } from '../generated/chart-settings.ts';
import { DEFAULT_TOP_SERIES, MAX_CHART_SLOTS, MAX_PANELS } from '../limits.ts';
import { chooseRoles, type Roles } from './choose-series.ts';
import { listMembers, pickRows } from './members.ts';
import { locatePoints, type Points } from './points.ts';
import { readForecastPeriods } from './read-analysis.ts';

/** One line, bar sequence or area. */
export interface FrameSeries {
  readonly name: string;
  /** Position of its metric. */
  readonly metric: number;
  /** Key of its member; undefined where the metric itself is the series. */
  readonly member: string | undefined;
  readonly isOthers: boolean;
  /** The cell of each category; undefined where the answer has none. */
  readonly cells: readonly (Cell | undefined)[];
  /** The row of each cell in the answer; undefined for the others. */
  readonly rows: readonly (number | undefined)[];
}

/** One of the small charts; a chart without small charts has one. */
export interface FramePanel {
  readonly title: string | undefined;
  /** Position of the only metric of the panel; undefined where the metrics are series. */
  readonly metric: number | undefined;
  readonly series: readonly FrameSeries[];
}

/** The figures of a chart over categories or time, before anything is drawn. */
export interface Frame {
  readonly roles: Roles;
  readonly points: Points;
  /** Names of points behind the last row. */
  readonly ahead: readonly (string | undefined)[];
  readonly panels: readonly FramePanel[];
  /** Is true where the members of a dimension are series or small charts. */
  readonly isCrossed: boolean;
  readonly notes: readonly string[];
}

/** Describes the members that a chart does not draw one by one. */
export interface OthersRequest {
  readonly field: string;
  readonly except: readonly (string | null)[];
}

interface Keys {
  readonly kept: readonly string[];
  readonly left: number;
}

const ADDITIVE = new Set(['sum', 'count']);

/** Returns whether the server's figures of a metric add up over the members of a dimension. */
export function isAdditive({ columns }: Answer, metric: number): boolean {
  return ADDITIVE.has(String(columns[metric]?.aggregation).toLowerCase());
}

/** Returns which rest of the series a chart needs from the server; undefined where it needs none. */
export function findOthers(answer: Answer, settings: ChartSettings): OthersRequest | undefined {
  const { series, metrics } = chooseRoles(answer, settings);
  if (series === undefined || settings.others === false || answer.truncated) return undefined;
  const { kept, left } = largestMembers(answer, series, metrics, settings.top ?? DEFAULT_TOP_SERIES);
  const column = answer.columns[series];
  if (left === 0 || column === undefined || !metrics.every((metric) => isAdditive(answer, metric))) return undefined;
  const members = listMembers(answer, series);
  return {
    field: column.key,
    except: kept.map((key) => {
      const cell = answer.rows[members.get(key) ?? -1]?.[series];
      // A number by its value: its text may be in the notation of the viewer.
      return cell?.exact ?? cell?.number?.toString() ?? cell?.text ?? null;
    }),
  };
}

/** Arranges the figures of an answer. `others` is the rest that `findOthers` asked for. */
export function arrange(answer: Answer, settings: ChartSettings, formats: Formats, others: Answer | undefined): Frame {
  const roles = chooseRoles(answer, settings);
  return roles.series === undefined && roles.facet === undefined
    ? arrangeMetrics(answer, settings, roles, formats)
    : arrangeMembers(answer, settings, roles, formats, others);
}

function arrangeMetrics(answer: Answer, settings: ChartSettings, roles: Roles, formats: Formats): Frame {
  const ahead = readForecastPeriods(answer, roles.metrics);
  const located = locatePoints(answer, roles.category, ahead, formats);
  const points = ahead.length > 0 ? located : sortPoints(answer, located, settings, roles.metrics[0]);
  const series = roles.metrics.map(
    (metric): FrameSeries => ({
      name: answer.columns[metric]?.label ?? '',
      metric,
      member: undefined,
      isOthers: false,
      cells: points.rows.map((row) => answer.rows[row]?.[metric]),
      rows: points.rows,
    }),
  );
  return {
    roles,
    points,
    ahead,
    panels: [{ title: undefined, metric: undefined, series }],
    isCrossed: false,
    notes: [],
  };
}

function arrangeMembers(
  answer: Answer,
  settings: ChartSettings,
  roles: Roles,
  formats: Formats,
  others: Answer | undefined,
): Frame {
  const { category, series, facet, metrics } = roles;
  const label = (position: number | undefined) => answer.columns[position ?? -1]?.label ?? '';
  // One row for each category: the axis is located by it.
  const keys = categoryKeys(answer.rows, { category, series, facet });
  const ordered = [...new Map(keys.map((key, row) => [key, row] as const).reverse()).values()].sort((a, b) => a - b);
  const sample: Answer = { ...answer, rows: pickRows(answer, ordered) };
  const points = locatePoints(sample, category, [], formats);
  const slots = new Map(points.rows.map((row, at) => [keys[ordered[row] ?? -1] ?? '', at]));

  const all: Keys = { kept: [''], left: 0 };
  const top = settings.top ?? DEFAULT_TOP_SERIES;
  const members = series === undefined ? all : largestMembers(answer, series, metrics, top);
  const slotsOfPanel = slots.size * members.kept.length * metrics.length;
  const most = Math.max(1, Math.min(MAX_PANELS, Math.floor(MAX_CHART_SLOTS / Math.max(1, slotsOfPanel))));
  const facets = facet === undefined ? all : largestMembers(answer, facet, metrics, most);
  const place = (position: number | undefined, row: readonly Cell[]): string =>
    position === undefined ? '' : memberKey(row[position]);
  const rowsByPlace = new Map<string, number>();
  answer.rows.forEach((row, index) => {
    rowsByPlace.set(JSON.stringify([place(facet, row), place(series, row), keys[index]]), index);
  });
  const categories = [...slots.keys()];
  const names = new Map<string, string>();
  for (const position of [series, facet]) {
    if (position === undefined) continue;
    const listed = [...listMembers(answer, position)];
    const rows = pickRows(
      answer,
      listed.map(([, row]) => row),
    );
    const located = locatePoints({ ...answer, rows }, position, [], formats);
    located.rows.forEach((row, at) => {
      names.set(`${position} ${listed[row]?.[0]}`, located.labels[at] ?? '');
    });
  }
  const nameOf = (position: number | undefined, key: string) => names.get(`${position} ${key}`) ?? '';
  const findRest = others && series !== undefined ? restCells(answer, others, roles) : undefined;

  const seriesOf = (metric: number, facetKey: string): readonly FrameSeries[] => {
    const drawn = members.kept.map((member): FrameSeries => {
      const rows = categories.map((each) => rowsByPlace.get(JSON.stringify([facetKey, member, each])));
      return {
        name: series === undefined ? label(metric) : nameOf(series, member),
        metric,
        member: series === undefined ? undefined : member,
        isOthers: false,
        cells: rows.map((row) => (row === undefined ? undefined : answer.rows[row]?.[metric])),
        rows,
      };
    });
    if (findRest === undefined || members.left === 0) return drawn;
    const cells = categories.map((each) => findRest(metric, facetKey, each));
    const rest = {
      name: formats.say('Other'),
      metric,
      member: undefined,
      isOthers: true,
      cells,
      rows: cells.map(() => undefined),
    };
    return [...drawn, rest];
  };
  const isByMetric = metrics.length > 1 && series !== undefined;
  const panels = facets.kept.flatMap((key): readonly FramePanel[] => {
    const title = facet === undefined ? undefined : nameOf(facet, key);
    if (isByMetric || series !== undefined)
      return metrics.map((metric) => ({
        title:
          [title, isByMetric ? label(metric) : undefined].filter((each) => each !== undefined).join(' · ') || undefined,
        metric,
        series: seriesOf(metric, key),
      }));
    return [
      {
        title,
        metric: metrics.length === 1 ? metrics[0] : undefined,
        series: metrics.flatMap((each) => seriesOf(each, key)),
      },
    ];
  });
  const notes = [
    ...(members.left > 0 && findRest === undefined
      ? [
          formats.say(
            'The {0} largest of {1} series of {2}',
            members.kept.length,
            members.kept.length + members.left,
            label(series),
          ),
        ]
      : []),
    ...(facets.left > 0
      ? [
          formats.say(
            'The {0} largest of {1} small charts of {2}',
            facets.kept.length,
            facets.kept.length + facets.left,
            label(facet),
          ),
        ]
      : []),
  ];
  return {
    roles,
    points: { ...points, rows: categories.map((_, index) => index) },
    ahead: [],
    panels,
    isCrossed: true,
    notes,
  };
}

/**
 * Returns a key for the category of each row. Members of a cube may have equal names, such as the same month of two years:
 * each has a key, and so a place, of its own. Their rows follow each other.
 */
export function categoryKeys(
  rows: Answer['rows'],
  { category, series, facet }: Pick<Roles, 'category' | 'series' | 'facet'>,
): readonly string[] {
  const keyOf = (position: number | undefined, row: readonly Cell[]) =>
    position === undefined ? '' : memberKey(row[position]);
  const names = rows.map((row) => keyOf(category, row));
  const places = rows.map((row, index) => JSON.stringify([keyOf(facet, row), keyOf(series, row), names[index]]));
  if (new Set(places).size === rows.length) return names;
  const counts = new Map<string, number>();
  let [current, group] = ['', ''];
  let seen = new Set<string | undefined>();
  return rows.map((row, index) => {
    const name = names[index] ?? '';
    const next = JSON.stringify([keyOf(facet, row), name]);
    if (next !== group || seen.has(places[index])) {
      const count = (counts.get(next) ?? 0) + 1;
      counts.set(next, count);
      [current, group] = [count === 1 ? name : `${name}\u0000${count}`, next];
      seen = new Set();
    }
    seen.add(places[index]);
    return current;
  });
}

/** Returns the largest members of a dimension, in their stable order, and the number of the others. */
function largestMembers(answer: Answer, position: number, metrics: readonly number[], most: number): Keys {
  const members = [...listMembers(answer, position).keys()];
  if (members.length <= most) return { kept: members, left: 0 };
  const [metric = -1] = metrics;
  const additive = isAdditive(answer, metric);
  const sizes = new Map<string, number>();
  for (const row of answer.rows) {
    const key = memberKey(row[position]);
    const size = Math.abs(row[metric]?.number ?? 0);
    const before = sizes.get(key) ?? 0;
    // Sizes only rank the members, and are never shown.
    sizes.set(key, additive ? before + size : Math.max(before, size));
  }
  const ranked = [...members].sort((a, b) => (sizes.get(b) ?? 0) - (sizes.get(a) ?? 0));
  const largest = new Set(ranked.slice(0, most));
  return { kept: members.filter((key) => largest.has(key)), left: members.length - most };
}

/** Returns a function that finds the cells of the rest. Its columns are the columns of the answer except the series. */
function restCells(
  answer: Answer,
  others: Answer,
  { category, facet }: Roles,
): (metric: number, facetKey: string, categoryKey: string) => Cell | undefined {
  const positionIn = (position: number | undefined): number =>
    others.columns.findIndex(({ key }) => key === answer.columns[position ?? -1]?.key);
  const [categoryAt, facetAt] = [positionIn(category), positionIn(facet)];
  const key = (facetKey: string, categoryKey: string) => JSON.stringify([facetKey, categoryKey]);
  const keys = categoryKeys(others.rows, {
    category: category === undefined ? undefined : categoryAt,
    series: undefined,
    facet: facet === undefined ? undefined : facetAt,
  });
  const rows = new Map(
    others.rows.map((row, index) => [key(facet === undefined ? '' : memberKey(row[facetAt]), keys[index] ?? ''), row]),
  );
  return (metric, facetKey, categoryKey) => rows.get(key(facetKey, categoryKey))?.[positionIn(metric)];
}

/** Sorts categories that are names as the settings say. */
function sortPoints(answer: Answer, points: Points, { sort }: ChartSettings, metric: number | undefined): Points {
  if (sort === undefined || sort === 'answer' || points.times !== undefined || metric === undefined) return points;
  const value = (at: number) => answer.rows[points.rows[at] ?? -1]?.[metric]?.number ?? Number.NEGATIVE_INFINITY;
  const name = (at: number) => points.labels[at] ?? '';
  const places = points.rows
    .map((_, at) => at)
    .sort((a, b) => {
      if (sort === 'name') return name(a).localeCompare(name(b), undefined, { numeric: true });
      return sort === 'ascending' ? value(a) - value(b) : value(b) - value(a);
    });
  return {
    ...points,
    rows: places.flatMap((at) => points.rows[at] ?? []),
    labels: places.map(name),
  };
}
