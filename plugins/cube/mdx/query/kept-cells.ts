import { setImmediate as nextTurn } from 'node:timers/promises';
import { InternalError } from '../../../../router/errors.ts';
import { RESULT_CELLS_BATCH } from '../limits.ts';

/** The positions of an axis that stay in a result, in their order; `undefined` if all stay. */
export type KeptPositions = Int32Array | undefined;

/**
 * Returns the positions of an axis at which a cell keeps its position.
 *
 * @param cells number of cells
 * @param stride number of cells from one position of the axis to the next
 * @param length number of positions of the axis
 * @param counts returns whether the cell with an index keeps its position
 */
export async function filledPositions(
  cells: number,
  stride: number,
  length: number,
  counts: (index: number) => boolean,
): Promise<KeptPositions> {
  const filled = new Uint8Array(length);
  let count = 0;
  for (let index = 0; index < cells; index++) {
    if (index % RESULT_CELLS_BATCH === RESULT_CELLS_BATCH - 1) await nextTurn();
    if (!counts(index)) continue;
    const position = Math.floor(index / stride) % length;
    if (filled[position] === 1) continue;
    filled[position] = 1;
    count++;
  }
  if (count === length) return undefined;
  const kept = new Int32Array(count);
  let next = 0;
  for (let position = 0; position < length; position++) if (filled[position] === 1) kept[next++] = position;
  return kept;
}

/**
 * Returns the cells at the kept positions of all axes. The first axis changes fastest.
 *
 * @param sizes number of positions of each axis; `cells` has a cell for each combination of them
 * @param kept the kept positions of each axis
 */
export async function keptCells<Cell>(
  cells: readonly Cell[],
  sizes: readonly number[],
  kept: readonly KeptPositions[],
): Promise<readonly Cell[]> {
  if (kept.every((positions) => positions === undefined)) return cells;
  const lengths = sizes.map((size, axis) => kept[axis]?.length ?? size);
  const count = lengths.reduce((product, length) => product * length, 1);
  const result: Cell[] = [];
  while (result.length < count) {
    if (result.length % RESULT_CELLS_BATCH === RESULT_CELLS_BATCH - 1) await nextTurn();
    let [rest, stride, index] = [result.length, 1, 0];
    for (const [axis, length] of lengths.entries()) {
      const place = rest % length;
      index += (kept[axis]?.[place] ?? place) * stride;
      rest = (rest - place) / length;
      stride *= sizes[axis] ?? 1;
    }
    const cell = cells[index];
    if (cell === undefined) throw new InternalError('A cell set has too few cells.');
    result.push(cell);
  }
  return result;
}
