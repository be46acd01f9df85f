import { join } from 'node:path';
import type { Observer } from '../../../router/capabilities/observer.ts';
import { openApiDocument } from '../../../router/openapi/document.ts';
import { operations } from '../../../router/operation.ts';
import { type Plugin, routersOf } from '../../../router/plugin.ts';
import { restAdapter } from '../../../router/rest/run-rest-call.ts';
import { FreeSpace } from '../../disk/free-space.ts';
import { type Identity, identityMigrations, openIdentity } from '../../identity/index.ts';
import { identityPlugin } from '../../identity/operations.ts';
import { openLog } from '../../log/log.ts';
import { openState, type StateStore } from '../../state/index.ts';
import { application } from '../host.ts';
import { type OpenPort, openPort } from '../port.ts';
import type { UploadLimits } from '../uploads/receive.ts';

/** Opens state and accounts for a test, in a file of `folder`, with the administrator `admin`. */
export async function startIdentity(folder: string, password: string) {
  const log = openLog('silent');
  const state = await openState({ url: undefined, sqliteFile: join(folder, 'state.sqlite'), log });
  await state.migrate({ identity: identityMigrations });
  const identity = await openIdentity({ state, clock: Date.now, log });
  await identity.ensureAdministrator(password);
  return { log, state, identity };
}

export interface ServedHost extends OpenPort {
  /** The internal errors logged so far. */
  readonly errors: readonly string[];
}

/** Serves the host over a test's plugins and the accounts' plugin, like the launcher; its pages are in `folder`. */
export async function serve(
  surfaces: readonly Plugin[],
  {
    folder,
    state,
    identity,
    basePath = '',
    uploads,
    observer,
  }: {
    readonly folder: string;
    readonly state: StateStore;
    readonly identity: Identity;
    readonly basePath?: string;
    readonly uploads?: Partial<UploadLimits>;
    readonly observer?: Observer | undefined;
  },
): Promise<ServedHost> {
  const errors: string[] = [];
  const log = openLog('silent');
  const plugins = [identityPlugin(identity), ...surfaces];
  const router = operations(routersOf(plugins));
  const adapter = restAdapter({ router, plugins, onError: () => {} });
  const app = application({
    router,
    adapter,
    identity,
    openApi: () => openApiDocument(adapter.routes, { title: 't', version: '1', description: '', basePath }),
    health: () => state.ready().then(() => ({ missing: [], degraded: [] })),
    log: { ...log, error: (_fields, message) => void errors.push(message) },
    uiDirectory: folder,
    uploads: {
      directory: join(folder, 'uploads'),
      maxFileBytes: 1_048_576,
      maxBytesOfUser: 8_388_608,
      maxBytes: 16_777_216,
      maxRunningOfUser: 4,
      freeSpace: new FreeSpace(folder, 0),
      ...uploads,
    },
    maxBodyBytes: 2_048,
    trustProxy: false,
    basePath,
    showcase: [],
    observer,
  });
  const port = await openPort('127.0.0.1', 0, basePath);
  port.serve(app);
  return { ...port, errors };
}
