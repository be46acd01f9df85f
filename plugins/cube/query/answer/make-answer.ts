/**
 * Makes an answer from a grid: applies the mask of small groups, drops empty rows, and cuts to the server's limit. An
 * answer is plain data, so that a job can keep it.
 */

import type { MetricCell } from '../../../../router/capabilities/query-source.ts';
import { cooperativeMap, cooperativeYield, itemCounter } from '../../../../router/cooperative-yield.ts';
import { ValidationError } from '../../../../router/errors.ts';
import { type KAnonymity, suppressionReason } from '../../../query-surface/index.ts';
import type { NumericCell } from '../../api/schemas.ts';
import type { MeasureMetadata } from '../../cube-metadata/cube-metadata.ts';
import { shownUnit } from '../../cube-metadata/shown-unit.ts';
import { type Grid, type GridCells, type GridMember, type GridTuple, tupleAt } from '../../engine/grid.ts';
import { MAX_DATA_COLUMNS } from '../../limits.ts';
import type { Compiled } from '../compile/compile-mdx.ts';
import { type AxisSelection, lastShown, type ResolvedQuery } from '../resolve/resolved-query.ts';
import { maskOf } from './apply-mask.ts';

export interface DimensionHead {
  /** The key as the request writes it: `Store.Store State`. */
  readonly key: string;
  readonly caption: string;
  readonly dimension: string;
  /** The level's unique name. */
  readonly uniqueName: string;
}

export interface MeasureHead {
  readonly name: string;
  readonly caption: string;
  readonly uniqueName: string;
  readonly unit: string | null;
  readonly aggregationKind: string;
}

export interface AnswerTuple {
  /** The captions of the shown levels of all selections, in their order. */
  readonly captions: readonly string[];
  /** The member of each selection. */
  readonly members: readonly { readonly caption: string; readonly uniqueName: string }[];
}

export interface AnswerRow extends AnswerTuple {
  /** `cells[column * measures.length + measure]`. */
  readonly cells: readonly AnswerCell[];
}

/** A cell, marked if an analysis has flagged it. */
export type AnswerCell = NumericCell & Pick<MetricCell, 'anomaly'>;

export interface Answer {
  readonly cubeId: string;
  readonly mdx: string;
  readonly rowHeads: readonly DimensionHead[];
  readonly columnHeads: readonly DimensionHead[];
  readonly measures: readonly MeasureHead[];
  readonly columns: readonly AnswerTuple[];
  readonly rows: readonly AnswerRow[];
  readonly truncated: boolean;
  readonly suppressed?: { readonly count: number; readonly reason: string };
  readonly computedAtMillis: number;
  readonly cached: boolean;
  readonly runtimeMs: number;
}

export interface AnswerOptions {
  readonly cubeId: string;
  readonly kAnonymity: KAnonymity;
  /** Maximum of rows if the request has no limit. */
  readonly maxRows: number;
  readonly computedAtMillis: number;
  readonly cached: boolean;
  readonly runtimeMs: number;
}

/**
 * Lays out a grid as the request describes. Yields the event loop in between.
 *
 * @throws ValidationError at `columns` if there would be too many
 */
export async function answerOf(
  query: ResolvedQuery,
  compiled: Compiled,
  grid: Grid,
  options: AnswerOptions,
): Promise<Answer> {
  const { measures, nonEmpty, limit } = query;
  const yieldTurn = cooperativeYield();
  const isDue = itemCounter();
  const { cells } = grid;
  const stride = compiled.measures.length;
  const rowStride = grid.columns.length * stride;
  const allColumns = Array.from({ length: grid.columns.length }, (_, column) => column);
  const filled = nonEmpty && query.columns.length > 0 ? await filledColumns() : undefined;
  const shownColumns = allColumns.filter((column) => filled?.has(column) ?? true);

  refuseManyColumns(shownColumns.length * measures.length);
  let suppressed = 0;
  const rows: AnswerRow[] = [];
  const units = measures.map(({ unit }) => unit ?? null);
  const laidOutRow = layoutOf(query.rows);
  for (let index = 0; index < grid.rows.length; index++) {
    const from = index * rowStride;
    if (isDue(rowStride + grid.rows.width)) await yieldTurn();
    if (nonEmpty && query.rows.length > 0 && !shownColumns.some((column) => isFilled(from, column))) continue;
    let masked = false;
    // Arrays of their final length: one that grows by one takes room for sixteen first.
    const shown = new Array<NumericCell>(shownColumns.length * measures.length);
    let next = 0;
    for (const column of shownColumns) {
      const mask = maskOf(cells, from + column * stride, compiled, options.kAnonymity);
      masked ||= mask !== undefined;
      for (const [at, measure] of measures.entries()) {
        const cell = mask ?? numericCell(cells, from + column * stride + at, measure);
        units[at] ??= cell.unit;
        shown[next++] = cell;
      }
    }
    if (masked && (limit !== undefined || rows.length < options.maxRows)) suppressed++;
    const { captions, members } = laidOutRow(tupleAt(grid.rows, index));
    rows.push({ captions, members, cells: shown });
  }
  const laidOutColumn = layoutOf(query.columns);
  const cut = limit === undefined && rows.length > options.maxRows;
  return {
    cubeId: options.cubeId,
    mdx: compiled.mdx,
    rowHeads: query.rows.flatMap(headsOf),
    columnHeads: query.columns.flatMap(headsOf),
    measures: measures.map(({ name, caption, uniqueName, aggregationKind }, at) => {
      return { name, caption, uniqueName, unit: units[at] ?? null, aggregationKind };
    }),
    columns: await cooperativeMap(shownColumns, yieldTurn, (column) => laidOutColumn(tupleAt(grid.columns, column))),
    rows: cut ? rows.slice(0, options.maxRows) : rows,
    truncated: cut,
    ...(suppressed === 0
      ? {}
      : { suppressed: { count: suppressed, reason: suppressionReason(options.kAnonymity.threshold) } }),
    computedAtMillis: options.computedAtMillis,
    cached: options.cached,
    runtimeMs: Math.max(0, Math.round(options.runtimeMs)),
  };

  async function filledColumns(): Promise<ReadonlySet<number>> {
    const filled = new Set<number>();
    for (let row = 0; row < grid.rows.length; row++) {
      if (isDue(rowStride)) await yieldTurn();
      for (const column of allColumns) if (!filled.has(column) && isFilled(row * rowStride, column)) filled.add(column);
      if (filled.size === grid.columns.length) break;
    }
    return filled;
  }

  /** Says whether a column has something in the row whose cells begin at an index. */
  function isFilled(from: number, column: number): boolean {
    return measures.some((_, at) => {
      const index = from + column * stride + at;
      return (cells.values[index] ?? null) !== null || (cells.formatted[index] ?? '') !== '';
    });
  }
}

function refuseManyColumns(count: number): void {
  if (count <= MAX_DATA_COLUMNS) return;
  const message = `The answer would have ${count} columns; ${MAX_DATA_COLUMNS} is the most. Put more into rows, or filter.`;
  throw ValidationError.at(['columns'], message);
}

/** Returns a function that lays out tuples with the captions that a request shows. Each member is laid out once. */
function layoutOf(selections: readonly AxisSelection[]): (tuple: GridTuple) => AnswerTuple {
  const known = selections.map(() => new Map<GridMember, LaidOutMember>());
  const width = selections.reduce((sum, { shown, mixed }) => sum + (mixed === undefined ? shown.length : 1), 0);
  return (tuple) => {
    const captions = new Array<string>(width);
    const members = new Array<AnswerTuple['members'][number]>(tuple.length);
    let next = 0;
    for (const [index, member] of tuple.entries()) {
      let own = known[index]?.get(member);
      if (own === undefined) {
        own = laidOut(member, selections[index]);
        known[index]?.set(member, own);
      }
      for (const caption of own.captions) captions[next++] = caption;
      members[index] = own.member;
    }
    return { captions, members };
  };
}

interface LaidOutMember {
  readonly captions: readonly string[];
  readonly member: AnswerTuple['members'][number];
}

function laidOut(member: GridMember, selection: AxisSelection | undefined): LaidOutMember {
  const { caption, uniqueName } = member;
  return {
    captions: selection === undefined ? [] : captionsOf(member, selection),
    member: { caption, uniqueName },
  };
}

/** Lists the captions of a member. A ragged branch has no member on some of the levels. */
function captionsOf({ caption, path }: GridMember, selection: AxisSelection): readonly string[] {
  const { shown, mixed } = selection;
  if (mixed !== undefined) return [caption];
  const last = lastShown(selection);
  return shown.map((each) => (each === last ? caption : (path[each.level.depth] ?? '')));
}

function headsOf({ dimension, shown }: AxisSelection): readonly DimensionHead[] {
  return shown.map(({ level, key }) => ({
    key,
    caption: level.isAll ? dimension.caption : level.caption,
    dimension: dimension.name,
    uniqueName: level.uniqueName,
  }));
}

function numericCell(
  { values, formatted: texts, errors }: GridCells,
  index: number,
  measure: MeasureMetadata,
): NumericCell {
  const value = values[index] ?? null;
  const formatted = texts[index] ?? '';
  const error = errors.get(index);
  const unit = measure.unit ?? shownUnit(formatted);
  return error === undefined ? { value, formatted, unit } : { value, formatted, unit, error };
}
