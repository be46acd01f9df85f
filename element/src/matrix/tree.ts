import { memberKey } from '../api/member-key.ts';
import type { Answer, Cell } from '../api/parse-answer.ts';
import { MAX_MATRIX_COLUMN_MEMBERS } from '../limits.ts';

/** A member of a level, with the members below it. */
export interface Branch {
  readonly text: string | undefined;
  /** Identifies the path from the root, to remember open branches. */
  readonly path: string;
  readonly children: Map<string, Branch>;
  /** Set on the last level: the measures by column member, in the order of `Matrix.members`. */
  readonly cells: Map<string, readonly Cell[]>;
  /** Set on the last level: the position of the answer's row by column member. */
  readonly rows: Map<string, number>;
}

export interface Matrix {
  /** Positions of the columns that are levels of rows, from the outermost. */
  readonly levels: readonly number[];
  /** Position of the dimension whose members are the matrix's columns; undefined where the measures alone are. */
  readonly across: number | undefined;
  readonly members: readonly { readonly key: string; readonly cell: Cell | undefined }[];
  readonly measures: readonly number[];
  readonly roots: ReadonlyMap<string, Branch>;
}

/**
 * Builds a matrix: rows by all dimensions but the last, columns by the last one, in the answer's order. It adds nothing
 * up: only the server knows whether a measure is additive.
 */
export function buildMatrix(answer: Answer): Matrix {
  const positionsOfType = (type: 'dimension' | 'metric'): readonly number[] =>
    answer.columns.flatMap((column, index) => (column.type === type ? [index] : []));
  const dimensions = positionsOfType('dimension');
  const measures = positionsOfType('metric');
  const last = dimensions.at(-1);
  const distinct = new Map(
    last === undefined ? [] : answer.rows.map((row) => [memberKey(row[last]), row[last]] as const),
  );
  const across =
    dimensions.length > 1 && measures.length > 0 && distinct.size <= MAX_MATRIX_COLUMN_MEMBERS ? last : undefined;
  const levels = across === undefined ? dimensions : dimensions.slice(0, -1);
  const roots = new Map<string, Branch>();
  for (const [position, row] of answer.rows.entries()) {
    let siblings = roots;
    let path = '';
    let leaf: Branch | undefined;
    for (const level of levels) {
      const key = memberKey(row[level]);
      path = extendPath(path, key);
      leaf = siblings.get(key) ?? {
        text: row[level]?.text,
        path,
        children: new Map(),
        cells: new Map(),
        rows: new Map(),
      };
      siblings.set(key, leaf);
      siblings = leaf.children;
    }
    const member = across === undefined ? '' : memberKey(row[across]);
    leaf?.cells.set(
      member,
      measures.flatMap((measure) => row[measure] ?? []),
    );
    leaf?.rows.set(member, position);
  }
  const members =
    across === undefined ? [{ key: '', cell: undefined }] : [...distinct].map(([key, cell]) => ({ key, cell }));
  return { levels, across, members, measures, roots };
}

/** Returns the path of a member below a branch. */
export function extendPath(path: string, key: string): string {
  return `${path}${key.length}:${key}`;
}
