import type { RuntimeCube } from '../../cube/cube.ts';
import type { Tuple } from '../../metadata/member.ts';
import type { DrillThrough } from '../../syntax/ast.ts';
import { MdxError, MdxLimitError } from '../../syntax/errors.ts';
import { type ExecuteOptions, type PreparedQuery, readCells, withPreparedQuery } from '../execute-query.ts';
import { factsOf } from './cell-facts.ts';
import { allColumns, returnedColumns } from './columns.ts';
import { drillthroughStatement } from './drillthrough-statement.ts';
import type { DrillthroughResult } from './result.ts';

export interface CellChoice {
  readonly maxRows: number;
  readonly position?: readonly number[] | undefined;
}

/**
 * Returns the rows behind a cell, with one statement over the facts and the named dimensions. Leaves out rows of
 * members that the caller's roles do not see, even if the roll-up policy includes them in the cell's total.
 */
export async function drillthrough(
  cube: RuntimeCube,
  statement: DrillThrough,
  options: ExecuteOptions,
  choice: CellChoice,
): Promise<DrillthroughResult> {
  const { query, returns, firstRowset } = statement;
  const requestedRows = statement.maxRows ?? 0; // MAXROWS 0 sets no limit.
  const most = requestedRows === 0 ? choice.maxRows : Math.min(choice.maxRows, requestedRows);
  const skipped = Math.max(firstRowset ?? 1, 1) - 1;
  if (skipped + most > options.limits.cells) {
    throw new MdxLimitError(`Row ${skipped + most} is beyond the limit of ${options.limits.cells} rows.`);
  }
  const { columns, sql } = await withPreparedQuery(cube, query, options, async (open) => {
    const cell = await chosenCell(open, statement, options, choice.position);
    return open.run.runUntilLoaded(() =>
      open.evaluator.at(cell, () => {
        const facts = factsOf(open.evaluator);
        const columns =
          returns.length === 0
            ? allColumns(cube, facts.group, facts.measure)
            : returnedColumns(open.compiled.scope, facts.group, returns);
        // Pages that are read one after the other must not overlap, so they are ordered.
        const ordered = firstRowset !== undefined;
        const sql = drillthroughStatement(cube.warehouse.dialect, facts, {
          columns,
          rows: skipped + most + 1,
          ordered,
        });
        return { columns, sql };
      }),
    );
  });
  const result = await cube.warehouse.query(sql, { signal: options.signal, maxRows: skipped + most + 1 });
  const end = Math.min(result.rowCount, skipped + most);
  return {
    columns: columns.map(({ name, caption }, index) => ({
      name,
      caption,
      type: result.columns[index]?.type ?? 'other',
    })),
    rows: Array.from({ length: Math.max(end - skipped, 0) }, (_, row) =>
      columns.map((_, column) => result.values[column]?.[skipped + row] ?? null),
    ),
    truncated: result.rowCount > skipped + most,
  };
}

/** Returns the members of the cell at the position, or of the only cell. */
async function chosenCell(
  open: PreparedQuery,
  { query }: DrillThrough,
  options: ExecuteOptions,
  position: readonly number[] | undefined,
): Promise<Tuple> {
  const shrinks = query.axes.some(({ nonEmpty }) => nonEmpty);
  const axes = shrinks ? (await readCells(open, query, options)).axes.map(({ tuples }) => tuples) : open.axes;
  const sizes = axes.map(({ length }) => length);
  if (position === undefined && sizes.some((size) => size !== 1)) {
    throw new MdxError(
      `The query has ${sizes.join(' x ')} cells and a drill-through takes one; name its position or narrow the axes.`,
    );
  }
  if (position !== undefined && position.length !== axes.length) {
    throw outside(`The position has ${position.length} numbers and the query ${axes.length} axes.`);
  }
  return axes.flatMap((tuples, axis) => {
    const at = position?.[axis] ?? 0;
    const tuple = tuples[at];
    if (tuple === undefined) throw outside(`Axis ${axis} has ${tuples.length} positions; there is no position ${at}.`);
    return tuple;
  });
}

function outside(message: string): MdxError {
  return new MdxError(message, undefined, undefined, ['position']);
}
