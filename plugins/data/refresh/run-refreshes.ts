/** Runs scheduled refreshes: reads the newest files of a folder, the links of an import or the tables of a connection, and puts them into the place of a model's data where they fit. */
import { createHash, randomUUID } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { FILE_FORMATS } from '../../../router/capabilities/file-import.ts';
import { ADMINISTRATOR_ROLE, type Scope, type TenantId } from '../../../router/capabilities/identity.ts';
import { type LinkedFiles, shownLink } from '../../../router/capabilities/linked-files.ts';
import type { Log } from '../../../router/capabilities/log.ts';
import type { Warehouses } from '../../../router/capabilities/warehouse.ts';
import { ServiceError } from '../../../router/errors.ts';
import { sizeText } from '../../../router/quantity-text.ts';
import { type ConnectionStore, tableName } from '../../inference/index.ts';
import { LEASE_MS, MAX_FOLDER_BYTES, MAX_FOLDER_FILES } from '../limits.ts';
import { tableOfFile } from '../replace/match-tables.ts';
import type { NewFile, Replacements } from '../replace/replacement.ts';
import type { RefreshRow } from '../tables.ts';
import { copyTables } from './copy-tables.ts';
import type { RollupRefreshes } from './rollup-refreshes.ts';
import type { RunResult, Schedules } from './schedules.ts';

export interface RefreshDependencies {
  readonly schedules: Schedules;
  readonly replacements: Pick<Replacements, 'prepare' | 'apply' | 'discard' | 'tablesOf' | 'linksOf'>;
  /** Returns the folder that a tenant names below its data folder; `undefined` where it is outside. */
  readonly folderOf: (tenant: TenantId, folder: string) => Promise<string | undefined>;
  readonly links: LinkedFiles;
  readonly rollups: Pick<RollupRefreshes, 'run'>;
  readonly store: Pick<ConnectionStore, 'get'>;
  readonly warehouses: Pick<Warehouses, 'open'>;
  /** Returns a folder for the copied tables, which the run removes. */
  readonly scratchOf: (tenant: TenantId) => Promise<string>;
  readonly log: Log;
  /** Called when a run has ended. */
  readonly onRefreshed?: ((refreshed: Refreshed) => void) | undefined;
}

/** How a run of a scheduled refresh ended. */
export interface Refreshed extends Pick<RunResult, 'result' | 'message'> {
  readonly tenant: TenantId;
  readonly datasource: string;
  readonly name: string;
}

interface FoundFile extends NewFile {
  readonly bytes: number;
  readonly atMillis: number;
}

export class RefreshRunner {
  readonly #parts: RefreshDependencies;
  readonly #node = randomUUID();
  readonly #stopping = new AbortController();

  constructor(parts: RefreshDependencies) {
    this.#parts = parts;
  }

  /** Runs all schedules that are due, one after the other. */
  async runDue(): Promise<void> {
    const { schedules } = this.#parts;
    while (!this.#stopping.signal.aborted) {
      const row = await schedules.take(this.#node);
      if (row === undefined) return;
      await this.#runOne(row);
    }
  }

  /** Stops the running refresh; another node or the next start runs it again. */
  stop(): void {
    this.#stopping.abort();
  }

  async #runOne(row: RefreshRow): Promise<void> {
    const { schedules, log } = this.#parts;
    const lost = new AbortController();
    const beat = setInterval(() => {
      schedules
        .keep(row, this.#node)
        .then((isKept) => {
          if (!isKept) lost.abort();
        })
        .catch((error: unknown) => log.warn({ err: error }, 'the lease of a refresh could not be extended'));
    }, LEASE_MS / 3).unref();
    try {
      const result = await this.#refresh(row, AbortSignal.any([this.#stopping.signal, lost.signal]));
      await this.#end(row, result);
    } catch (error) {
      // Stopped: the lease ends, and the run is due again.
      if (this.#stopping.signal.aborted || lost.signal.aborted) return;
      const message =
        error instanceof ServiceError ? error.message : 'Something went wrong on our side; it has been logged.';
      if (!(error instanceof ServiceError)) log.error({ err: error, schedule: row.id }, 'a refresh failed');
      const kept = row.rollup === null ? 'The data is as it was before.' : 'The table is as it was before.';
      await this.#end(row, { result: 'failed', message: `${message} ${kept}` });
    } finally {
      clearInterval(beat);
    }
  }

  async #end(row: RefreshRow, run: RunResult): Promise<void> {
    await this.#parts.schedules.end(row, this.#node, run);
    const { tenant_id: tenant, datasource_id: datasource, name } = row;
    const { result, message } = run;
    this.#parts.onRefreshed?.({ tenant: tenant as TenantId, datasource, name, result, message });
  }

  async #refresh(row: RefreshRow, signal: AbortSignal): Promise<RunResult> {
    const { folderOf, replacements } = this.#parts;
    const tenant = row.tenant_id as TenantId;
    if (row.rollup !== null) return this.#parts.rollups.run(row, row.rollup, signal);
    if (row.source === 'links') return this.#refreshFromLinks(row, tenant, signal);
    if (row.source === 'connection') return this.#refreshFromConnection(row, tenant, signal);
    const folder = await folderOf(tenant, row.folder);
    if (folder === undefined) return failed(`The folder ${row.folder} is not below the data folder.`);
    const found = await filesIn(folder);
    if (found === undefined) return failed(`The folder ${row.folder} does not exist.`);
    const files = newestOfEach(found, await replacements.tablesOf(tenant, row.datasource_id));
    if (files.length === 0) return failed(`The folder ${row.folder} has no .csv, .parquet, .json or .xlsx file.`);
    const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
    if (bytes > MAX_FOLDER_BYTES) return failed(`The files have more than ${sizeText(MAX_FOLDER_BYTES)}.`);
    return this.#replace(row, { files, signature: signatureOf(files) }, signal);
  }

  async #refreshFromLinks(row: RefreshRow, tenant: TenantId, signal: AbortSignal): Promise<RunResult> {
    const links = await this.#parts.replacements.linksOf(tenant, row.datasource_id);
    if (links.length === 0) return failed('The links of the import are not known any more.');
    const { files, signature, release } = await this.#parts.links.fetch(links, signal);
    try {
      const result = await this.#replace(row, { files, signature }, signal);
      return { ...result, message: `${links.map(shownLink).join(', ')}: ${result.message}` };
    } finally {
      await release();
    }
  }

  async #refreshFromConnection(row: RefreshRow, tenant: TenantId, signal: AbortSignal): Promise<RunResult> {
    const { store, warehouses, replacements, scratchOf } = this.#parts;
    const { name, address, schema } = await store.get(tenant, row.connection_id ?? '');
    const tables = await replacements.tablesOf(tenant, row.datasource_id);
    const folder = await scratchOf(tenant);
    try {
      const warehouse = await warehouses.open(address);
      const copied = await copyTables({ warehouse, schema, tables, signal }, folder);
      const result = await this.#replace(row, copied, signal);
      return { ...result, message: `${name}: ${result.message}` };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  async #replace(
    row: RefreshRow,
    { files, signature }: { readonly files: readonly NewFile[]; readonly signature: string },
    signal: AbortSignal,
  ): Promise<RunResult> {
    const { replacements } = this.#parts;
    const caller: Scope = { tenant: row.tenant_id as TenantId, user: row.user_name, roles: [ADMINISTRATOR_ROLE] };
    const names = files.map(({ name }) => name).join(', ');
    if (signature === row.last_signature) return { result: 'unchanged', message: `${names}: as at the last time.` };
    const prepared = await replacements.prepare(caller, { datasource: row.datasource_id, files }, signal);
    const { id: _id, datasource: _datasource, expiresAt: _expiresAt, ...comparison } = prepared;
    if (!prepared.isPossible) {
      await replacements.discard(caller, prepared.id);
      return { ...failed(prepared.reasons.join(' ')), comparison };
    }
    signal.throwIfAborted();
    await replacements.apply(caller, prepared.id);
    const rows = prepared.tables.map(
      ({ name, rowsBefore, rowsAfter }) => `${name}: ${rowsBefore ?? 0} → ${rowsAfter ?? 0} rows`,
    );
    return { result: 'replaced', message: `${names}. ${rows.join(', ')}.`, comparison, signature };
  }
}

function failed(why: string): RunResult {
  return { result: 'failed', message: `${why} The data is as it was before.` };
}

/** Lists the data files of a folder, the newest first; `undefined` where it does not exist. Hidden files are left out. */
async function filesIn(folder: string): Promise<readonly FoundFile[] | undefined> {
  const names = await readdir(folder).catch(() => undefined);
  if (names === undefined) return undefined;
  const formats = new Set(FILE_FORMATS.map((format) => `.${format}`));
  const data = names.filter((name) => !name.startsWith('.') && formats.has(extname(name).toLowerCase()));
  const files: FoundFile[] = [];
  for (const name of data.slice(0, MAX_FOLDER_FILES)) {
    const path = join(folder, name);
    const stats = await stat(path).catch(() => undefined);
    if (stats?.isFile() === true) files.push({ path, name, bytes: stats.size, atMillis: stats.mtimeMs });
  }
  return files.sort((one, other) => other.atMillis - one.atMillis || other.name.localeCompare(one.name));
}

/**
 * Returns the newest file of each table: `orders_2024_02.csv` belongs to the table `orders`. A model of one table takes the
 * newest file of any name.
 */
function newestOfEach(files: readonly FoundFile[], tables: readonly string[]): readonly FoundFile[] {
  if (tables.length === 1) return files.slice(0, 1);
  const chosen = new Map<string, FoundFile>();
  for (const file of files) {
    const table = tableOfFile(tableName(file.name), tables);
    if (table !== undefined && !chosen.has(table)) chosen.set(table, file);
  }
  return [...chosen.values()];
}

function signatureOf(files: readonly FoundFile[]): string {
  const facts = files.map(({ name, bytes, atMillis }) => [name, bytes, atMillis]);
  return createHash('sha256').update(JSON.stringify(facts)).digest('hex');
}
