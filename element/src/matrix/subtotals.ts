import { memberKey } from '../api/member-key.ts';
import type { Answer, Cell } from '../api/parse-answer.ts';
import type { Panel } from '../state/panel.ts';
import { extendPath, type Matrix } from './tree.ts';

/** The measures of a branch by column member, by the path of the branch. The path of the total is empty. */
export type Subtotals = ReadonlyMap<string, ReadonlyMap<string, readonly Cell[]>>;

/**
 * Returns the subtotals that have arrived; undefined where there are none. The server computes them, because only it knows how a
 * measure adds up. It is asked once for each level above the last one, and not for a cut answer or one that hides small groups.
 */
export function readSubtotals(
  panel: Panel,
  answer: Answer,
  { levels, across, measures }: Matrix,
): Subtotals | undefined {
  if (levels.length < 2 || answer.truncated || answer.suppressed !== undefined) return undefined;
  const subtotals = new Map<string, Map<string, readonly Cell[]>>();
  const keyOf = (position: number) => answer.columns[position]?.key ?? '';
  for (const depth of levels.keys()) {
    const without = levels.slice(depth).map(keyOf);
    const part = panel.readMore(answer, { without: JSON.stringify(without) });
    if (part === 'failed') return undefined;
    if (part === 'loading') continue;
    const find = (position: number) => part.columns.findIndex(({ key }) => key === keyOf(position));
    const kept = levels.slice(0, depth).map(find);
    const column = across === undefined ? -1 : find(across);
    const values = measures.map(find);
    for (const row of part.rows) {
      const path = kept.reduce((parent, level) => extendPath(parent, memberKey(row[level])), '');
      const cells = subtotals.get(path) ?? new Map<string, readonly Cell[]>();
      subtotals.set(path, cells);
      cells.set(
        column < 0 ? '' : memberKey(row[column]),
        values.flatMap((value) => row[value] ?? []),
      );
    }
  }
  return subtotals;
}
