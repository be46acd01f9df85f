/** An answer of a cube as series along a time level. */

import type { TabularAnswer } from '../../../router/capabilities/query-source.ts';
import { ValidationError } from '../../../router/errors.ts';
import {
  type AnalyticsOptions,
  type AnomalyReport,
  findAnomalies,
  makeForecasts,
  orderedAxis,
  readAnalysis,
  readTimeAxis,
  requireWhole,
  type SeriesRow,
  type SeriesTable,
  type TimeAxis,
} from '../../analytics/index.ts';
import { match, nearestFirst } from '../../query-surface/index.ts';
import { segmentsOf } from '../schema/mdx-name.ts';
import type { LevelType } from '../schema/model.ts';
import type { Answer, AnswerTuple } from './answer.ts';
import { type AxisSelection, lastShown, type ResolvedQuery } from './resolved.ts';
import { tabular } from './response.ts';

/** Which selection of a query is its time axis, rows first, then columns. */
export interface TimeLevel {
  readonly index: number;
  readonly selection: AxisSelection;
}

/**
 * Finds the level that `timeAxis` names: by its unique name, as `Dimension/Level`, or as the query writes it. Throws
 * `ValidationError` with the levels of the query; and where the rows do not stand in the order of time.
 */
export function findTimeLevel(timeAxis: string, { rows, columns, order }: ResolvedQuery): TimeLevel {
  const selections = [...rows, ...columns].map((selection, index) => ({ index, selection }));
  const named = selections.map((each) => {
    const { dimension, hierarchy } = each.selection;
    const { level, key } = lastShown(each.selection);
    return {
      name: level.uniqueName,
      synonyms: [
        key,
        `[${dimension.name}].[${hierarchy.name}].[${level.name}]`,
        `${dimension.name}/${level.name}`,
        `${hierarchy.name}/${level.name}`,
        `${dimension.name}.${level.name}`,
      ],
      each,
    };
  });
  const found = match(timeAxis, named);
  if (found.kind !== 'one') {
    const message =
      named.length === 0
        ? 'The query has no row level: name the level of the time axis in its rows.'
        : `The time axis ${timeAxis} is not a level of the query.`;
    throw ValidationError.at(
      'timeAxis',
      message,
      nearestFirst(
        timeAxis,
        named.map(({ name }) => name),
      ),
    );
  }
  if (order.length > 0 && rows.length > 0) {
    throw ValidationError.at('query.order', 'Along a time axis rows stand in the order of time: leave the order out.');
  }
  if (found.item.each.selection.mixed !== undefined) {
    throw ValidationError.at('timeAxis', 'The query shows members of several levels there; a time axis has one.');
  }
  return found.item.each;
}

/** Reads an answer along a level; each row and column tuple makes a row of the table. Masked cells have no value. */
export function cubeSeries(answer: Answer, query: ResolvedQuery, time: TimeLevel): SeriesTable {
  const { rows, columns, rowHeads, columnHeads, measures, truncated } = answer;
  requireWhole({ metrics: measures.length, isCut: truncated, rowCount: rows.length });
  const heads = [...rowHeads, ...columnHeads];
  const isOfTime = headsOfTime(query, time);
  const tuples = rows.flatMap((row) =>
    columns.map((column, at) => ({
      row,
      column,
      cells: row.cells.slice(at * measures.length, (at + 1) * measures.length),
    })),
  );
  const members = tuples.map(({ row, column }) => memberOf(row, column, time.index));
  return {
    axis: axisOf(members, time.selection),
    metrics: measures.map(({ name }) => name),
    rows: tuples.map(({ row, column, cells }): SeriesRow => {
      const captions = [...row.captions, ...column.captions];
      return {
        by: Object.fromEntries(heads.flatMap(({ key }, i) => (isOfTime[i] ? [] : [[key, captions[i] ?? null]]))),
        values: cells.map(({ value, suppressed }) => (typeof value === 'number' && suppressed !== true ? value : null)),
      };
    }),
  };
}

/** Adds to an answer what a saved query asks to be found out. Throws `ValidationError`. */
export async function analysed(
  answer: Answer,
  query: ResolvedQuery,
  wish: unknown,
  options: AnalyticsOptions,
): Promise<TabularAnswer> {
  const analysis = readAnalysis(wish);
  const table = cubeSeries(answer, query, findTimeLevel(analysis.timeAxis, query));
  if (analysis.kind === 'forecast') {
    return { ...tabular(answer), forecast: await makeForecasts(table, analysis, options) };
  }
  const report = await findAnomalies(table, analysis, options);
  return { ...tabular(markCells(answer, report)), anomaly: report.summary };
}

/** Returns the answer with its flagged cells marked. */
export function markCells(answer: Answer, { at }: AnomalyReport): Answer {
  const { columns, measures } = answer;
  return {
    ...answer,
    rows: answer.rows.map((row, index) => ({
      ...row,
      cells: row.cells.map((cell, i) => {
        const column = Math.floor(i / measures.length);
        const anomaly = at(index * columns.length + column, i % measures.length);
        return anomaly === undefined ? cell : { ...cell, anomaly };
      }),
    })),
  };
}

function headsOfTime({ rows, columns }: ResolvedQuery, time: TimeLevel): readonly boolean[] {
  return [...rows, ...columns].flatMap(({ shown }, index) => shown.map(() => index === time.index));
}

function memberOf(row: AnswerTuple, column: AnswerTuple, index: number): string | undefined {
  return [...row.members, ...column.members][index]?.uniqueName;
}

/** Members whose names are read as periods stand where their periods do, others in the order of the answer. */
function axisOf(members: readonly (string | undefined)[], selection: AxisSelection): TimeAxis {
  const periods = members.map((uniqueName) => (uniqueName === undefined ? null : periodOf(uniqueName, selection)));
  const axis = periods.includes(undefined) ? undefined : readTimeAxis(periods.map((period) => period ?? null));
  if (axis !== undefined) return axis;
  const order = new Map<string, number>();
  for (const member of members) if (member !== undefined && !order.has(member)) order.set(member, order.size);
  return orderedAxis(members.map((member) => (member === undefined ? undefined : order.get(member))));
}

/** Returns a member's period as text, by the names of it and of the members above it; `undefined` where they tell none. */
function periodOf(uniqueName: string, selection: AxisSelection): string | undefined {
  const { level } = lastShown(selection);
  const levels = selection.hierarchy.levels.filter((each) => !each.isAll && each.depth <= level.depth);
  const names = (segmentsOf(uniqueName) ?? []).slice(-levels.length);
  if (names.length < levels.length) return undefined;
  const nameAt = (type: LevelType) => names[levels.findIndex((each) => each.levelType === type)];
  const own = names.at(-1) ?? '';
  const year = /^\d{4}$/.exec(nameAt('TimeYears') ?? '')?.[0];
  switch (level.levelType) {
    case 'TimeYears':
      return year;
    case 'TimeQuarters': {
      const quarter = /^(?:Q|Quarter )?([1-4])$/i.exec(own)?.[1];
      return year === undefined || quarter === undefined ? full(own, /Q[1-4]/i) : `${year}-Q${quarter}`;
    }
    case 'TimeMonths': {
      const month = monthOf(own);
      return year === undefined || month === undefined ? full(own, /^\d{4}[-/.]?\d{2}$/) : `${year}-${month}`;
    }
    case 'TimeDays': {
      const date = /^\d{4}-\d{2}-\d{2}/.exec(own)?.[0];
      const month = monthOf(nameAt('TimeMonths') ?? '');
      if (date !== undefined || year === undefined || month === undefined || !/^\d{1,2}$/.test(own)) return date;
      return `${year}-${month}-${own.padStart(2, '0')}`;
    }
    default:
      return own;
  }
}

function full(name: string, form: RegExp): string | undefined {
  return form.test(name) ? name : undefined;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/** Reads `3`, `03`, `Mar`, `March`. */
function monthOf(name: string): string | undefined {
  const number = /^(0?[1-9]|1[0-2])$/.test(name)
    ? Number(name)
    : /^[a-z]{3,9}$/i.test(name)
      ? MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1
      : 0;
  return number === 0 ? undefined : String(number).padStart(2, '0');
}
