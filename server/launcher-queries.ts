/** Makes the two surfaces of queries, and what opens the datasources that they read. */
import { cube } from '../plugins/cube/index.ts';
import { clearTemporaries, DatasourceBoards, TenantDatasources, takeBackLeft } from '../plugins/datasources/index.ts';
import { embedsOf } from '../plugins/embed/index.ts';
import { placesFor } from '../plugins/inference/index.ts';
import { DemandLog, semantic } from '../plugins/semantic/index.ts';
import { ADMINISTRATOR_ROLE, type TenantId } from '../router/capabilities/identity.ts';
import { cubeSettings, semanticSettings } from './config/surface-settings.ts';
import { isReachable } from './health.ts';
import { isBelow } from './home-directory/protected-files.ts';
import type { Tenant } from './identity/index.ts';
import type { Capabilities } from './launcher-capabilities.ts';
import { placesOf } from './tenants/tenant-folders.ts';

const MINUTE_MS = 60_000;

export type QuerySurfaces = ReturnType<typeof querySurfaces>;

/** Makes the semantic surface and the cube surface, which share warehouses, cache, jobs and threads. */
export function querySurfaces({ warehouses, cache, jobs, state, log, clock, config, threads, kept }: Capabilities) {
  const boards = new DatasourceBoards();
  const sqlTexts = kept.of('sql-texts', threads.sqlTexts);
  const shared = {
    warehouses,
    cache,
    jobs,
    log,
    clock,
    states: (tenant: TenantId) => boards.of(tenant),
    analytics: threads.analytics,
  };
  const demands = new DemandLog({ state, clock, log });
  const semanticSurface = semantic({
    ...shared,
    demands,
    settings: semanticSettings(config),
    documents: {
      yaml: kept.of('yaml', threads.yaml),
      sql: kept.of('sql', threads.sql),
      sqlTexts,
    },
    drafts: threads,
    edits: threads.modelEdits,
  });
  const cubeSurface = cube({
    ...shared,
    state,
    settings: cubeSettings(config),
    schemas: kept.of('cube-schemas', threads.cubeSchemas),
    sqlTexts,
    scripts: threads.cubeScripts,
    engines: threads.cubeEngines,
  });
  return {
    boards,
    semantic: semanticSurface,
    cube: cubeSurface,
    sources: [semanticSurface.source, cubeSurface.source],
    askSources: [semanticSurface.askSource, cubeSurface.askSource],
    /** Writes what roll-ups could have answered. */
    flush: () => demands.flush(),
  };
}

/** Returns the folder of a tenant's datasources. */
function datasourceFolder({ home, tenant }: Capabilities, { id, name }: Tenant) {
  return {
    tenant: id,
    name,
    directory: placesOf(home, id === tenant.id ? undefined : name).datasources,
  };
}

/** Undoes the incomplete publications and the temporary files of a killed process before datasources are read. */
export async function takeBackIncompletePublications(capabilities: Capabilities): Promise<void> {
  const { identity, documents, log } = capabilities;
  for (const each of await identity.tenants.list()) {
    const administrator = { tenant: each.id, user: 'start', roles: [ADMINISTRATOR_ROLE] };
    try {
      const { directory } = datasourceFolder(capabilities, each);
      await takeBackLeft(placesFor(directory, documents, administrator));
      await clearTemporaries(directory);
    } catch (error) {
      // The journal stays; the next publication tries again.
      log.warn({ err: error, tenant: each.name }, 'an incomplete publication could not be taken back');
    }
  }
}

/** Opens the registries of datasources: the default tenant's now, the others on first use. */
export function openRegistries(capabilities: Capabilities, queries: QuerySurfaces): TenantDatasources {
  const { identity, warehouses, home, config, log, clock, tenant } = capabilities;
  const folderOf = (each: Tenant) => datasourceFolder(capabilities, each);
  return new TenantDatasources({
    first: folderOf(tenant),
    folders: async () => (await identity.tenants.list()).map(folderOf),
    async folderOf(id) {
      const account = await identity.tenants.byId(id);
      return account && folderOf(account);
    },
    loadersOf: (id) => [queries.semantic.loaderOf(id), queries.cube.loaderOf(id)],
    boards: queries.boards,
    log,
    clock,
    supportedPrefixes: warehouses.supported,
    probe: (address) => isReachable(warehouses, address),
    refusesDocument: (path) => isBelow(path, home.data),
    pollMs: config['service.datasources.pollMilliseconds'],
    idleMs: config['service.datasources.idleMinutes'] * MINUTE_MS,
  });
}

/** Makes the administration of the documents of semantic models. */
export function openModelDocuments(
  { documents, folders, state, clock }: Capabilities,
  { semantic: surface }: QuerySurfaces,
  registries: TenantDatasources,
) {
  return surface.modelDocuments({
    registryOf: (tenant) => registries.of(tenant),
    refusesDocument: (path, tenant) => folders.refusesDocument(path, tenant),
    repository: documents,
    embedsOf: (tenant) => embedsOf(state, clock, tenant),
    state,
    clock,
  });
}
