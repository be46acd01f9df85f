/** Makes the care of data of the capabilities it needs: overview, replacing, removing with an undo, uploads. */
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../router/capabilities/clock.ts';
import type { Datasource } from '../../router/capabilities/datasources.ts';
import type { FileImport } from '../../router/capabilities/file-import.ts';
import type { Scope, TenantId } from '../../router/capabilities/identity.ts';
import type { LinkedFiles } from '../../router/capabilities/linked-files.ts';
import type { Log } from '../../router/capabilities/log.ts';
import type { Repository } from '../../router/capabilities/repository.ts';
import type { State } from '../../router/capabilities/state.ts';
import type { Warehouses } from '../../router/capabilities/warehouse.ts';
import { standardErrorFormat } from '../../router/error-body.ts';
import { plugin } from '../../router/plugin.ts';
import type { DatasourceRegistry } from '../datasources/index.ts';
import type { ConnectionStore, OriginStore, UploadFiles, UploadFolder } from '../inference/index.ts';
import { DataChanges } from './changes.ts';
import { clearExpired } from './clear-expired.ts';
import { DataFiles, SCRATCH } from './data-files.ts';
import { dataOperations } from './operations.ts';
import type { OverviewDependencies } from './overview.ts';
import { type RollupBuilds, RollupRefreshes } from './refresh/rollup-refreshes.ts';
import { type RefreshDependencies, RefreshRunner } from './refresh/run-refreshes.ts';
import { Schedules } from './refresh/schedules.ts';
import { Removals, type RemovedDatasource } from './remove/removals.ts';
import { type ReplacementDependencies, Replacements } from './replace/replacement.ts';
import { dataMigrations } from './tables.ts';

export interface DataCapabilities {
  readonly registryOf: (tenant: TenantId) => Promise<DatasourceRegistry>;
  readonly tenants: () => Promise<readonly TenantId[]>;
  readonly repository: Repository;
  readonly state: State;
  readonly clock: Clock;
  readonly log: Log;
  readonly warehouses: Warehouses;
  readonly importer: FileImport;
  readonly store: ConnectionStore;
  readonly uploads: UploadFiles;
  readonly origins: OriginStore;
  readonly links: LinkedFiles;
  readonly folder: UploadFolder;
  /** Returns the folder that a tenant names below its data folder; `undefined` where it is outside. */
  readonly folderOf: (tenant: TenantId, folder: string) => Promise<string | undefined>;
  readonly builds: RollupBuilds;
  readonly rollupTablesOf: ReplacementDependencies['rollupTablesOf'];
  readonly compareModel: ReplacementDependencies['compareModel'];
  readonly onRefreshed?: RefreshDependencies['onRefreshed'];
  readonly sizeOf: OverviewDependencies['sizeOf'];
}

export interface DataCare {
  readonly plugin: ReturnType<typeof dataPlugin>;
  /** Withdraws what was made for a removed datasource, and keeps it for an undo. */
  readonly removed: (
    datasource: Datasource,
    caller: Scope,
    descriptor: string,
    file: string,
  ) => Promise<RemovedDatasource>;
  /** Removes what has expired. */
  clear(): Promise<void>;
  /** Runs the refreshes that are due. */
  refresh(): Promise<void>;
  /** Stops running refreshes. */
  stop(): void;
}

export function dataCare(capabilities: DataCapabilities): DataCare {
  const { registryOf, state, clock, uploads, folder, log, tenants } = capabilities;
  const changes = new DataChanges(state, clock);
  const files = new DataFiles({ registryOf, uploads, folder });
  const schedules = new Schedules(state, clock);
  const removals = new Removals({
    ...capabilities,
    changes,
    files,
    schedules,
    dropUnread: (tenant, datasource) => uploads.dropUnread(tenant, datasource),
  });
  const replacements = new Replacements({
    ...capabilities,
    changes,
    files,
    onReplaced: (tenant, datasources) => schedules.refreshRollupsOf(tenant, datasources),
  });
  const rollups = new RollupRefreshes({ ...capabilities, schedules, changes });
  const scratchOf = async (tenant: TenantId) => mkdtemp(join(await folder.directoryOf(tenant), SCRATCH));
  const runner = new RefreshRunner({ ...capabilities, schedules, replacements, rollups, scratchOf });
  return {
    plugin: dataPlugin({ ...capabilities, changes, files, removals, replacements, schedules }),
    removed: (datasource, caller, descriptor, file) => removals.removed(caller, datasource, descriptor, file),
    clear: () => clearExpired({ changes, files, removals, tenants, clock, log }),
    async refresh() {
      await rollups.follow();
      await runner.runDue();
    },
    stop: () => runner.stop(),
  };
}

function dataPlugin(options: Parameters<typeof dataOperations>[0]) {
  return plugin({
    name: 'data',
    title: 'Care of data',
    router: dataOperations(options),
    errorFormat: standardErrorFormat,
    migrations: dataMigrations,
  });
}
