/**
 * Makes the database of an upload in a process that kills itself before its n-th step: `upload-and-die.ts FOLDER N`.
 * The file `saved` stands for the saved connection; its text is the address.
 */
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TenantId } from '../../../router/capabilities/identity.ts';
import { UploadFiles } from '../stores/upload-files.ts';

const [, , folder = '', step = ''] = process.argv;

let left = Number(step);
function dieAtLast(): void {
  left -= 1;
  if (left === 0) process.kill(process.pid, 'SIGKILL');
}

const uploads = new UploadFiles({
  store: { list: async () => [], addressOf: async () => undefined },
  warehouses: { release: async () => undefined },
  origins: { set: async () => undefined, remove: async () => undefined },
  uploads: {
    directoryOf: async () => join(folder, 'imports'),
    locationOf: (file) => file,
    fileOf: (location) => location,
  },
  registryOf: async () => ({ directory: join(folder, 'datasources') }),
});

dieAtLast();
const upload = await uploads.begin('tenant-1' as TenantId);
dieAtLast();
const scratch = join(folder, 'imports', '.made');
await writeFile(scratch, 'a database');
await rename(scratch, upload.file);
dieAtLast();
await writeFile(join(folder, 'saved'), upload.address.jdbcUrl);
dieAtLast();
await upload.keep({ links: [], reading: {} });
await rm(scratch, { force: true });
