/** Compares the tables of two databases: rows, columns, types, and the ranges of dates. */
import type { ColumnInfo, TableInfo, Warehouse } from '../../../router/capabilities/warehouse.ts';
import { COMPARE_TIMEOUT_MS, MAX_COMPARED_TABLES } from '../limits.ts';
import type { ComparedTable } from '../schemas.ts';

type DateRange = ComparedTable['dates'][number];

/** @param isLeftOut returns true for tables that are not compared; by default, all are */
export async function compareTables(
  before: Warehouse,
  after: Warehouse,
  signal: AbortSignal | undefined,
  isLeftOut: (table: string) => boolean = () => false,
): Promise<readonly ComparedTable[]> {
  const [present, fresh] = [await tablesOf(before, signal), await tablesOf(after, signal)];
  const names = [...new Set([...present.keys(), ...fresh.keys()])].filter((name) => !isLeftOut(name)).sort();
  const compared: ComparedTable[] = [];
  for (const name of names.slice(0, MAX_COMPARED_TABLES)) {
    const [old, next] = [present.get(name), fresh.get(name)];
    const was = old === undefined ? undefined : await factsOf(before, old, signal);
    const is = next === undefined ? undefined : await factsOf(after, next, signal);
    compared.push({
      name,
      rowsBefore: was?.rows ?? null,
      rowsAfter: is?.rows ?? null,
      ...changesOf(was?.columns ?? [], is?.columns ?? []),
      dates: rangesOf(was?.dates ?? new Map(), is?.dates ?? new Map()),
    });
  }
  return compared;
}

export async function tablesOf(
  warehouse: Warehouse,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<string, TableInfo>> {
  const tables = await warehouse.tables(signal === undefined ? {} : { signal });
  return new Map(tables.filter(({ kind }) => kind === 'TABLE').map((table) => [table.name, table] as const));
}

interface TableFacts {
  readonly rows: number;
  readonly columns: readonly ColumnInfo[];
  readonly dates: ReadonlyMap<string, readonly [string | null, string | null]>;
}

async function factsOf(warehouse: Warehouse, table: TableInfo, signal: AbortSignal | undefined): Promise<TableFacts> {
  const { dialect } = warehouse;
  const columns = (await warehouse.columns(table, signal)) ?? [];
  const dates = columns.filter(({ type }) => type === 'date' || type === 'timestamp');
  const name = [table.schema, table.name].flatMap((part) => (part === undefined ? [] : [dialect.identifier(part)]));
  const ends = dates.flatMap(({ name: column }) => {
    const quoted = dialect.identifier(column);
    return [`CAST(MIN(${quoted}) AS VARCHAR)`, `CAST(MAX(${quoted}) AS VARCHAR)`];
  });
  const sql = `SELECT ${['COUNT(*)', ...ends].map((text, index) => `${text} AS c${index}`).join(', ')} FROM ${name.join('.')}`;
  const { values } = await warehouse.query(
    { sql, parameters: [] },
    { maxRows: 1, timeoutMs: COMPARE_TIMEOUT_MS, signal },
  );
  const cell = (index: number): string | null => {
    const value = values[index]?.[0] ?? null;
    return value === null ? null : String(value);
  };
  return {
    rows: Number(cell(0) ?? 0),
    columns,
    dates: new Map(
      dates.map(({ name: column }, index) => [column, [cell(1 + 2 * index), cell(2 + 2 * index)]] as const),
    ),
  };
}

function changesOf(before: readonly ColumnInfo[], after: readonly ColumnInfo[]) {
  const present = new Map(before.map((column) => [column.name, column] as const));
  const fresh = new Map(after.map((column) => [column.name, column] as const));
  return {
    columnsAdded: after.filter(({ name }) => !present.has(name)).map(({ name }) => name),
    columnsRemoved: before.filter(({ name }) => !fresh.has(name)).map(({ name }) => name),
    columnsChanged: before.flatMap(({ name, type }) => {
      const next = fresh.get(name);
      return next === undefined || next.type === type ? [] : [{ name, before: type, after: next.type }];
    }),
  };
}

function rangesOf(before: TableFacts['dates'], after: TableFacts['dates']): DateRange[] {
  return [...new Set([...before.keys(), ...after.keys()])].map((column) => {
    const [fromBefore = null, toBefore = null] = before.get(column) ?? [];
    const [fromAfter = null, toAfter = null] = after.get(column) ?? [];
    return { column, fromBefore, toBefore, fromAfter, toAfter };
  });
}
