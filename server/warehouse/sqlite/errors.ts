import { InternalError, type ServiceError, WarehouseUnreachableError } from '../../../router/errors.ts';
import { type Refusal, toWarehouseError } from '../warehouse-errors.ts';
import { SqliteFailure } from './connection.ts';
import { NOT_A_QUERY } from './protocol.ts';

/**
 * SQLite has one code for all mistakes in a statement; only the message distinguishes them (`sqlite3.c`, build.c,
 * resolve.c).
 */
const BY_MESSAGE: readonly (readonly [RegExp, Refusal])[] = [
  [/^no such (table|column|function|module|collation)|^ambiguous column|wrong number of arguments/, 'unknown-name'],
  [/syntax error|incomplete input|unrecognized token/, 'syntax'],
  [/more than one statement|contains no statements/, 'not-a-query'],
  [/not authorized|prohibited|unsafe use/, 'forbidden'],
  [/overflow|malformed JSON|bad JSON/, 'value'],
];

/** Result codes by their prefixes: extended codes are longer. */
const BY_CODE: readonly (readonly [string, Refusal])[] = [
  [NOT_A_QUERY, 'not-a-query'],
  ['SQLITE_READONLY', 'forbidden'],
  ['SQLITE_AUTH', 'forbidden'],
  ['SQLITE_MISMATCH', 'value'],
  ['SQLITE_RANGE', 'value'],
  ['SQLITE_NOMEM', 'resources'],
  ['SQLITE_FULL', 'resources'],
  ['SQLITE_TOOBIG', 'resources'],
  ['SQLITE_BUSY', 'resources'],
];

export function translateError(error: unknown): ServiceError {
  if (error instanceof SqliteFailure) {
    if (/^SQLITE_(NOTADB|CORRUPT|CANTOPEN|IOERR|PERM)/.test(error.code)) return unreachable(error);
    const refusal =
      BY_CODE.find(([code]) => error.code.startsWith(code))?.[1] ??
      BY_MESSAGE.find(([words]) => words.test(error.message))?.[1];
    return toWarehouseError(refusal ?? 'other', error);
  }
  return new InternalError('The process that reads a SQLite file failed.', { cause: error });
}

export function unreachable(cause: unknown): WarehouseUnreachableError {
  return new WarehouseUnreachableError(
    'The database file of this warehouse cannot be read as a SQLite database. The log has the reason.',
    { cause, part: 'file' },
  );
}
