/**
 * A process that reads one SQLite file for `connection.ts`. A process and not a thread: better-sqlite3 is compiled without a
 * way to interrupt a statement, and `terminate()` of a worker thread waits until the native call returns (measured:
 * nine seconds for a sum over 40 million rows), whereas a process can be killed at any moment. Nothing is lost by it:
 * the file is only read.
 */
import type { Database } from 'better-sqlite3';
import { sqliteLibrary } from '../../sqlite/library.ts';
import { BASE64, FOLD_CASE, SHOWN_NUMBER } from './dialect.ts';
import { DATE_GRAIN, DATE_SHIFT, dateGrain, dateShift } from './grains.ts';
import { NOT_A_QUERY, type ReaderReply, type ReaderRequest, type Rows, type SqliteValue } from './protocol.ts';
import { beginsQuery } from './statement-check.ts';

const ROWS_IN_CHUNK = 2_000;
/** Time that a read waits for a writer, in milliseconds. */
const BUSY_TIMEOUT_MS = 5_000;

const Library = sqliteLibrary();
let database: Database | undefined;
let columnCount = 0;
let rows: IterableIterator<SqliteValue[]> | undefined;

process.on('message', (request: ReaderRequest) => {
  process.send?.(answer(request));
});
// The owner has ended: no further request will come.
process.on('disconnect', () => process.exit(0));

function answer(request: ReaderRequest): ReaderReply {
  try {
    switch (request.kind) {
      case 'open':
        database = open(request.file);
        return { kind: 'done' };
      case 'start':
        return start(request.sql, request.values);
      case 'next':
        return { kind: 'rows', rows: next() };
      case 'end':
        rows?.return?.();
        rows = undefined;
        return { kind: 'done' };
    }
  } catch (error) {
    rows = undefined;
    if (!(error instanceof Error)) return { kind: 'failed', code: '', message: String(error) };
    const code = 'code' in error && typeof error.code === 'string' ? error.code : error.name;
    return { kind: 'failed', code, message: error.message };
  }
}

function open(file: string): Database {
  const opened = new Library(file, { readonly: true, fileMustExist: true, timeout: BUSY_TIMEOUT_MS });
  opened.unsafeMode(false);
  opened.defaultSafeIntegers(true);
  opened.pragma('query_only = ON');
  // The file may come from anywhere, so its views may not call functions with effects.
  opened.pragma('trusted_schema = OFF');
  opened.function(FOLD_CASE, { deterministic: true }, (text: unknown) =>
    text === null ? null : String(text).toLowerCase(),
  );
  // A column of bytes may contain other values, which are shown as they are.
  opened.function(BASE64, { deterministic: true }, (value: unknown) =>
    value === null ? null : Buffer.isBuffer(value) ? value.toString('base64') : String(value),
  );
  opened.function(SHOWN_NUMBER, { deterministic: true }, (value: unknown) => (value === null ? null : String(value)));
  opened.function(DATE_GRAIN, { deterministic: true }, dateGrain);
  opened.function(DATE_SHIFT, { deterministic: true }, dateShift);
  // A file that is no database fails here, and not at the first statement.
  opened.prepare('SELECT count(*) FROM sqlite_schema').get();
  return opened;
}

const PLAN = 'EXPLAIN QUERY PLAN ';

/**
 * Starts one statement that begins like a query, compiles to a statement without writes, and has columns. ATTACH, DETACH, PRAGMA and VACUUM INTO
 * begin differently, and SQLite compiles no two statements at once.
 */
function start(sql: string, values: readonly SqliteValue[]): ReaderReply {
  if (database === undefined) throw new Error('The reader process got no file to open.');
  const notAQuery: ReaderReply = { kind: 'failed', code: NOT_A_QUERY, message: 'not a single reading statement' };
  // SQLite describes how it would run a query without running it.
  if (!beginsQuery(sql.startsWith(PLAN) ? sql.slice(PLAN.length) : sql)) return notAQuery;
  const statement = database.prepare<SqliteValue[], SqliteValue[]>(sql);
  if (!statement.reader || !statement.readonly) return notAQuery;
  const columns = statement.columns().map(({ name, type }) => ({ name, declared: type }));
  columnCount = columns.length;
  rows = statement.raw(true).iterate(...values);
  return { kind: 'started', columns, rows: next() };
}

function next(): Rows {
  const values: SqliteValue[][] = Array.from({ length: columnCount }, () => []);
  let rowCount = 0;
  while (rowCount < ROWS_IN_CHUNK) {
    const row = rows?.next();
    if (row === undefined || row.done === true) {
      rows = undefined;
      return { rowCount, values, last: true };
    }
    for (const [i, cell] of row.value.entries()) values[i]?.push(cell);
    rowCount++;
  }
  return { rowCount, values, last: false };
}
