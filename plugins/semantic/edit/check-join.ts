/** Checks in the data whether two datasets can be joined by columns: repeated keys, empty keys, rows without a partner. */
import type { Statement } from '../../../router/capabilities/warehouse.ts';
import { ValidationError, WarehouseError } from '../../../router/errors.ts';
import { nearestFirst } from '../../../router/nearest-names.ts';
import type { Entry } from '../catalog.ts';
import type { Dataset } from '../model/model.ts';
import { renderSource } from '../model/source.ts';
import type { Dependencies } from '../operations/dependencies.ts';
import { execute } from '../query/execute/cached-statement.ts';

export interface JoinEnds {
  readonly from: string;
  readonly to: string;
  readonly fromColumns: readonly string[];
  readonly toColumns: readonly string[];
}

export interface JoinCheck {
  /** Rows of `from`. */
  readonly rows: number;
  /** Rows of `from` with an empty key. */
  readonly emptyKeys: number;
  /** Rows of `from` with a key that `to` does not have. */
  readonly withoutPartner: number;
  /** Keys that more than one row of `to` has. */
  readonly repeatedKeys: number;
}

/** @throws ValidationError for unknown datasets and columns, and for columns that the warehouse does not compare */
export async function checkJoin(
  ends: JoinEnds,
  entry: Pick<Entry, 'model' | 'warehouse' | 'keyPrefix'>,
  {
    cache,
    settings,
  }: Pick<Dependencies, 'cache'> & { readonly settings: Pick<Dependencies['settings'], 'cacheTtlMs'> },
  signal: AbortSignal | undefined,
): Promise<JoinCheck> {
  const from = datasetOf(ends.from, 'from', entry);
  const to = datasetOf(ends.to, 'to', entry);
  if (ends.fromColumns.length !== ends.toColumns.length)
    throw ValidationError.at(['toColumns'], 'Both ends of a relationship have the same number of columns.');
  await knownColumns(from, ends.fromColumns, 'fromColumns', entry);
  await knownColumns(to, ends.toColumns, 'toColumns', entry);
  const { dialect } = entry.warehouse;
  const sources = { from: renderSource(from.source, dialect), to: renderSource(to.source, dialect) };
  const keys = ends.fromColumns.map((column, index) => ({
    from: dialect.identifier(column),
    to: dialect.identifier(ends.toColumns[index] ?? ''),
    alias: dialect.identifier(`key_${index}`),
  }));
  const count = async (sql: string): Promise<number> => {
    const statement: Statement = { sql, parameters: [] };
    const { warehouse, keyPrefix } = entry;
    const options = { warehouse, cache, keyPrefix, ttlMs: settings.cacheTtlMs, maxRows: 1, signal };
    return Number((await execute(statement, options)).value.values[0]?.[0] ?? 0);
  };
  const empty = keys.map((key) => `${key.from} IS NULL`).join(' OR ');
  const present = keys.map((key) => `${key.to} IS NOT NULL`).join(' AND ');
  const partners = `SELECT DISTINCT ${keys.map((key) => `${key.to} AS ${key.alias}`).join(', ')}, 1 AS is_there FROM ${sources.to} AS to_rows WHERE ${present}`;
  const on = keys.map((key) => `from_rows.${key.from} = partners.${key.alias}`).join(' AND ');
  const filled = keys.map((key) => `from_rows.${key.from} IS NOT NULL`).join(' AND ');
  const repeated = `SELECT 1 AS one FROM ${sources.to} AS to_rows WHERE ${present} GROUP BY ${keys.map((key) => key.to).join(', ')} HAVING COUNT(*) > 1`;
  try {
    return {
      rows: await count(`SELECT COUNT(*) AS n FROM ${sources.from} AS from_rows`),
      emptyKeys: await count(`SELECT COUNT(*) AS n FROM ${sources.from} AS from_rows WHERE ${empty}`),
      withoutPartner: await count(
        `SELECT COUNT(*) AS n FROM ${sources.from} AS from_rows LEFT JOIN (${partners}) AS partners ON ${on} WHERE ${filled} AND partners.is_there IS NULL`,
      ),
      repeatedKeys: await count(`SELECT COUNT(*) AS n FROM (${repeated}) AS repeated`),
    };
  } catch (error) {
    if (!(error instanceof WarehouseError)) throw error;
    const message = 'The warehouse cannot compare these columns. Choose columns with values of one type.';
    throw ValidationError.at(['toColumns'], message);
  }
}

function datasetOf(name: string, member: string, { model }: Pick<Entry, 'model'>): Dataset {
  const dataset = model.datasets.get(name);
  if (dataset !== undefined) return dataset;
  const available = nearestFirst(name, [...model.datasets.keys()]);
  throw ValidationError.at([member], `The model has no dataset "${name}".`, available);
}

async function knownColumns(
  { name, source }: Dataset,
  columns: readonly string[],
  member: string,
  { warehouse }: Pick<Entry, 'warehouse'>,
): Promise<void> {
  // The warehouse refuses unknown columns of a query.
  if (source.kind !== 'table') return;
  const [known] = await warehouse.columnsByName([source.table]);
  const names = (known ?? []).map((column) => column.name);
  const folded = new Set(names.map((each) => each.toLowerCase()));
  for (const [index, column] of columns.entries())
    if (!folded.has(column.toLowerCase()))
      throw ValidationError.at([member, index], `${name} has no column "${column}".`, nearestFirst(column, names));
}
