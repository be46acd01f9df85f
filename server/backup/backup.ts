/** Writes a backup: the state at one instant, and the files of the home. */
import { createWriteStream } from 'node:fs';
import { lstat, mkdtemp, open, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type Kysely, sql } from 'kysely';
import type { Log } from '../../router/capabilities/log.ts';
import { type Home, keptResultsDirectory, stateFile } from '../home-directory/home-directory.ts';
import { sqliteLibrary } from '../sqlite/library.ts';
import { openState } from '../state/index.ts';
import { MIGRATIONS_TABLE } from '../state/migrations-table.ts';
import { type Cell, FORMAT_VERSION, Writer } from './format.ts';
import { knownMigrations, type MigrationRow } from './migrations.ts';
import { type AllMigrations, productTables } from './tables.ts';

export interface BackupOptions {
  readonly home: Home;
  readonly stateUrl: string | undefined;
  readonly migrations: AllMigrations;
  readonly version: string;
  readonly log: Log;
  /** Leaves out the key of saved passwords, where it is in the home. */
  readonly withoutKey?: boolean;
}

export interface BackedUp {
  readonly tables: number;
  readonly rows: number;
  readonly files: number;
}

const ROWS_AT_A_TIME = 200;
const CHUNK_BYTES = 1_048_576;
/** Folders of the home that are saved completely. */
export const SAVED_FOLDERS = ['repository', 'datasources', 'skills', 'data'] as const;
const KEY_FILE = 'data/secrets.key';

/** Writes the backup to `file`, which appears when it is complete; only its owner may read it. */
export async function backUp(file: string, options: BackupOptions): Promise<BackedUp> {
  const part = `${file}.part-${process.pid}`;
  const counts = { tables: 0, rows: 0, files: 0 };
  try {
    await pipeline(
      Readable.from(contents(options, counts, [file, part])),
      createGzip(),
      createWriteStream(part, { mode: 0o600 }),
    );
    await rename(part, file);
    return counts;
  } finally {
    await rm(part, { force: true });
  }
}

type Counts = { -readonly [Name in keyof BackedUp]: BackedUp[Name] };

async function* contents(options: BackupOptions, counts: Counts, ownFiles: readonly string[]): AsyncGenerator<Buffer> {
  const writer = new Writer();
  yield* stateContents(options, counts, writer);
  yield* fileContents(options, counts, writer, ownFiles);
  yield writer.end();
}

/**
 * Writes the contents of the state: from PostgreSQL with a snapshot by its isolation level, from SQLite with a copy of the file that blocks no other
 * process.
 */
async function* stateContents(options: BackupOptions, counts: Counts, writer: Writer): AsyncGenerator<Buffer> {
  const { home, stateUrl, log } = options;
  const folder = await mkdtemp(join(tmpdir(), 'service-backup-'));
  try {
    const copy = join(folder, 'state.sqlite');
    if (stateUrl === undefined) copyDatabase(stateFile(home), copy);
    const state = await openState({ url: stateUrl, sqliteFile: copy, log, poolSize: 2 });
    try {
      if (state.engine === 'sqlite') {
        yield* tableContents(state.tables<unknown>(), state.engine, options, counts, writer);
        return;
      }
      const transaction = await state
        .tables<unknown>()
        .startTransaction()
        .setIsolationLevel('repeatable read')
        .setAccessMode('read only')
        .execute();
      try {
        yield* tableContents(transaction, state.engine, options, counts, writer);
      } finally {
        await transaction.rollback().execute();
      }
    } finally {
      await state.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function copyDatabase(from: string, to: string): void {
  const Library = sqliteLibrary();
  const database = new Library(from, { readonly: true, fileMustExist: true, timeout: 10_000 });
  try {
    database.prepare('vacuum into ?').run(to);
  } finally {
    database.close();
  }
}

async function* tableContents(
  database: Kysely<unknown>,
  engine: 'sqlite' | 'postgresql',
  { migrations, version }: BackupOptions,
  counts: Counts,
  writer: Writer,
): AsyncGenerator<Buffer> {
  const { rows: applied } =
    await sql<MigrationRow>`select owner, name, applied_at from ${sql.table(MIGRATIONS_TABLE)}`.execute(database);
  const migrationsOfBackup = knownMigrations(applied, migrations, 'The state');
  yield writer.line({
    serviceBackup: FORMAT_VERSION,
    version,
    at: new Date().toISOString(),
    engine,
    migrations: [...migrationsOfBackup],
  });
  const present = new Map((await database.introspection.getTables()).map((table) => [table.name, table]));
  for (const name of await productTables(migrations)) {
    const table = present.get(name);
    if (table === undefined) continue;
    const columns = table.columns.map((column) => column.name);
    yield writer.line({ table: name, columns });
    counts.tables++;
    const place = sql.raw(engine === 'sqlite' ? 'rowid' : 'ctid');
    for (let offset = 0; ; offset += ROWS_AT_A_TIME) {
      const { rows } = await sql<Readonly<Record<string, Cell>>>`
        select ${sql.join(columns.map((column) => sql.ref(column)))} from ${sql.table(name)}
        order by ${place} limit ${ROWS_AT_A_TIME} offset ${offset}`.execute(database);
      if (rows.length > 0) yield writer.line({ rows: rows.map((row) => columns.map((column) => row[column] ?? null)) });
      counts.rows += rows.length;
      if (rows.length < ROWS_AT_A_TIME) break;
    }
  }
}

async function* fileContents(
  { home, withoutKey }: BackupOptions,
  counts: Counts,
  writer: Writer,
  ownFiles: readonly string[],
): AsyncGenerator<Buffer> {
  for (const folder of SAVED_FOLDERS) {
    for await (const path of filesBelow(join(home.root, folder))) {
      const name = relative(home.root, path).split(sep).join('/');
      const isMadeAgain = path.startsWith(`${keptResultsDirectory(home)}${sep}`);
      const isLeftOut = ownFiles.includes(path) || (withoutKey === true && name === KEY_FILE);
      if (isStateFile(name) || isCompiledCode(name) || isMadeAgain || isLeftOut) continue;
      const handle = await open(path, 'r').catch(() => undefined);
      // The file was removed after the folder was read, so it would be missing at the end of the backup, too.
      if (handle === undefined) continue;
      try {
        const { size, mode, mtimeMs: modified } = await handle.stat();
        yield writer.line({ file: name, size, mode: mode & 0o777, modified });
        for (let at = 0; at < size; ) {
          const { bytesRead, buffer } = await handle.read(
            Buffer.alloc(Math.min(CHUNK_BYTES, size - at)),
            0,
            undefined,
            at,
          );
          if (bytesRead === 0) throw new Error(`${name} became shorter while it was saved; make the backup again.`);
          yield writer.bytes(buffer.subarray(0, bytesRead));
          at += bytesRead;
        }
        counts.files++;
      } finally {
        await handle.close();
      }
    }
  }
}

async function* filesBelow(folder: string): AsyncGenerator<string> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* filesBelow(path);
    else if ((await lstat(path).catch(() => undefined))?.isFile() === true) yield path;
  }
}

/** Returns whether a file is compiled code (`server/compiled-code.cjs`). The process runs it, so no backup may bring it. */
export function isCompiledCode(name: string): boolean {
  return name.toLowerCase().startsWith('data/compiled-code/');
}

/** Returns whether a file belongs to the state, which is saved as tables of any engine. */
export function isStateFile(name: string): boolean {
  return /^data\/state\.sqlite(-\w+)?$/.test(name);
}
