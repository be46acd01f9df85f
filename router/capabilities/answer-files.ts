/** Writes answers as files, in threads: a large workbook or a dashboard on paper takes a second of computing. */
import type { Paper } from '../file-formats.ts';
import type { AnswerColumn, TabularAnswer } from './query-source.ts';
import type { WorkerPool } from './worker-pool.ts';

export interface FileColumn extends Omit<AnswerColumn, 'dataType'> {
  readonly dataType: string;
}

/** An answer with its title, as a reader sees it. */
export interface TitledAnswer extends Pick<TabularAnswer, 'records' | 'meta' | 'freshness'> {
  readonly columns: readonly FileColumn[];
  readonly title: string;
  readonly description?: string | undefined;
  /** What narrows it, in words, beside what narrows the whole file. */
  readonly filters?: readonly string[] | undefined;
}

/** One sheet of a workbook: an answer, or why there is none. */
export type Sheet = TitledAnswer | { readonly title: string; readonly missing: true };

/** How a file writes numbers and dates. */
export interface Notation {
  /** BCP 47. */
  readonly locale: string;
  /** IANA name. */
  readonly timeZone: string;
  /** Whose names periods have: those that the model writes, where it is not given, or those of `locale`. */
  readonly labels?: 'model' | 'locale' | undefined;
}

export interface WorkbookTask extends Notation {
  readonly kind: 'csv' | 'xlsx';
  readonly title: string;
  /** One for each answer; CSV writes the first. */
  readonly sheets: readonly Sheet[];
  /** The narrowing conditions, in words. */
  readonly filters: readonly string[];
}

/** A dashboard or an answer on paper. The members are JSON as the embed reads answer it. */
export interface PaperTask extends Notation {
  readonly paper: Paper;
  /** The body of a dashboard's layout. */
  readonly layout: unknown;
  /** Answers by tile. A tile without one says that it is not available. */
  readonly tiles: Readonly<Record<string, unknown>>;
  /** The answers that `OthersNeeded` asked for, by tile. A chart notes the rest that it does not have. */
  readonly others?: Readonly<Record<string, unknown>>;
  readonly filters: readonly string[];
}

/**
 * The rests of series that charts of a document draw as one: the parameter `others` of the read of each tile. Only a chart knows how many members it
 * draws one by one.
 */
export interface OthersNeeded {
  readonly others: Readonly<Record<string, string>>;
}

export interface AnswerFiles {
  readonly workbooks: WorkerPool<WorkbookTask, Uint8Array>;
  /** A task without `others` may ask for them in place of the document. */
  readonly papers: WorkerPool<PaperTask, Uint8Array | OthersNeeded>;
}
