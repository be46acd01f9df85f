/**
 * Makes the surfaces from the capabilities of the process, a function each; `launcher.ts` puts them behind HTTP, or behind
 * standard input and output.
 */
import { statfs } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { AskedQuestions, ask, askedQuestions } from '../plugins/ask/index.ts';
import { billedTenant, billing } from '../plugins/billing/index.ts';
import { checkSchema, cube } from '../plugins/cube/index.ts';
import { type DataCare, dataCare } from '../plugins/data/index.ts';
import {
  clearTemporaries,
  DatasourceBoards,
  datasources,
  TenantDatasources,
  takeBackLeft,
} from '../plugins/datasources/index.ts';
import { embed, embedsOf, endEmbedsOfDocument, viewing } from '../plugins/embed/index.ts';
import { clearLeftUploads, designer, inference, inferenceStores, placesFor } from '../plugins/inference/index.ts';
import { repository } from '../plugins/repository/index.ts';
import { buildRollups, DemandLog, semantic } from '../plugins/semantic/index.ts';
import { skills } from '../plugins/skills/index.ts';
import { type WebhookSurface, webhooks } from '../plugins/webhooks/index.ts';
import { ADMINISTRATOR_ROLE, type TenantId } from '../router/capabilities/identity.ts';
import type { RateLimits } from '../router/capabilities/rate-limits.ts';
import { activityPlugin } from './activity/operations.ts';
import { auditPlugin } from './audit/operations.ts';
import { configuredClient, configuredProcessor } from './billing/configured-processor.ts';
import { endSubscriptionsOf } from './billing/end-subscriptions.ts';
import { askSettings, cubeSettings, rateSettings, semanticSettings } from './config/surface-settings.ts';
import { fileImportSettings, tableWriterSettings } from './config/warehouse-settings.ts';
import { FreeSpace } from './disk/free-space.ts';
import { ownScratchName } from './disk/scratch.ts';
import { openSignatures, signatureSettings } from './embed-signatures/index.ts';
import { openFileImport } from './file-import/open-file-import.ts';
import { healthOf, isReachable, succeedsWithin } from './health.ts';
import { withinHome } from './home-directory/home-directory.ts';
import { isBelow } from './home-directory/protected-files.ts';
import { accountsPlugin } from './identity/account-operations.ts';
import type { Tenant } from './identity/index.ts';
import { identityPlugin } from './identity/operations.ts';
import { linkOptions } from './installation/link-options.ts';
import { countJobs } from './jobs/index.ts';
import { BINARY_MEGABYTE } from './jobs/limits.ts';
import {
  type Capabilities,
  openCapabilities,
  type ProcessParts,
  type ServiceOptions,
} from './launcher-capabilities.ts';
import { openLinks } from './links/open-links.ts';
import { configuredLlm } from './llm/configured-llm.ts';
import { readSpend } from './llm/index.ts';
import { agentsPlugin } from './oauth/index.ts';
import { openTableWriter } from './table-writer/open-table-writer.ts';
import { clearLeftovers } from './tenants/leftovers.ts';
import { tenantsPlugin } from './tenants/operations.ts';
import { placesOf } from './tenants/tenant-folders.ts';
import { TenantAdministration } from './tenants/tenant-lifecycle.ts';
import { VERSION } from './version.ts';
import { openTargets } from './webhooks/open-targets.ts';

/** Time that a list of datasources waits for datasources that load for the first time, in milliseconds. */
const LIST_PATIENCE_MS = 3_000;
const MINUTE_MS = 60_000;
/** The interval in which data that is no longer needed is removed, in milliseconds. */
const CLEAR_EVERY_MS = 60_000;
/** The interval in which a node looks for scheduled refreshes that are due, in milliseconds. */
const REFRESH_EVERY_MS = 5_000;
/** The interval in which a node looks for webhooks that are due, in milliseconds. */
const SEND_EVERY_MS = 2_000;
/** Time that a released query waits for the datasources after a start, in milliseconds. */
const DATASOURCES_PATIENCE_MS = 60_000;

/** Makes all surfaces. A new surface is a function below and a line in `plugins`. */
export async function surfaces(options: ServiceOptions, parts: ProcessParts) {
  const startedAtMillis = Date.now();
  const capabilities = await openCapabilities(options, parts);
  const { cache, identity, jobs, log, state, tenant, threads, warehouses } = capabilities;
  const queries = querySurfaces(capabilities);
  await takeBackIncompletePublications(capabilities);
  const registries = openRegistries(capabilities, queries);
  const skillsSurface = skills({
    directoryOf: async (of) => (await capabilities.folders.of(of)).skills,
    clock: capabilities.clock,
  });
  const asking = askDependencies(capabilities, skillsSurface.folders);
  const billingSurface = await makeBilling(capabilities);
  const inferring = inferenceCapabilities(capabilities, queries, registries, {
    llm: asking.llm,
    rateLimits: billingSurface.rateLimits,
  });
  await clearKilledUploads(capabilities, inferring);
  const care = openDataCare(capabilities, queries, registries, inferring);
  const hooks = makeWebhooks(capabilities);
  const stopCare = careRegularly(care, hooks, capabilities);
  const stopClearing = clearLeftovers({ state, home: capabilities.home, tenants: identity.tenants, log });
  const modelDocuments = openModelDocuments(capabilities, queries, registries);
  const plugins = [
    ...accountPlugins(capabilities),
    queries.semantic.plugin,
    queries.cube.plugin,
    ...documentPlugins(capabilities, queries, asking),
    makeActivity(capabilities, registries, startedAtMillis),
    datasourcePlugin(capabilities, registries, care),
    care.plugin,
    hooks.plugin,
    modelDocuments.plugin,
    skillsSurface.plugin,
    billingSurface.plugin,
    ask('semanticAsk', queries.semantic.askSource, asking),
    ask('cubeAsk', queries.cube.askSource, asking),
    askedQuestions({
      questions: asking.questions,
      sources: queries.askSources,
      clock: capabilities.clock,
      certifiers: { [queries.semantic.askSource.surface]: modelDocuments.certify },
    }),
    inference(inferring),
    designer(inferring),
  ] as const;
  return {
    plugins,
    skills: skillsSurface.folders,
    pictures: threads.pictures,
    tenant,
    registries,
    cache,
    /** Runs other nodes' released jobs, once the datasources of their tenant are loaded. */
    takeOverJobs: () =>
      jobs.takeOver(async (of) => {
        await succeedsWithin(DATASOURCES_PATIENCE_MS, (await registries.of(of)).whenLoaded);
      }),
    endJobs: (graceMs: number) => jobs.close(graceMs),
    async close() {
      await stopClearing();
      await stopCare();
      await jobs.close();
      await threads.close();
      await registries.close();
      await queries.cube.close();
      await queries.flush();
      await warehouses.close();
    },
  };
}

export type Surfaces = Awaited<ReturnType<typeof surfaces>>;
type QuerySurfaces = ReturnType<typeof querySurfaces>;
type AskCapabilities = ReturnType<typeof askDependencies>;
type Inferring = ReturnType<typeof inferenceCapabilities>;

/** Makes the semantic surface and the cube surface, which share warehouses, cache, jobs and threads. */
function querySurfaces({ warehouses, cache, jobs, state, log, clock, config, threads, kept }: Capabilities) {
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
async function takeBackIncompletePublications(capabilities: Capabilities): Promise<void> {
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
function openRegistries(capabilities: Capabilities, queries: QuerySurfaces): TenantDatasources {
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

/** Makes the parts for questions in natural language: the language model of the settings, and the skills. */
function askDependencies(
  { config, environment, state, clock, log, observer, languageModel = (configured) => configured }: Capabilities,
  folders: ReturnType<typeof skills>['folders'],
) {
  return {
    llm: languageModel(configuredLlm({ config, environment, state, clock, log, observer })),
    skills: folders,
    clock,
    settings: askSettings(config),
    questions: new AskedQuestions({ state, clock, log, maxKept: config['service.ai.ask.keptQuestions'] }),
  };
}

async function makeBilling({ state, config, environment, identity, clock, log }: Capabilities) {
  return billing({
    state,
    processor: await configuredProcessor(config, environment, log),
    rates: rateSettings(config),
    hasTenant: async (id) => (await identity.tenants.byId(id)) !== undefined,
    clock,
    log,
  });
}

/** Makes the capabilities of inference for its two plugins and for the removal of datasources. */
function inferenceCapabilities(
  { config, warehouses, vault, state, clock, log, home, documents, folders, threads, tenant }: Capabilities,
  queries: QuerySurfaces,
  registries: TenantDatasources,
  { llm, rateLimits }: { readonly llm: AskCapabilities['llm']; readonly rateLimits: RateLimits },
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
async function clearKilledUploads({ identity, log }: Capabilities, inferring: Inferring): Promise<void> {
  for (const { id, name } of await identity.tenants.list()) {
    try {
      await clearLeftUploads(inferring, id);
    } catch (error) {
      // They only use space; the next start tries again.
      log.warn({ err: error, tenant: name }, 'uploads of a killed process could not be removed');
    }
  }
}

/** Makes the plugins of accounts: users and sessions, the audit log, tenants. */
function accountPlugins(capabilities: Capabilities) {
  const { identity, singleSignOn, state, audit, tenant, home, config, environment } = capabilities;
  const administration = new TenantAdministration({
    state,
    home,
    tenants: identity.tenants,
    endSubscriptions: async (leaving) =>
      endSubscriptionsOf(leaving, await billedTenant(state, leaving.id), await configuredClient(config, environment)),
  });
  return [
    identityPlugin({ ...identity, singleSignOn }),
    agentsPlugin({
      authorization: capabilities.agentAuthorization,
      users: identity.users,
      hasProvider: config['service.oidc.issuer'] !== '',
    }),
    auditPlugin({
      state,
      flush: () => audit.flush(),
      operators: tenant.id,
      keyLabels: (of) => identity.apiKeys.labels(of),
    }),
    tenantsPlugin({ administration, operators: tenant.id }),
    accountsPlugin(identity),
  ] as const;
}

/** Makes the administration of running and slow statements, health, cache and spend. */
function makeActivity(
  { state, home, config, cache, clock, statements, tenant, identity }: Capabilities,
  registries: TenantDatasources,
  startedAtMillis: number,
) {
  const disk = new FreeSpace(home.data, config['service.disk.minFreeMegabytes'] * BINARY_MEGABYTE);
  const ceilings = {
    ask: config['service.ai.ask.dailyBudgetUsd'],
    propose: config['service.ai.propose.monthlyBudgetUsd'],
  };
  return activityPlugin({
    register: statements,
    clock,
    operators: tenant.id,
    keyLabels: (of) => identity.apiKeys.labels(of),
    facts: {
      version: VERSION,
      startedAtMillis,
      health: () => healthOf(state, registries, disk),
      jobsOf: (of) => countJobs(state, of),
      async process() {
        const { bavail, bsize } = await statfs(home.data);
        return {
          node: process.version,
          residentBytes: process.memoryUsage.rss(),
          freeDiskBytes: bavail * bsize,
          state: state.engine,
          cache: { ...cache.use, maxBytes: config['service.cache.maxBytes'] },
          languageModel: config['service.ai.ask.provider'] || null,
        };
      },
      async spendOf(of) {
        const spend = await readSpend(state, of, ceilings);
        return spend.map(({ budgetUsd, periods, ...purpose }) => ({
          ...purpose,
          budgetUsd: budgetUsd ?? null,
          periods: [...periods],
        }));
      },
      async dropAnswers(of) {
        for (const surface of ['semantic', 'cube']) cache.drop([surface, of]);
      },
    },
  });
}

/** Makes the plugins of documents: the repository, embeds, and the reads of the product's own pages. */
function documentPlugins(
  { state, documents, identity, folders, tenant, clock, log, config, home, network, threads }: Capabilities,
  { sources, askSources }: QuerySurfaces,
  asking: AskCapabilities,
) {
  const tenantNamed = async (name: string) => (await identity.tenants.find(name))?.id;
  const signing = signatureSettings(config, (path) => resolve(home.root, path));
  // Embeds and our own pages each keep their finished answers.
  const answerBytes = Math.floor(config['service.cache.maxBytes'] / 4);
  const shared = { repository: documents, sources, askSources, answerBytes };
  const files = { workbooks: threads.workbooks, papers: threads.papers };
  return [
    repository({
      ...shared,
      state,
      clock,
      async onRemoved(owner, document) {
        await endEmbedsOfDocument(state, clock, owner, document);
      },
    }),
    embed({
      ...shared,
      files,
      state,
      asking,
      // The embeds of a disabled user show nothing.
      accounts: { find: (of, user) => identity.users.findActive(of, user) },
      tenants: {
        first: tenant.id,
        find: tenantNamed,
        nameOf: (id) => folders.nameOf(id),
      },
      clock,
      log,
      signatures: signing && openSignatures(signing, { guard: network, clock, log, tenantNamed }),
    }),
    viewing({ ...shared, files, asking, log }),
  ] as const;
}

/** Makes the administration of the documents of semantic models. */
function openModelDocuments(
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

/** Makes the care of data: overview, replacing, removing with an undo, uploads. */
function openDataCare(
  capabilities: Capabilities,
  queries: QuerySurfaces,
  registries: TenantDatasources,
  inferring: Inferring,
): DataCare {
  const { documents, state, clock, log, warehouses, identity, folders, threads, events, config } = capabilities;
  const embeds = (of: TenantId) => embedsOf(state, clock, of);
  const writer = openTableWriter({ ...tableWriterSettings(config), log });
  return dataCare({
    registryOf: (of) => registries.of(of),
    tenants: async () => (await identity.tenants.list()).map(({ id }) => id),
    repository: documents,
    state,
    clock,
    log,
    warehouses,
    importer: inferring.files,
    ...inferenceStores(inferring),
    folder: inferring.uploads,
    async folderOf(of, folder) {
      const path = resolve((await folders.of(of)).data, folder);
      return (await folders.refusesLocation(`jdbc:duckdb:${path}`, of)) ? undefined : path;
    },
    sizeOf: queries.semantic.sizeOf,
    rollupTablesOf: queries.semantic.rollupTablesOf,
    builds: {
      declared: queries.semantic.refreshedRollups,
      fileOf: (of, { warehouse }) => folders.writableFile(warehouse, of),
      async build({ rollup, ...request }) {
        const [built] = await buildRollups({ ...request, names: [rollup], warehouses, writer });
        if (built?.result === 'built') return { rows: built.rows ?? 0 };
        return { failed: built?.message ?? 'The model does not name it any more.' };
      },
    },
    onRefreshed({ tenant, name, datasource, result, message }) {
      events.announce(tenant, `refresh.${result}`, { name, datasource, message });
    },
    async compareModel(caller, { datasource }, address, signal) {
      const read = await (await registries.of(caller.tenant)).readDocument(datasource.documentPath);
      const nothing = { totals: [], unmatched: [], breaks: [] };
      // A model that does not load now loses nothing.
      if (!('text' in read)) return { ...nothing, problems: [] };
      const { text } = read;
      if (datasource.type === 'SEMANTIC') {
        const model = { datasource, text, caller, address, signal };
        const compared = await queries.semantic.compareData(model, { repository: documents, embedsOf: embeds });
        return {
          problems: [...compared.problems],
          totals: [...compared.totals],
          unmatched: compared.unmatched.map((each) => ({ ...each, columns: [...each.columns] })),
          breaks: compared.breaks.map(({ kind, path, title, tile, message }) => ({
            kind,
            path,
            title,
            ...(tile === undefined ? {} : { tile }),
            message,
          })),
        };
      }
      const [before, after] = await Promise.all(
        [datasource.warehouse, address].map(async (each) =>
          checkSchema(text, { warehouse: await warehouses.open(each), sqlTexts: threads.sqlTexts }),
        ),
      );
      const present = new Set(before?.problems.map(({ message }) => message));
      const problems = (after?.problems ?? []).map(({ message }) => message).filter((each) => !present.has(each));
      return { ...nothing, problems };
    },
  });
}

/** Makes the webhooks. Their targets have the same guard as links. */
function makeWebhooks({ state, clock, log, vault, config, home }: Capabilities): WebhookSurface {
  return webhooks({ state, clock, log, vault, targets: openTargets(linkOptions(config, home)) });
}

/**
 * Runs refreshes that are due, sends webhooks, and removes what can no longer be undone. Returns a function that stops it.
 */
function careRegularly(care: DataCare, hooks: WebhookSurface, { log }: Capabilities): () => Promise<void> {
  const stops = [
    repeat(CLEAR_EVERY_MS, log, () => care.clear()),
    repeat(REFRESH_EVERY_MS, log, () => care.refresh()),
    repeat(SEND_EVERY_MS, log, () => hooks.send()),
  ];
  return async () => {
    care.stop();
    hooks.stop();
    await Promise.all(stops.map((stop) => stop()));
  };
}

/** Repeats work, one piece after the other; a failure is logged. */
function repeat(everyMs: number, log: Capabilities['log'], work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  const timer = setInterval(() => {
    running ??= work()
      .catch((error: unknown) => log.warn({ err: error }, 'regular work failed'))
      .finally(() => {
        running = undefined;
      });
  }, everyMs).unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}

/** Makes the administration of datasources. Removing a datasource also removes what inference made for it. */
function datasourcePlugin(
  { folders, warehouses, tenant }: Capabilities,
  registries: TenantDatasources,
  care: DataCare,
) {
  return datasources({
    async registryOf(id) {
      const registry = await registries.of(id);
      // Tenants other than the default load on first use; without the wait, the list would be empty.
      if (id !== tenant.id) await succeedsWithin(LIST_PATIENCE_MS, registry.whenLoaded);
      return registry;
    },
    refusesLocation: (jdbcUrl, id) => folders.refusesLocation(jdbcUrl, id),
    refusesDocument: (path, id) => folders.refusesDocument(path, id),
    checkWarehouse: (address) => warehouses.check(address),
    onRemoved: care.removed,
  });
}
