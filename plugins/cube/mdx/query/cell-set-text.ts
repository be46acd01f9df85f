import type { Tuple } from '../metadata/member.ts';
import type { CellSet } from './cell-set.ts';

/** Returns a result as text: a line for each position of the axes, then the cells, in which columns change fastest. */
export function resultText({ slicer, axes, cells }: CellSet): string {
  const lines: string[] = ['Axis #0:'];
  for (const tuple of slicer ?? [[]]) lines.push(tupleText(tuple));
  for (const [index, { tuples }] of axes.entries()) {
    lines.push(`Axis #${index + 1}:`);
    for (const tuple of tuples) lines.push(tupleText(tuple));
  }
  if (axes.length === 0) return [...lines, cells[0]?.formatted ?? ''].join('\n');
  const columns = axes[0]?.tuples.length ?? 0;
  const rows = axes[1]?.tuples.length ?? 1;
  for (const [index, { formatted }] of cells.entries()) {
    lines.push(`Row #${Math.floor(index / Math.max(columns, 1)) % Math.max(rows, 1)}: ${formatted}`);
  }
  return `${lines.join('\n')}\n`;
}

/** Writes a tuple as unique names in braces. */
export function tupleText(tuple: Tuple): string {
  return `{${tuple.map(({ uniqueName }) => uniqueName).join(', ')}}`;
}
