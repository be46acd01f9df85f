import { chartColumns, isTime } from '../api/columns.ts';
import type { Answer } from '../api/parse-answer.ts';
import type { ChartSettings } from '../generated/chart-settings.ts';
import { listMembers } from './members.ts';

/** Assigns the columns of an answer to the parts of a chart, as positions. */
export interface Roles {
  /** Undefined where the rows are counted. */
  readonly category: number | undefined;
  /** The dimension whose members are series; undefined where the metrics are. */
  readonly series: number | undefined;
  /** The dimension whose members have a small chart each. */
  readonly facet: number | undefined;
  readonly metrics: readonly number[];
  /** Dimensions that the chart has no place for. */
  readonly rest: readonly number[];
}

/**
 * Assigns the columns. One dimension is the category, and the metrics are series. Of several, the series are the members of
 * the dimension that the settings name, else of one that the request has in `columns`, else of the one with the fewest
 * members beside the date or category. A third dimension has a small chart for each member.
 */
export function chooseRoles(answer: Answer, settings: ChartSettings): Roles {
  const { category: first, series: numeric } = chartColumns(answer);
  const positionOf = (key: string | undefined): number | undefined => {
    const position = answer.columns.findIndex((column) => column.key === key);
    return position < 0 ? undefined : position;
  };
  const chosen = settings.metrics?.flatMap((key) => numeric.filter((position) => position === positionOf(key)));
  const metrics = chosen !== undefined && chosen.length > 0 ? chosen : numeric;
  const dimensions = answer.columns.flatMap(({ type }, index) =>
    type === 'dimension' && !numeric.includes(index) ? [index] : [],
  );
  const hasMetrics = answer.columns.some(({ type }) => type === 'metric');
  if (dimensions.length < 2 || !hasMetrics)
    return { category: first, series: undefined, facet: undefined, metrics, rest: [] };

  const left = new Set(dimensions);
  const take = (position: number | undefined): number | undefined => {
    if (position !== undefined) left.delete(position);
    return position;
  };
  const named = (key: string | undefined): number | undefined => {
    const position = positionOf(key);
    return take(position !== undefined && left.has(position) ? position : undefined);
  };
  const memberCount = (position: number) => listMembers(answer, position).size;
  const fewest = (positions: readonly number[]): number | undefined =>
    [...positions].sort((a, b) => memberCount(a) - memberCount(b) || b - a)[0];

  let series = named(settings.series);
  const facet = named(settings.facet);
  let category = named(settings.category);
  const across = () => [...left].filter((position) => answer.columns[position]?.axis === 'columns');
  if (series === undefined && left.size + (category === undefined ? 0 : 1) > 1) {
    const time = category === undefined ? [...left].find((position) => isDate(answer, position)) : undefined;
    const isWholeAcross = across().length === left.size;
    const candidates = isWholeAcross || across().length === 0 ? [...left].filter((each) => each !== time) : across();
    series = take(fewest(candidates));
  }
  category ??= take([...left].find((position) => isDate(answer, position)) ?? [...left][0]);
  const small = facet ?? take(fewest([...left]));
  return { category, series, facet: small, metrics, rest: [...left] };
}

function isDate({ columns }: Answer, position: number): boolean {
  const column = columns[position];
  return column !== undefined && isTime(column);
}
