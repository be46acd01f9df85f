import { isRecord } from './json.ts';

/** What the document of an answer lets a visitor do with a row. */
export interface Drilling {
  /** The dimensions from which a further step leads. */
  readonly down: readonly {
    readonly field: string;
    /** Label of the dimension that the step shows. */
    readonly label: string;
    /** Keys of the dimensions whose values the step needs. */
    readonly by: readonly string[];
    /** Values of `field` with nothing below them. */
    readonly leaves: readonly string[];
  }[];
  /** The texts of the steps so far; undefined for a missing value. */
  readonly trail: readonly (string | undefined)[];
  /** Whether the rows behind a row can be read. */
  readonly rows: boolean;
}

const texts = (json: unknown): readonly string[] =>
  Array.isArray(json) ? json.filter((each) => typeof each === 'string') : [];

/** Reads what an answer says of going down. What has no known shape is left out. */
export function readDrilling(json: unknown): Drilling {
  const { down, trail, rows }: Record<string, unknown> = isRecord(json) ? json : {};
  return {
    down: (Array.isArray(down) ? down.filter(isRecord) : []).flatMap(({ field, label, by, leaves }) =>
      typeof field === 'string' && typeof label === 'string'
        ? [{ field, label, by: texts(by), leaves: texts(leaves) }]
        : [],
    ),
    trail: (Array.isArray(trail) ? trail.filter(isRecord) : []).map(({ text }) =>
      typeof text === 'string' ? text : undefined,
    ),
    rows: rows === true,
  };
}
