/** Opens what answers requests: state, accounts, surfaces, router, tools of agents. No port belongs to it. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { keptCalls, mcp } from '../plugins/mcp/index.ts';
import { Announcer } from '../plugins/webhooks/index.ts';
import type { Log } from '../router/capabilities/log.ts';
import { once } from '../router/once.ts';
import { operations } from '../router/operation.ts';
import { routersOf } from '../router/plugin.ts';
import { type RestAdapterOptions, restAdapter } from '../router/rest/run-rest-call.ts';
import { collectTools } from '../router/tools/tools.ts';
import { StatementRegister } from './activity/statement-register.ts';
import { allMigrations, requireListed } from './all-migrations.ts';
import { AuditLog } from './audit/audit-log.ts';
import { configuredSecrets } from './config/secrets.ts';
import { entryPoint } from './entry-points.ts';
import { stateFile } from './home-directory/home-directory.ts';
import { MCP_PATH } from './http/mcp.ts';
import { protectedResource } from './http/protected-resource.ts';
import { LOGIN_LIMIT, openIdentity } from './identity/index.ts';
import { countJobs } from './jobs/index.ts';
import type { ServiceOptions } from './launcher-capabilities.ts';
import { type Surfaces, surfaces } from './launcher-surfaces.ts';
import { AGENT_SCOPES, openAgentAuthorization } from './oauth/index.ts';
import { oidcSettings, openOidc, signInWay } from './oidc/index.ts';
import { placeExampleSkills } from './skills/place-examples.ts';
import { openState } from './state/index.ts';
import { Metrics } from './telemetry/metrics.ts';
import { observers } from './telemetry/observers.ts';
import type { Tracing } from './telemetry/traces.ts';
import { isTracingEnabled } from './telemetry/tracing-enabled.ts';
import { VERSION } from './version.ts';

const DAY_MS = 86_400_000;

/**
 * Opens all parts that answer requests, without a listener.
 *
 * @param port the bound port of a process that listens
 */
export async function openService(options: ServiceOptions, port?: number) {
  const { home, config, log } = options;
  const closing: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const part of closing.toReversed()) await part();
  };
  try {
    log.hide(configuredSecrets(config, options.environment));
    const clock = Date.now;
    const oidcGiven = oidcSettings(config, MCP_PATH);
    const state = await openState({
      url: config['service.state.url'] || undefined,
      sqliteFile: stateFile(home),
      poolSize: config['service.state.poolSize'],
      log,
    });
    closing.push(() => state.close());
    await state.migrate(allMigrations, { isAll: true });
    options.onStep?.('state');
    const oidc = oidcGiven === undefined ? undefined : openOidc(oidcGiven, { state, clock, log });
    const agentAuthorization = openAgentAuthorization(config, MCP_PATH, { state, clock, port });
    const identity = await openIdentity({
      state,
      clock,
      log,
      accessTokens: oidc?.accessTokens ?? (agentAuthorization && (() => agentAuthorization.tokens)),
      maxSessions: config['service.login.maxSessions'],
      loginLimit: { ...LOGIN_LIMIT, failures: config['service.login.maxFailures'] },
    });
    placeExampleSkills({
      examples: fileURLToPath(options.exampleSkillsDirectory),
      directory: home.skills,
      dataDirectory: home.data,
      log,
    });
    options.onStep?.('accounts');
    const metrics = new Metrics();
    const tracing = await tracingOf(options);
    if (tracing !== undefined) closing.push(() => tracing.close());
    const audit = new AuditLog({
      state,
      clock: Date.now,
      log,
      keepMs: config['service.audit.retentionDays'] * DAY_MS,
      tenantsAmong: (ids) => identity.tenants.among(ids),
      isAccount: async (tenant, name) =>
        tenant !== undefined && (await identity.users.find(tenant, name)) !== undefined,
    });
    closing.push(() => audit.close());
    const statements = new StatementRegister({
      state,
      clock,
      log,
      slowMs: config['service.query.slowMilliseconds'],
    });
    closing.push(() => statements.close());
    const events = new Announcer({ state, clock: Date.now, log });
    closing.push(() => events.flush());
    const observer = observers([tracing, metrics, audit, statements, events]);
    const singleSignOn = await oidc?.signIn(identity);
    const made = await surfaces(options, {
      state,
      identity,
      observer,
      metrics,
      audit,
      events,
      statements,
      singleSignOn: signInWay(singleSignOn),
      agentAuthorization,
    });
    options.onStep?.('surfaces and datasource folders');
    metrics.watch({ version: VERSION, cache: made.cache, jobs: () => countJobs(state), audit });
    closing.push(made.close);
    requireListed(made.plugins);

    const router = appRouter(made.plugins);
    const onError = errorLog(log);
    const adapter = restAdapter({ router, plugins: made.plugins, onError });
    // Its library and the schemas of its tools are for agents only, so the first one loads them.
    const pageScript = once(() => readFile(entryPoint('chat-answer').module, 'utf8'));
    const agents = once(async () => {
      const tools = collectTools({ router, routes: adapter.routes, onError });
      const calls = keptCalls(state, clock);
      const { pictures } = made;
      const endpoint = await mcp({ tools, skills: made.skills, calls, pictures, pageScript, version: VERSION, log });
      closing.push(() => endpoint.close());
      return endpoint;
    });
    options.onStep?.('routes');
    return {
      state,
      identity,
      made,
      router,
      adapter,
      agents,
      metrics,
      tracing,
      observer,
      oidc,
      agentAuthorization,
      singleSignOn,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

export type OpenService = Awaited<ReturnType<typeof openService>>;

/** Publishes where agents get access tokens for the MCP endpoint; `undefined` where they get none. */
export function resourceOf({ oidc, agentAuthorization }: OpenService) {
  if (oidc !== undefined) {
    const { publicUrl, issuer, scopes } = oidc.settings;
    const names = scopes.split(/\s+/).filter((scope) => scope !== '');
    return protectedResource({ addresses: [publicUrl], issuer, scopes: names }, MCP_PATH);
  }
  if (agentAuthorization === undefined) return undefined;
  return protectedResource({ addresses: agentAuthorization.addresses, scopes: AGENT_SCOPES }, MCP_PATH);
}

/** Opens tracing to the configured collector; loads no library where none is configured. */
async function tracingOf({ config, environment }: ServiceOptions): Promise<Tracing | undefined> {
  const endpoint = config['service.telemetry.endpoint'];
  if (!isTracingEnabled(endpoint, environment)) return undefined;
  const { openTracing } = await import('./telemetry/traces.ts');
  return openTracing(endpoint, VERSION);
}

/** Logs failures: internal errors as errors, outside failures with their cause. */
function errorLog(log: Log): RestAdapterOptions['onError'] {
  return (route, error, { requestId }) => {
    const fields = { operation: route.procedure, requestId, err: error.cause ?? error };
    if (error.kind === 'INTERNAL') log.error(fields, 'an operation failed');
    else if (error.cause !== undefined) log.warn(fields, error.message);
  };
}

function appRouter(plugins: Surfaces['plugins']) {
  return operations(routersOf(plugins));
}

/** The router of all surfaces, which types the typed client. */
export type AppRouter = ReturnType<typeof appRouter>;
