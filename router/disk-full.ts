import { UnavailableError } from './errors.ts';

const CODES: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'SQLITE_FULL', '53100']);
/** Messages of SQLite, DuckDB, the operating system and PostgreSQL, for errors without a code. */
const WORDS = /database or disk is full|no space left on device|disk quota exceeded|could not extend file/i;

/** Returns whether an error, or its cause, is a full disk. */
export function isDiskFull(thrown: unknown): boolean {
  for (let error = thrown, depth = 0; error instanceof Error && depth < 10; error = error.cause, depth++) {
    if (('code' in error && CODES.has(error.code)) || WORDS.test(error.message)) return true;
  }
  return false;
}

/** Makes the error for a request that needs space on the server's disk. */
export function diskFull(cause?: unknown): UnavailableError {
  return new UnavailableError(
    'The disk of this server is full, so nothing can be saved. Its administrator must free space.',
    {
      code: 'STORAGE_FULL',
      retryAfterSeconds: 60,
      cause,
    },
  );
}
