/** Reads an answer of a cube as series along a time level. */

import type { TabularAnswer } from '../../../../router/capabilities/query-source.ts';
import { cooperativeYield } from '../../../../router/cooperative-yield.ts';
import { ValidationError } from '../../../../router/errors.ts';
import { parseInput } from '../../../../router/parse-input.ts';
import {
  Analysis,
  type AnalyticsOptions,
  type AnomalyReport,
  findAnomalies,
  HOLD_MS,
  makeForecasts,
  mergedOrder,
  orderedAxis,
  ROWS_BETWEEN_YIELDS,
  readTimeAxis,
  requireTimeAxis,
  requireWhole,
  type SeriesRow,
  type SeriesTable,
  type TimeAxis,
} from '../../../analytics/index.ts';
import { match, nearestFirst } from '../../../query-surface/index.ts';
import type { CubeQueryRequest } from '../../api/schemas.ts';
import type { LevelMetadata } from '../../cube-metadata/cube-metadata.ts';
import { isExactText } from '../../engine/grid.ts';
import { monthIndexIn } from '../../format/calendar-names.ts';
import { segmentsOf } from '../../schema/mdx-name.ts';
import type { LevelType } from '../../schema/model.ts';
import type { Answer, AnswerCell } from '../answer/make-answer.ts';
import { tabular } from '../answer/response.ts';
import { axisItemKey } from '../resolve/resolve-request.ts';
import { type AxisSelection, lastShown, type ResolvedQuery } from '../resolve/resolved-query.ts';
import { captionedAxis, continuedAxis } from './period-labels.ts';

/** The selection of a query that is its time axis. Rows are counted first, then columns. */
export interface TimeLevel {
  readonly index: number;
  readonly selection: AxisSelection;
}

/**
 * Finds the level that `timeAxis` names: by its unique name, as `Dimension/Level`, or as the query writes it.
 *
 * @throws ValidationError with the levels of the query, or if the rows are not in the order of time
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
  const matched = match(timeAxis, named);
  if (matched.kind !== 'one') {
    const message =
      named.length === 0
        ? 'The query has no row level: name the level of the time axis in its rows.'
        : `The time axis ${timeAxis} is not a level of the query.`;
    throw ValidationError.at(
      ['timeAxis'],
      message,
      nearestFirst(
        timeAxis,
        named.map(({ name }) => name),
      ),
    );
  }
  if (order.length > 0 && rows.length > 0) {
    throw ValidationError.at(
      ['query', 'order'],
      'Along a time axis rows stand in the order of time: leave the order out.',
    );
  }
  if (matched.item.each.selection.mixed !== undefined) {
    throw ValidationError.at(['timeAxis'], 'The query shows members of several levels there; a time axis has one.');
  }
  return matched.item.each;
}

/**
 * Checks that a request shows the level of its time axis. If the request names no level, the axis must be of its
 * dimension.
 *
 * @throws ValidationError at `timeAxis` with the levels of the request
 */
export function checkWrittenTimeAxis(timeAxis: string, { rows = [], columns = [] }: CubeQueryRequest): void {
  const items = [...rows, ...columns];
  const axisParts = nameParts(timeAxis);
  const isOf = (item: (typeof items)[number]): boolean => {
    const key = nameParts(axisItemKey(item));
    if (key.join() === axisParts.join()) return true;
    const { dimension, hierarchy, level } = item;
    if (level !== undefined) return nameParts(level).at(-1) === axisParts.at(-1);
    return [dimension, hierarchy ?? dimension].some((name) => nameParts(name)[0] === axisParts[0]);
  };
  if (items.some(isOf)) return;
  // No level fits, so the error is the same as at run time.
  requireTimeAxis(
    timeAxis,
    items.map((item) => ({ name: axisItemKey(item), synonyms: [] })),
  );
}

/** Returns the parts of `[Time].[Month]`, `Time/Month` or `Time.Month` in lower case. */
function nameParts(name: string): readonly string[] {
  return ((name.includes('[') ? segmentsOf(name) : undefined) ?? name.split(/[/.]/)).map((part) =>
    part.trim().toLowerCase(),
  );
}

/**
 * Reads an answer along a level. Each row and column tuple becomes a row of the table. Masked cells have no value.
 * Series are distinguished by members, because members of different parents may have the same caption. With
 * `allMembers`, the axis can label the next periods.
 */
export async function cubeSeries(
  answer: Answer,
  query: ResolvedQuery,
  time: TimeLevel,
  allMembers?: MembersOf,
): Promise<SeriesTable> {
  const { rows, columns, rowHeads, columnHeads, measures, truncated } = answer;
  requireWhole({ metrics: measures.length, isCut: truncated, rowCount: rows.length });
  const heads = [...rowHeads, ...columnHeads];
  const areOfTime = headsOfTime(query, time);
  const yieldTurn = cooperativeYield(HOLD_MS);
  const members: TimeMember[] = [];
  const table: SeriesRow[] = [];
  for (const row of rows) {
    for (const [at, column] of columns.entries()) {
      if (table.length % ROWS_BETWEEN_YIELDS === 0) await yieldTurn();
      const all = [...row.members, ...column.members];
      const captions = [...row.captions, ...column.captions];
      const cells = row.cells.slice(at * measures.length, (at + 1) * measures.length);
      const key = JSON.stringify(all.flatMap(({ uniqueName }, i) => (i === time.index ? [] : [uniqueName])));
      members.push({ key, caption: all[time.index]?.caption, uniqueName: all[time.index]?.uniqueName });
      table.push({
        key,
        by: Object.fromEntries(heads.flatMap((head, i) => (areOfTime[i] ? [] : [[head.key, captions[i] ?? null]]))),
        values: cells.map(({ value, suppressed }) => (suppressed === true ? null : numberIn(value))),
      });
    }
  }
  const level = await allMembers?.(lastShown(time.selection).level);
  return {
    axis: await axisOf(members, time.selection, level, query),
    metrics: measures.map(({ name }) => name),
    rows: table,
  };
}

/** Returns all members of a level in its order. */
export type MembersOf = (level: LevelMetadata) => Promise<readonly ShownMember[]>;

/** Returns the number of a cell. Whole numbers and decimals that no double represents are texts. */
function numberIn(value: AnswerCell['value']): number | null {
  const number = isExactText(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : null;
}

interface ShownMember {
  readonly caption: string;
  readonly uniqueName: string;
}

/** The member of the time level in one row of the table, with the row's series. */
interface TimeMember {
  readonly key: string;
  readonly caption: string | undefined;
  readonly uniqueName: string | undefined;
}

/**
 * Adds the analytics that a saved query requests to an answer.
 *
 * @throws ValidationError
 */
export async function withAnalytics(
  answer: Answer,
  query: ResolvedQuery,
  analytics: unknown,
  options: AnalyticsOptions & { readonly allMembers: MembersOf },
): Promise<TabularAnswer> {
  const analysis = parseInput(Analysis, analytics);
  const time = findTimeLevel(analysis.timeAxis, query);
  const table = await cubeSeries(answer, query, time, analysis.kind === 'forecast' ? options.allMembers : undefined);
  if (analysis.kind === 'forecast') {
    return { ...(await tabular(answer)), forecast: await makeForecasts(table, analysis, options) };
  }
  const report = await findAnomalies(table, analysis, options);
  return { ...(await tabular(markCells(answer, report))), anomaly: report.summary };
}

/** Returns the answer with its flagged cells marked. */
export function markCells(answer: Answer, { marks }: AnomalyReport): Answer {
  const { columns, measures } = answer;
  const rows = answer.rows.slice();
  for (const [place, ofTuple] of marks) {
    const index = Math.floor(place / columns.length);
    const row = rows[index];
    if (row === undefined) continue;
    const cells = row.cells.slice();
    for (const [measure, anomaly] of ofTuple) {
      const at = (place % columns.length) * measures.length + measure;
      const cell = cells[at];
      if (cell !== undefined) cells[at] = { ...cell, anomaly };
    }
    rows[index] = { ...row, cells };
  }
  return { ...answer, rows };
}

function headsOfTime({ rows, columns }: ResolvedQuery, time: TimeLevel): readonly boolean[] {
  return [...rows, ...columns].flatMap(({ shown }, index) => shown.map(() => index === time.index));
}

/**
 * Returns the time axis. Members with period names are at the positions of their periods. Other members of a time level
 * are in the order of the level.
 *
 * @throws ValidationError if the level is not a time level and its members' names are not periods
 */
async function axisOf(
  members: readonly TimeMember[],
  selection: AxisSelection,
  level: readonly ShownMember[] | undefined,
  query: ResolvedQuery,
): Promise<TimeAxis> {
  const yieldTurn = cooperativeYield(HOLD_MS);
  const periods = new Map<string, string | undefined>();
  for (const { uniqueName } of members) {
    if (uniqueName === undefined || periods.has(uniqueName)) continue;
    if (periods.size % ROWS_BETWEEN_YIELDS === 0) await yieldTurn();
    periods.set(uniqueName, periodOf(uniqueName, selection));
  }
  if (![...periods.values()].includes(undefined)) {
    const axis = await readTimeAxis(members.map(({ uniqueName = '' }) => periods.get(uniqueName) ?? null));
    if (axis !== undefined && level !== undefined) {
      const named = level.map(({ caption, uniqueName }) => ({ caption, period: periodOf(uniqueName, selection) }));
      return captionedAxis(axis, named);
    }
    if (axis !== undefined) return axis;
  }
  if (!isOfTime(selection)) throw noTimeLevel(selection, query);
  return memberAxis(members, level);
}

/** Returns whether the schema marks a level as a time level, by its `levelType` or by its dimension's type. */
function isOfTime(selection: AxisSelection): boolean {
  const { level } = lastShown(selection);
  return selection.dimension.type === 'time' || level.levelType !== 'Regular';
}

function noTimeLevel(selection: AxisSelection, { rows, columns }: ResolvedQuery): ValidationError {
  const { level } = lastShown(selection);
  return ValidationError.at(
    ['timeAxis'],
    `The level ${level.uniqueName} is not a level of time: its dimension is not a time dimension, it has no levelType such as TimeMonths, and the names of its members are not all periods such as 2024, 2024-03 or 2024-03-31.`,
    [...rows, ...columns].filter(isOfTime).map((each) => lastShown(each).level.uniqueName),
  );
}

async function memberAxis(members: readonly TimeMember[], level: readonly ShownMember[] = []): Promise<TimeAxis> {
  const lists = new Map<string, string[]>();
  const captions = new Map<string, string>();
  for (const { key, uniqueName, caption = '' } of members) {
    if (uniqueName === undefined) continue;
    captions.set(uniqueName, caption);
    const list = lists.get(key);
    if (list === undefined) lists.set(key, [uniqueName]);
    else list.push(uniqueName);
  }
  const order = await mergedOrder(lists.values());
  const positions = members.map(({ uniqueName }) => (uniqueName === undefined ? undefined : order.get(uniqueName)));
  const shown = [...order.keys()];
  const last = level.findIndex(({ uniqueName }) => uniqueName === shown.at(-1));
  const axis = orderedAxis(
    positions,
    shown.map((uniqueName) => captions.get(uniqueName) ?? ''),
  );
  const ahead = last < 0 ? [] : level.slice(last + 1).map(({ caption }) => caption);
  return continuedAxis(axis, shown.length, ahead);
}

/** Returns a member's period as text, from its name and its ancestors' names; `undefined` if they contain none. */
function periodOf(uniqueName: string, selection: AxisSelection): string | undefined {
  const { level } = lastShown(selection);
  const levels = selection.hierarchy.levels.filter((each) => !each.isAll && each.depth <= level.depth);
  const names = (segmentsOf(uniqueName) ?? []).slice(-levels.length);
  if (names.length < levels.length) return undefined;
  const nameAt = (type: LevelType) => names[levels.findIndex((each) => each.levelType === type)];
  const lastName = names.at(-1) ?? '';
  const year = /^\d{4}$/.exec(nameAt('TimeYears') ?? '')?.[0];
  switch (level.levelType) {
    case 'TimeYears':
      return year;
    case 'TimeQuarters': {
      const quarter = /^(?:Q|Quarter )?([1-4])$/i.exec(lastName)?.[1];
      return year === undefined || quarter === undefined ? full(lastName, /Q[1-4]/i) : `${year}-Q${quarter}`;
    }
    case 'TimeMonths': {
      const month = monthOf(lastName);
      return year === undefined || month === undefined ? full(lastName, /^\d{4}[-/.]?\d{2}$/) : `${year}-${month}`;
    }
    case 'TimeDays': {
      const date = /^\d{4}-\d{2}-\d{2}/.exec(lastName)?.[0];
      const month = monthOf(nameAt('TimeMonths') ?? '');
      if (date !== undefined || year === undefined || month === undefined || !/^\d{1,2}$/.test(lastName)) return date;
      return `${year}-${month}-${lastName.padStart(2, '0')}`;
    }
    default:
      return lastName;
  }
}

function full(name: string, form: RegExp): string | undefined {
  return form.test(name) ? name : undefined;
}

/** Reads a month such as `3`, `03`, `Mar` or `March`. */
function monthOf(name: string): string | undefined {
  const named = /^[a-z]{3,9}$/i.test(name) ? monthIndexIn(name) : undefined;
  const number = /^(0?[1-9]|1[0-2])$/.test(name) ? Number(name) : named === undefined ? undefined : named + 1;
  return number === undefined ? undefined : String(number).padStart(2, '0');
}
