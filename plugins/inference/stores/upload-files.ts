/** The databases of uploaded files that are kept: files of a tenant below the data folder. */
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import type { Datasource } from '../../../router/capabilities/datasources.ts';
import type { TenantId } from '../../../router/capabilities/identity.ts';
import type { WarehouseAddress, Warehouses } from '../../../router/capabilities/warehouse.ts';
import { ConflictError } from '../../../router/errors.ts';
import { isLeft, ownMark } from '../../../router/process-mark.ts';
import type { DatasourceRegistry } from '../../datasources/index.ts';
import { MAX_KEPT_UPLOADS } from '../limits.ts';
import type { ConnectionStore } from './connections.ts';
import type { Origin, OriginStore } from './origins.ts';

/** The folder with the databases of uploaded files. */
export interface UploadFolder {
  /** Returns the folder of a tenant, below the data folder. */
  directoryOf(tenant: TenantId): Promise<string>;
  /** Returns the name of a file in a JDBC URL: relative to the home, where it is inside. */
  locationOf(file: string): string;
  /** Returns the file that such a name means. */
  fileOf(location: string): string;
}

export interface UploadFilesDependencies {
  readonly store: Pick<ConnectionStore, 'list' | 'addressOf'>;
  readonly warehouses: Pick<Warehouses, 'release'>;
  readonly uploads: UploadFolder;
  readonly origins: Pick<OriginStore, 'set' | 'remove'>;
  /** Returns the datasources of a tenant. */
  readonly registryOf: (tenant: TenantId) => Promise<Pick<DatasourceRegistry, 'directory'>>;
}

/** A database that is made of uploaded files. */
export interface NewUpload {
  readonly file: string;
  readonly address: WarehouseAddress;
  /** Keeps the file: call it once a saved connection has the address. */
  keep(origin: Origin): Promise<void>;
  /** Removes the file. */
  drop(): Promise<void>;
}

const PREFIX = 'upload-';
const DUCKDB = 'jdbc:duckdb:';
/** A marker names the process that makes a database, and the database by its id. */
const MARKER = /^\.upload-(by-[A-Za-z0-9_]+-\d+)-([0-9a-f-]{36})$/;

export class UploadFiles {
  readonly #parts: UploadFilesDependencies;

  constructor(parts: UploadFilesDependencies) {
    this.#parts = parts;
  }

  /**
   * Chooses the file of a new database. A marker names it until it is kept or dropped, so that the next start removes the
   * files of a killed process.
   *
   * @throws ConflictError when the tenant keeps as many as it may
   */
  async begin(tenant: TenantId): Promise<NewUpload> {
    const { uploads } = this.#parts;
    const directory = await uploads.directoryOf(tenant);
    await mkdir(directory, { recursive: true, mode: 0o700 });
    if ((await readdir(directory)).filter((name) => name.startsWith(PREFIX)).length >= MAX_KEPT_UPLOADS)
      throw new ConflictError(
        `${MAX_KEPT_UPLOADS} uploads are kept already. Remove the connection of one that is not needed.`,
        { code: 'upload_limit' },
      );
    const id = randomUUID();
    const marker = join(directory, `.upload-${ownMark()}-${id}`);
    const file = databaseFile(directory, id);
    const address = { jdbcUrl: `${DUCKDB}${uploads.locationOf(file)}` };
    await writeFile(marker, '', { mode: 0o600 });
    return {
      file,
      address,
      keep: async (origin) => {
        await this.#parts.origins.set(tenant, file, origin);
        await rm(marker, { force: true });
      },
      drop: async () => {
        await this.#remove(tenant, file, address);
        await rm(marker, { force: true });
      },
    };
  }

  /**
   * Removes the databases that killed processes were making; one that a connection or a datasource reads stays. Call it
   * before this process begins an upload.
   */
  async clearLeft(tenant: TenantId): Promise<void> {
    const { uploads } = this.#parts;
    const directory = await uploads.directoryOf(tenant);
    for (const name of await readdir(directory).catch(() => [])) {
      const [, mark, id] = MARKER.exec(name) ?? [];
      if (mark === undefined || id === undefined) continue;
      const marker = join(directory, name);
      const { mtimeMs } = await stat(marker).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
      if (!isLeft(mark, mtimeMs)) continue;
      const file = databaseFile(directory, id);
      if (!(await this.#isConnected(tenant, file)) && !(await this.#isDescribed(tenant, file)))
        await this.#remove(tenant, file, { jdbcUrl: `${DUCKDB}${uploads.locationOf(file)}` });
      await rm(marker, { force: true });
    }
  }

  /** Returns whether an address leads to a database of uploaded files. */
  async isUpload(tenant: TenantId, address: WarehouseAddress): Promise<boolean> {
    const file = await this.fileOf(tenant, address);
    return file !== undefined && basename(file).startsWith(PREFIX);
  }

  /** Removes the database of a connection that was made of uploaded files; one that a datasource reads stays. */
  async drop(tenant: TenantId, address: WarehouseAddress): Promise<void> {
    const file = await this.fileOf(tenant, address);
    if (file === undefined || !(await this.isUpload(tenant, address)) || (await this.#isDescribed(tenant, file)))
      return;
    await this.#remove(tenant, file, address);
  }

  /**
   * Removes the database that a datasource was made for: of uploaded files, or of an import of the same name. One that another
   * datasource or a saved connection reads stays, and so does every other file.
   */
  async dropUnread(tenant: TenantId, { name, warehouse }: Pick<Datasource, 'name' | 'warehouse'>): Promise<void> {
    const file = await this.fileOf(tenant, warehouse);
    if (file === undefined) return;
    const isImported = [name, name.replace(/-model$/, '')].includes(basename(file, extname(file)));
    if (!isImported && !basename(file).startsWith(PREFIX)) return;
    if ((await this.#isDescribed(tenant, file)) || (await this.#isConnected(tenant, file))) return;
    await this.#remove(tenant, file, warehouse);
  }

  /** Returns the file of an address, where it is a database in the folder of uploads. */
  async fileOf(tenant: TenantId, { jdbcUrl }: WarehouseAddress): Promise<string | undefined> {
    const { uploads } = this.#parts;
    if (!jdbcUrl.startsWith(DUCKDB)) return undefined;
    const file = uploads.fileOf(jdbcUrl.slice(DUCKDB.length));
    return dirname(file) === (await uploads.directoryOf(tenant)) && extname(file) === '.duckdb' ? file : undefined;
  }

  async #isDescribed(tenant: TenantId, file: string): Promise<boolean> {
    const { directory } = await this.#parts.registryOf(tenant);
    const inside = await readdir(directory, { recursive: true });
    const descriptors = inside.filter((each) => extname(each) === '.sds');
    const texts = await Promise.all(descriptors.map((each) => readFile(join(directory, each), 'utf8')));
    return texts.some((text) => text.includes(basename(file)));
  }

  async #isConnected(tenant: TenantId, file: string): Promise<boolean> {
    const { store } = this.#parts;
    for (const { id } of await store.list(tenant)) {
      const address = await store.addressOf(tenant, id);
      if (address !== undefined && (await this.fileOf(tenant, address)) === file) return true;
    }
    return false;
  }

  async #remove(tenant: TenantId, file: string, address: WarehouseAddress): Promise<void> {
    await this.#parts.warehouses.release(address);
    await rm(file, { force: true });
    await this.#parts.origins.remove(tenant, file);
  }
}

function databaseFile(directory: string, id: string): string {
  return join(directory, `${PREFIX}${id}.duckdb`);
}
