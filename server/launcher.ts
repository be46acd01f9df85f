/**
 * The one file that knows everybody: builds the capabilities, makes the plugins from them, mounts the plugins in the
 * router and the router on HTTP. Adding a surface is one line in `surfaces`.
 */
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TRPCError } from '@trpc/server';
import type { AnalyticsResult, AnalyticsTask } from '../plugins/analytics/index.ts';
import { ask } from '../plugins/ask/index.ts';
import { billing } from '../plugins/billing/index.ts';
import { cube, type ServableSchema } from '../plugins/cube/index.ts';
import { DatasourceBoard, datasources, openDatasources } from '../plugins/datasources/index.ts';
import { embed, endEmbedsOfDocument } from '../plugins/embed/index.ts';
import { designer, type InferenceResult, type InferenceTask, inference } from '../plugins/inference/index.ts';
import { mcp } from '../plugins/mcp/index.ts';
import { repository } from '../plugins/repository/index.ts';
import { semantic, type YamlResult } from '../plugins/semantic/index.ts';
import { skills } from '../plugins/skills/index.ts';
import { ADMINISTRATOR_ROLE, type TenantId, type UserCaller } from '../router/capabilities/identity.ts';
import type { Log } from '../router/capabilities/log.ts';
import { NotFoundError, ServiceError } from '../router/errors.ts';
import { openApiDocument } from '../router/openapi/document.ts';
import { createCallerFactory, type OperationContext, operations } from '../router/operation.ts';
import { routersOf } from '../router/plugin.ts';
import { Reply } from '../router/reply.ts';
import { type RestAdapterOptions, restAdapter } from '../router/rest/adapter.ts';
import { collectTools } from '../router/tools/tools.ts';
import { configuredProcessor } from './billing/configured.ts';
import { openCache } from './cache/cache.ts';
import type { Config } from './config/settings.ts';
import { askSettings, cubeSettings, rateSettings, semanticSettings } from './config/surface-settings.ts';
import { fileImportSettings, warehouseSettings } from './config/warehouse-settings.ts';
import type { Showcase } from './demo/load.ts';
import { openFileImport } from './file-import/file-import.ts';
import { answers, healthOf, within } from './health.ts';
import { type Home, stateFile, withinHome } from './home-directory/home-directory.ts';
import { application } from './http/host.ts';
import { allowedHosts } from './http/mcp.ts';
import type { OpenPort } from './http/port.ts';
import {
  DEFAULT_TENANT,
  FIRST_ADMINISTRATOR,
  type Identity,
  identityMigrations,
  LOGIN_LIMIT,
  openIdentity,
} from './identity/index.ts';
import { identityPlugin } from './identity/operations.ts';
import { requireStrongAdministrators } from './identity/reachable.ts';
import { jobMigrations, openJobs } from './jobs/index.ts';
import { configuredLlm } from './llm/configured.ts';
import { llmMigrations } from './llm/index.ts';
import { openRepository } from './repository/index.ts';
import { placeExampleSkills } from './skills/place-examples.ts';
import { openState, type StateStore } from './state/index.ts';
import { openVault, vaultKey } from './vault/vault.ts';
import { VERSION } from './version.ts';
import { openWarehouses } from './warehouse/index.ts';
import { isBelow, isFileOutside, ownFiles } from './warehouse/own-files.ts';
import { ThreadPool } from './workers/thread-pool.ts';

/** What the surfaces are opened with, whoever serves them. */
export interface ServiceOptions {
  readonly home: Home;
  readonly config: Config;
  readonly log: Log;
  /** Where the API keys of language models stand. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Where the example skills are that a new home gets. */
  readonly exampleSkillsDirectory: URL;
}

export interface LaunchOptions extends ServiceOptions {
  /** Where the process answers; it is this function's to stop once it has returned. */
  readonly port: OpenPort;
  /** The administrator's password, where the environment gives one. */
  readonly adminPassword: string | undefined;
  /** Where the built pages are. */
  readonly uiDirectory: URL;
  /** Documents that the home page shows. */
  readonly showcase: Showcase;
  /** Paths that were put into the repository just now; those of the showcase get a public grant. */
  readonly newlyStaged: readonly string[];
}

export interface Launched {
  readonly administrator: {
    readonly name: string;
    readonly generatedPassword: string | undefined;
    readonly fromEnvironment: boolean;
  };
  stop(graceMs: number): Promise<void>;
}

/** How long an agent on standard input waits for the datasources before it is answered, in milliseconds. */
const AGENT_PATIENCE_MS = 10_000;

/** Starts the whole process behind a port that is bound already. Rejects, with its parts closed again, when one cannot start. */
export async function launch(options: LaunchOptions): Promise<Launched> {
  const { config, log, adminPassword, port } = options;
  const service = await openService(options);
  try {
    const { router, adapter, identity, agents, made, state } = service;
    const app = application({
      router,
      adapter,
      identity,
      mcp: { endpoint: agents, allowedHosts: allowedHosts(config) },
      openApi: openApiDocument(adapter.routes, {
        title: 'service',
        version: VERSION,
        description: 'Typed questions about a warehouse, and what embeds of the answers read.',
      }),
      health: () => healthOf(state, made.registry),
      log,
      uiDirectory: fileURLToPath(options.uiDirectory),
      uploadDirectory: join(options.home.data, 'uploads'),
      maxUploadBytes: config['service.inference.maxUploadMb'] * 1_048_576,
      maxBodyBytes: config['service.http.maxBodyBytes'],
      trustProxy: config['service.http.trustProxy'],
      showcase: options.showcase,
    });
    // Last of all that may fail: a generated password is shown once, by a start that succeeded.
    const administrator = await identity.ensureAdministrator(adminPassword);
    await requireStrongAdministrators(identity.users, config['service.http.host']);
    await grantShowcase(router, made.tenant.id, options);
    port.serve(app);
    return {
      administrator: {
        name: FIRST_ADMINISTRATOR,
        generatedPassword: administrator.generatedPassword,
        fromEnvironment: adminPassword !== undefined,
      },
      async stop(graceMs) {
        await port.stop(graceMs);
        await service.close();
      },
    };
  } catch (error) {
    await service.close();
    throw error;
  }
}

/**
 * Serves the agent tools over standard input and output, in the name of a user of the home. Resolves when the tools can
 * be called.
 *
 * @throws NotFoundError when the home has no such user
 */
export async function launchStdio(options: ServiceOptions, user: string): Promise<{ stop(): Promise<void> }> {
  const service = await openService(options);
  try {
    const { identity, made, agents } = service;
    const account = await identity.users.find(made.tenant.id, user);
    if (account === undefined)
      throw new NotFoundError(`This home has no user ${user}; \`service user list\` names them.`);
    // So that the first list an agent asks for is whole; a warehouse that is slow to answer does not hold up the agent.
    await within(AGENT_PATIENCE_MS, made.registry.whenLoaded);
    const caller: UserCaller = {
      kind: 'user',
      via: 'api-key',
      tenant: made.tenant.id,
      user,
      roles: account.roles,
    };
    const connection = agents.serveStdio(ownContext(caller, 'stdio'));
    return {
      async stop() {
        await connection.close();
        await service.close();
      },
    };
  } catch (error) {
    await service.close();
    throw error;
  }
}

/** Everything that answers questions, without what listens. */
async function openService(options: ServiceOptions) {
  const { home, config, log } = options;
  const closing: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const part of closing.toReversed()) await part();
  };
  try {
    const state = await openState({
      url: config['service.state.url'] || undefined,
      sqliteFile: stateFile(home),
      log,
    });
    closing.push(() => state.close());
    await state.migrate({ identity: identityMigrations, jobs: jobMigrations, llm: llmMigrations });
    const identity = await openIdentity({
      state,
      clock: Date.now,
      log,
      loginLimit: { ...LOGIN_LIMIT, failures: config['service.login.maxFailures'] },
    });
    placeExampleSkills({
      examples: fileURLToPath(options.exampleSkillsDirectory),
      directory: home.skills,
      dataDirectory: home.data,
      log,
    });
    const made = await surfaces(options, state, identity);
    closing.push(made.close);
    await state.migrate(Object.fromEntries(made.plugins.map(({ name, migrations }) => [name, migrations ?? {}])));

    const router = appRouter(made.plugins);
    const onError = errorLog(log);
    const adapter = restAdapter({ router, plugins: made.plugins, onError });
    const agents = mcp({
      tools: collectTools({ router, routes: adapter.routes, onError }),
      skills: made.skills,
      version: VERSION,
      log,
    });
    closing.push(() => agents.close());
    return { state, identity, made, router, adapter, agents, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The modules of worker threads: built files beside this one, or, in tests, their sources. */
const FROM_SOURCE = import.meta.url.endsWith('.ts');
const ANALYTICS_WORKER = new URL(
  FROM_SOURCE ? '../plugins/analytics/worker.ts' : './analytics-worker.mjs',
  import.meta.url,
);
const YAML_WORKER = new URL(FROM_SOURCE ? '../plugins/semantic/yaml-worker.ts' : './yaml-worker.mjs', import.meta.url);
const CUBE_SCHEMA_WORKER = new URL(
  FROM_SOURCE ? '../plugins/cube/schema-worker.ts' : './cube-schema-worker.mjs',
  import.meta.url,
);
const INFERENCE_WORKER = new URL(
  FROM_SOURCE ? '../plugins/inference/work/worker.ts' : './inference-worker.mjs',
  import.meta.url,
);
const MAX_ANALYTICS_THREADS = 8;

/** The surfaces, each a function of the capabilities it needs. */
async function surfaces({ home, config, log, environment }: ServiceOptions, state: StateStore, identity: Identity) {
  const clock = Date.now;
  const tenant = await identity.tenants.ensure(DEFAULT_TENANT);
  const cache = openCache({ maxBytes: config['service.cache.maxBytes'], clock });
  const warehouses = openWarehouses({
    ...warehouseSettings(config),
    refusesFile: ownFiles([stateFile(home)]),
    home: home.root,
    log,
  });
  const documents = await openRepository({ directory: home.repository, defaultTenant: tenant.id });
  const jobs = openJobs({ state, clock, log });
  const analytics = new ThreadPool<AnalyticsTask, AnalyticsResult>({
    module: ANALYTICS_WORKER,
    size: Math.min(availableParallelism(), MAX_ANALYTICS_THREADS),
  });
  const yaml = new ThreadPool<string, YamlResult>({ module: YAML_WORKER, size: 1 });
  const cubeSchemas = new ThreadPool<string, ServableSchema>({ module: CUBE_SCHEMA_WORKER, size: 1 });
  const inferenceThreads = new ThreadPool<InferenceTask, InferenceResult>({ module: INFERENCE_WORKER, size: 1 });
  const states = new DatasourceBoard();
  const semanticSurface = semantic({
    warehouses,
    cache,
    jobs,
    log,
    clock,
    states,
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
    states,
    settings: cubeSettings(config),
    analytics,
    schemas: cubeSchemas,
  });
  const sources = [semanticSurface.source, cubeSurface.source];
  const askSources = [semanticSurface.askSource, cubeSurface.askSource];
  const registry = await openDatasources({
    directory: home.datasources,
    loaders: [semanticSurface.loader, cubeSurface.loader],
    log,
    clock,
    supportedPrefixes: warehouses.supported,
    board: states,
    probe: (address) => answers(warehouses, address),
    refusesDocument: (path) => isBelow(path, home.data),
  });
  const skillsSurface = skills({ directory: home.skills, clock });
  const asking = {
    llm: configuredLlm({ config, environment, state, clock, log }),
    skills: skillsSurface.folder,
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
    vault: openVault(vaultKey(config['service.secrets.key'], join(home.data, 'secrets.key'))),
    state,
    clock,
    log,
    directory: join(home.data, 'uploads'),
    registry,
    datasources: home.datasources,
    repository: documents,
    owner: tenant.id,
    refusesLocation: (jdbcUrl: string, of: TenantId) =>
      isFileOutside(jdbcUrl, of === tenant.id ? home.data : join(home.data, of), home.root),
    uploads: uploadFolder(home, tenant.id),
  };
  const plugins = [
    identityPlugin(identity),
    semanticSurface.plugin,
    cubeSurface.plugin,
    repository({
      repository: documents,
      sources,
      askSources,
      onRemoved: (of, document) => endEmbedsOfDocument(state, clock, of, document),
    }),
    embed({ state, repository: documents, sources, askSources, asking, accounts: identity.users, clock, log }),
    datasources({
      registry,
      refusesLocation: (jdbcUrl) => isFileOutside(jdbcUrl, home.data, home.root),
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
    skills: skillsSurface.folder,
    tenant,
    registry,
    async close() {
      await jobs.close();
      await analytics.close();
      await yaml.close();
      await cubeSchemas.close();
      await inferenceThreads.close();
      await registry.close();
      await cubeSurface.close();
      await warehouses.close();
    },
  };
}

/** Databases of uploaded files lie below the data folder, those of other tenants than the first in folders of their own. */
function uploadFolder({ root, data }: ServiceOptions['home'], owner: TenantId) {
  return {
    directoryOf: (tenant: TenantId) => join(tenant === owner ? data : join(data, tenant), 'imports'),
    locationOf: (file: string) => withinHome(root, file),
    fileOf: (location: string) => resolve(root, location),
  };
}

/** Logs what failed: bugs as errors, what went wrong outside with its cause. */
function errorLog(log: Log): RestAdapterOptions['onError'] {
  return (route, error, { requestId }) => {
    const fields = { operation: route.procedure, requestId, err: error.cause ?? error };
    if (error.kind === 'INTERNAL') log.error(fields, 'an operation failed');
    else if (error.cause !== undefined) log.warn(fields, error.message);
  };
}

type Plugins = Awaited<ReturnType<typeof surfaces>>['plugins'];

function appRouter(plugins: Plugins) {
  return operations(routersOf(plugins));
}

/** The router of all surfaces: what the typed client is made of. */
export type AppRouter = ReturnType<typeof appRouter>;

/** Lets anybody see what the demo has just put on the home page. A grant that was revoked later is not made again. */
async function grantShowcase(
  router: AppRouter,
  tenant: TenantId,
  { showcase, newlyStaged, log }: LaunchOptions,
): Promise<void> {
  const administrator: UserCaller = {
    kind: 'user',
    via: 'api-key',
    tenant,
    user: FIRST_ADMINISTRATOR,
    roles: [ADMINISTRATOR_ROLE],
  };
  const caller = createCallerFactory(router)(ownContext(administrator, 'start'));
  for (const { kind, path } of showcase) {
    // Everybody could spend the budget of an ask box: the page takes a token for who is signed in.
    if (kind === 'ai' || !newlyStaged.includes(path)) continue;
    try {
      await caller.embed.createGrant({ resourceKind: kind, resourcePath: path, label: 'demo' });
    } catch (error) {
      // Such as one that another user has made meanwhile; the rest of the product does not depend on it.
      if (!(error instanceof TRPCError && error.cause instanceof ServiceError)) throw error;
      log.warn({ path, err: error.cause }, 'a document of the demo was not made public');
    }
  }
}

/** The context of calls that this process makes in somebody's name, without a request. */
function ownContext(caller: UserCaller, requestId: string): OperationContext {
  return {
    caller,
    csrfVerified: true,
    jsonBody: true,
    embedToken: undefined,
    address: '127.0.0.1',
    secure: true,
    requestId,
    cookies: {},
    reply: new Reply(),
  };
}
