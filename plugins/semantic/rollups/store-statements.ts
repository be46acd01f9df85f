/** Writes the statements that build a roll-up's table in an engine: under another name first, then in its place. */
import type { Dialect } from '../../../router/capabilities/dialect.ts';
import type { TableName } from '../../../router/capabilities/warehouse.ts';
import type { EngineName } from '../../../router/warehouse-engines.ts';
import type { RollupTable } from './rollup-table.ts';

/** The names of a table in SQL, and its rows. */
interface Stored {
  readonly table: string;
  /** The table that is written first. */
  readonly next: string;
  readonly name: string;
  readonly old: string;
  /** The names and types of the columns. */
  readonly columns: string;
  readonly select: string;
}

/** One transaction: readers see the old table or the new. */
const inTransaction = (begin: string, create: (stored: Stored) => readonly string[]) => (stored: Stored) => [
  begin,
  `DROP TABLE IF EXISTS ${stored.next}`,
  ...create(stored),
  `DROP TABLE IF EXISTS ${stored.table}`,
  `ALTER TABLE ${stored.next} RENAME TO ${stored.name}`,
  'COMMIT',
];
const createAs = ({ next, select }: Stored) => `CREATE TABLE ${next} AS\n${select}`;

/** MySQL exchanges two tables in one statement; both must exist. */
const byRenaming = (stored: Stored) => [
  `DROP TABLE IF EXISTS ${stored.next}, ${stored.old}`,
  createAs(stored),
  `CREATE TABLE IF NOT EXISTS ${stored.table} LIKE ${stored.next}`,
  `RENAME TABLE ${stored.table} TO ${stored.old}, ${stored.next} TO ${stored.table}`,
  `DROP TABLE ${stored.old}`,
];

const STORE: Readonly<Record<EngineName, (stored: Stored) => readonly string[]>> = {
  duckdb: inTransaction('BEGIN TRANSACTION', (stored) => [createAs(stored)]),
  postgresql: inTransaction('BEGIN', (stored) => [createAs(stored)]),
  // SQLite gives computed columns no type, and a model reads types of the columns.
  sqlite: inTransaction('BEGIN IMMEDIATE', ({ next, columns, select }) => [
    `CREATE TABLE ${next} (${columns})`,
    `INSERT INTO ${next}\n${select}`,
  ]),
  mysql: byRenaming,
  mariadb: byRenaming,
  clickhouse: (stored) => [
    `DROP TABLE IF EXISTS ${stored.next}`,
    // A combination without rows of a filter has nulls, as in the other engines.
    `CREATE TABLE ${stored.next} ENGINE = MergeTree ORDER BY tuple() AS\n${stored.select}\nSETTINGS join_use_nulls = 1`,
    `CREATE TABLE IF NOT EXISTS ${stored.table} AS ${stored.next}`,
    `EXCHANGE TABLES ${stored.next} AND ${stored.table}`,
    `DROP TABLE ${stored.next}`,
  ],
  // Most connectors of Trino have no transactions: for a moment, there is no table, and the rows are read.
  trino: (stored) => [
    `DROP TABLE IF EXISTS ${stored.next}`,
    createAs(stored),
    `DROP TABLE IF EXISTS ${stored.table}`,
    `ALTER TABLE ${stored.next} RENAME TO ${stored.table}`,
  ],
};

/** Returns the statements in their order, without semicolons. */
export function storeStatements({ table, columns, select }: RollupTable, dialect: Dialect): readonly string[] {
  const named = (suffix: string) => nameIn(dialect, { ...table, name: `${table.name}${suffix}` });
  return STORE[dialect.name]({
    table: named(''),
    next: named('__next'),
    old: named('__old'),
    name: dialect.identifier(table.name),
    columns: columns.map(({ name, type }) => `${dialect.identifier(name)} ${type}`).join(', '),
    select,
  });
}

function nameIn(dialect: Dialect, { schema, name }: TableName): string {
  return [schema, name].flatMap((part) => (part === undefined ? [] : [dialect.identifier(part)])).join('.');
}
