import type { Statement, Warehouse } from '../../../../router/capabilities/warehouse.ts';

export interface Recorded {
  readonly warehouse: Warehouse;
  /** The texts of the statements that ran, in their order. */
  readonly statements: readonly string[];
  /** Forgets the statements. */
  clear(): void;
}

/** Wraps a warehouse and records each statement. `before` is called before each statement runs. */
export function recorded(warehouse: Warehouse, before?: (statement: Statement) => Promise<void>): Recorded {
  const statements: string[] = [];
  return {
    statements,
    clear: () => statements.splice(0),
    warehouse: {
      dialect: warehouse.dialect,
      ping: (signal) => warehouse.ping(signal),
      query: async (statement, options) => {
        statements.push(statement.sql);
        await before?.(statement);
        return warehouse.query(statement, options);
      },
      stream: (statement, options) => warehouse.stream(statement, options),
      tables: (options) => warehouse.tables(options),
      columns: (table, signal) => warehouse.columns(table, signal),
      missingPlace: (schema, signal) => warehouse.missingPlace(schema, signal),
      columnsByName: (tables, signal) => warehouse.columnsByName(tables, signal),
      columnsOf: (tables, signal) => warehouse.columnsOf(tables, signal),
      catalogStatistics: (tables, signal) => warehouse.catalogStatistics(tables, signal),
      declaredKeys: (tables, signal) => warehouse.declaredKeys(tables, signal),
      rowEstimates: (options) => warehouse.rowEstimates(options),
      dataVersion: () => warehouse.dataVersion(),
      close: () => warehouse.close(),
    },
  };
}
