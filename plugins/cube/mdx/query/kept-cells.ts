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
 * Returns the indices of the cells at the kept positions of all axes, `undefined` if all cells stay. The first axis
 * changes fastest.
 *
 * @param sizes number of positions of each axis; there is a cell for each combination of them
 * @param kept the kept positions of each axis
 */
export function keptCells(sizes: readonly number[], kept: readonly KeptPositions[]): Int32Array | undefined {
  if (kept.every((positions) => positions === undefined)) return undefined;
  let indices = new Int32Array(1);
  let stride = 1;
  for (const [axis, size] of sizes.entries()) {
    const positions = kept[axis];
    const length = positions?.length ?? size;
    const longer = new Int32Array(indices.length * length);
    for (let place = 0, at = 0; place < length; place++) {
      const from = (positions?.[place] ?? place) * stride;
      for (let inner = 0; inner < indices.length; inner++) longer[at++] = from + (indices[inner] ?? 0);
    }
    indices = longer;
    stride *= size;
  }
  return indices;
}

/** Returns the items at some indices of a list, in turns; the list itself without indices. */
export async function itemsAt<Item>(items: readonly Item[], indices: Int32Array | undefined): Promise<readonly Item[]> {
  if (indices === undefined) return items;
  const chosen: Item[] = [];
  for (const index of indices) {
    if (chosen.length % RESULT_CELLS_BATCH === RESULT_CELLS_BATCH - 1) await nextTurn();
    const item = items[index];
    if (item === undefined) throw new InternalError('A cell set has too few cells.');
    chosen.push(item);
  }
  return chosen;
}
