/** Makes what the plugins of inference share. */
import { join, resolve } from 'node:path';
import type { TenantDatasources } from '../plugins/datasources/index.ts';
import { clearLeftUploads } from '../plugins/inference/index.ts';
import type { TenantId } from '../router/capabilities/identity.ts';
import type { Llm } from '../router/capabilities/llm.ts';
import type { RateLimits } from '../router/capabilities/rate-limits.ts';
import { fileImportSettings } from './config/warehouse-settings.ts';
import { ownScratchName } from './disk/scratch.ts';
import { openFileImport } from './file-import/open-file-import.ts';
import { withinHome } from './home-directory/home-directory.ts';
import { linkOptions } from './installation/link-options.ts';
import type { Capabilities } from './launcher-capabilities.ts';
import type { QuerySurfaces } from './launcher-queries.ts';
import { openLinks } from './links/open-links.ts';

export type Inferring = ReturnType<typeof inferenceCapabilities>;

/** Makes the capabilities of inference for its two plugins and for the removal of datasources. */
export function inferenceCapabilities(
  { config, warehouses, vault, state, clock, log, home, documents, folders, threads, tenant }: Capabilities,
  queries: QuerySurfaces,
  registries: TenantDatasources,
  { llm, rateLimits }: { readonly llm: Llm | undefined; readonly rateLimits: RateLimits },
) {
  return {
    llm: config['service.ai.propose.provider'] === 'rules' ? undefined : llm,
    isSampled: config['service.ai.llm.egress'] === 'aggregated',
    pool: threads.inference,
    models: threads.models,
    warehouses,
    files: openFileImport({ ...fileImportSettings(config), log }),
    links: openLinks(linkOptions(config, home)),
    rateLimits,
    vault,
    state,
    clock,
    log,
    directory: join(home.data, 'uploads', ownScratchName()),
    registryOf: (of: TenantId) => registries.of(of),
    repository: documents,
    async marksOf(of: TenantId) {
      const registry = await registries.of(of);
      // The registry logs a failure. A datasource that is not loaded is not served, and marks no columns.
      await registry.whenLoaded.catch(() => undefined);
      return [...queries.semantic.personalMarksOf(of), ...queries.cube.personalMarksOf(of)];
    },
    refusesLocation: (jdbcUrl: string, of: TenantId) => folders.refusesLocation(jdbcUrl, of),
    explainsFailures: (of: TenantId) => of === tenant.id,
    /** The folder for databases of uploaded files, below the data folder of their tenant. */
    uploads: {
      directoryOf: async (of: TenantId) => join((await folders.of(of)).data, 'imports'),
      locationOf: (file: string) => withinHome(home.root, file),
      fileOf: (location: string) => resolve(home.root, location),
    },
  };
}

/** Deletes the uploads of a killed process. */
export async function clearKilledUploads({ identity, log }: Capabilities, inferring: Inferring): Promise<void> {
  for (const { id, name } of await identity.tenants.list()) {
    try {
      await clearLeftUploads(inferring, id);
    } catch (error) {
      // They only use space; the next start tries again.
      log.warn({ err: error, tenant: name }, 'uploads of a killed process could not be removed');
    }
  }
}
