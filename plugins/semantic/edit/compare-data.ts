/** Compares a model over its data with the same model over other data, before the other data takes its place. */
import type { Datasource } from '../../../router/capabilities/datasources.ts';
import type { Scope, TenantId } from '../../../router/capabilities/identity.ts';
import type { Log } from '../../../router/capabilities/log.ts';
import type { Repository } from '../../../router/capabilities/repository.ts';
import type { Warehouse, WarehouseAddress } from '../../../router/capabilities/warehouse.ts';
import { WarehouseError } from '../../../router/errors.ts';
import { type DocumentReader, inlineReader, rememberingReader } from '../document-reader.ts';
import { loadModel } from '../load.ts';
import type { Metric, Model, Relationship } from '../model/model.ts';
import { renderSource } from '../model/source.ts';
import type { Dependencies } from '../operations/dependencies.ts';
import { ReferentialIntegrity } from '../query/execute/referential-integrity.ts';
import { totalStatement } from '../total-statement.ts';
import { type Break, breakage, type Embed } from './breakage.ts';
import { readContent, requestsOf } from './stored-requests.ts';

/** Metrics with totals in a comparison at most, and relationships with counts. */
const MAX_COMPARED = 50;

export interface DataComparisonParts extends Dependencies {
  readonly log: Log;
  readonly repository: Repository;
  readonly embedsOf: (tenant: TenantId) => Promise<readonly Embed[]>;
  /** Reads the text of the model; without it, the calling thread reads it. */
  readonly reader?: DocumentReader | undefined;
}

export interface ComparedModel {
  readonly datasource: Datasource;
  readonly text: string;
  readonly caller: Scope;
  /** The other data. */
  readonly address: WarehouseAddress;
  readonly signal: AbortSignal | undefined;
}

export interface ComparedTotal {
  readonly metric: string;
  readonly label: string;
  readonly before: number | null;
  readonly after: number | null;
}

/** Rows of a dataset whose key has no row in the other dataset. */
export interface ComparedKeys {
  readonly relationship: string;
  readonly from: string;
  readonly to: string;
  readonly columns: readonly string[];
  readonly before: number;
  readonly after: number;
}

export interface DataComparison {
  /** What the model would lose: problems that it has over the other data, and not over its present data. */
  readonly problems: readonly string[];
  readonly totals: readonly ComparedTotal[];
  readonly unmatched: readonly ComparedKeys[];
  readonly breaks: readonly Break[];
}

export async function compareData(
  { datasource, text, caller, address, signal }: ComparedModel,
  parts: DataComparisonParts,
): Promise<DataComparison> {
  const { catalogs, cache, settings, repository, embedsOf, log } = parts;
  const catalog = catalogs.of(caller.tenant);
  const [now, next] = [await catalog.open(datasource.warehouse), await catalog.open(address)];
  const reader = rememberingReader(parts.reader ?? inlineReader);
  // Roll-ups are built anew from the other data, so that it need not have their tables.
  const before = await loadModel(datasource, text, now, reader, 'unread');
  const after = await loadModel(datasource, text, next, reader, 'unread');
  const earlier = new Set(before.problems.map(({ message }) => message));
  const problems = after.problems.map(({ message }) => message).filter((message) => !earlier.has(message));
  if (before.model === undefined || after.model === undefined)
    return { problems, totals: [], unmatched: [], breaks: [] };
  const integrity = new ReferentialIntegrity(after.model, next, log);
  try {
    const { documents } = await readContent(repository, caller);
    const isOnly = catalog.servedBy(datasource.name).length <= 1;
    const name = { connection: datasource.name, model: after.model.name, isOnly };
    const breaks = await breakage(
      requestsOf(documents, name).map((request) => ({ before: request, after: request })),
      {
        before: catalog.served(datasource.id),
        after: {
          model: after.model,
          warehouse: next,
          keyPrefix: ['replacement', caller.tenant, datasource.id, address.jdbcUrl],
          integrity,
        },
        caller,
        embeds: await embedsOf(caller.tenant),
        cache,
        settings,
        signal,
      },
    );
    return {
      problems,
      totals: await totalsOf(before.model, after.model, [now, next], signal),
      unmatched: await unmatchedOf(before.model, after.model, [now, next], signal),
      breaks,
    };
  } finally {
    integrity.close();
  }
}

async function totalsOf(
  before: Model,
  after: Model,
  [now, next]: readonly [Warehouse, Warehouse],
  signal: AbortSignal | undefined,
): Promise<readonly ComparedTotal[]> {
  const totals: ComparedTotal[] = [];
  for (const metric of [...before.metrics.values()].slice(0, MAX_COMPARED)) {
    const same = after.metrics.get(metric.name);
    totals.push({
      metric: metric.name,
      label: metric.label,
      before: await totalOf(metric, before, now, signal),
      after: same === undefined ? null : await totalOf(same, after, next, signal),
    });
  }
  return totals;
}

/** Returns the value of a metric over all rows; null where it has none that is a number. */
async function totalOf(
  metric: Metric,
  model: Model,
  warehouse: Warehouse,
  signal: AbortSignal | undefined,
): Promise<number | null> {
  const statement = totalStatement(metric, model, warehouse.dialect);
  if (statement === undefined) return null;
  return countOf(warehouse, statement.sql, signal, statement.parameters);
}

async function unmatchedOf(
  before: Model,
  after: Model,
  [now, next]: readonly [Warehouse, Warehouse],
  signal: AbortSignal | undefined,
): Promise<readonly ComparedKeys[]> {
  const compared: ComparedKeys[] = [];
  for (const relationship of before.relationships.slice(0, MAX_COMPARED)) {
    const { name, from, to, fromColumns } = relationship;
    if (!after.relationships.some((each) => each.name === name)) continue;
    const counts = [
      await lostRows(relationship, before, now, signal),
      await lostRows(relationship, after, next, signal),
    ];
    const [was, is] = counts;
    if (was == null || is == null || (was === 0 && is === 0)) continue;
    compared.push({ relationship: name, from, to, columns: fromColumns, before: was, after: is });
  }
  return compared;
}

/** Counts the rows with a key that the other side of a relationship has not; rows without a key do not count. */
async function lostRows(
  { from, to, fromColumns, toColumns }: Relationship,
  { datasets }: Model,
  warehouse: Warehouse,
  signal: AbortSignal | undefined,
): Promise<number | null> {
  const [many, one] = [datasets.get(from), datasets.get(to)];
  if (many === undefined || one === undefined) return null;
  const { dialect } = warehouse;
  const left = fromColumns.map((column) => `many_rows.${dialect.identifier(column)}`);
  const right = toColumns.map((column) => `one_rows.${dialect.identifier(column)}`);
  const keys = right.map((column, index) => `${column} = ${left[index] ?? ''}`).join(' AND ');
  const present = left.map((column) => `${column} IS NOT NULL`).join(' AND ');
  const [first = ''] = right;
  const sql = `SELECT COUNT(*) AS lost_rows FROM ${renderSource(many.source, dialect)} AS many_rows LEFT JOIN ${renderSource(one.source, dialect)} AS one_rows ON ${keys} WHERE ${present} AND ${first} IS NULL`;
  return countOf(warehouse, sql, signal, []);
}

async function countOf(
  warehouse: Warehouse,
  sql: string,
  signal: AbortSignal | undefined,
  parameters: Parameters<Warehouse['query']>[0]['parameters'],
): Promise<number | null> {
  try {
    const { values } = await warehouse.query({ sql, parameters }, { maxRows: 1, signal });
    const value = values[0]?.[0] ?? null;
    return value === null || Number.isNaN(Number(value)) ? null : Number(value);
  } catch (error) {
    // A metric that the warehouse refuses is a problem of the model, and reported as one.
    if (error instanceof WarehouseError) return null;
    throw error;
  }
}
