/** Restores a backup: checks all of it before anything changes, then replaces state and files. */
import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, existsSync } from 'node:fs';
import { chmod, mkdir, readdir, rename, rm, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { type Kysely, sql, type Transaction } from 'kysely';
import type { Log } from '../../router/capabilities/log.ts';
import { type Home, stateFile } from '../home-directory/home-directory.ts';
import { openState, type StateStore, StateUnusableError } from '../state/index.ts';
import {
  createMigrationsTable,
  MIGRATION_LOCK,
  MIGRATIONS_TABLE,
  type MigrationTables,
  RESTORED,
} from '../state/migrations-table.ts';
import { isCompiledCode, isStateFile, SAVED_FOLDERS } from './backup.ts';
import { BackupUnusableError, FORMAT_VERSION, type Header, type Line, Reader, truncated } from './format.ts';
import { knownMigrations } from './migrations.ts';
import { type AllMigrations, productTables } from './tables.ts';

export interface RestoreOptions {
  readonly home: Home;
  readonly stateUrl: string | undefined;
  readonly migrations: AllMigrations;
  readonly log: Log;
}

export interface Restored {
  readonly rows: number;
  readonly files: number;
  /** Time and version of the backup. */
  readonly madeAt: string;
  readonly madeBy: string;
  /** Folder with the previous files of the home. */
  readonly before: string;
}

/**
 * Replaces state and files with the backup's. Running servers stop, and must be started again. The previous state and files are moved aside.
 *
 * @throws BackupUnusableError, or StateUnusableError for a state of a newer version; nothing is changed then
 */
export async function restore(file: string, options: RestoreOptions): Promise<Restored> {
  const { home, stateUrl, log } = options;
  const mark = `${new Date().toISOString().replaceAll(/[:.]/g, '-')}-${randomUUID().slice(0, 4)}`;
  const staging = join(home.root, `.restore-${mark}`);
  const before = join(home.root, `before-restore-${mark}`);
  await mkdir(staging, { recursive: true, mode: 0o700 });
  try {
    const header = await unpack(file, staging, options.migrations);
    await mkdir(dirname(stateFile(home)), { recursive: true, mode: 0o700 });
    const state = await openState({ url: stateUrl, sqliteFile: stateFile(home), log, poolSize: 2 });
    try {
      const rows = await replaceState(state, file, header, options, mark, () => swap(home, staging, before));
      return { rows, files: header.files, madeAt: header.at, madeBy: header.version, before };
    } finally {
      await state.close();
    }
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

type FileLine = Extract<Line, { readonly file: string }>;

/** Reads every line and every file of a backup, and checks the hash at the end. */
async function read(
  file: string,
  each: {
    header(header: Header): void;
    line?(line: Line): Promise<void>;
    file(line: FileLine, bytes: AsyncGenerator<Buffer>): Promise<void>;
  },
): Promise<void> {
  const source = createReadStream(file);
  const unzipped = source.pipe(createGunzip());
  source.on('error', (error) => unzipped.destroy(error));
  const reader = new Reader(unzipped);
  try {
    const header = await reader.line();
    if (header === undefined || !('serviceBackup' in header))
      throw new BackupUnusableError('This is not a backup of service.');
    each.header(header);
    for (;;) {
      const line = await reader.line();
      if (line === undefined) throw truncated();
      if ('serviceBackup' in line) throw new BackupUnusableError('This is not a backup of service.');
      if ('sha256' in line) {
        if (line.sha256 !== reader.digest())
          throw new BackupUnusableError('This backup was changed or damaged: its checksum does not fit.');
        return;
      }
      if ('file' in line) await each.file(line, reader.bytes(line.size));
      else await each.line?.(line);
    }
  } catch (error) {
    throw isUnreadable(error)
      ? new BackupUnusableError('This is not a backup of service, or it is cut off.', { cause: error })
      : error;
  } finally {
    source.destroy();
  }
}

function isUnreadable(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^Z_|^ERR_/.test(String(error.code));
}

/** Checks the whole backup, and writes its files beside the home's. */
async function unpack(
  file: string,
  staging: string,
  migrations: AllMigrations,
): Promise<Header & { readonly files: number }> {
  let header: Header | undefined;
  let files = 0;
  await read(file, {
    header(firstLine) {
      if (firstLine.serviceBackup > FORMAT_VERSION) {
        throw new BackupUnusableError(
          `This backup has format ${firstLine.serviceBackup}, made by service ${firstLine.version}; this version reads format ${FORMAT_VERSION} at most. Use the newer version.`,
        );
      }
      knownMigrations(firstLine.migrations, migrations, 'This backup');
      header = firstLine;
    },
    async file({ file: name, mode, modified }, bytes) {
      const target = join(staging, ...parseRestorePath(name));
      await mkdir(dirname(target), { recursive: true, mode: 0o700 });
      await pipeline(bytes, createWriteStream(target, { flags: 'wx' }));
      await chmod(target, mode & 0o777);
      if (modified !== undefined) await utimes(target, modified / 1_000, modified / 1_000);
      files++;
    },
  });
  if (header === undefined) throw truncated();
  return { ...header, files };
}

/** Returns the segments of a path that may be restored. A manipulated backup could name any file of the machine. */
function parseRestorePath(name: string): readonly string[] {
  const segments = name.split('/');
  const isOurs =
    segments.length > 1 &&
    SAVED_FOLDERS.some((folder) => folder === segments[0]) &&
    segments.every((segment) => segment !== '' && segment !== '.' && segment !== '..' && !/[\0\\]/.test(segment)) &&
    !isStateFile(name) &&
    !isCompiledCode(name);
  if (!isOurs)
    throw new BackupUnusableError(
      `This is not a backup of service: it contains a file at ${JSON.stringify(name.slice(0, 200))}.`,
    );
  return segments;
}

/** Replaces the state in one transaction: other readers see the state before or after it. */
async function replaceState(
  state: StateStore,
  file: string,
  header: Header,
  { migrations }: RestoreOptions,
  mark: string,
  swapFiles: () => Promise<() => Promise<void>>,
): Promise<number> {
  const tables = await productTables(migrations);
  let swapBack: (() => Promise<void>) | undefined;
  try {
    return await state
      .tables<MigrationTables>()
      .transaction()
      .execute(async (transaction) => {
        if (state.engine === 'postgresql')
          await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(transaction);
        await dropTables(state, transaction, tables, migrations);
        await makeTables(transaction, header, migrations);
        const rows = await fill(transaction, file);
        await migrateOn(transaction, header, migrations);
        await transaction
          .insertInto(MIGRATIONS_TABLE)
          .values({ owner: RESTORED, name: mark, applied_at: Date.now() })
          .execute();
        swapBack = await swapFiles();
        return rows;
      });
  } catch (error) {
    await swapBack?.();
    throw error;
  }
}

/**
 * Drops the product's tables. A newer version may have created tables that this version does not know, and that would block its own later. They are
 * dropped in a SQLite file of the product. In a PostgreSQL database, which others may share, nothing is changed.
 *
 * @throws StateUnusableError
 */
async function dropTables(
  state: StateStore,
  transaction: Transaction<MigrationTables>,
  tables: readonly string[],
  migrations: AllMigrations,
): Promise<void> {
  await createMigrationsTable(transaction);
  const applied = await transaction.selectFrom(MIGRATIONS_TABLE).selectAll().execute();
  const isNewer = applied.some(({ owner, name }) => owner !== RESTORED && migrations[owner]?.[name] === undefined);
  if (isNewer && state.engine === 'postgresql')
    throw new StateUnusableError(
      'The state database was migrated by a newer version of service, which may have created tables that this one does not know. Name an empty database in service.state.url to restore into, or use the newer version.',
    );
  const all = isNewer ? (await transaction.introspection.getTables()).map(({ name }) => name) : [];
  const unknown = all.filter((name) => !tables.includes(name) && name !== MIGRATIONS_TABLE);
  // References among the unknown tables are unknown, too.
  if (unknown.length > 0) await sql`pragma defer_foreign_keys = on`.execute(transaction);
  for (const table of [...unknown, ...tables.toReversed()])
    await transaction.schema.dropTable(table).ifExists().execute();
}

/** Creates the tables of the backup. */
async function makeTables(
  transaction: Transaction<MigrationTables>,
  header: Header,
  migrations: AllMigrations,
): Promise<void> {
  await createMigrationsTable(transaction);
  await transaction.deleteFrom(MIGRATIONS_TABLE).where('owner', '<>', RESTORED).execute();
  for (const { owner, name, applied_at } of inOrder(header.migrations)) {
    await migrations[owner]?.[name]?.up(transaction);
    await transaction.insertInto(MIGRATIONS_TABLE).values({ owner, name, applied_at }).execute();
  }
}

/** Applies the migrations that this version has beyond the backup's. */
async function migrateOn(
  transaction: Transaction<MigrationTables>,
  header: Header,
  migrations: AllMigrations,
): Promise<void> {
  const done = new Set(header.migrations.map(({ owner, name }) => `${owner}/${name}`));
  const all = Object.entries(migrations).flatMap(([owner, migrationsOfOwner]) =>
    Object.keys(migrationsOfOwner).map((name) => ({ owner, name, applied_at: Date.now() })),
  );
  for (const { owner, name, applied_at } of inOrder(all)) {
    if (done.has(`${owner}/${name}`)) continue;
    await migrations[owner]?.[name]?.up(transaction);
    await transaction.insertInto(MIGRATIONS_TABLE).values({ owner, name, applied_at }).execute();
  }
}

function inOrder<Row extends { readonly owner: string; readonly name: string }>(rows: readonly Row[]): readonly Row[] {
  return rows.toSorted((a, b) => (a.owner === b.owner ? compare(a.name, b.name) : compare(a.owner, b.owner)));
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** Maximum number of parameters of a statement: SQLite accepts 32,766. */
const MAX_PARAMETERS = 30_000;

async function fill(transaction: Transaction<MigrationTables>, file: string): Promise<number> {
  const database: Kysely<unknown> = transaction as unknown as Kysely<unknown>;
  let into: { readonly table: string; readonly columns: readonly string[] } | undefined;
  let count = 0;
  await read(file, {
    header() {
      // The first pass has checked it.
    },
    async line(line) {
      if ('table' in line) {
        into = line;
        // Migrations may insert their own rows into a new table.
        await sql`delete from ${sql.table(line.table)}`.execute(database);
        return;
      }
      if (!('rows' in line) || into === undefined) return;
      const { table, columns } = into;
      const most = Math.max(1, Math.floor(MAX_PARAMETERS / columns.length));
      for (let at = 0; at < line.rows.length; at += most) {
        const rows = line.rows.slice(at, at + most).map((row) => sql`(${sql.join(row.map((cell) => sql`${cell}`))})`);
        const names = sql.join(columns.map((column) => sql.ref(column)));
        await sql`insert into ${sql.table(table)} (${names}) values ${sql.join(rows)}`.execute(database);
        count += rows.length;
      }
    },
    async file(_line, bytes) {
      for await (const _ of bytes);
    },
  });
  return count;
}

/** Moves the files of the home aside and the restored files in. Returns a function that undoes it. */
async function swap(home: Home, staging: string, before: string): Promise<() => Promise<void>> {
  const moved: (readonly [from: string, to: string])[] = [];
  const move = async (from: string, to: string): Promise<void> => {
    await mkdir(dirname(to), { recursive: true, mode: 0o700 });
    await rename(from, to);
    moved.push([from, to]);
  };
  const back = async (): Promise<void> => {
    for (const [from, to] of moved.toReversed()) await rename(to, from);
  };
  try {
    for (const folder of SAVED_FOLDERS) {
      // Entry by entry: the folders themselves are watched, and may be mount points.
      const currentFolder = join(home.root, folder);
      for (const name of await readdir(currentFolder).catch(() => [])) {
        if (!isStateFile(`${folder}/${name}`)) await move(join(currentFolder, name), join(before, folder, name));
      }
      const staged = join(staging, folder);
      if (!existsSync(staged)) continue;
      for (const name of await readdir(staged)) await move(join(staged, name), join(currentFolder, name));
    }
    return back;
  } catch (error) {
    await back();
    throw error;
  }
}
