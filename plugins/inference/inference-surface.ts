/** Makes the inference surface of the capabilities it needs. */
import type { Clock } from '../../router/capabilities/clock.ts';
import type { Datasource } from '../../router/capabilities/datasources.ts';
import type { FileImport } from '../../router/capabilities/file-import.ts';
import type { Scope, TenantId } from '../../router/capabilities/identity.ts';
import type { LinkedFiles } from '../../router/capabilities/linked-files.ts';
import type { Llm } from '../../router/capabilities/llm.ts';
import type { Log } from '../../router/capabilities/log.ts';
import type { RateLimits } from '../../router/capabilities/rate-limits.ts';
import type { Repository } from '../../router/capabilities/repository.ts';
import type { State } from '../../router/capabilities/state.ts';
import type { Vault } from '../../router/capabilities/vault.ts';
import type { Warehouses } from '../../router/capabilities/warehouse.ts';
import { countedOperation } from '../../router/counted-operation.ts';
import { plugin } from '../../router/plugin.ts';
import type { DatasourceRegistry } from '../datasources/index.ts';
import { inferenceErrorFormat } from './error-format.ts';
import { inferenceOperations } from './operations.ts';
import type { MarksOf } from './personal/marked-columns.ts';
import type { ModelsPool } from './publish/make-models.ts';
import { type Withdrawn, withdraw } from './publish/withdraw.ts';
import { ConnectionStore } from './stores/connections.ts';
import { OriginStore } from './stores/origins.ts';
import { inferenceMigrations } from './stores/tables.ts';
import { TraceStore } from './stores/traces.ts';
import { UploadFiles, type UploadFolder } from './stores/upload-files.ts';
import { type InferencePool, InferenceWork } from './work/work.ts';

export interface InferenceCapabilities {
  readonly warehouses: Warehouses;
  readonly files: FileImport;
  readonly links: LinkedFiles;
  readonly vault: Vault;
  readonly state: State;
  readonly rateLimits: RateLimits;
  /** Proposes; without one, rules do. */
  readonly llm?: Llm | undefined;
  /** True where sample values may be sent to the language model. */
  readonly isSampled: boolean;
  /** Threads for long work; without them, it runs on the event loop. */
  readonly pool?: InferencePool | undefined;
  /** Makes the datasources of proposals. By default, the calling thread does. */
  readonly models?: ModelsPool | undefined;
  readonly clock: Clock;
  readonly log: Log;
  /** A folder below the data folder, for databases that live as long as a request. */
  readonly directory: string;
  /** The folder with the databases of kept uploads. */
  readonly uploads: UploadFolder;
  /** Returns the datasources of a tenant. */
  readonly registryOf: (tenant: TenantId) => Promise<DatasourceRegistry>;
  readonly repository: Repository;
  /** Returns the marks of personal data in the tenant's served datasources; waits for the datasources of the start. */
  readonly marksOf: MarksOf;
  /** Returns whether an address names a file that a tenant may not name. */
  readonly refusesLocation: (jdbcUrl: string, tenant: TenantId) => Promise<boolean>;
  /** Returns whether a tenant may learn why a host cannot be reached: its administrators own the machine. */
  readonly explainsFailures: (tenant: TenantId) => boolean;
}

/** Makes the inference surface: area B, which programs call with an administrator's API key. */
export function inference(capabilities: InferenceCapabilities) {
  const { dependencies, operation } = dependenciesOf(capabilities);
  return plugin({
    name: 'inference',
    title: 'Design-time inference',
    router: inferenceOperations({ ...dependencies, operation }),
    errorFormat: inferenceErrorFormat,
    migrations: inferenceMigrations,
  });
}

const UNLIMITED: RateLimits = { take: async () => undefined };

/** Operations on a file or a profile of the caller's own. Connections reach warehouses past the grants of cubes and models. */
const OPEN_TO_SIGNED_IN: ReadonlySet<string> = new Set([
  '/me/inference/profile/file',
  '/me/inference/propose',
  '/me/inference/render',
]);

/**
 * Makes the same operations for the pages at /ui/: below `/rest/service/api/`, for signed-in users. The tiers limit the calls of
 * programs. A page calls a dozen operations for each choice of its user, and a limit would refuse the choice.
 */
export function designer(capabilities: InferenceCapabilities) {
  const { dependencies } = dependenciesOf(capabilities);
  const operation = countedOperation(UNLIMITED);
  return plugin({
    name: 'designer',
    title: 'Design-time inference, for the pages at /ui/',
    router: inferenceOperations({
      ...dependencies,
      operation: (meta) =>
        operation({
          ...meta,
          access: OPEN_TO_SIGNED_IN.has(meta.rest.path) ? 'signed-in' : 'administrator',
          rest: { ...meta.rest, path: `/rest/service/api/${meta.rest.path.slice('/me/'.length)}` },
          implementationChoice: `The operation ${meta.rest.method} ${meta.rest.path} for the pages at /ui/, which have a session and no API key.`,
        }),
    }),
    errorFormat: inferenceErrorFormat,
  });
}

/** Removes the databases that killed processes were making of a tenant's uploads. Call it before the surface serves. */
export function clearLeftUploads(capabilities: InferenceCapabilities, tenant: TenantId): Promise<void> {
  return dependenciesOf(capabilities).dependencies.uploads.clearLeft(tenant);
}

/** Removes the documents that publishing or an import made for a removed datasource; documents that a user changed stay. */
export function withdrawMade(
  { registryOf, repository }: Pick<InferenceCapabilities, 'registryOf' | 'repository'>,
  caller: Scope,
  datasource: Datasource,
  descriptor: string,
): Promise<Withdrawn> {
  return withdraw({ registryOf, repository }, caller, datasource, descriptor);
}

/** Returns the saved connections and the kept uploads, for surfaces that show them. */
export function inferenceStores(capabilities: InferenceCapabilities) {
  const { store, uploads, origins, links } = dependenciesOf(capabilities).dependencies;
  return { store, uploads, origins, links };
}

function dependenciesOf({ vault, state, rateLimits, pool, uploads, ...capabilities }: InferenceCapabilities) {
  const store = new ConnectionStore(state, vault, capabilities.clock);
  const work = new InferenceWork(pool);
  const origins = new OriginStore(state, vault, capabilities.clock);
  const shared = { ...capabilities, vault, store, work, origins };
  return {
    operation: countedOperation(rateLimits),
    dependencies: {
      ...shared,
      llm: capabilities.llm,
      traces: new TraceStore(state, capabilities.clock),
      uploads: new UploadFiles({ ...shared, uploads }),
    },
  };
}
