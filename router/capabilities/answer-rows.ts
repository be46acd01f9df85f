/** An answer in pieces, for answers that are too large to be in memory as a whole. */
import type { AnswerColumn, TabularAnswer } from './query-source.ts';

/** A value as files have it: hidden and missing ones are null, and numbers that no double holds exactly are text. */
export type FileValue = string | number | boolean | null;

export interface RowColumn extends Pick<AnswerColumn, 'key' | 'label' | 'type' | 'dataType' | 'grain'> {
  /** The digits after the point of exact decimals, where the warehouse gives them. */
  readonly scale?: number | undefined;
  /** Returns the label of a period, such as `Jan 2024`; absent for columns without labels. */
  readonly labelOf?: ((value: FileValue) => string | null) | undefined;
}

/** Some rows, column by column: `values[i][row]`. */
export interface RowChunk {
  readonly rowCount: number;
  readonly values: readonly (readonly FileValue[])[];
}

/** The facts about an answer that are known at its end. */
export type RowsEnd = TabularAnswer['meta'];

export interface AnswerRows {
  readonly columns: readonly RowColumn[];
  /** Reads the rows as fast as they are asked for. Leaving the loop early stops the statement. */
  readonly chunks: AsyncGenerator<RowChunk, RowsEnd, undefined>;
}
