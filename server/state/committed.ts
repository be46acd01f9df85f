/** Reads what is committed to SQLite at once, on a connection of its own: the other one shows what its open transaction has written. */
import type { Database, Statement } from 'better-sqlite3';
import type { CompiledQuery } from 'kysely';
import type { CommittedState } from '../../router/capabilities/state.ts';
import { sqliteLibrary } from '../sqlite/library.ts';

export interface CommittedReader extends CommittedState {
  /** Later reads fail. */
  close(): void;
}

/** Time that a read waits for a process that locks the whole file, in milliseconds. It blocks the event loop. */
const WAIT_MS = 10;

/**
 * Makes a reader of a database in WAL mode, which is opened when it is first used.
 *
 * @throws Error at each read that SQLite cannot do now; nothing is translated
 */
export function committedReader(file: string): CommittedReader {
  let opened: Opened | undefined;
  let isClosed = false;
  const open = (): Opened => {
    if (isClosed) throw new Error('the state is closed');
    opened ??= openReader(file);
    return opened;
  };
  let version: number | undefined;
  const forgetVersion = (): void => {
    version = undefined;
  };
  return {
    version() {
      if (version === undefined) {
        version = Number(open().version.get());
        // A request looks for several rows in one go. What it awaits may follow a commit, so then the version is read again.
        queueMicrotask(forgetVersion);
      }
      return version;
    },
    rows<Row>({ sql, parameters }: CompiledQuery<Row>) {
      const { database, statements } = open();
      const statement = statements.get(sql) ?? database.prepare<unknown[]>(sql);
      statements.set(sql, statement);
      // The query has the type of its rows.
      return statement.all(...parameters) as readonly Row[];
    },
    close() {
      isClosed = true;
      forgetVersion();
      opened?.database.close();
      opened = undefined;
    },
  };
}

interface Opened {
  readonly database: Database;
  readonly version: Statement<[]>;
  /** By their text. Only queries that are compiled once come here, so they are few. */
  readonly statements: Map<string, Statement<unknown[]>>;
}

function openReader(file: string): Opened {
  const Library = sqliteLibrary();
  const database = new Library(file, { readonly: true, timeout: WAIT_MS });
  // https://www.sqlite.org/pragma.html#pragma_data_version: it changes with the commits of other connections, and this one makes none.
  const version = database.prepare<[]>('PRAGMA data_version').pluck();
  return { database, version, statements: new Map() };
}
