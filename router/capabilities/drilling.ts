/** Going down from a dimension of an answer to the next finer one: a grain of its date, a level of its hierarchy, another field. */

/** A dimension that a reader may go down from, as the author of a document wrote it. */
export interface DrillPath {
  /** Key of a dimension that the answer shows. */
  readonly field: string;
  /** Keys of the dimensions below, in their order; where they are not given, the finer grains or the levels below. */
  readonly to?: readonly string[] | undefined;
}

/** One step down: the dimension that was shown, and the values of the row from which the reader went. */
export interface DrillStep {
  readonly field: string;
  /** Values by the key of a shown dimension, that of `field` among them; null for the group without a value. */
  readonly values: Readonly<Record<string, string | null>>;
}

export interface Drill {
  readonly down: readonly DrillPath[];
  readonly steps: readonly DrillStep[];
}

/** The state of an answer that goes down, for its reader. */
export interface Drilling {
  /** The dimensions of this answer from which a further step leads. */
  readonly down: readonly {
    readonly field: string;
    /** Label of the dimension that the step shows. */
    readonly label: string;
    /** Keys of the shown dimensions whose values the step needs. */
    readonly by: readonly string[];
    /** Values of `field` in the answer from which the step leads nowhere: members without others below them. */
    readonly leaves?: readonly string[];
  }[];
  /** The steps so far: the dimension and the value, as texts. */
  readonly trail: readonly { readonly label: string; readonly text: string | null }[];
  /** Whether there are rows behind a row of this answer. */
  readonly rows: boolean;
}

/**
 * Returns the key that follows in a path with a list; `undefined` after the last, or where the path has no list or does
 * not name the key.
 */
export function nextInList({ field, to = [] }: DrillPath, key: string): string | undefined {
  const chain = [field, ...to];
  const at = chain.indexOf(key);
  return at < 0 ? undefined : chain[at + 1];
}

/** Returns the keys of a path with a list from the top to a key. */
export function listedTo({ field, to = [] }: DrillPath, key: string): readonly string[] {
  const chain = [field, ...to];
  return chain.slice(0, chain.indexOf(key) + 1);
}
