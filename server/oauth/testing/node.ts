/** A server that signs agents in itself, on a test's state, with an MCP endpoint that answers its caller. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Observer, OperationActivity } from '../../../router/capabilities/observer.ts';
import { openApiDocument } from '../../../router/openapi/document.ts';
import { operations } from '../../../router/operation.ts';
import { routersOf } from '../../../router/plugin.ts';
import { restAdapter } from '../../../router/rest/run-rest-call.ts';
import { keptLog } from '../../../router/testing/kept-log.ts';
import { toServiceError } from '../../../router/to-service-error.ts';
import { readConfig } from '../../config/read-config.ts';
import { uploadSettings } from '../../config/warehouse-settings.ts';
import { FreeSpace } from '../../disk/free-space.ts';
import { agentSignInRoutes } from '../../http/agent-sign-in.ts';
import { application } from '../../http/host.ts';
import { allowedHosts, MCP_PATH } from '../../http/mcp.ts';
import { openPort } from '../../http/port.ts';
import { protectedResource } from '../../http/protected-resource.ts';
import { type Identity, identityMigrations, openIdentity } from '../../identity/index.ts';
import { identityPlugin } from '../../identity/operations.ts';
import { CHEAP } from '../../identity/testing/fixture.ts';
import type { StateFixture } from '../../state/testing/engines.ts';
import {
  AGENT_SCOPES,
  type AgentAuthorization,
  agentsPlugin,
  oauthMigrations,
  openAgentAuthorization,
} from '../index.ts';

export interface AgentNode {
  /** The address of the server with its base path. */
  readonly url: string;
  readonly authorization: AgentAuthorization;
  readonly identity: Identity;
  /** The observed operations: name, outcome, tenant and user that it ran as, and its input. */
  readonly observed: readonly {
    readonly operation: string;
    readonly outcome: string;
    readonly owner: string | undefined;
    readonly input: unknown;
  }[];
  stop(): Promise<void>;
}

/** Serves a node on a free port of loopback, with the user `ann` of the default tenant. */
export async function serveAgentNode(
  state: StateFixture,
  password: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<AgentNode> {
  const folder = mkdtempSync(join(tmpdir(), 'service-oauth-'));
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>home</title>');
  const basePath = settings['service.http.basePath'] ?? '';
  const port = await openPort('127.0.0.1', 0, basePath);
  const { config } = readConfig({ properties: '', environment: {}, overrides: settings });
  const log = keptLog();
  const store = await state.open({ identity: identityMigrations, oauth: oauthMigrations });
  const deps = { state: store, clock: () => Date.now() };
  const authorization = openAgentAuthorization(config, MCP_PATH, { ...deps, port: port.port });
  if (authorization === undefined) throw new Error('the authorization is off');
  const identity = await openIdentity({ ...deps, log, hashCost: CHEAP, accessTokens: () => authorization.tokens });
  const tenant = await identity.tenants.ensure('default');
  await identity.users.add({ tenant: tenant.id, name: 'ann', password });
  const plugins = [
    identityPlugin(identity),
    agentsPlugin({ authorization, users: identity.users, hasProvider: false }),
  ];
  const router = operations(routersOf(plugins));
  const adapter = restAdapter({ router, plugins, onError: () => {} });
  const resource = protectedResource({ addresses: authorization.addresses, scopes: AGENT_SCOPES }, MCP_PATH);
  const observed: AgentNode['observed'][number][] = [];
  const note = async (activity: OperationActivity, outcome: string): Promise<void> => {
    const { operation, owner } = activity;
    observed.push({ operation, outcome, owner: owner?.user, input: await activity.input() });
  };
  const observer: Observer = {
    async around(activity, work) {
      if (activity.kind !== 'operation') return work();
      try {
        const result = await work();
        await note(activity, 'OK');
        return result;
      } catch (error) {
        const { code, kind } = toServiceError(error);
        await note(activity, code ?? kind);
        throw error;
      }
    },
    ended(activity) {
      void note(activity, 'OK');
    },
  };
  port.serve(
    application({
      router,
      adapter,
      identity,
      mcp: {
        endpoint: {
          fetch: async (_request, { caller }) =>
            Response.json(caller.kind === 'user' ? { user: caller.user, scopes: caller.scopes ?? null } : {}),
        },
        allowedHosts: allowedHosts(config),
        metadataUrl: resource.metadataUrl,
        isOpenToPages: true,
      },
      signOn: [resource.routes, agentSignInRoutes(authorization)],
      openApi: () => openApiDocument(adapter.routes, { title: 't', version: '1', description: '' }),
      health: async () => ({ missing: [], degraded: [] }),
      log,
      observer,
      uiDirectory: folder,
      uploads: { ...uploadSettings(config), directory: join(folder, 'uploads'), freeSpace: new FreeSpace(folder, 0) },
      maxBodyBytes: 4_096,
      trustProxy: config['service.http.trustProxy'],
      basePath,
      showcase: [],
    }),
  );
  return {
    url: `http://127.0.0.1:${port.port}${basePath}`,
    authorization,
    identity,
    observed,
    async stop() {
      await port.stop(0);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
