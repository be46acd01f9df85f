/** Compares two texts line by line, for a comparison of versions. */

export interface DifferenceLine {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
  /** The number of the line in its text: the later text, or for a removed line the earlier one. */
  readonly line: number;
}

/** Unchanged lines that are shown before and after a change. */
const CONTEXT = 2;
/** The most pairs of lines that are compared; larger changes are shown as removed and added at once. */
const MAX_PAIRS = 1_000_000;

/** Returns the changed lines, with the lines around them. The longest common subsequence of the lines stays. */
export function lineDifference(before: string, after: string): readonly DifferenceLine[] {
  const left = before.split('\n');
  const right = after.split('\n');
  let start = 0;
  while (start < left.length && start < right.length && left[start] === right[start]) start += 1;
  let end = 0;
  while (
    end < left.length - start &&
    end < right.length - start &&
    left[left.length - 1 - end] === right[right.length - 1 - end]
  )
    end += 1;
  if (start === left.length && start === right.length) return [];
  const lines: DifferenceLine[] = [];
  for (let index = Math.max(0, start - CONTEXT); index < start; index += 1)
    lines.push({ kind: 'same', text: right[index] ?? '', line: index + 1 });
  lines.push(...middle(left.slice(start, left.length - end), right.slice(start, right.length - end), start));
  for (let index = right.length - end; index < Math.min(right.length, right.length - end + CONTEXT); index += 1)
    lines.push({ kind: 'same', text: right[index] ?? '', line: index + 1 });
  return withoutDistant(lines);
}

function middle(left: readonly string[], right: readonly string[], start: number): readonly DifferenceLine[] {
  const removed = (index: number): DifferenceLine => ({
    kind: 'removed',
    text: left[index] ?? '',
    line: start + index + 1,
  });
  const added = (index: number): DifferenceLine => ({
    kind: 'added',
    text: right[index] ?? '',
    line: start + index + 1,
  });
  if (left.length * right.length > MAX_PAIRS)
    return [...left.map((_, at) => removed(at)), ...right.map((_, at) => added(at))];
  // lengths[i][j]: the longest common subsequence of the lines from i and from j on.
  const lengths = Array.from({ length: left.length + 1 }, () => new Uint32Array(right.length + 1));
  const at = (i: number, j: number) => lengths[i]?.[j] ?? 0;
  for (let i = left.length - 1; i >= 0; i -= 1)
    for (let j = right.length - 1; j >= 0; j -= 1) {
      const row = lengths[i];
      if (row !== undefined)
        row[j] = left[i] === right[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
    }
  const lines: DifferenceLine[] = [];
  let i = 0;
  let j = 0;
  while (i < left.length || j < right.length) {
    if (i < left.length && j < right.length && left[i] === right[j]) {
      lines.push({ kind: 'same', text: right[j] ?? '', line: start + j + 1 });
      i += 1;
      j += 1;
    } else if (i < left.length && (j === right.length || at(i + 1, j) >= at(i, j + 1))) {
      lines.push(removed(i));
      i += 1;
    } else {
      lines.push(added(j));
      j += 1;
    }
  }
  return lines;
}

/** Leaves out unchanged lines that are far from any change. */
function withoutDistant(lines: readonly DifferenceLine[]): readonly DifferenceLine[] {
  const near = new Set<number>();
  for (const [index, { kind }] of lines.entries())
    if (kind !== 'same') for (let by = -CONTEXT; by <= CONTEXT; by += 1) near.add(index + by);
  return lines.filter((_, index) => near.has(index));
}
