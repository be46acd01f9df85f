import type { ComputedTable, WrittenTable } from '../../router/capabilities/table-writer.ts';

/** The message that starts the writing process. */
export interface WriteTask {
  /** The database file that is read. */
  readonly file: string;
  /** The copy to write, in a folder that the parent process removes. */
  readonly copy: string;
  /** A folder for temporary files. */
  readonly spill: string;
  readonly tables: readonly ComputedTable[];
  readonly memoryBytes: number;
  readonly threads: number;
}

/**
 * The answer. After `written`, the process keeps other programs from writing the file until it is ended: what they wrote would be
 * lost when the copy takes the place of the file.
 */
export type WriteReply =
  | {
      readonly kind: 'written';
      readonly tables: readonly WrittenTable[];
      readonly version: string;
      /** What the engine reports about tables that it cannot compute, for the log. */
      readonly logged: readonly string[];
    }
  /** Something that the caller can change; `message` is for the caller. */
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'failed'; readonly message: string };
