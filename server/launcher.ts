/**
 * Starts the process: opens its parts, mounts the plugins (`launcher-surfaces.ts`) in the router and the router on HTTP or
 * standard input.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TRPCError } from '@trpc/server';
import { callOperation } from '../router/call-operation.ts';
import { ADMINISTRATOR_ROLE, type TenantId, type UserCaller } from '../router/capabilities/identity.ts';
import { NotFoundError, ServiceError } from '../router/errors.ts';
import { openApiDocument } from '../router/openapi/document.ts';
import { createCallerFactory, type OperationContext } from '../router/operation.ts';
import { Reply } from '../router/reply.ts';
import { watchRestores } from './backup/notice.ts';
import { uploadSettings } from './config/warehouse-settings.ts';
import type { Showcase } from './demo/load.ts';
import { FreeSpace } from './disk/free-space.ts';
import { clearScratch, ownScratchName } from './disk/scratch.ts';
import type { EvaluatedService } from './eval/run-suite.ts';
import { healthOf, succeedsWithin } from './health.ts';
import { agentSignInRoutes } from './http/agent-sign-in.ts';
import { application } from './http/host.ts';
import { keepEmbedFiles } from './http/kept-embed-files.ts';
import { allowedHosts } from './http/mcp.ts';
import type { OpenPort } from './http/port.ts';
import { signOnRoutes } from './http/single-sign-on.ts';
import { FIRST_ADMINISTRATOR } from './identity/index.ts';
import { requireStrongAdministrators } from './identity/strong-administrators.ts';
import { BINARY_MEGABYTE } from './jobs/limits.ts';
import type { ServiceOptions } from './launcher-capabilities.ts';
import { type AppRouter, type OpenService, openService, resourceOf } from './launcher-service.ts';
import type { Surfaces } from './launcher-surfaces.ts';
import { warningsOf } from './log/log.ts';
import { clearTemporaries } from './repository/files.ts';
import { VERSION } from './version.ts';

export interface LaunchOptions extends ServiceOptions {
  /** The port of the process; this function's result stops it. */
  readonly port: OpenPort;
  /** The administrator's password, where the environment gives one. */
  readonly adminPassword: string | undefined;
  /** Folder of the built pages. */
  readonly uiDirectory: URL;
  /** Documents on the home page. */
  readonly showcase: Showcase;
  /** Paths that the start has just written into the repository; documents of the showcase among them get a public grant. */
  readonly newlyStaged: readonly string[];
}

export interface Launched {
  /** Resolves when a backup replaces the state: this process's memory then belongs to the old state. */
  readonly restored: Promise<void>;
  readonly administrator: {
    readonly name: string;
    readonly generatedPassword: string | undefined;
    readonly fromEnvironment: boolean;
  };
  stop(graceMs: number): Promise<void>;
}

/** Time that an agent on standard input waits for the datasources, in milliseconds. */
const AGENT_PATIENCE_MS = 10_000;

/** Starts the whole process behind a bound port. Rejects when a part cannot start, after closing the others. */
export async function launch(options: LaunchOptions): Promise<Launched> {
  const { config, log, adminPassword, port } = options;
  await clearScratch(options.home.data);
  await clearTemporaries(options.home.repository);
  const service = await openService(options, port.port);
  try {
    const { router, adapter, identity, agents, made, state, agentAuthorization, singleSignOn } = service;
    const resource = resourceOf(service);
    const minFreeBytes = config['service.disk.minFreeMegabytes'] * BINARY_MEGABYTE;
    const freeSpace = new FreeSpace(options.home.data, minFreeBytes);
    const uiDirectory = fileURLToPath(options.uiDirectory);
    const app = application({
      router,
      adapter,
      identity,
      mcp: {
        endpoint: { fetch: async (...call) => (await agents()).fetch(...call) },
        allowedHosts: allowedHosts(config),
        metadataUrl: resource?.metadataUrl,
        isOpenToPages: agentAuthorization !== undefined,
      },
      signOn: [
        ...(singleSignOn === undefined ? [] : [signOnRoutes(singleSignOn, identity)]),
        ...(resource === undefined ? [] : [resource.routes]),
        ...(agentAuthorization === undefined ? [] : [agentSignInRoutes(agentAuthorization)]),
      ],
      openApi: () =>
        openApiDocument(adapter.routes, {
          title: 'service',
          version: VERSION,
          description: 'Typed questions about a warehouse, and what embeds of the answers read.',
          basePath: config['service.http.basePath'],
        }),
      health: () => healthOf(state, made.registries, freeSpace),
      log,
      metrics: {
        metrics: service.metrics,
        readers: config['service.metrics.readers'],
        token: config['service.metrics.token'],
        operators: made.tenant.id,
      },
      traces: service.tracing?.requests,
      observer: service.observer,
      uiDirectory,
      keptElements: keepEmbedFiles(uiDirectory, join(options.home.data, 'element')),
      mapDirectory: options.home.maps,
      uploads: {
        ...uploadSettings(config),
        directory: join(options.home.data, 'uploads', ownScratchName()),
        freeSpace,
      },
      maxBodyBytes: config['service.http.maxBodyBytes'],
      trustProxy: config['service.http.trustProxy'],
      basePath: config['service.http.basePath'],
      showcase: options.showcase,
    });
    // This is the last step that can fail: only a successful start shows a generated password, once.
    const administrator = await identity.ensureAdministrator(adminPassword);
    await requireStrongAdministrators(identity.users, config['service.http.host']);
    await grantShowcase(router, made.tenant.id, options);
    let tellRestored = (): void => undefined;
    const restored = new Promise<void>((resolve) => {
      tellRestored = resolve;
    });
    const stopWatching = await watchRestores(state, tellRestored);
    port.serve(app);
    options.onStep?.('host, first request can be answered');
    if (options.onStep !== undefined) noteLoaded(made.registries, made.tenant.id, options.onStep);
    made.takeOverJobs();
    return {
      restored,
      administrator: {
        name: FIRST_ADMINISTRATOR,
        generatedPassword: administrator.generatedPassword,
        fromEnvironment: adminPassword !== undefined,
      },
      async stop(graceMs) {
        stopWatching();
        await Promise.all([port.stop(graceMs), made.endJobs(graceMs)]);
        await service.close();
      },
    };
  } catch (error) {
    await service.close();
    throw error;
  }
}

/**
 * Serves the agent tools over standard input and output, as a user of the home. Resolves when the tools can be called.
 *
 * @throws NotFoundError when the home has no such tenant or user
 */
export async function launchStdio(
  options: ServiceOptions,
  {
    tenant: tenantName,
    user,
    isStructured,
    isFlat,
  }: { readonly tenant: string; readonly user: string; readonly isStructured: boolean; readonly isFlat: boolean },
): Promise<{ stop(): Promise<void> }> {
  const service = await openService(options);
  try {
    const { made, agents } = service;
    const caller = await callerOf(service, tenantName, user);
    // The first list of an agent should be complete, but a slow warehouse does not delay the agent.
    const { whenLoaded } = await made.registries.of(caller.tenant);
    await succeedsWithin(AGENT_PATIENCE_MS, whenLoaded);
    const connection = (await agents()).serveStdio({
      caller: { ...ownContext(caller, 'stdio'), observer: service.observer },
      isStructured,
      isFlat,
    });
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

/** Notes the time when the datasources of the first tenant are loaded, or have failed. */
function noteLoaded(registries: Surfaces['registries'], tenant: TenantId, onStep: (step: string) => void): void {
  registries
    .of(tenant)
    .then(({ whenLoaded }) => whenLoaded)
    .then(
      () => onStep('datasources, every query can be answered'),
      () => onStep('datasources, some of which failed'),
    );
}

/** The user who asks in an evaluation, and the model that is asked. */
export interface Evaluated {
  readonly tenant: string;
  readonly user: string;
  readonly connection: string;
  readonly model: string;
}

/**
 * Opens a home to ask a semantic model questions, as a user of the home.
 *
 * @throws NotFoundError when the home has no such tenant, user or model
 */
export async function openEvaluated(
  options: ServiceOptions,
  { tenant, user, connection, model }: Evaluated,
): Promise<EvaluatedService & { stop(): Promise<void> }> {
  const { call, whenLoaded, stop } = await openAs(options, { tenant, user });
  try {
    await whenLoaded();
    await call('semantic.schema', 'query', { connection, model, samples: false });
    return {
      ask: (question) => call('semanticAsk.ask', 'mutation', { connection, model, question }),
      query: (request) => call('semantic.query', 'mutation', { ...request, connection, model }),
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** The operations of a home, called as one of its users. */
export interface OwnOperations {
  /** Calls an operation by its path: `semantic.query`. @throws ServiceError */
  call(procedure: string, type: 'query' | 'mutation', input: object): Promise<unknown>;
  /** Resolves when the datasources are loaded, or have failed. */
  whenLoaded(): Promise<void>;
  stop(): Promise<void>;
}

/**
 * Opens a home for one command, which calls operations as a user of the home. A server on the same home is not disturbed.
 *
 * @throws NotFoundError when the home has no such tenant or user
 */
export async function openAs(
  options: ServiceOptions,
  { tenant, user }: { readonly tenant: string; readonly user: string },
): Promise<OwnOperations> {
  const service = await openService({ ...options, log: warningsOf(options.log) });
  try {
    const caller = await callerOf(service, tenant, user);
    const context = { ...ownContext(caller, 'command'), observer: service.observer };
    return {
      call: (procedure, type, input) =>
        callOperation({ router: service.router, procedure, type, readInput: () => input, context, signal: undefined }),
      async whenLoaded() {
        const { whenLoaded } = await service.made.registries.of(caller.tenant);
        // The registry logs a failure, and the datasource is then missing.
        await whenLoaded.catch(() => undefined);
      },
      stop: () => service.close(),
    };
  } catch (error) {
    await service.close();
    throw error;
  }
}

/** @throws NotFoundError when the home has no such tenant or user */
async function callerOf({ identity }: OpenService, tenantName: string, user: string): Promise<UserCaller> {
  const tenant = await identity.tenants.find(tenantName);
  if (tenant === undefined)
    throw new NotFoundError(`This home has no tenant ${tenantName}; \`service tenant list\` names them.`);
  const account = await identity.users.findActive(tenant.id, user);
  if (account === undefined)
    throw new NotFoundError(`This home has no user ${user}; \`service user list\` names them.`);
  return { kind: 'user', via: 'api-key', tenant: tenant.id, user, roles: account.roles };
}

/** Makes the demo's new documents on the home page public. Does not renew a revoked grant. */
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
    // Any visitor could spend the budget of an ask box, so the page uses a signed-in user's token.
    if (kind === 'ai' || !newlyStaged.includes(path)) continue;
    try {
      await caller.embed.createGrant({ resourceKind: kind, resourcePath: path, label: 'demo' });
    } catch (error) {
      // Such as a document that another user has just created; the rest of the product does not depend on it.
      if (!(error instanceof TRPCError && error.cause instanceof ServiceError)) throw error;
      log.warn({ path, err: error.cause }, 'a document of the demo was not made public');
    }
  }
}

/** Makes the context of this process's own calls as a user, without a request. */
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
