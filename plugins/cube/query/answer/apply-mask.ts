import { isSmall, type KAnonymity } from '../../../query-surface/index.ts';
import type { NumericCell } from '../../api/schemas.ts';
import type { GridCells } from '../../engine/grid.ts';
import type { Compiled } from '../compile/compile-mdx.ts';

/**
 * Returns the cell that replaces all cells of a group with too few facts. A group has the cells of a row in one column, by
 * the positions of the compiled measures.
 *
 * @param from the index of the group's first cell
 */
export function maskOf(
  { values }: GridCells,
  from: number,
  { counts }: Pick<Compiled, 'counts'>,
  { threshold, mask }: KAnonymity,
): NumericCell | undefined {
  if (threshold === 0 || !counts.some((count) => isSmall(values[from + count] ?? null, threshold))) return undefined;
  return { value: mask, formatted: mask === null ? '-' : String(mask), unit: null, suppressed: true };
}
