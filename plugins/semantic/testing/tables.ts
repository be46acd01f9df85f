/** Writes small tables as statements of each engine. */

export type ColumnType = 'integer' | 'bigint' | 'money' | 'text' | 'date' | 'timestamp' | 'boolean';
export type Value = string | number | boolean | null;

export interface Table {
  readonly name: string;
  readonly columns: readonly (readonly [name: string, type: ColumnType])[];
  readonly rows: readonly (readonly Value[])[];
}

const STANDARD: Readonly<Record<ColumnType, string>> = {
  integer: 'INTEGER',
  bigint: 'BIGINT',
  money: 'DECIMAL(10,2)',
  text: 'VARCHAR(40)',
  date: 'DATE',
  timestamp: 'TIMESTAMP',
  boolean: 'BOOLEAN',
};

const CLICKHOUSE: Readonly<Record<ColumnType, string>> = {
  integer: 'Nullable(Int32)',
  bigint: 'Nullable(Int64)',
  money: 'Nullable(Decimal(10, 2))',
  text: 'Nullable(String)',
  date: 'Nullable(Date32)',
  timestamp: 'Nullable(DateTime64(6))',
  boolean: 'Nullable(Bool)',
};

interface Spelling {
  readonly types: Readonly<Record<ColumnType, string>>;
  readonly quote: string;
  /** The text after the columns of CREATE TABLE. */
  readonly storage: string;
}

const SPELLINGS: Readonly<Record<string, Spelling>> = {
  // MariaDB's TIMESTAMP is in the session's time zone, and updates itself.
  mariadb: { types: { ...STANDARD, timestamp: 'DATETIME(6)' }, quote: '`', storage: '' },
  clickhouse: { types: CLICKHOUSE, quote: '"', storage: ' ENGINE = MergeTree ORDER BY tuple()' },
};

/** Writes the statements that create and fill the tables on an engine. */
export function statementsFor(engine: string, tables: readonly Table[]): readonly string[] {
  const { types, quote, storage } = SPELLINGS[engine] ?? { types: STANDARD, quote: '"', storage: '' };
  const quoted = (name: string) => `${quote}${name}${quote}`;
  return tables.flatMap(({ name, columns, rows }) => {
    const shape = columns.map(([column, type]) => `${quoted(column)} ${types[type]}`).join(', ');
    const tuples = rows
      .map((row) => `(${row.map((value, at) => literal(value, columns[at]?.[1])).join(', ')})`)
      .join(', ');
    return [
      `CREATE TABLE ${quoted(name)} (${shape})${storage}`,
      ...(rows.length === 0 ? [] : [`INSERT INTO ${quoted(name)} VALUES ${tuples}`]),
    ];
  });
}

function literal(value: Value, type: ColumnType | undefined): string {
  if (value === null) return 'NULL';
  // A whole number that no double represents is written as a text.
  const isQuoted = typeof value === 'string' && type !== 'bigint' && type !== 'integer';
  return isQuoted ? `'${value.replaceAll("'", "''")}'` : String(value);
}
