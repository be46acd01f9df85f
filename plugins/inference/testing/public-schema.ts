/** How a public schema is written down: its tables with rows of ours, its keys, and the statements that make it. */
/** A value of row `n`, from 0 on. */
type Cell = string | number | null;
type Made = (n: number) => Cell;

interface PublicColumn {
  readonly name: string;
  readonly type: string;
  readonly value: Made;
}

interface PublicTable {
  readonly name: string;
  readonly rows: number;
  readonly columns: readonly PublicColumn[];
  readonly primaryKey: readonly string[];
}

export interface PublicSchema {
  readonly name: string;
  readonly tables: readonly PublicTable[];
  /** The keys that its makers declare: `table(column) -> table(column)`. */
  readonly declared: readonly string[];
  /** Declared keys that no row shows: of empty tables, or of columns without values. */
  readonly unseen: readonly string[];
  /** Keys that every row satisfies, though they are not declared. */
  readonly undeclared: readonly string[];
}

export function table(
  name: string,
  rows: number,
  primaryKey: string,
  columns: Readonly<Record<string, Made>>,
): PublicTable {
  return {
    name,
    rows,
    primaryKey: primaryKey.split(',').filter((each) => each !== ''),
    columns: Object.entries(columns).map(([head, value]) => {
      const [column = '', type = ''] = head.split(' ');
      return { name: column, type: TYPES[type] ?? type, value };
    }),
  };
}

const TYPES: Readonly<Record<string, string>> = {
  i: 'INTEGER',
  t: 'VARCHAR(200)',
  n: 'DECIMAL(10,2)',
  d: 'DATE',
  ts: 'TIMESTAMP',
};

export const id: Made = (n) => n + 1;
/** Spreads rows over `count` values without order. */
export const any = (count: number, least = 1, seed = 7): Made => {
  return (n) => least + (((Math.imul(n + 1, 2_654_435_761) + seed * 7_919) >>> 0) % count);
};
export const text =
  (word: string, count = Number.POSITIVE_INFINITY): Made =>
  (n) =>
    `${word} ${count === Number.POSITIVE_INFINITY ? n : Number(any(count)(n))}`;
export const day =
  (span = 900): Made =>
  (n) =>
    new Date(Date.UTC(2020, 0, 1) + (n % span) * 86_400_000).toISOString().slice(0, 10);
export const instant =
  (span = 900): Made =>
  (n) =>
    `${String(day(span)(n))} 12:00:00`;
export const price =
  (most: number): Made =>
  (n) =>
    Number(any(most * 100, 1, 3)(n)) / 100;
export const nothing: Made = () => null;
export const unless =
  (every: number, value: Made): Made =>
  (n) =>
    n % every === 0 ? null : value(n);
/** Five letters, as Northwind's customers are called. */
export const letters: Made = (n) =>
  [4, 3, 2, 1, 0]
    .map((place) => String.fromCharCode(65 + (Math.floor((n * 104_729 + 12_345) / 26 ** place) % 26)))
    .join('');

/** Returns the keys that the rows of a schema show. */
export function keysSeenOf({ declared, unseen, undeclared }: PublicSchema): readonly string[] {
  return [...declared.filter((key) => !unseen.includes(key)), ...undeclared];
}

const ROWS_OF_AN_INSERT = 500;

/** Returns the statements that make a schema, on DuckDB, PostgreSQL and SQLite: without keys, or with those that are declared. */
export function setUpOf({ tables, declared }: PublicSchema, hasKeys: boolean): readonly string[] {
  const made = tables.flatMap(({ name, rows, columns, primaryKey }) => {
    const key = hasKeys ? [`PRIMARY KEY (${primaryKey.map(quoted).join(', ')})`] : [];
    const parts = [...columns.map((column) => `${quoted(column.name)} ${column.type}`), ...key];
    const inserts = Array.from({ length: Math.ceil(rows / ROWS_OF_AN_INSERT) }, (_, part) => {
      const of = Array.from({ length: Math.min(ROWS_OF_AN_INSERT, rows - part * ROWS_OF_AN_INSERT) }, (_, at) => {
        const cells = columns.map(({ value }) => literal(value(part * ROWS_OF_AN_INSERT + at)));
        return `(${cells.join(', ')})`;
      });
      return `INSERT INTO ${quoted(name)} VALUES ${of.join(', ')}`;
    });
    return [`CREATE TABLE ${quoted(name)} (${parts.join(', ')})`, ...inserts];
  });
  return [...made, ...(hasKeys ? declared.map(keyStatement) : [])];
}

/** Keys are added at the end, because Sakila's keys form a circle. */
function keyStatement(key: string): string {
  const [, from = '', column = '', to = '', target = ''] = /^(\w+)\((\w+)\) -> (\w+)\((\w+)\)$/.exec(key) ?? [];
  return `ALTER TABLE ${quoted(from)} ADD FOREIGN KEY (${quoted(column)}) REFERENCES ${quoted(to)} (${quoted(target)})`;
}

const quoted = (name: string): string => `"${name}"`;
const literal = (cell: Cell): string => (typeof cell === 'string' ? `'${cell}'` : String(cell ?? 'NULL'));
