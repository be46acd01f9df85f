/**
 * The SQL parser library: 23 MB of WebAssembly, for which a thread needs 115 MiB of memory that it never gives back. So a thread loads it at its first
 * use, and the server uses it only in threads that end.
 */
import type * as library from '@polyglot-sql/sdk';
import { InternalError } from '../../router/errors.ts';

let loaded: typeof library | undefined;

/** Loads the library in this thread, unless it is loaded. */
export async function loadSqlLibrary(): Promise<void> {
  if (loaded !== undefined) return;
  const library = await import('@polyglot-sql/sdk');
  // Its CommonJS form, which the product has, waits for this.
  await library.init();
  loaded = library;
}

/** Returns the library. @throws InternalError before `loadSqlLibrary` */
export function sqlLibrary(): typeof library {
  if (loaded === undefined) throw new InternalError('The SQL parser is not loaded in this thread.');
  return loaded;
}
