/** Trino without a server: its SQL is read back by the parser library in Trino's dialect, written for DuckDB and run there. */
import { init, Dialect as ParserDialect, transpile } from '@polyglot-sql/sdk';
import type { Dialect } from '../../../router/capabilities/dialect.ts';
import type { Statement, Warehouse } from '../../../router/capabilities/warehouse.ts';
import type { StartedWarehouse } from './fixture.ts';

/** Starts a warehouse of Trino's dialect over one of DuckDB. */
export async function trinoOver(
  judge: StartedWarehouse & { readonly warehouse: Warehouse },
  dialect: Dialect,
): Promise<StartedWarehouse> {
  await init();
  const { warehouse, address } = judge;
  const translated = ({ sql, parameters }: Statement): Statement => {
    const { success, sql: written, error } = transpile(sql, ParserDialect.Trino, ParserDialect.DuckDB);
    if (!success || written?.[0] === undefined) throw new Error(`no Trino: ${error}\n${sql}`);
    return { sql: written[0], parameters };
  };
  const trino: Warehouse = {
    dialect,
    ping: (signal) => warehouse.ping(signal),
    query: (statement, options) => warehouse.query(translated(statement), options),
    stream: (statement, options) => warehouse.stream(translated(statement), options),
    tables: (options) => warehouse.tables(options),
    columns: (table, signal) => warehouse.columns(table, signal),
    columnsOf: (tables, signal) => warehouse.columnsOf(tables, signal),
    catalogStatistics: (tables, signal) => warehouse.catalogStatistics(tables, signal),
    declaredKeys: (tables, signal) => warehouse.declaredKeys(tables, signal),
    rowEstimates: (options) => warehouse.rowEstimates(options),
    dataVersion: () => warehouse.dataVersion(),
    close: () => warehouse.close(),
  };
  const warehouses = {
    open: async () => trino,
    supported: judge.warehouses.supported,
    isSame: judge.warehouses.isSame,
    check: judge.warehouses.check,
    release: async () => undefined,
  };
  return { warehouses, address, stop: () => judge.stop() };
}
