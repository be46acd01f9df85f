/**
 * Thrown when an evaluation needs data that is not in memory. Evaluation is synchronous; whoever runs it catches this,
 * loads what was asked for and evaluates again. Not an `Error`: it says nothing went wrong.
 */
export class Pending {
  /** The same load asked for twice has the same key. */
  readonly key: string;
  readonly load: ((signal: AbortSignal | undefined) => Promise<void>) | undefined;

  constructor(key: string, load: Pending['load']) {
    this.key = key;
    this.load = load;
  }
}

/** Cells are missing; they are already in the cell reader's list. */
export const CELLS_MISSING = new Pending('cells', undefined);
