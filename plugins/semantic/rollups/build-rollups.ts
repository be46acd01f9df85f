/** Builds the tables of a model's roll-ups where the product may write, and writes the statements that build them elsewhere. */
import type { Datasource } from '../../../router/capabilities/datasources.ts';
import type { ComputedTable, TableWriter, WrittenDatabase } from '../../../router/capabilities/table-writer.ts';
import type { TableName, Warehouse, Warehouses } from '../../../router/capabilities/warehouse.ts';
import { ConflictError, NotFoundError } from '../../../router/errors.ts';
import type { EngineName } from '../../../router/warehouse-engines.ts';
import { nearestFirst } from '../../query-surface/index.ts';
import { type DocumentReader, inlineReader } from '../document-reader.ts';
import { type Loaded, loadModel } from '../load.ts';
import type { Model } from '../model/model.ts';
import { type RollupTable, rollupTable } from './rollup-table.ts';
import { storeStatements } from './store-statements.ts';

export interface RollupRequest {
  readonly datasource: Pick<Datasource, 'name' | 'schema' | 'warehouse'>;
  /** The text of the model. */
  readonly text: string;
  /** The names of the roll-ups; all of the model where it is left out. */
  readonly names?: readonly string[] | undefined;
  readonly warehouses: Pick<Warehouses, 'open'>;
  /** Reads the text; without it, the calling thread reads it. */
  readonly reader?: DocumentReader | undefined;
}

/** How the build of one roll-up ended. */
export interface RollupOutcome {
  readonly rollup: string;
  /** As the model names it. */
  readonly table: string;
  readonly result: 'built' | 'failed';
  readonly rows: number | null;
  /** Why it failed; empty where it was built. */
  readonly message: string;
}

/** The statements that build one roll-up. */
export interface RollupStatements {
  readonly rollup: string;
  readonly engine: EngineName;
  readonly statements: readonly string[];
}

export interface RollupBuildRequest extends RollupRequest {
  readonly writer: TableWriter;
  /** The database file of the datasource. */
  readonly file: string;
  readonly signal: AbortSignal | undefined;
  /** Puts the written database into its place; by default at once. */
  readonly place?: (written: WrittenDatabase) => Promise<unknown>;
}

/** A model with the names of its roll-ups, also of the ones that cannot be built. */
export interface ModelRollups {
  readonly model: string;
  readonly rollups: readonly {
    readonly name: string;
    /** As the model names it; empty where it cannot be built. */
    readonly table: string;
    /** Why it cannot be built; empty where it can. */
    readonly refused: string;
  }[];
}

/** A roll-up of a model, which can be built or not. */
type Planned = { readonly name: string } & ({ readonly table: RollupTable } | { readonly refused: string });

/**
 * Builds roll-ups. Each is compared with its dataset before anybody reads it; one that fails leaves its old table.
 *
 * @throws NotFoundError for a name that the model does not have, with the names that it has
 * @throws ConflictError where the model cannot be used, or its database cannot be written now
 */
export async function buildRollups(request: RollupBuildRequest): Promise<readonly RollupOutcome[]> {
  const { writer, file, signal, place = (written) => written.place() } = request;
  const { planned } = await plannedOf(request);
  const tables = planned.flatMap((one) => ('table' in one ? [one.table] : []));
  if (tables.length === 0) return planned.map((one) => failed(one, 'refused' in one ? one.refused : ''));
  const written = await writer.write(file, tables.map(computed), { signal });
  try {
    if (written.tables.some(({ kind }) => kind === 'written')) await place(written);
    const results = new Map(tables.map((table, index) => [table.rollup, written.tables[index]] as const));
    return planned.map((one) => {
      if ('refused' in one) return failed(one, one.refused);
      const result = results.get(one.name);
      return result?.kind === 'written'
        ? { rollup: one.name, table: nameOf(one.table.table), result: 'built', rows: result.rows, message: '' }
        : failed(one, result?.reason ?? '');
    });
  } finally {
    await written.release();
  }
}

/**
 * Returns the statements that build roll-ups, for a warehouse in which the product does not write.
 *
 * @throws NotFoundError for a name that the model does not have, with the names that it has
 * @throws ConflictError where the model cannot be used, or a roll-up cannot be exact
 */
export async function rollupStatements(request: RollupRequest): Promise<readonly RollupStatements[]> {
  const { planned, dialect } = await plannedOf(request);
  return planned.map((one) => {
    const refused = 'refused' in one ? one.refused : NEEDS_PRODUCT[dialect.name]?.(one.table.select);
    if ('refused' in one || refused !== undefined)
      throw new ConflictError(`The roll-up ${one.name} cannot be built: ${refused}.`, { code: 'ROLLUP_REFUSED' });
    return {
      rollup: one.name,
      engine: dialect.name,
      statements: storeStatements(one.table, dialect),
    };
  });
}

/** Lists the roll-ups of a model. @throws ConflictError where the model cannot be used */
export async function rollupsOf(request: RollupRequest): Promise<ModelRollups> {
  const { planned, model } = await plannedOf(request);
  const rollups = planned.map((one) => {
    return 'table' in one
      ? { name: one.name, table: nameOf(one.table.table), refused: '' }
      : { name: one.name, table: '', refused: one.refused };
  });
  return { model, rollups };
}

/** Returns why statements run only inside of this product. */
const NEEDS_PRODUCT: Readonly<Partial<Record<EngineName, (select: string) => string | undefined>>> = {
  sqlite: (select) =>
    /\bservice_[a-z_]+\(/.test(select)
      ? 'SQLite itself has no periods of dates. Name the date without "grain"; its periods follow from its days'
      : undefined,
};

async function plannedOf({ names, ...request }: RollupRequest): Promise<{
  readonly model: string;
  readonly planned: readonly Planned[];
  readonly dialect: Warehouse['dialect'];
}> {
  const { model, leftOutRollups, warehouse } = await modelOf(request);
  const all = [...model.rollups.map(({ name }) => name), ...leftOutRollups.keys()];
  const unknown = names?.find((name) => !all.includes(name));
  if (unknown !== undefined)
    throw new NotFoundError(`The model ${model.name} has no roll-up ${unknown}.`, {
      path: ['rollup'],
      available: nearestFirst(unknown, all),
    });
  const planned = (names ?? all).map((name) => planOf(name, model, leftOutRollups, warehouse));
  return { model: model.name, planned, dialect: warehouse.dialect };
}

/** Loads a model whose roll-ups need no table. @throws ConflictError where it cannot be used */
export async function modelOf({ datasource, text, warehouses, reader = inlineReader }: RollupRequest) {
  const warehouse = await warehouses.open(datasource.warehouse);
  const loaded = await loadModel(datasource, text, warehouse, reader, 'unread');
  const { model, leftOutRollups } = loaded;
  if (model === undefined) throw unusable(datasource.name, loaded);
  return { model, leftOutRollups, warehouse };
}

function planOf(
  name: string,
  model: Model,
  leftOut: ReadonlyMap<string, string>,
  { dialect }: Pick<Warehouse, 'dialect'>,
): Planned {
  const rollup = model.rollups.find((one) => one.name === name);
  if (rollup === undefined) return { name, refused: leftOut.get(name) ?? '' };
  const table = rollupTable(rollup, model, dialect);
  if (table.table.catalog !== undefined) return { name, refused: 'its table is in another database' };
  const used = [...model.datasets.values(), ...model.rollups.flatMap((one) => (one === rollup ? [] : [one.table]))];
  const taken = used.find(({ source }) => source.kind === 'table' && isSame(source.table, table.table));
  return taken === undefined ? { name, table } : { name, refused: `${taken.name} reads its table, too` };
}

function isSame(one: TableName, other: TableName): boolean {
  const key = ({ schema, name }: TableName) => JSON.stringify([schema, name]).toLowerCase();
  return (
    key(one) === key(other) || (one.name.toLowerCase() === other.name.toLowerCase() && !(one.schema && other.schema))
  );
}

function computed({ table, select, differences }: RollupTable): ComputedTable {
  return { table, select, differences };
}

function failed(one: Planned, message: string): RollupOutcome {
  const table = 'table' in one ? nameOf(one.table.table) : '';
  return { rollup: one.name, table, result: 'failed', rows: null, message };
}

function nameOf({ schema, name }: TableName): string {
  return schema === undefined ? name : `${schema}.${name}`;
}

function unusable(name: string, { problems }: Loaded): ConflictError {
  const first = problems.find(({ severity }) => severity === 'error');
  return new ConflictError(`The model of ${name} cannot be used: ${first?.message ?? ''}`, { code: 'MODEL_UNUSABLE' });
}
