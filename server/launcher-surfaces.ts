/**
 * Makes the surfaces from the capabilities of the process, a function each; `launcher.ts` puts them behind HTTP, or behind
 * standard input and output.
 */
import { statfs } from 'node:fs/promises';
import { resolve } from 'node:path';
import { AskedQuestions, ask, askedQuestions } from '../plugins/ask/index.ts';
import { billedTenant, billing } from '../plugins/billing/index.ts';
import type { TenantDatasources } from '../plugins/datasources/index.ts';
import { embed, endEmbedsOfDocument, viewing } from '../plugins/embed/index.ts';
import { designer, inference } from '../plugins/inference/index.ts';
import { repository } from '../plugins/repository/index.ts';
import { skills } from '../plugins/skills/index.ts';
import { activityPlugin } from './activity/operations.ts';
import { auditPlugin } from './audit/operations.ts';
import { configuredClient, configuredProcessor } from './billing/configured-processor.ts';
import { endSubscriptionsOf } from './billing/end-subscriptions.ts';
import { askSettings, rateSettings } from './config/surface-settings.ts';
import { FreeSpace } from './disk/free-space.ts';
import { openSignatures, signatureSettings } from './embed-signatures/index.ts';
import { healthOf, succeedsWithin } from './health.ts';
import { accountsPlugin } from './identity/account-operations.ts';
import { identityPlugin } from './identity/operations.ts';
import { countJobs } from './jobs/index.ts';
import { BINARY_MEGABYTE } from './jobs/limits.ts';
import {
  type Capabilities,
  openCapabilities,
  type ProcessParts,
  type ServiceOptions,
} from './launcher-capabilities.ts';
import { careRegularly, datasourcePlugin, makeWebhooks, openDataCare } from './launcher-care.ts';
import { clearKilledUploads, inferenceCapabilities } from './launcher-inference.ts';
import {
  openModelDocuments,
  openRegistries,
  type QuerySurfaces,
  querySurfaces,
  takeBackIncompletePublications,
} from './launcher-queries.ts';
import { configuredLlm } from './llm/configured-llm.ts';
import { readSpend } from './llm/index.ts';
import { agentsPlugin } from './oauth/index.ts';
import { clearLeftovers } from './tenants/leftovers.ts';
import { tenantsPlugin } from './tenants/operations.ts';
import { TenantAdministration } from './tenants/tenant-lifecycle.ts';
import { VERSION } from './version.ts';

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
type AskCapabilities = ReturnType<typeof askDependencies>;

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
