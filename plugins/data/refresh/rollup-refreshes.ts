/**
 * Refreshes of roll-ups. The models declare them, so their schedules follow the models that are served; a run writes the
 * table into the file of the model's data where the data or the model has changed since the last one.
 */
import { createHash } from 'node:crypto';
import type { Datasource } from '../../../router/capabilities/datasources.ts';
import type { TenantId } from '../../../router/capabilities/identity.ts';
import type { WrittenDatabase } from '../../../router/capabilities/table-writer.ts';
import { versionOfFile } from '../../../router/file-version.ts';
import type { DatasourceRegistry } from '../../datasources/index.ts';
import type { DataChanges } from '../changes.ts';
import type { RefreshRow } from '../tables.ts';
import type { DeclaredSchedules, RunResult, Schedules } from './schedules.ts';

/** The roll-ups of a served model that are refreshed. */
export interface DeclaredRollups extends DeclaredSchedules {
  /** Returns whether tables of roll-ups were missing that may be there now, so that the model is to be loaded again. */
  readonly isOutdated: () => Promise<boolean>;
  /** Shows where the answers are why the last refreshes of roll-ups failed, by the names of the roll-ups. */
  readonly reportFailures: (failures: ReadonlyMap<string, string>) => void;
}

export interface RollupBuilds {
  /** Lists the served models, also the ones without a roll-up that is refreshed. */
  readonly declared: () => readonly DeclaredRollups[];
  /** Returns the file of a datasource in which the product may write; `undefined` for another warehouse. */
  readonly fileOf: (tenant: TenantId, datasource: Datasource) => Promise<string | undefined>;
  /** Builds one roll-up. */
  readonly build: (request: {
    readonly datasource: Datasource;
    readonly text: string;
    readonly rollup: string;
    readonly file: string;
    readonly place: (written: WrittenDatabase) => Promise<unknown>;
    readonly signal: AbortSignal;
  }) => Promise<{ readonly rows: number } | { readonly failed: string }>;
}

export interface RollupRefreshParts {
  readonly registryOf: (tenant: TenantId) => Promise<DatasourceRegistry>;
  readonly builds: RollupBuilds;
  readonly schedules: Schedules;
  readonly changes: DataChanges;
}

export class RollupRefreshes {
  readonly #parts: RollupRefreshParts;
  /** The declarations that the schedules follow already. */
  #followed = '';

  constructor(parts: RollupRefreshParts) {
    this.#parts = parts;
  }

  /** Lets the schedules follow the served models, and the plans show which refreshes failed. */
  async follow(): Promise<void> {
    const { builds, schedules, registryOf } = this.#parts;
    const declared = builds.declared();
    const text = JSON.stringify(declared);
    if (text !== this.#followed) await schedules.followModels(declared);
    this.#followed = text;
    for (const { tenant, datasource, rollups, isOutdated, reportFailures } of declared) {
      if (rollups.length > 0) reportFailures(await schedules.failuresOf(tenant, datasource));
      // Another process has written the tables.
      if (await isOutdated().catch(() => false)) await (await registryOf(tenant)).reload(new Set([datasource]));
    }
  }

  async run(row: RefreshRow, rollup: string, signal: AbortSignal): Promise<RunResult> {
    const { registryOf, builds, schedules, changes } = this.#parts;
    const tenant = row.tenant_id as TenantId;
    const registry = await registryOf(tenant);
    const described = (await registry.described()).find(({ datasource }) => datasource.id === row.datasource_id);
    if (described === undefined) return failed('The model is gone.');
    const { datasource } = described;
    const read = await registry.readDocument(datasource.documentPath);
    if (!('text' in read)) return failed('The document of the model cannot be read.');
    const file = await builds.fileOf(tenant, datasource);
    if (file === undefined) return failed(READ_ONLY);
    const hash = createHash('sha256').update(read.text).digest('hex');
    const signature = (version: string) => `${version}|${hash}`;
    if (row.last_signature === signature((await versionOfFile(file)) ?? ''))
      return { result: 'unchanged', message: `${rollup}: the data is as at the last time.` };
    let placed = '';
    const built = await builds.build({
      datasource,
      text: read.text,
      rollup,
      file,
      signal,
      place: (written) =>
        registry.addTogether([], async () => {
          placed = await written.place();
          // The same data, with another table: what waits for it or can be undone stays valid.
          await changes.followFile(tenant, file, written.version, placed);
          await schedules.followFile(tenant, written.version, placed);
        }),
    });
    if ('failed' in built) return failed(built.failed);
    await registry.reload(new Set([datasource.id]));
    return { result: 'replaced', message: `${rollup}: ${built.rows} rows.`, signature: signature(placed) };
  }
}

const READ_ONLY =
  'The product writes only DuckDB files of its data folder. Run the statements of `service rollup build --sql` in this warehouse, and remove "refresh" from the roll-up.';

function failed(why: string): RunResult {
  return { result: 'failed', message: `${/[.!?]$/.test(why) ? why : `${why}.`} The table is as it was before.` };
}
