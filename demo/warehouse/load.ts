import { type DuckDBAppender, type DuckDBConnection, DuckDBDateValue, DuckDBDecimalValue } from '@duckdb/node-api';
import { epochDay } from './dates.ts';

/** Describes a column to fill: its SQL declaration, and how to append a row's value. */
export interface Column<Row> {
  readonly sql: string;
  append(appender: DuckDBAppender, row: Row): void;
}

type Value<Row, T> = (row: Row) => T | undefined;

function column<Row, T>(
  sql: string,
  value: Value<Row, T>,
  append: (appender: DuckDBAppender, value: T) => void,
): Column<Row> {
  return {
    sql,
    append(appender, row) {
      const cell = value(row);
      if (cell === undefined) appender.appendNull();
      else append(appender, cell);
    },
  };
}

export const integer = <Row>(value: Value<Row, number>, constraint = ''): Column<Row> =>
  column(`INTEGER ${constraint}`, value, (appender, cell) => appender.appendInteger(cell));
export const double = <Row>(value: Value<Row, number>): Column<Row> =>
  column('DOUBLE', value, (appender, cell) => appender.appendDouble(cell));
export const text = <Row>(value: Value<Row, string>, constraint = ''): Column<Row> =>
  column(`VARCHAR ${constraint}`, value, (appender, cell) => appender.appendVarchar(cell));
export const boolean = <Row>(value: Value<Row, boolean>, constraint = ''): Column<Row> =>
  column(`BOOLEAN ${constraint}`, value, (appender, cell) => appender.appendBoolean(cell));
export const date = <Row>(value: Value<Row, string>, constraint = ''): Column<Row> =>
  column(`DATE ${constraint}`, value, (appender, cell) => appender.appendDate(new DuckDBDateValue(epochDay(cell))));
/** Declares a column of money, filled with cents. */
export const money = <Row>(value: Value<Row, number>, constraint = ''): Column<Row> =>
  column(`DECIMAL(12,2) ${constraint}`, value, (appender, cell) =>
    appender.appendDecimal(new DuckDBDecimalValue(BigInt(cell), 12, 2)),
  );

/** Creates `table` and fills it with one row for each of `rows`. */
export async function createTable<Row>(
  connection: DuckDBConnection,
  table: {
    readonly name: string;
    readonly temporary?: boolean;
    readonly columns: Readonly<Record<string, Column<Row>>>;
  },
  rows: readonly Row[],
): Promise<void> {
  const columns = Object.entries(table.columns);
  const declared = columns.map(([name, { sql }]) => `${name} ${sql}`).join(', ');
  await connection.run(`CREATE ${table.temporary === true ? 'TEMP ' : ''}TABLE ${table.name} (${declared})`);
  const appender = await connection.createAppender(table.name);
  for (const row of rows) {
    for (const [, { append }] of columns) append(appender, row);
    appender.endRow();
  }
  appender.closeSync();
}
