/** The database files of a tenant's models: their versions, and the files of changes beside them. */
import { link, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Datasource } from '../../router/capabilities/datasources.ts';
import type { TenantId } from '../../router/capabilities/identity.ts';
import type { WarehouseAddress } from '../../router/capabilities/warehouse.ts';
import type { DatasourceRegistry, DescribedDatasource } from '../datasources/index.ts';
import type { UploadFiles, UploadFolder } from '../inference/index.ts';

export interface DataFilesDependencies {
  readonly registryOf: (tenant: TenantId) => Promise<DatasourceRegistry>;
  readonly uploads: Pick<UploadFiles, 'fileOf'>;
  readonly folder: UploadFolder;
}

/** Folders of the tables that a refresh copies; one is left where the process was killed. */
export const SCRATCH = '.refresh-';
const CHANGE_FILE = /^(?:next|kept)-([0-9a-f-]{36})\.duckdb$/;

export class DataFiles {
  readonly #parts: DataFilesDependencies;

  constructor(parts: DataFilesDependencies) {
    this.#parts = parts;
  }

  /** Returns the database file of a datasource of files; `undefined` for a datasource over a warehouse. */
  fileOf(tenant: TenantId, { warehouse }: Pick<Datasource, 'warehouse'>): Promise<string | undefined> {
    return this.#parts.uploads.fileOf(tenant, warehouse);
  }

  /** Returns the datasources over a file. */
  async usesOf(tenant: TenantId, file: string): Promise<readonly DescribedDatasource[]> {
    const uses: DescribedDatasource[] = [];
    for (const each of await (await this.#parts.registryOf(tenant)).described())
      if ((await this.fileOf(tenant, each.datasource)) === file) uses.push(each);
    return uses;
  }

  addressOf(file: string): WarehouseAddress {
    return { jdbcUrl: `jdbc:duckdb:${this.#parts.folder.locationOf(file)}` };
  }

  /** Returns the file of new data that waits for its confirmation. */
  async nextFile(tenant: TenantId, id: string): Promise<string> {
    return join(await this.#parts.folder.directoryOf(tenant), `next-${id}.duckdb`);
  }

  /** Returns the file of old data that is kept for an undo. */
  async keptFile(tenant: TenantId, id: string): Promise<string> {
    return join(await this.#parts.folder.directoryOf(tenant), `kept-${id}.duckdb`);
  }

  /** Removes the files of changes that are not among the given, and that were written before an instant. */
  async clear(tenant: TenantId, ids: ReadonlySet<string>, beforeMillis: number): Promise<void> {
    const directory = await this.#parts.folder.directoryOf(tenant);
    for (const name of await readdir(directory).catch(() => [])) {
      if (name.startsWith(SCRATCH)) await this.#clearOld(join(directory, name), beforeMillis);
      const id = CHANGE_FILE.exec(name)?.[1];
      if (id === undefined || ids.has(id)) continue;
      await this.#clearOld(join(directory, name), beforeMillis);
    }
  }

  async #clearOld(path: string, beforeMillis: number): Promise<void> {
    const { ctimeMs } = await stat(path).catch(() => ({ ctimeMs: Number.POSITIVE_INFINITY }));
    if (ctimeMs < beforeMillis) await rm(path, { recursive: true, force: true });
  }

  /** Lists the database files of uploads and imports, with sizes. */
  async list(
    tenant: TenantId,
  ): Promise<readonly { readonly file: string; readonly bytes: number; readonly atMillis: number }[]> {
    const directory = await this.#parts.folder.directoryOf(tenant);
    const names = (await readdir(directory).catch(() => [])).filter(
      (name) => name.endsWith('.duckdb') && !name.startsWith('.') && !CHANGE_FILE.test(name),
    );
    const files = await Promise.all(
      names.map(async (name) => {
        const file = join(directory, name);
        const stats = await stat(file).catch(() => undefined);
        return stats === undefined ? [] : [{ file, bytes: stats.size, atMillis: Math.round(stats.mtimeMs) }];
      }),
    );
    return files.flat();
  }
}

/** Puts a file into the place of another at once, and keeps the other under a new name. */
export async function exchangeFile(fresh: string, place: string, kept: string): Promise<void> {
  await link(place, kept);
  try {
    await rename(fresh, place);
  } catch (error) {
    await rm(kept, { force: true });
    throw error;
  }
}

export function shortName(file: string): string {
  return basename(file);
}
