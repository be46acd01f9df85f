/** A node of the service with single sign-on, on a test's state. */
import { join } from 'node:path';
import { standardErrorFormat } from '../../../router/error-body.ts';
import { openApiDocument } from '../../../router/openapi/document.ts';
import { operation, operations } from '../../../router/operation.ts';
import { plugin, routersOf } from '../../../router/plugin.ts';
import { restAdapter } from '../../../router/rest/run-rest-call.ts';
import { type KeptLog, keptLog } from '../../../router/testing/kept-log.ts';
import { readConfig } from '../../config/read-config.ts';
import type { Config } from '../../config/settings.ts';
import { uploadSettings } from '../../config/warehouse-settings.ts';
import { FreeSpace } from '../../disk/free-space.ts';
import { application } from '../../http/host.ts';
import { MCP_PATH, type McpBinding } from '../../http/mcp.ts';
import { type OpenPort, openPort } from '../../http/port.ts';
import { protectedResource } from '../../http/protected-resource.ts';
import { signOnRoutes } from '../../http/single-sign-on.ts';
import { type Identity, identityMigrations, openIdentity } from '../../identity/index.ts';
import { identityPlugin } from '../../identity/operations.ts';
import type { StateFixture } from '../../state/testing/engines.ts';
import { oidcSettings, openOidc, signInWay } from '../index.ts';
import { CLIENT_ID, CLIENT_SECRET } from './provider.ts';

export interface SignOnNode {
  readonly identity: Identity;
  readonly log: KeptLog;
  stop(): Promise<void>;
}

/** Makes the settings of single sign-on as an operator writes them. */
export function configOf(issuer: string, publicUrl: string, others: Partial<Record<string, string>> = {}): Config {
  const settings = {
    'service.oidc.issuer': issuer,
    'service.oidc.clientId': CLIENT_ID,
    'service.oidc.clientSecret': CLIENT_SECRET,
    'service.http.publicUrl': publicUrl,
    ...others,
  };
  const properties = Object.entries(settings).map(([name, value]) => `${name}=${value ?? ''}`);
  return readConfig({ properties: properties.join('\n'), environment: {} }).config;
}

/** A surface with one operation for callers with a bearer credential. */
const surface = plugin({
  name: 'own',
  title: 'Own',
  errorFormat: standardErrorFormat,
  router: operations({
    write: operation({ summary: 'w', access: 'api-key', rest: { method: 'POST', path: '/me/write' } }).mutation(
      () => {},
    ),
  }),
});

/** Serves a node on a bound port; the port's address is the public address. */
export async function serveNode(
  state: StateFixture,
  port: OpenPort,
  {
    config,
    folder,
    clock = Date.now,
    mcp,
  }: {
    readonly config: Config;
    readonly folder: string;
    readonly clock?: () => number;
    readonly mcp?: McpBinding | undefined;
  },
): Promise<SignOnNode> {
  const log = keptLog();
  const store = await state.open({ identity: identityMigrations });
  const settings = oidcSettings(config, MCP_PATH);
  if (settings === undefined) throw new Error('no provider is configured');
  const oidc = openOidc(settings, { state: store, clock, log });
  const identity = await openIdentity({ state: store, clock, log, accessTokens: oidc.accessTokens });
  const singleSignOn = await oidc.signIn(identity);
  const plugins = [identityPlugin({ ...identity, singleSignOn: signInWay(singleSignOn) }), surface];
  const router = operations(routersOf(plugins));
  const adapter = restAdapter({ router, plugins, onError: () => {} });
  const { publicUrl, issuer, scopes } = settings;
  const resource = protectedResource({ addresses: [publicUrl], issuer, scopes: scopes.split(' ') }, MCP_PATH);
  port.serve(
    application({
      router,
      adapter,
      identity,
      mcp:
        mcp === undefined ? undefined : { endpoint: mcp, allowedHosts: undefined, metadataUrl: resource.metadataUrl },
      signOn: [...(singleSignOn === undefined ? [] : [signOnRoutes(singleSignOn, identity)]), resource.routes],
      openApi: () => openApiDocument(adapter.routes, { title: 't', version: '1', description: '' }),
      health: async () => ({ missing: [], degraded: [] }),
      log,
      uiDirectory: folder,
      uploads: {
        ...uploadSettings(config),
        directory: join(folder, 'uploads'),
        freeSpace: new FreeSpace(folder, 0),
      },
      maxBodyBytes: 4_096,
      trustProxy: false,
      showcase: [],
    }),
  );
  return { identity, log, stop: () => port.stop(0) };
}

export { openPort };
