/** Replaces the data of models by new files: compares first, switches at once, and can be undone. */
import { randomUUID } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import { z } from 'zod';
import type { FileImport, ImportedTable, TableChoices } from '../../../router/capabilities/file-import.ts';
import type { Scope, TenantId } from '../../../router/capabilities/identity.ts';
import type { ScalarType, Warehouse, WarehouseAddress, Warehouses } from '../../../router/capabilities/warehouse.ts';
import { ConflictError } from '../../../router/errors.ts';
import { versionOfFile } from '../../../router/file-version.ts';
import { nearestFirst } from '../../../router/nearest-names.ts';
import type { DatasourceRegistry, DescribedDatasource } from '../../datasources/index.ts';
import { type OriginStore, ReadingChoices, tableName } from '../../inference/index.ts';
import type { DataChanges } from '../changes.ts';
import { type DataFiles, exchangeFile } from '../data-files.ts';
import { PREPARED_TTL_MS, UNDO_TTL_MS } from '../limits.ts';
import { noDatasource } from '../no-datasource.ts';
import type { ComparedModel, ComparedTable, Replacement } from '../schemas.ts';
import { compareTables, tablesOf } from './compare-tables.ts';
import { matchTables, type TableColumns, tableOfFile } from './match-tables.ts';

export interface ReplacementDependencies {
  readonly registryOf: (tenant: TenantId) => Promise<DatasourceRegistry>;
  /** Returns the names of the tables of a datasource's roll-ups, which files do not have. */
  readonly rollupTablesOf: (tenant: TenantId, datasource: string) => ReadonlySet<string>;
  /** Called with the datasources whose data was replaced. */
  readonly onReplaced: (tenant: TenantId, datasources: readonly string[]) => Promise<void>;
  readonly changes: DataChanges;
  readonly files: DataFiles;
  readonly importer: FileImport;
  readonly warehouses: Warehouses;
  readonly origins: OriginStore;
  /** Compares one model over its data with the same model over other data. */
  readonly compareModel: (
    caller: Scope,
    described: DescribedDatasource,
    address: WarehouseAddress,
    signal: AbortSignal | undefined,
  ) => Promise<Omit<ComparedModel, 'id' | 'name'>>;
}

/** A file on this machine, with the name that it was sent under. */
export interface NewFile {
  readonly path: string;
  readonly name: string;
}

export interface ReplacementRequest {
  readonly datasource: string;
  readonly files: readonly NewFile[];
  /** Choices by the name of the table that a file is called after. */
  readonly reading?: Readonly<Record<string, TableChoices>> | undefined;
}

const Prepared = z.object({
  file: z.string(),
  version: z.string(),
  isPossible: z.boolean(),
  reasons: z.array(z.string()),
  reading: ReadingChoices.default({}),
});
const Kept = z.object({ file: z.string(), version: z.string(), reading: ReadingChoices.optional() });

const READ_AS: Readonly<Partial<Record<ScalarType, 'text' | 'number' | 'date' | 'boolean'>>> = {
  text: 'text',
  integer: 'number',
  decimal: 'number',
  float: 'number',
  date: 'date',
  timestamp: 'date',
  timestamptz: 'date',
  boolean: 'boolean',
};

export class Replacements {
  readonly #parts: ReplacementDependencies;

  constructor(parts: ReplacementDependencies) {
    this.#parts = parts;
  }

  /**
   * Reads new files beside the data of a model, and compares. Nothing is served of them.
   *
   * @throws ConflictError where the data is in a warehouse
   */
  async prepare(
    caller: Scope,
    { datasource: id, files: sent, reading = {} }: ReplacementRequest,
    signal: AbortSignal | undefined,
  ): Promise<Replacement> {
    const { files, changes, warehouses, compareModel, rollupTablesOf } = this.#parts;
    const { tenant } = caller;
    const { described, file } = await this.#target(tenant, id);
    const change = randomUUID();
    const next = await files.nextFile(tenant, change);
    const address = files.addressOf(next);
    try {
      const version = await versionOfFile(file);
      const before = await warehouses.open(described.datasource.warehouse);
      const { reading: remembered } = await this.#parts.origins.get(tenant, file);
      const asked = rememberedFor(sent, remembered, reading);
      const rollups = rollupTablesOf(tenant, id);
      const isRollup = (name: string) => rollups.has(name);
      const { imported, choices } = await this.#load(before, next, address, { sent, reading: asked, isRollup }, signal);
      const after = await warehouses.open(address);
      const tables = await compareTables(before, after, signal, isRollup);
      const models: ComparedModel[] = [];
      for (const each of await files.usesOf(tenant, file)) {
        const compared = await compareModel(caller, each, address, signal);
        models.push({ id: each.datasource.id, name: each.datasource.name, ...compared });
      }
      const reasons = reasonsAgainst(tables, models);
      await warehouses.release(address);
      const row = await changes.add(caller, {
        id: change,
        state: 'prepared',
        datasource_id: described.datasource.id,
        name: described.datasource.name,
        content: JSON.stringify({
          file,
          version,
          isPossible: reasons.length === 0,
          reasons,
          reading: { ...remembered, ...choices },
        }),
        ttlMs: PREPARED_TTL_MS,
      });
      return {
        id: row.id,
        datasource: described.datasource.id,
        isPossible: reasons.length === 0,
        reasons,
        findings: imported.flatMap(({ table, findings }) => findings.map(({ message }) => `${table}: ${message}`)),
        matched: imported.map(({ file: name, table }) => ({ file: name, table })),
        tables: [...tables],
        models,
        expiresAt: new Date(row.expires_at).toISOString(),
      };
    } catch (error) {
      await warehouses.release(address);
      await rm(next, { force: true });
      throw error;
    }
  }

  /**
   * Puts prepared data into its place. Readers see the old data or the new.
   *
   * @throws ConflictError where it does not fit, or where the data has changed since the comparison
   */
  async apply(caller: Scope, id: string) {
    const { changes, files, registryOf } = this.#parts;
    const { tenant } = caller;
    const row = await changes.get(tenant, id, 'prepared');
    const { file, version, isPossible, reasons, reading } = Prepared.parse(JSON.parse(row.content));
    const origin = await this.#parts.origins.get(tenant, file);
    if (!isPossible)
      throw new ConflictError(`The new data does not fit: ${reasons.slice(0, 3).join(' ')}`, {
        code: 'DATA_DOES_NOT_FIT',
      });
    const next = await files.nextFile(tenant, id);
    const kept = await files.keptFile(tenant, id);
    const registry = await registryOf(tenant);
    await registry.addTogether([], async () => {
      if ((await versionOfFile(file)) !== version)
        throw new ConflictError('The data has been replaced since the comparison. Bring the files again.', {
          code: 'STALE_VERSION',
        });
      const placed = await versionOfFile(next);
      if (placed === undefined)
        throw new ConflictError('The new data is gone. Bring the files again.', { code: 'GONE' });
      // Of two callers, one moves the row and switches.
      if (
        !(await changes.move(
          row,
          'replaced',
          JSON.stringify({ file, version: placed, reading: origin.reading }),
          UNDO_TTL_MS,
        ))
      )
        throw new ConflictError('The data is being replaced already.', { code: 'STALE_VERSION' });
      try {
        await exchangeFile(next, file, kept);
      } catch (error) {
        await changes.remove({ ...row, state: 'replaced' });
        throw error;
      }
    });
    // Later files are read in the same way.
    await this.#parts.origins.set(tenant, file, { ...origin, reading });
    return { undo: id, undoUntil: await this.#undoUntil(tenant, id), models: await this.#reload(tenant, file) };
  }

  /** Puts the old data back. @throws ConflictError where the data was replaced again since */
  async undo(caller: Scope, id: string) {
    const { changes, files, registryOf } = this.#parts;
    const { tenant } = caller;
    const row = await changes.get(tenant, id, 'replaced');
    const { file, version, reading } = Kept.parse(JSON.parse(row.content));
    const kept = await files.keptFile(tenant, id);
    const registry = await registryOf(tenant);
    await registry.addTogether([], async () => {
      if ((await versionOfFile(file)) !== version)
        throw new ConflictError('The data was replaced again since. Undo the later replacement first.', {
          code: 'STALE_VERSION',
        });
      if (!(await changes.remove(row)))
        throw new ConflictError('This is being undone already.', { code: 'STALE_VERSION' });
      await rename(kept, file);
    });
    if (reading !== undefined)
      await this.#parts.origins.set(tenant, file, { ...(await this.#parts.origins.get(tenant, file)), reading });
    return { models: await this.#reload(tenant, file) };
  }

  /** Returns the name of a datasource of files. @throws NotFoundError, or ConflictError where the data is in a warehouse */
  async nameOf(tenant: TenantId, id: string): Promise<string> {
    return (await this.#target(tenant, id)).described.datasource.name;
  }

  /** Returns the links that the data of a model was imported from. @throws NotFoundError, or ConflictError where the data is in a warehouse */
  async linksOf(tenant: TenantId, id: string): Promise<readonly string[]> {
    return (await this.#parts.origins.get(tenant, (await this.#target(tenant, id)).file)).links;
  }

  /** Lists the tables of the data of a model. @throws NotFoundError, or ConflictError where the data is in a warehouse */
  async tablesOf(tenant: TenantId, id: string): Promise<readonly string[]> {
    const { described } = await this.#target(tenant, id);
    const warehouse = await this.#parts.warehouses.open(described.datasource.warehouse);
    const rollups = this.#parts.rollupTablesOf(tenant, id);
    return [...(await tablesOf(warehouse, undefined)).keys()].filter((name) => !rollups.has(name));
  }

  /** Removes prepared data. */
  async discard({ tenant }: Scope, id: string): Promise<void> {
    const { changes, files } = this.#parts;
    const row = await changes.get(tenant, id, 'prepared');
    if (await changes.remove(row)) await rm(await files.nextFile(tenant, id), { force: true });
  }

  async #undoUntil(tenant: TenantId, id: string): Promise<string> {
    return new Date((await this.#parts.changes.get(tenant, id, 'replaced')).expires_at).toISOString();
  }

  /** Loads the models over a file again: types, samples and checks belong to the data. */
  async #reload(tenant: TenantId, file: string) {
    const registry = await this.#parts.registryOf(tenant);
    const ids = (await this.#parts.files.usesOf(tenant, file)).map(({ datasource }) => datasource.id);
    const entries = await registry.reload(new Set(ids));
    await this.#parts.onReplaced(tenant, ids);
    return entries.map(({ id, name, status }) => ({ id, name, status }));
  }

  async #target(
    tenant: TenantId,
    id: string,
  ): Promise<{ readonly described: DescribedDatasource; readonly file: string }> {
    const all = await (await this.#parts.registryOf(tenant)).described();
    const described = all.find(({ datasource }) => datasource.id === id);
    if (described === undefined)
      throw noDatasource(
        id,
        all.map(({ datasource }) => datasource.id),
      );
    const file = await this.#parts.files.fileOf(tenant, described.datasource);
    if (file === undefined)
      throw new ConflictError(
        `The data of ${described.datasource.name} are in a database that is not made of files here. Change them there; the model reads them at the next question.`,
        { code: 'NOT_FILES' },
      );
    return { described, file };
  }

  /**
   * Reads the files as the tables of the model, each column as the type that the model has; values that cannot be read so
   * become empty, and are reported.
   */
  async #load(
    before: Warehouse,
    next: string,
    address: WarehouseAddress,
    {
      sent,
      reading,
      isRollup,
    }: {
      readonly sent: readonly NewFile[];
      readonly reading: Readonly<Record<string, TableChoices>>;
      readonly isRollup: (table: string) => boolean;
    },
    signal: AbortSignal | undefined,
  ): Promise<{
    readonly imported: readonly ImportedTable[];
    /** The choices of the caller by the tables of the model. */
    readonly choices: Readonly<Record<string, TableChoices>>;
  }> {
    const { importer, warehouses } = this.#parts;
    const named = tablesNamed(sent);
    const first = await importer.load(named, next, { signal, choices: reading });
    const after = await warehouses.open(address);
    const present = (await columnsOf(before, signal)).filter(({ name }) => !isRollup(name));
    const fresh = await columnsOf(after, signal);
    const matched = matchTables(present, fresh);
    const choices: Record<string, TableChoices> = {};
    const chosen: Record<string, TableChoices> = {};
    let isSame = true;
    for (const { table, columns } of first) {
      const target = matched.get(table) ?? table;
      const old = present.find(({ name }) => name === target);
      const given = reading[table];
      const decided = new Set(given?.columns?.map(({ name }) => name));
      const typed = columns.flatMap(({ name, isText }) => {
        const was = old?.types.get(name);
        const is = fresh.find((each) => each.name === table)?.types.get(name);
        if (was === undefined || is === undefined || !isText || decided.has(name)) return [];
        const readAs = READ_AS[was];
        return readAs === undefined || readAs === READ_AS[is] ? [] : [{ name, readAs }];
      });
      if (target !== table || typed.length > 0) isSame = false;
      if (given !== undefined) chosen[target] = given;
      choices[target] = { ...given, columns: [...(given?.columns ?? []), ...typed] };
    }
    if (isSame) return { imported: first, choices: chosen };
    await warehouses.release(address);
    await rm(next, { force: true });
    const renamed = named.map(({ table, ...each }) => ({ ...each, table: matched.get(table) ?? table }));
    return { imported: await importer.load(renamed, next, { signal, choices }), choices: chosen };
  }
}

/** Returns the choices for sent files: the remembered ones of the table that each belongs to, and over them the given ones. */
function rememberedFor(
  sent: readonly NewFile[],
  remembered: Readonly<Record<string, TableChoices>>,
  given: Readonly<Record<string, TableChoices>>,
): Readonly<Record<string, TableChoices>> {
  const tables = Object.keys(remembered);
  const all: Record<string, TableChoices> = { ...given };
  for (const { table } of tablesNamed(sent)) {
    const own = sent.length === 1 && tables.length === 1 ? tables[0] : tableOfFile(table, tables);
    const before = own === undefined ? undefined : remembered[own];
    if (before === undefined) continue;
    const asked = given[table];
    const names = new Set(asked?.columns?.map(({ name }) => name));
    const columns = [...(before.columns ?? []).filter(({ name }) => !names.has(name)), ...(asked?.columns ?? [])];
    all[table] = { ...before, ...asked, ...(columns.length === 0 ? {} : { columns }) };
  }
  return all;
}

function tablesNamed(sent: readonly NewFile[]) {
  const taken = new Set<string>();
  return sent.map(({ path, name }) => {
    const base = tableName(name);
    let table = base;
    for (let number = 2; taken.has(table); number++) table = `${base}_${number}`;
    taken.add(table);
    return { path, name, table };
  });
}

async function columnsOf(warehouse: Warehouse, signal: AbortSignal | undefined) {
  const tables: (TableColumns & { readonly types: ReadonlyMap<string, ScalarType> })[] = [];
  for (const [name, table] of await tablesOf(warehouse, signal)) {
    const columns = (await warehouse.columns(table, signal)) ?? [];
    tables.push({
      name,
      columns: columns.map((column) => column.name),
      types: new Map(columns.map((column) => [column.name, column.type] as const)),
    });
  }
  return tables;
}

/** Explains why the new data cannot take the place of the old, each reason with the way on. */
function reasonsAgainst(tables: readonly ComparedTable[], models: readonly ComparedModel[]): string[] {
  const losing = models.filter(({ problems }) => problems.length > 0);
  const names = losing.map(({ name }) => name).join(' and ');
  const reasons: string[] = [];
  for (const { name, rowsAfter, columnsRemoved, columnsAdded, columnsChanged } of tables) {
    if (rowsAfter === null && losing.length > 0)
      reasons.push(`No file has the table "${name}", which ${names} needs. Bring its file, too.`);
    else
      for (const column of columnsRemoved.filter((each) => isNamed(each, losing))) {
        const [nearest] = nearestFirst(column, [...columnsAdded]);
        const hint =
          nearest === undefined
            ? ''
            : ` The files have a new column "${nearest}": if it is the same, call it "${column}".`;
        reasons.push(
          `The table "${name}" has no column "${column}", which ${names} needs.${hint} Otherwise remove what uses it on the page of the model first.`,
        );
      }
    for (const { name: column, before, after } of columnsChanged)
      if (after === 'text' && before !== 'text')
        reasons.push(
          `The column "${column}" of "${name}" was ${before} and is text now. Write its values as before, or choose how it is read.`,
        );
  }
  if (reasons.length === 0) return losing.flatMap(({ name, problems }) => problems.map((text) => `${name}: ${text}`));
  return reasons;
}

function isNamed(column: string, models: readonly ComparedModel[]): boolean {
  return models.some(({ problems }) =>
    problems.some((problem) => problem.toLowerCase().includes(column.toLowerCase())),
  );
}
