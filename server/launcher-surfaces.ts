/**
 * Makes the capabilities of the process and the surfaces from them; `launcher.ts` puts these
 * behind HTTP, or behind standard input and output.
 */
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import type { AnalyticsResult, AnalyticsTask } from '../plugins/analytics/index.ts';
import { ask } from '../plugins/ask/index.ts';
import { billedTenant, billing } from '../plugins/billing/index.ts';
import { cube, type ScriptOutcome, type ScriptTask, type ServableSchema } from '../plugins/cube/index.ts';
import { DatasourceBoards, datasources, TenantDatasources, takeBackLeft } from '../plugins/datasources/index.ts';
import { embed, endEmbedsOfDocument, viewing } from '../plugins/embed/index.ts';
import {
  clearLeftUploads,
  designer,
  dropUnreadUpload,
  type InferenceResult,
  type InferenceTask,
  inference,
  placesFor,
  withdrawMade,
} from '../plugins/inference/index.ts';
import { kindOf, repository } from '../plugins/repository/index.ts';
import { semantic, type YamlResult } from '../plugins/semantic/index.ts';
import { skills } from '../plugins/skills/index.ts';
import { ADMINISTRATOR_ROLE, type TenantId } from '../router/capabilities/identity.ts';
import type { Log } from '../router/capabilities/log.ts';
import type { Observer } from '../router/capabilities/observer.ts';
import { withOpenPassword } from '../router/sealed-password.ts';
import type { AuditLog } from './audit/audit-log.ts';
import { auditPlugin } from './audit/operations.ts';
import { configuredClient, configuredProcessor } from './billing/configured-processor.ts';
import { endSubscriptionsOf } from './billing/end-subscriptions.ts';
import { openCache } from './cache/cache.ts';
import { jobSettings } from './config/job-settings.ts';
import type { Config } from './config/settings.ts';
import { askSettings, cubeSettings, rateSettings, semanticSettings } from './config/surface-settings.ts';
import { fileImportSettings, warehouseSettings } from './config/warehouse-settings.ts';
import { ownScratchName } from './disk/scratch.ts';
import { entryPoint } from './entry-points.ts';
import { openFileImport } from './file-import/open-file-import.ts';
import { isReachable, succeedsWithin } from './health.ts';
import { type Home, stateFile, withinHome } from './home-directory/home-directory.ts';
import { isBelow, ownFiles } from './home-directory/protected-files.ts';
import { DEFAULT_TENANT, type Identity, type Tenant } from './identity/index.ts';
import { identityPlugin, type SignInWay } from './identity/operations.ts';
import { openJobs } from './jobs/index.ts';
import { configuredLlm } from './llm/configured-llm.ts';
import { openRepository } from './repository/index.ts';
import type { StateStore } from './state/index.ts';
import type { Metrics } from './telemetry/metrics.ts';
import { TenantAdministration } from './tenants/administration.ts';
import { clearLeftovers } from './tenants/leftovers.ts';
import { tenantsPlugin } from './tenants/operations.ts';
import { placesOf, TenantFolders } from './tenants/tenant-folders.ts';
import { homeVault } from './vault/vault.ts';
import { openWarehouses } from './warehouse/index.ts';
import { NetworkGuard } from './warehouse/network-guard.ts';
import { ThreadPool } from './workers/thread-pool.ts';

/** What the surfaces are opened with, by the server and by commands. */
export interface ServiceOptions {
  readonly home: Home;
  readonly config: Config;
  readonly log: Log;
  /** Where the API keys of language models stand. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Where the example skills are that a new home gets. */
  readonly exampleSkillsDirectory: URL;
}

const MAX_ANALYTICS_THREADS = 8;
/** How long a list of datasources waits for those that are being read for the first time. */
const LIST_PATIENCE_MS = 3_000;
/** How long a query that another node handed back waits for the datasources after a start, in milliseconds. */
const DATASOURCES_PATIENCE_MS = 60_000;

/**
 * Makes the capabilities, and of them the surfaces, each a function of those it needs. Adding a surface is one line
 * here.
 */
export async function surfaces(
  { home, config, log, environment }: ServiceOptions,
  state: StateStore,
  identity: Identity,
  {
    observer,
    metrics,
    audit,
    singleSignOn,
  }: {
    readonly observer: Observer;
    readonly metrics: Metrics;
    readonly audit: AuditLog;
    readonly singleSignOn: SignInWay | undefined;
  },
) {
  const clock = Date.now;
  const tenant = await identity.tenants.ensure(DEFAULT_TENANT);
  const folders = new TenantFolders(home, identity.tenants, tenant);
  await folders.renameThoseById();
  const cache = openCache({ maxBytes: config['service.cache.maxBytes'], clock });
  const vault = homeVault(home, config);
  const warehouses = openWarehouses({
    ...warehouseSettings(config),
    refusesFile: ownFiles([stateFile(home)]),
    opensPassword: (address) => withOpenPassword(() => vault, address),
    home: home.root,
    network: new NetworkGuard({
      allowHosts: config['service.connections.allowHosts'],
      denyHosts: config['service.connections.denyHosts'],
      // Nodes that share a database serve tenants who do not own the machine.
      isHosted: config['service.state.url'] !== '',
      ownPort: config['service.http.port'],
    }),
    log,
    observer,
    onPool: (warehouse, pool) => metrics.pool(warehouse, pool),
  });
  const documents = await openRepository({
    directory: home.repository,
    defaultTenant: tenant.id,
    folderOf: (of) => folders.nameOf(of),
  });
  const jobs = openJobs({ state, clock, log, limits: jobSettings(config) });
  const analytics = new ThreadPool<AnalyticsTask, AnalyticsResult>({
    module: entryPoint('analytics-worker').module,
    size: Math.min(availableParallelism(), MAX_ANALYTICS_THREADS),
  });
  const yaml = new ThreadPool<string, YamlResult>({ module: entryPoint('yaml-worker').module, size: 1 });
  const cubeSchemas = new ThreadPool<string, ServableSchema>({
    module: entryPoint('cube-schema-worker').module,
    size: 1,
  });
  const cubeScripts = new ThreadPool<ScriptTask, readonly ScriptOutcome[]>({
    module: entryPoint('cube-script-worker').module,
    size: 1,
  });
  const inferenceThreads = new ThreadPool<InferenceTask, InferenceResult>({
    module: entryPoint('inference-worker').module,
    size: 1,
  });
  const boards = new DatasourceBoards();
  const semanticSurface = semantic({
    warehouses,
    cache,
    jobs,
    log,
    clock,
    states: (of) => boards.of(of),
    settings: semanticSettings(config),
    analytics,
    documents: yaml,
  });
  const cubeSurface = cube({
    warehouses,
    cache,
    jobs,
    state,
    log,
    clock,
    states: (of) => boards.of(of),
    settings: cubeSettings(config),
    analytics,
    schemas: cubeSchemas,
    scripts: cubeScripts,
  });
  const sources = [semanticSurface.source, cubeSurface.source];
  const askSources = [semanticSurface.askSource, cubeSurface.askSource];
  const folderOf = ({ id, name }: Tenant) => ({
    tenant: id,
    name,
    directory: placesOf(home, id === tenant.id ? undefined : name).datasources,
  });
  for (const each of await identity.tenants.list()) {
    const administrator = { tenant: each.id, user: 'start', roles: [ADMINISTRATOR_ROLE] };
    try {
      await takeBackLeft(placesFor(folderOf(each).directory, documents, administrator));
    } catch (error) {
      // It stays unread; the next publication tries again.
      log.warn({ err: error, tenant: each.name }, 'an incomplete publication could not be taken back');
    }
  }
  const registries = new TenantDatasources({
    first: folderOf(tenant),
    folders: async () => (await identity.tenants.list()).map(folderOf),
    async folderOf(of) {
      const found = await identity.tenants.byId(of);
      return found && folderOf(found);
    },
    loadersOf: (of) => [semanticSurface.loaderOf(of), cubeSurface.loaderOf(of)],
    boards,
    log,
    clock,
    supportedPrefixes: warehouses.supported,
    probe: (address) => isReachable(warehouses, address),
    refusesDocument: (path) => isBelow(path, home.data),
    pollMs: config['service.datasources.pollMilliseconds'],
  });
  const skillsSurface = skills({ directoryOf: async (of) => (await folders.of(of)).skills, clock });
  const asking = {
    llm: configuredLlm({ config, environment, state, clock, log, observer }),
    skills: skillsSurface.folders,
    clock,
    settings: askSettings(config),
  };
  const billingSurface = billing({
    state,
    processor: configuredProcessor(config, environment, log),
    rates: rateSettings(config),
    hasTenant: async (id) => (await identity.tenants.byId(id)) !== undefined,
    clock,
    log,
  });
  const inferring = {
    llm: config['service.ai.propose.provider'] === 'rules' ? undefined : asking.llm,
    isSampled: config['service.ai.llm.egress'] === 'aggregated',
    pool: inferenceThreads,
    warehouses,
    files: openFileImport({ ...fileImportSettings(config), log }),
    rateLimits: billingSurface.rateLimits,
    vault,
    state,
    clock,
    log,
    directory: join(home.data, 'uploads', ownScratchName()),
    registryOf: (of: TenantId) => registries.of(of),
    repository: documents,
    async marksOf(of: TenantId) {
      const registry = await registries.of(of);
      // A failure is the registry's to log: what could not be loaded is not served, and marks nothing.
      await registry.whenLoaded.catch(() => undefined);
      return [...semanticSurface.personalMarksOf(of), ...cubeSurface.personalMarksOf(of)];
    },
    refusesLocation: (jdbcUrl: string, of: TenantId) => folders.refusesLocation(jdbcUrl, of),
    uploads: uploadFolder(home, folders),
  };
  for (const { id, name } of await identity.tenants.list()) {
    try {
      await clearLeftUploads(inferring, id);
    } catch (error) {
      // They take space only; the next start tries again.
      log.warn({ err: error, tenant: name }, 'uploads of a killed process could not be removed');
    }
  }
  const stopClearing = clearLeftovers({ state, home, tenants: identity.tenants, log });
  const plugins = [
    identityPlugin({ ...identity, singleSignOn }),
    auditPlugin({ state, flush: () => audit.flush(), operators: tenant.id }),
    tenantsPlugin({
      administration: new TenantAdministration({
        state,
        home,
        tenants: identity.tenants,
        endSubscriptions: async (leaving) =>
          endSubscriptionsOf(leaving, await billedTenant(state, leaving.id), configuredClient(config, environment)),
      }),
      operators: tenant.id,
    }),
    semanticSurface.plugin,
    cubeSurface.plugin,
    repository({
      repository: documents,
      sources,
      askSources,
      onRemoved: (of, document) => endEmbedsOfDocument(state, clock, of, document),
    }),
    embed({
      state,
      repository: documents,
      sources,
      askSources,
      asking,
      accounts: identity.users,
      tenants: {
        first: tenant.id,
        find: async (name) => (await identity.tenants.find(name))?.id,
        nameOf: (of) => folders.nameOf(of),
      },
      clock,
      log,
    }),
    viewing({ repository: documents, sources, askSources, asking, log }),
    datasources({
      async registryOf(of) {
        const registry = await registries.of(of);
        // Tenants other than the first are loaded on first use; without the wait, the list would be empty.
        if (of !== tenant.id) await succeedsWithin(LIST_PATIENCE_MS, registry.whenLoaded);
        return registry;
      },
      refusesLocation: (jdbcUrl, of) => folders.refusesLocation(jdbcUrl, of),
      refusesDocument: (path, of) => folders.refusesDocument(path, of),
      checkWarehouse: (address) => warehouses.check(address),
      async onRemoved(datasource, caller, descriptor) {
        await dropUnreadUpload(inferring, caller.tenant, datasource);
        const withdrawn = await withdrawMade(inferring, caller, datasource, descriptor);
        for (const path of withdrawn.removed) {
          const kind = kindOf(path);
          if (kind !== undefined) await endEmbedsOfDocument(state, clock, caller.tenant, { kind, path });
        }
        return withdrawn;
      },
    }),
    skillsSurface.plugin,
    billingSurface.plugin,
    ask('semanticAsk', semanticSurface.askSource, asking),
    ask('cubeAsk', cubeSurface.askSource, asking),
    inference(inferring),
    designer(inferring),
  ] as const;
  return {
    plugins,
    skills: skillsSurface.folders,
    tenant,
    registries,
    cache,
    /** Runs what other nodes hand back, once the datasources that it is about have been read. */
    takeOverJobs: () =>
      jobs.takeOver(async (of) => {
        await succeedsWithin(DATASOURCES_PATIENCE_MS, (await registries.of(of)).whenLoaded);
      }),
    endJobs: (graceMs: number) => jobs.close(graceMs),
    async close() {
      await stopClearing();
      await jobs.close();
      await analytics.close();
      await yaml.close();
      await cubeSchemas.close();
      await cubeScripts.close();
      await inferenceThreads.close();
      await registries.close();
      await cubeSurface.close();
      await warehouses.close();
    },
  };
}

/** Names the folder for databases of uploaded files, which lies below the data folder of their tenant. */
function uploadFolder({ root }: ServiceOptions['home'], folders: TenantFolders) {
  return {
    directoryOf: async (tenant: TenantId) => join((await folders.of(tenant)).data, 'imports'),
    locationOf: (file: string) => withinHome(root, file),
    fileOf: (location: string) => resolve(root, location),
  };
}

export type Surfaces = Awaited<ReturnType<typeof surfaces>>;
