/** The databases of uploaded and imported files: which models and connections use them, and clearing those that nothing uses. */
import { rm } from 'node:fs/promises';
import type { TenantId } from '../../router/capabilities/identity.ts';
import type { Warehouses } from '../../router/capabilities/warehouse.ts';
import { ConflictError, NotFoundError } from '../../router/errors.ts';
import type { ConnectionStore, UploadFiles } from '../inference/index.ts';
import type { DataChanges } from './changes.ts';
import { type DataFiles, shortName } from './data-files.ts';
import type { Removals } from './remove/removals.ts';
import type { Upload } from './schemas.ts';

export interface UploadsDependencies {
  readonly files: DataFiles;
  readonly changes: DataChanges;
  readonly removals: Removals;
  readonly store: ConnectionStore;
  readonly uploads: Pick<UploadFiles, 'fileOf'>;
  readonly warehouses: Pick<Warehouses, 'release'>;
}

/** Lists the uploads of a tenant, the largest first. */
export async function listUploads(tenant: TenantId, parts: UploadsDependencies): Promise<readonly Upload[]> {
  const { files, store, uploads } = parts;
  const connected = new Map<string, { readonly id: string; readonly name: string }>();
  for (const { id, name } of await store.list(tenant)) {
    const address = await store.addressOf(tenant, id);
    const file = address && (await uploads.fileOf(tenant, address));
    if (file !== undefined) connected.set(file, { id, name });
  }
  const awaited = await undoneFiles(tenant, parts);
  const listed: Upload[] = [];
  for (const { file, bytes, atMillis } of await files.list(tenant)) {
    const connection = connected.get(file);
    const uses = (await files.usesOf(tenant, file)).map(({ datasource: { id, name } }) => ({ id, name }));
    const removed = awaited.get(shortName(file));
    listed.push({
      file: shortName(file),
      name: connection?.name ?? uses[0]?.name ?? removed ?? shortName(file).replace(/\.duckdb$/, ''),
      bytes,
      createdAt: new Date(atMillis).toISOString(),
      ...(connection === undefined ? {} : { connectionId: connection.id }),
      isNeededForUndo: removed !== undefined,
      usedBy: uses,
    });
  }
  return listed.sort((one, other) => other.bytes - one.bytes);
}

/** Removes an upload that no model reads, with its connection. @throws ConflictError where a model reads it */
export async function removeUpload(tenant: TenantId, name: string, parts: UploadsDependencies): Promise<void> {
  const all = await listUploads(tenant, parts);
  const upload = all.find(({ file }) => file === name);
  if (upload === undefined)
    throw new NotFoundError('There is no such upload.', { path: ['file'], available: all.map(({ file }) => file) });
  if (upload.usedBy.length > 0)
    throw new ConflictError(
      `${upload.usedBy.map((each) => each.name).join(' and ')} reads this data. Remove it first.`,
      {
        code: 'upload_used',
      },
    );
  if (upload.isNeededForUndo)
    throw new ConflictError('A removed datasource can still be put back, which needs this data. Wait until then.', {
      code: 'upload_used',
    });
  await drop(tenant, upload, parts);
}

/** Removes all uploads that neither a model nor an undo needs. Returns their number and size. */
export async function clearUploads(tenant: TenantId, parts: UploadsDependencies) {
  const unused = (await listUploads(tenant, parts)).filter(
    ({ usedBy, isNeededForUndo }) => usedBy.length === 0 && !isNeededForUndo,
  );
  for (const upload of unused) await drop(tenant, upload, parts);
  return { removed: unused.length, bytes: unused.reduce((sum, { bytes }) => sum + bytes, 0) };
}

async function drop(tenant: TenantId, { file, connectionId }: Upload, parts: UploadsDependencies): Promise<void> {
  const { files, store, warehouses } = parts;
  const path = (await files.list(tenant)).find((each) => shortName(each.file) === file)?.file;
  if (connectionId !== undefined) await store.remove(tenant, connectionId);
  if (path === undefined) return;
  await warehouses.release(files.addressOf(path));
  await rm(path, { force: true });
}

/** Returns the names of files that an undo of a removal needs, with the names of the datasources. */
async function undoneFiles(
  tenant: TenantId,
  { changes, removals }: UploadsDependencies,
): Promise<ReadonlyMap<string, string>> {
  const needed = new Map<string, string>();
  for (const { state, content, name } of await changes.list(tenant)) {
    const file = state === 'removed' ? await removals.neededFile(tenant, content) : undefined;
    if (file !== undefined) needed.set(file, name);
  }
  return needed;
}
