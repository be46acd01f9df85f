/** Loads uploaded files into a database of their own and saves it as a connection. */
import type { Clock } from '../../../router/capabilities/clock.ts';
import type { FileImport } from '../../../router/capabilities/file-import.ts';
import type { TenantId } from '../../../router/capabilities/identity.ts';
import type { Log } from '../../../router/capabilities/log.ts';
import type { Warehouses } from '../../../router/capabilities/warehouse.ts';
import type { UploadedFile } from '../../../router/rest/input.ts';
import { tableName, withFindings } from '../profile/profile-file.ts';
import { profileSchema } from '../profile/profile-schema.ts';
import type { Connection, SchemaProfile } from '../schemas.ts';
import { type ConnectionStore, warehouseType } from '../stores/connections.ts';
import type { UploadFiles } from '../stores/upload-files.ts';
import type { InferenceWork } from '../work/work.ts';

export interface KeepUploadDependencies {
  readonly store: ConnectionStore;
  readonly warehouses: Warehouses;
  readonly files: FileImport;
  readonly uploads: Pick<UploadFiles, 'begin'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly work: Pick<InferenceWork, 'pairs'>;
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
  sent: readonly UploadedFile[],
  name: string | undefined,
  signal: AbortSignal | undefined,
): Promise<KeptUpload> {
  const upload = await uploads.begin(tenant);
  const { file, address } = upload;
  try {
    const imported = await files.load(nameTables(sent), file, { signal });
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
    const baseName = name ?? tableName(sent[0]?.name ?? '');
    const connection = await store.add(tenant, {
      name: freeName(baseName, new Set(saved.map((each) => each.name))),
      address,
      schema: undefined,
    });
    await upload.keep();
    return {
      connection: {
        id: connection.id,
        name: connection.name,
        type: warehouseType(address),
        schema: null,
        createdAt: new Date(connection.createdAtMillis).toISOString(),
      },
      profile: withFindings(profile, ...imported),
    };
  } catch (error) {
    await upload.drop();
    throw error;
  }
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
