/** Uploaded files that are kept: a database of a tenant below the data folder, saved as a connection. */
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rm } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import type { Clock } from '../../../router/capabilities/clock.ts';
import type { Datasource } from '../../../router/capabilities/datasources.ts';
import type { FileImport } from '../../../router/capabilities/file-import.ts';
import type { TenantId } from '../../../router/capabilities/identity.ts';
import type { Log } from '../../../router/capabilities/log.ts';
import type { WarehouseAddress, Warehouses } from '../../../router/capabilities/warehouse.ts';
import { ConflictError } from '../../../router/errors.ts';
import type { UploadedFile } from '../../../router/rest/input.ts';
import type { DatasourceRegistry } from '../../datasources/index.ts';
import { type ConnectionStore, typeOf } from '../connections/store.ts';
import { MAX_KEPT_UPLOADS } from '../limits.ts';
import { tableName, withFindings } from '../profile/file.ts';
import { profileSchema } from '../profile/schema.ts';
import type { Connection, SchemaProfile } from '../schemas.ts';
import type { InferenceWork } from '../work/work.ts';

/** Where databases of uploaded files lie. */
export interface UploadFolder {
  /** Returns the folder of a tenant, below the data folder. */
  directoryOf(tenant: TenantId): Promise<string>;
  /** Returns what a JDBC URL names a file by: relative to the home, where it lies in it. */
  locationOf(file: string): string;
  /** Returns the file that such a name means. */
  fileOf(location: string): string;
}

export interface UploadDependencies {
  readonly store: ConnectionStore;
  readonly warehouses: Warehouses;
  readonly files: FileImport;
  readonly uploads: UploadFolder;
  /** Returns the datasources of a tenant. */
  readonly registryOf: (tenant: TenantId) => Promise<DatasourceRegistry>;
  readonly clock: Clock;
  readonly log: Log;
  readonly work: InferenceWork;
}

const PREFIX = 'upload-';
const DUCKDB = 'jdbc:duckdb:';

/** Keeps uploaded files as connections. */
export class UploadStore {
  readonly #parts: UploadDependencies;

  constructor(parts: UploadDependencies) {
    this.#parts = parts;
  }

  /**
   * Loads files into a new database and saves it as a connection.
   *
   * @throws ValidationError at `file` when one cannot be read
   * @throws ConflictError when the tenant keeps as many as it may
   */
  async keep(
    tenant: TenantId,
    sent: readonly UploadedFile[],
    name: string | undefined,
    signal: AbortSignal | undefined,
  ): Promise<{ readonly connection: Connection; readonly profile: SchemaProfile }> {
    const { store, warehouses, files, uploads, clock, log, work } = this.#parts;
    const directory = await uploads.directoryOf(tenant);
    await mkdir(directory, { recursive: true, mode: 0o700 });
    if ((await readdir(directory)).filter((each) => each.startsWith(PREFIX)).length >= MAX_KEPT_UPLOADS)
      throw new ConflictError(
        `${MAX_KEPT_UPLOADS} uploads are kept already. Remove the connection of one that is not needed.`,
        { code: 'upload_limit' },
      );
    const file = join(directory, `${PREFIX}${randomUUID()}.duckdb`);
    const address = { jdbcUrl: `${DUCKDB}${uploads.locationOf(file)}` };
    try {
      const imported = await files.load(tablesOf(sent), file, { signal });
      const profile = await profileSchema({
        warehouse: await warehouses.open(address),
        schema: undefined,
        maxTables: sent.length,
        tableTypes: ['TABLE'],
        clock,
        log,
        work,
        signal,
      });
      const saved = await store.list(tenant);
      const wanted = name ?? tableName(sent[0]?.name ?? '');
      const connection = await store.add(tenant, {
        name: freeName(wanted, new Set(saved.map((each) => each.name))),
        address,
        schema: undefined,
      });
      return {
        connection: {
          id: connection.id,
          name: connection.name,
          type: typeOf(address),
          schema: null,
          createdAt: new Date(connection.createdAtMillis).toISOString(),
        },
        profile: withFindings(profile, ...imported),
      };
    } catch (error) {
      await warehouses.release(address);
      await rm(file, { force: true });
      throw error;
    }
  }

  /** Removes the database of a connection that was made of uploaded files; one that a datasource reads stays. */
  async drop(tenant: TenantId, address: WarehouseAddress): Promise<void> {
    const file = await this.#fileOf(tenant, address);
    if (file === undefined || !basename(file).startsWith(PREFIX) || (await this.#isDescribed(tenant, file))) return;
    await this.#remove(file, address);
  }

  /**
   * Removes the database that a datasource was made for: of uploaded files, or of an import of the same name. One that another
   * datasource or a saved connection reads stays, and so does every other file.
   */
  async dropUnread(tenant: TenantId, { name, warehouse }: Pick<Datasource, 'name' | 'warehouse'>): Promise<void> {
    const file = await this.#fileOf(tenant, warehouse);
    if (file === undefined) return;
    const isImported = [name, name.replace(/-model$/, '')].includes(basename(file, extname(file)));
    if (!isImported && !basename(file).startsWith(PREFIX)) return;
    if ((await this.#isDescribed(tenant, file)) || (await this.#isConnected(tenant, file))) return;
    await this.#remove(file, warehouse);
  }

  /** Returns the file of an address, where it is a database in the folder of uploads. */
  async #fileOf(tenant: TenantId, { jdbcUrl }: WarehouseAddress): Promise<string | undefined> {
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
      if (address !== undefined && (await this.#fileOf(tenant, address)) === file) return true;
    }
    return false;
  }

  async #remove(file: string, address: WarehouseAddress): Promise<void> {
    await this.#parts.warehouses.release(address);
    await rm(file, { force: true });
  }
}

function tablesOf(sent: readonly UploadedFile[]) {
  const taken = new Set<string>();
  return sent.map(({ path, name }) => {
    const table = freeName(tableName(name), taken, '_');
    taken.add(table);
    return { path, name, table };
  });
}

/** Finds a name that is not taken: `orders`, `orders 2`, `orders 3`. */
function freeName(wanted: string, taken: ReadonlySet<string>, gap = ' '): string {
  let name = wanted;
  for (let number = 2; taken.has(name); number++) name = `${wanted}${gap}${number}`;
  return name;
}
