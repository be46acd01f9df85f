import { mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { basename, extname, join, resolve } from 'node:path';
import { FILE_FORMATS, type ImportedTable } from '../../router/capabilities/file-import.ts';
import type { WarehouseAddress } from '../../router/capabilities/warehouse.ts';
import { fileImportSettings } from '../config/warehouse-settings.ts';
import { ownScratchName } from '../disk/scratch.ts';
import { formatOf, openFileImport } from '../file-import/open-file-import.ts';
import { withinHome } from '../home-directory/home-directory.ts';
import type { Setup } from '../installation/setup.ts';
import type { TenantPlaces } from '../tenants/tenant-folders.ts';

const IMPORT_TIMEOUT_MS = 6 * 3_600_000;

/** A folder or a database that cannot be imported. The message is for the person at the terminal. */
export class RefusedImport extends Error {}

/** The data of an import, with its places before and after. */
export interface Source {
  readonly address: WarehouseAddress;
  readonly imported: readonly ImportedTable[];
  /** Replaces the old data with the new. */
  commit(): Promise<void>;
  /** Undoes what was not committed. */
  drop(): Promise<void>;
  /** The file that `commit` replaces; `undefined` for data that stays at its place. */
  readonly database?: string;
  /** The address in the descriptor, where `address` is only temporary. */
  readonly location: string;
}

interface SourceRequest {
  readonly files: readonly string[];
  readonly username: string | undefined;
  readonly password: string | undefined;
}

interface SourceNames {
  readonly places: TenantPlaces;
  /** Name of the datasource. */
  readonly name: string;
  /** Returns the table's name for a file. */
  readonly tableName: (file: string) => string;
}

/**
 * Opens the data to import: a warehouse by its address, a database file in its place, or other files as tables of a
 * new database.
 *
 * @throws RefusedImport where there is no data, or several databases
 */
export async function openSource(
  setup: Setup,
  { files, username, password }: SourceRequest,
  { places, name, tableName }: SourceNames,
): Promise<Source> {
  const [first = ''] = files;
  const nothing = { imported: [], commit: async () => undefined, drop: async () => undefined };
  if (first.startsWith('jdbc:')) {
    if (files.length > 1) throw new RefusedImport('Name one JDBC URL, and no files beside it.');
    return { ...nothing, address: { jdbcUrl: first, username, password }, location: first };
  }
  for (const file of files) {
    const stats = await stat(file).catch(() => undefined);
    if (stats === undefined || !stats.isFile()) throw new RefusedImport(`There is no file ${file}.`);
  }
  const kind = await databaseKind(first);
  if (kind !== undefined) {
    if (files.length > 1) throw new RefusedImport('Name one database file, and no other files beside it.');
    const location = `jdbc:${kind}:${resolve(first)}`;
    return { ...nothing, address: { jdbcUrl: location }, location };
  }
  return loadFiles(setup, files, { places, name, tableName });
}

/** Imports files into a database below the data folder; until the commit it is beside its final place. */
async function loadFiles(
  { home, config, log }: Setup,
  files: readonly string[],
  { places, name, tableName }: SourceNames,
): Promise<Source> {
  const folder = join(places.data, 'imports');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const place = join(folder, `${name}.duckdb`);
  const fresh = join(folder, `.import-${ownScratchName()}-${name}.new.duckdb`);
  const names = new Set<string>();
  const tables = files.map((file) => {
    formatOf(file);
    let table = tableName(file);
    for (let number = 2; names.has(table); number++) table = `${tableName(file)}_${number}`;
    names.add(table);
    return { path: resolve(file), name: basename(file), table };
  });
  const importer = openFileImport({ ...fileImportSettings(config), log, timeoutMs: IMPORT_TIMEOUT_MS });
  const imported = await importer.load(tables, fresh);
  return {
    imported,
    address: { jdbcUrl: `jdbc:duckdb:${fresh}` },
    location: `jdbc:duckdb:${withinHome(home.root, place)}`,
    database: place,
    commit: () => rename(fresh, place),
    drop: () => rm(fresh, { force: true }),
  };
}

const SQLITE = 'SQLite format 3\0';

async function databaseKind(file: string): Promise<'duckdb' | 'sqlite' | undefined> {
  const handle = await open(file, 'r');
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(16), 0, 16, 0);
    const head = buffer.toString('latin1', 0, bytesRead);
    if (head === SQLITE) return 'sqlite';
    return head.slice(8, 12) === 'DUCK' && !FILE_FORMATS.some((format) => extname(file) === `.${format}`)
      ? 'duckdb'
      : undefined;
  } finally {
    await handle.close();
  }
}
