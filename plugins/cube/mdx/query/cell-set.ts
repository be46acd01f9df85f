import type { TupleSet } from '../metadata/member.ts';
import type { Value } from '../metadata/value.ts';

export interface Cell {
  readonly value: Value;
  readonly formatted: string;
  /** The error of the cell's computation. */
  readonly error?: string | undefined;
  /** The values of `CellSet.cellProperties`, in their order. A property that the cell does not have is `null`. */
  readonly properties: readonly Value[];
}

export interface ResultAxis {
  /** The hierarchies of the tuples, known even without tuples. */
  readonly hierarchies: readonly string[];
  readonly tuples: TupleSet;
  /**
   * The properties that DIMENSION PROPERTIES requests, as the query writes them: `MEMBER_KEY`, `[Store].[Name].[Size]`.
   */
  readonly memberProperties: readonly string[];
  /**
   * `memberValues[tuple][member][property]`: the values of `memberProperties` for each member of each tuple. `null` if
   * a member does not have a property. Empty if no properties were requested.
   */
  readonly memberValues: readonly (readonly (readonly Value[])[])[];
}

export interface CellSet {
  /** The slicer's tuples; `undefined` without WHERE. */
  readonly slicer: TupleSet | undefined;
  readonly axes: readonly ResultAxis[];
  /** The names that CELL PROPERTIES requests, in capitals: `FORMAT_STRING`. */
  readonly cellProperties: readonly string[];
  /** The cells. The first axis changes fastest. */
  readonly cells: readonly Cell[];
  /** Holds the same cells in columns, where they have nothing but values and texts. Then `cells` is made when it is read. */
  readonly columns?: CellColumns;
}

export const NO_PROPERTIES: readonly Value[] = [];

/** Cells that have nothing but their values and texts, in a list of each: an object for each cell would take more than both. */
export class CellColumns {
  readonly values: readonly Value[];
  readonly formatted: readonly string[];

  constructor(values: readonly Value[], formatted: readonly string[]) {
    this.values = values;
    this.formatted = formatted;
  }

  get length(): number {
    return this.values.length;
  }

  cells(): readonly Cell[] {
    return this.values.map((value, index) => {
      return { value, formatted: this.formatted[index] ?? '', properties: NO_PROPERTIES };
    });
  }
}

/** Returns a cell set whose cells are made from columns when they are read. */
export function cellSetOf(parts: Omit<CellSet, 'cells'> & { readonly columns: CellColumns }): CellSet {
  let cells: readonly Cell[] | undefined;
  return Object.defineProperty({ ...parts }, 'cells', {
    enumerable: true,
    get: () => (cells ??= parts.columns.cells()),
  }) as CellSet;
}
