/** The FoodMart data set: in FOODMART_DIR, or beside the repository. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Tables of the cubes `Sales`, `Warehouse` and the virtual one over both. */
const TABLES = [
  'sales_fact_1997',
  'inventory_fact_1997',
  'time_by_day',
  'customer',
  'product',
  'product_class',
  'promotion',
  'store',
  'store_ragged',
  'warehouse',
  'employee',
  'employee_closure',
  'department',
  'position',
  'salary',
] as const;

/** Returns the folder of FoodMart; `undefined` if it is missing. */
export function foodmartDirectory(): string | undefined {
  const candidates = [process.env.FOODMART_DIR, resolve('../shared/foodmart')];
  return candidates.find((each) => each !== undefined && each !== '' && existsSync(join(each, 'FoodMart.xml')));
}

/** Explains in one line why FoodMart is not available; `undefined` if it is. */
export function foodmartMissing(): string | undefined {
  return foodmartDirectory() === undefined
    ? 'the data set FoodMart is not here: set FOODMART_DIR to its folder'
    : undefined;
}

export function foodmartSchema(directory: string): string {
  return readFileSync(join(directory, 'FoodMart.xml'), 'utf8');
}

/** Returns statements that create and fill the tables on any engine. */
export function foodmartTables(directory: string): readonly string[] {
  const definitions = readFileSync(join(directory, 'schema.sql'), 'utf8')
    .split(/;\s*\n/)
    .map((statement) => statement.replaceAll(/^--.*$/gm, '').trim());
  const filled = TABLES.flatMap((table) => [
    ...definitions.filter((statement) => statement.startsWith(`CREATE TABLE "${table}" `)),
    ...inserts(table, readFileSync(join(directory, `${table}.csv`), 'utf8')),
  ]);
  // Without statistics PostgreSQL joins these tables row by row.
  return [...filled, 'ANALYZE'];
}

/**
 * Returns statements that create all tables and let DuckDB read the delivered files. Some tables of 1998 are only
 * defined.
 */
export function foodmartCopies(directory: string): readonly string[] {
  const schema = readFileSync(join(directory, 'schema.sql'), 'utf8');
  const copies = [...schema.matchAll(/CREATE TABLE "(\w+)"/g)].flatMap(([, table = '']) => {
    const csv = join(directory, `${table}.csv`);
    const options = `HEADER, DELIMITER ',', QUOTE '"', ESCAPE '"', NULLSTR ''`;
    return existsSync(csv) ? [`COPY "${table}" FROM '${csv.replaceAll("'", "''")}' (${options})`] : [];
  });
  return [schema, ...copies];
}

const ROWS_OF_A_STATEMENT = 2_000;

function inserts(table: string, csv: string): readonly string[] {
  const [header = [], ...rows] = parseCsv(csv);
  const columns = header.map((name) => `"${name ?? ''}"`).join(', ');
  const statements: string[] = [];
  for (let from = 0; from < rows.length; from += ROWS_OF_A_STATEMENT) {
    const values = rows.slice(from, from + ROWS_OF_A_STATEMENT).map((row) => `(${row.map(literal).join(',')})`);
    statements.push(`INSERT INTO "${table}" (${columns}) VALUES ${values.join(',')}`);
  }
  return statements;
}

function literal(value: string | null): string {
  return value === null ? 'NULL' : `'${value.replaceAll("'", "''")}'`;
}

/** Parses CSV with commas, double quotes and LF. An empty field without quotes is null. */
function parseCsv(text: string): readonly (readonly (string | null)[])[] {
  const rows: (string | null)[][] = [];
  let row: (string | null)[] = [];
  const field = /(?:"((?:[^"]|"")*)"|([^,\n"]*))(,|\n|$)/y;
  for (let at = 0; at < text.length; at = field.lastIndex) {
    field.lastIndex = at;
    const match = field.exec(text);
    if (match === null) throw new Error(`the CSV cannot be read at character ${at}`);
    const [, quoted, bare = '', end] = match;
    row.push(quoted === undefined ? (bare === '' ? null : bare) : quoted.replaceAll('""', '"'));
    if (end === ',') continue;
    rows.push(row);
    row = [];
  }
  return rows;
}
