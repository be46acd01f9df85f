/** Opens the shared capabilities of a process's surfaces: files, warehouses, the cache, jobs and threads. */
import { availableParallelism } from 'node:os';
import type { AnalyticsResult, AnalyticsTask } from '../plugins/analytics/index.ts';
import type { EngineMessage, ScriptOutcome, ScriptTask, ServableSchema } from '../plugins/cube/index.ts';
import type { InferenceResult, InferenceTask, MadeModels, ModelsToMake } from '../plugins/inference/index.ts';
import type { SqlTextResult, SqlTextTask } from '../plugins/query-surface/index.ts';
import type { EditResult, EditTask, SqlResult, SqlTask, YamlResult } from '../plugins/semantic/index.ts';
import type { OthersNeeded, PaperTask, WorkbookTask } from '../router/capabilities/answer-files.ts';
import type { PictureResult, PictureTask } from '../router/capabilities/answer-pictures.ts';
import type { TenantId } from '../router/capabilities/identity.ts';
import type { Llm } from '../router/capabilities/llm.ts';
import type { Log } from '../router/capabilities/log.ts';
import type { Observer } from '../router/capabilities/observer.ts';
import type { Vault } from '../router/capabilities/vault.ts';
import type { Events } from '../router/capabilities/webhooks.ts';
import { withOpenPassword } from '../router/sealed-password.ts';
import type { StatementRegister } from './activity/statement-register.ts';
import type { AuditLog } from './audit/audit-log.ts';
import { openCache } from './cache/cache.ts';
import { jobSettings } from './config/job-settings.ts';
import type { Config } from './config/settings.ts';
import { warehouseSettings } from './config/warehouse-settings.ts';
import { entryPoint } from './entry-points.ts';
import { type Home, keptResultsDirectory, stateFile } from './home-directory/home-directory.ts';
import { ownFiles } from './home-directory/protected-files.ts';
import { DEFAULT_TENANT, type Identity } from './identity/index.ts';
import type { SignInWay } from './identity/operations.ts';
import { openJobs } from './jobs/index.ts';
import type { AgentAuthorization } from './oauth/index.ts';
import { openRepository } from './repository/index.ts';
import type { StateStore } from './state/index.ts';
import type { Metrics } from './telemetry/metrics.ts';
import { TenantFolders } from './tenants/tenant-folders.ts';
import { homeVault } from './vault/vault.ts';
import { VERSION } from './version.ts';
import { openWarehouses } from './warehouse/index.ts';
import { NetworkGuard } from './warehouse/network-guard.ts';
import { KeptResults } from './workers/kept-results.ts';
import { ThreadPool } from './workers/thread-pool.ts';
import { threadOf } from './workers/worker-thread.ts';

/** The installation that the server or a command opens. */
export interface ServiceOptions {
  readonly home: Home;
  readonly config: Config;
  readonly log: Log;
  /** Contains the API keys of language models and of the payment processor. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The folder of example skills for a new home. */
  readonly exampleSkillsDirectory: URL;
  /** Called when a step of the start ends, with its name. */
  readonly onStep?: ((step: string) => void) | undefined;
  /** Takes the place of the configured language model. */
  readonly languageModel?: ((configured: Llm | undefined) => Llm | undefined) | undefined;
}

/** The parts of the process that are open before the surfaces. */
export interface ProcessParts {
  readonly state: StateStore;
  readonly identity: Identity;
  readonly observer: Observer;
  readonly metrics: Metrics;
  readonly audit: AuditLog;
  readonly events: Events;
  readonly statements: StatementRegister;
  readonly singleSignOn: SignInWay | undefined;
  /** Signs agents in; `undefined` where an identity provider does, or nobody. */
  readonly agentAuthorization: AgentAuthorization | undefined;
}

const MAX_ANALYTICS_THREADS = 8;
/** Threads for the cubes of all tenants. */
const MAX_CUBE_THREADS = 4;
/** The time after which a thread with the SQL parser ends, in milliseconds. It has 115 MiB. */
const SQL_IDLE_MS = 1_000;

/** Opens the capabilities of the surfaces, and renames tenants' folders of an earlier version. */
export async function openCapabilities(options: ServiceOptions, parts: ProcessParts) {
  const { home, config, log } = options;
  const { identity, state } = parts;
  const clock = Date.now;
  const tenant = await identity.tenants.ensure(DEFAULT_TENANT);
  const folders = new TenantFolders(home, identity.tenants, tenant);
  await folders.renameThoseById();
  const vault = homeVault(home, config);
  const network = new NetworkGuard({
    allowHosts: config['service.connections.allowHosts'],
    denyHosts: config['service.connections.denyHosts'],
    // Nodes that share a database serve tenants that do not own the machine.
    isHosted: config['service.state.url'] !== '',
    ownPort: config['service.http.port'],
  });
  return {
    ...options,
    ...parts,
    clock,
    /** The default tenant: its administrators operate the installation. */
    tenant,
    folders,
    vault,
    cache: openCache({ maxBytes: config['service.cache.maxBytes'], clock }),
    network,
    warehouses: openServiceWarehouses(options, parts, vault, network),
    documents: await openRepository({
      directory: home.repository,
      defaultTenant: tenant.id,
      folderOf: (of: TenantId) => folders.nameOf(of),
    }),
    jobs: openJobs({
      state,
      clock,
      log,
      limits: jobSettings(config),
      onEnded: ({ tenant: of, user }, id, { state: ended, code }) =>
        parts.events.announce(of, ended === 'DONE' ? 'query.finished' : 'query.failed', {
          queryId: id,
          user,
          ...(code === undefined ? {} : { code }),
        }),
    }),
    threads: openThreads(),
    /** What documents were found to contain, which a later start need not find again. */
    kept: new KeptResults({ directory: keptResultsDirectory(home), version: VERSION, log }),
  };
}

export type Capabilities = Awaited<ReturnType<typeof openCapabilities>>;

function openServiceWarehouses(
  { home, config, log }: ServiceOptions,
  parts: ProcessParts,
  vault: Vault,
  network: NetworkGuard,
) {
  const { observer, metrics, statements } = parts;
  return openWarehouses({
    ...warehouseSettings(config),
    refusesFile: ownFiles([stateFile(home)]),
    opensPassword: (address) => withOpenPassword(() => vault, address),
    home: home.root,
    network,
    log,
    observer,
    statements,
    onPool: (warehouse, pool) => metrics.pool(warehouse, pool),
  });
}

/** Makes the pools of threads for work that would block the event loop; a thread starts with its first task. */
function openThreads() {
  const pool = <Task, Result>(name: Parameters<typeof entryPoint>[0], size = 1, idleMs?: number) =>
    new ThreadPool<Task, Result>({
      module: entryPoint(name).module,
      size,
      ...(idleMs === undefined ? {} : { idleMs }),
    });
  const threads = {
    analytics: pool<AnalyticsTask, AnalyticsResult>(
      'analytics-worker',
      Math.min(availableParallelism(), MAX_ANALYTICS_THREADS),
    ),
    yaml: pool<string, YamlResult>('yaml-worker'),
    sql: pool<SqlTask, SqlResult>('sql-worker', 1, SQL_IDLE_MS),
    sqlTexts: pool<SqlTextTask, SqlTextResult>('sql-text-worker', 1, SQL_IDLE_MS),
    modelEdits: pool<EditTask, EditResult>('model-edit-worker'),
    cubeSchemas: pool<string, ServableSchema>('cube-schema-worker'),
    cubeScripts: pool<ScriptTask, readonly ScriptOutcome[]>('cube-script-worker'),
    inference: pool<InferenceTask, InferenceResult>('inference-worker'),
    models: pool<ModelsToMake, MadeModels>('models-worker', 1, SQL_IDLE_MS),
    workbooks: pool<WorkbookTask, Uint8Array>('workbook-worker'),
    papers: pool<PaperTask, Uint8Array | OthersNeeded>('paper-worker'),
    pictures: pool<PictureTask, PictureResult>('picture-worker'),
  };
  return {
    ...threads,
    cubeEngines: {
      start: threadOf<EngineMessage>(entryPoint('cube-engine-worker').module),
      // One core is left for requests.
      size: Math.max(1, Math.min(availableParallelism() - 1, MAX_CUBE_THREADS)),
    },
    async close(): Promise<void> {
      for (const each of Object.values(threads)) await each.close();
    },
  };
}
