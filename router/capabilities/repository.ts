import type { Awaitable } from '../steps.ts';
import type { Scope } from './identity.ts';

/**
 * The repository: documents in folders. Only its owner reads `homes/<user>/`, everybody reads `shared/`, and administrators read and write all. A
 * path never leaves the repository.
 */
export interface DocumentInfo {
  /** `shared/demo/sales.service`: forward slashes, no leading one. */
  readonly path: string;
  /** Epoch milliseconds. */
  readonly updatedAtMillis: number;
}

/** A document as it was read. The same object again means that the document has not changed. */
export interface ReadDocument {
  readonly text: string;
  readonly info: DocumentInfo;
}

/** The way in which a document is stored. */
export interface Repository {
  /** Lists the documents that the caller may read, by path; `extension` with its dot. */
  list(caller: Scope, extension: string): Promise<readonly DocumentInfo[]>;
  /**
   * Reads the text of a document; `undefined` where it does not exist or the caller may not read it, so that callers cannot distinguish the two. A
   * document in memory that has not changed is returned at once.
   */
  read(caller: Scope, path: string): Awaitable<ReadDocument | undefined>;
  /**
   * Writes the whole document atomically.
   *
   * @throws ForbiddenError, or `ValidationError` for an invalid path
   */
  write(caller: Scope, path: string, text: string): Promise<DocumentInfo>;
  /**
   * Removes a document; returns false when there was none that the caller may read.
   * @throws ForbiddenError when the caller may read but not write it
   */
  remove(caller: Scope, path: string): Promise<boolean>;
  /** Returns whether the caller may write at a path, whether or not there is a document; false for an invalid path. */
  mayWrite(caller: Scope, path: string): boolean;
}
