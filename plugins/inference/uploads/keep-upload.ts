/** Loads uploaded files into a separate database and saves it as a connection. */
import type { Clock } from '../../../router/capabilities/clock.ts';
import type { FileImport, TableChoices } from '../../../router/capabilities/file-import.ts';
import type { TenantId } from '../../../router/capabilities/identity.ts';
import type { Log } from '../../../router/capabilities/log.ts';
import type { WarehouseAddress, Warehouses } from '../../../router/capabilities/warehouse.ts';
import { ValidationError } from '../../../router/errors.ts';
import type { UploadedFile } from '../../../router/rest/input.ts';
import { tableName, withFindings } from '../profile/profile-file.ts';
import { profileSchema } from '../profile/profile-schema.ts';
import type { Connection, SchemaProfile } from '../schemas.ts';
import { type ConnectionStore, type SavedConnection, warehouseType } from '../stores/connections.ts';
import type { UploadFiles } from '../stores/upload-files.ts';
import type { InferenceWork } from '../work/work.ts';

export interface KeepUploadDependencies {
  readonly store: ConnectionStore;
  readonly warehouses: Warehouses;
  readonly files: FileImport;
  readonly uploads: Pick<UploadFiles, 'begin' | 'drop' | 'isUpload'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly work: Pick<InferenceWork, 'pairs'>;
}

export interface UploadRequest {
  readonly files: readonly UploadedFile[];
  readonly name?: string | undefined;
  /** Choices by the name of the table. */
  readonly reading?: Readonly<Record<string, TableChoices>> | undefined;
  /** Where the files were downloaded from. */
  readonly links?: readonly string[] | undefined;
  /** The id of a connection of kept files, which goes once the new one is there. */
  readonly replaces?: string | undefined;
}

export interface KeptUpload {
  readonly connection: Connection;
  readonly profile: SchemaProfile;
}

/**
 * Loads files into a new database and saves it as a connection.
 *
 * @throws ValidationError at `file` when one cannot be read
 * @throws ConflictError when the tenant keeps as many as it may
 */
export async function keepUpload(
  { store, warehouses, files, uploads, clock, log, work }: KeepUploadDependencies,
  tenant: TenantId,
  { files: sent, name, reading, replaces, links = [] }: UploadRequest,
  signal: AbortSignal | undefined,
): Promise<KeptUpload> {
  const replaced = replaces === undefined ? undefined : await replacedUpload(store, uploads, tenant, replaces);
  const upload = await uploads.begin(tenant);
  const { file, address } = upload;
  const { connection, profile } = await load().catch(async (error: unknown) => {
    await upload.drop();
    throw error;
  });
  await upload.keep({ links, reading: reading ?? {} });
  // The connection has the new files: what cannot be removed of the old ones takes nothing from the answer.
  if (replaced !== undefined)
    await uploads.drop(tenant, replaced.address).catch((error: unknown) => {
      log.warn({ err: error }, 'the database of replaced files could not be removed');
    });
  return {
    connection: {
      id: connection.id,
      name: connection.name,
      type: warehouseType(address),
      schema: null,
      createdAt: new Date(connection.createdAtMillis).toISOString(),
    },
    profile,
  };

  async function load(): Promise<{ readonly connection: SavedConnection; readonly profile: SchemaProfile }> {
    const imported = await files.load(nameTables(sent), file, { signal, choices: reading });
    const profile = await profileSchema({
      warehouse: await warehouses.open(address),
      schema: undefined,
      maxTables: imported.length,
      tableTypes: ['TABLE'],
      clock,
      log,
      work,
      signal,
    });
    const connection =
      replaced === undefined
        ? await addConnection(store, tenant, name ?? tableName(sent[0]?.name ?? ''), address)
        : await store.changeAddress(tenant, replaced.id, address);
    return { connection, profile: withFindings(profile, ...imported) };
  }
}

/**
 * Returns the connection of kept files that an upload replaces.
 *
 * @throws NotFoundError
 * @throws ValidationError at `replaces` when the connection leads to a warehouse
 */
async function replacedUpload(
  store: ConnectionStore,
  uploads: Pick<UploadFiles, 'isUpload'>,
  tenant: TenantId,
  id: string,
): Promise<SavedConnection> {
  const saved = await store.get(tenant, id);
  if (!(await uploads.isUpload(tenant, saved.address)))
    throw ValidationError.at(
      ['replaces'],
      `The connection ${saved.name} has no uploaded files that could be replaced.`,
    );
  return saved;
}

async function addConnection(
  store: ConnectionStore,
  tenant: TenantId,
  baseName: string,
  address: WarehouseAddress,
): Promise<SavedConnection> {
  const saved = await store.list(tenant);
  const name = freeName(baseName, new Set(saved.map((each) => each.name)));
  return store.add(tenant, { name, address, schema: undefined });
}

function nameTables(sent: readonly UploadedFile[]) {
  const taken = new Set<string>();
  return sent.map(({ path, name }) => {
    const table = freeName(tableName(name), taken, '_');
    taken.add(table);
    return { path, name, table };
  });
}

/** Returns the first free name: `orders`, `orders 2`, `orders 3`. */
function freeName(baseName: string, taken: ReadonlySet<string>, gap = ' '): string {
  let name = baseName;
  for (let number = 2; taken.has(name); number++) name = `${baseName}${gap}${number}`;
  return name;
}
