/** The profile of the tables of a warehouse. */
import type { Clock } from '../../../router/capabilities/clock.ts';
import type { Log } from '../../../router/capabilities/log.ts';
import { CANNOT_BE_REACHED, type TableInfo, type Warehouse } from '../../../router/capabilities/warehouse.ts';
import { NotFoundError, ServiceError, ValidationError, WarehouseUnreachableError } from '../../../router/errors.ts';
import { MAX_NAME_LENGTH } from '../../../router/limits.ts';
import type { KeyPair } from '../detect/foreign-keys/pair-places.ts';
import { CONNECT_TIMEOUT_MS, MAX_REFERENCES, PROFILED_AT_A_TIME } from '../limits.ts';
import type { PersonalColumns } from '../personal/marked-columns.ts';
import { withoutPersonalValues } from '../personal/mask-profile.ts';
import type { Reference, SchemaProfile, Table, TableType } from '../schemas.ts';
import type { InferenceWork } from '../work/work.ts';
import { statementRunner } from './ask.ts';
import { declaredPairs } from './declared-keys.ts';
import { chooseEffort } from './effort.ts';
import { type KnownTable, type ProfileRun, profileTable } from './profile-table.ts';
import { findReferences, referencesAsDeclared } from './references.ts';

export interface ProfileRequest {
  readonly warehouse: Warehouse;
  readonly schema: string | undefined;
  readonly maxTables: number;
  readonly tableTypes: readonly TableType[];
  readonly clock: Clock;
  readonly log: Log;
  /** Finds the pairs of columns that are worth looking up. */
  readonly work: Pick<InferenceWork, 'pairs'>;
  /** The columns with hidden values; without it, all values are shown. */
  readonly personal?: PersonalColumns;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Profiles the first tables of a schema, by name. One that cannot be read is left out and logged; so are tables and columns
 * with names that no request takes.
 *
 * @throws NotFoundError when there is no such schema
 * @throws WarehouseUnreachableError when the warehouse does not answer
 */
export async function profileSchema(request: ProfileRequest): Promise<SchemaProfile> {
  const { warehouse, schema, maxTables, tableTypes, clock, log, personal, signal } = request;
  const started = clock();
  const { product, version } = await reach(warehouse, signal);
  const all = await warehouse.tables({ ...(schema === undefined ? {} : { schema }), ...(signal && { signal }) });
  if (schema !== undefined && all.length === 0) await refuseUnknownSchema(warehouse, schema);
  const ofTypes = all.filter(({ kind }) => tableTypes.includes(kind));
  const nameable = ofTypes.filter(
    ({ name, schema: within }) => isName(name) && (within?.length ?? 0) <= MAX_NAME_LENGTH,
  );
  if (nameable.length < ofTypes.length)
    log.warn({ tables: ofTypes.length - nameable.length }, 'tables whose names are too long are left out of a profile');
  const tables = nameable.slice(0, maxTables);
  const estimates = new Map(
    (await warehouse.rowEstimates({ schema, signal })).map((each) => [tableKey(each), each.rows] as const),
  );
  const columns = (await warehouse.columnsOf(tables, signal)).map((list) => list?.filter(({ name }) => isName(name)));
  const statistics = await warehouse.catalogStatistics(tables, signal);
  const declared = await warehouse.declaredKeys(tables, signal);
  const run = { warehouse, effort: chooseEffort(tables.length), signal };
  const profiled = await mapSome(tables, async (table, place) => {
    // One that went between two statements.
    const ofTable = columns[place];
    if (ofTable === undefined) return undefined;
    const byColumn = new Map(statistics[place]?.map((each) => [each.column, each] as const));
    return profileIfPossible(request, run, table, {
      columns: ofTable,
      estimate: estimates.get(tableKey(table)),
      statistics: byColumn,
    });
  });
  const present = profiled.filter((table) => table !== undefined);
  const declaring = profiled.flatMap((table, place) =>
    table === undefined ? [] : [{ table, keys: declared[place] ?? [] }],
  );
  const references =
    present.length < 1
      ? {}
      : { references: await lookUpReferences(request, present, declaredPairs(present, declaring)) };
  const shown = profiled.flatMap((profile, place) => {
    const table = tables[place];
    if (profile === undefined || table === undefined) return [];
    return [personal === undefined ? profile : withoutPersonalValues(profile, table, personal)];
  });
  return {
    databaseProductName: product.slice(0, MAX_PRODUCT_LENGTH),
    databaseProductVersion: version.slice(0, MAX_PRODUCT_LENGTH),
    tables: shown,
    ...references,
    sampledAt: new Date(started).toISOString(),
    sampleDurationMillis: Math.max(0, clock() - started),
    // No supported engine charges for the bytes that a statement reads.
    sampleCostUsd: 0,
  };
}

/** Characters of a product's name or version in a profile. */
const MAX_PRODUCT_LENGTH = 200;

function isName(name: string): boolean {
  return name.length > 0 && name.length <= MAX_NAME_LENGTH;
}

/**
 * Queries a warehouse for its product. Wrong credentials, a host that is down and a host that never answers give the same
 * error.
 *
 * @throws WarehouseUnreachableError
 */
export async function reach(
  warehouse: Warehouse,
  signal?: AbortSignal | undefined,
): Promise<{ readonly product: string; readonly version: string }> {
  const timeout = AbortSignal.timeout(CONNECT_TIMEOUT_MS);
  try {
    return await warehouse.ping(signal === undefined ? timeout : AbortSignal.any([signal, timeout]));
  } catch (cause) {
    if (!(cause instanceof ServiceError) || signal?.aborted === true) throw cause;
    // Our own words: the host may not be connected to.
    if (cause instanceof ValidationError) throw cause;
    // One answer for every failure, without its cause: neither the caller nor the log learns which service is at the port.
    throw new WarehouseUnreachableError(CANNOT_BE_REACHED);
  }
}

/** Rows of one statement over references at most. */
const MAX_REFERENCE_ROWS = 1_000;

/** Looks references up. Where the user of the connection may not, names decide. */
async function lookUpReferences(
  { warehouse, log, work, signal }: ProfileRequest,
  tables: readonly Table[],
  declared: readonly KeyPair[],
): Promise<Reference[]> {
  const ask = statementRunner(warehouse, MAX_REFERENCE_ROWS, signal);
  try {
    const pairs = [...declared, ...(await work.pairs(tables, signal))].slice(0, MAX_REFERENCES);
    return await findReferences(ask, warehouse.dialect, tables, pairs);
  } catch (error) {
    if (!(error instanceof ServiceError) || signal?.aborted === true) throw error;
    log.warn({ err: error.cause ?? error }, 'references could not be looked up');
    return referencesAsDeclared(tables, declared);
  }
}

async function profileIfPossible(
  { log, signal }: ProfileRequest,
  run: ProfileRun,
  table: TableInfo,
  catalog: KnownTable,
): Promise<Table | undefined> {
  try {
    return await profileTable(run, table, catalog);
  } catch (error) {
    if (!(error instanceof ServiceError) || signal?.aborted === true || error instanceof WarehouseUnreachableError)
      throw error;
    log.warn({ table: table.name, err: error.cause ?? error }, 'a table could not be profiled');
    return undefined;
  }
}

async function refuseUnknownSchema(warehouse: Warehouse, schema: string): Promise<never> {
  const schemas = [...new Set((await warehouse.tables()).map((table) => table.schema ?? ''))];
  throw new NotFoundError(`There are no tables in a schema "${schema}".`, { path: ['schema'], available: schemas });
}

function tableKey({ schema, name }: { readonly schema?: string | undefined; readonly name: string }): string {
  return JSON.stringify([schema ?? '', name]);
}

/** Runs `work` on a list, a few items at a time, and returns the results in order. Stops at the first failure. */
async function mapSome<In, Out>(list: readonly In[], work: (each: In, place: number) => Promise<Out>): Promise<Out[]> {
  const results: Out[] = [];
  const waiting = list.entries();
  await Promise.all(
    Array.from({ length: PROFILED_AT_A_TIME }, async () => {
      for (const [index, each] of waiting) results[index] = await work(each, index);
    }),
  );
  return results;
}
