/** Converts set-up statements of standard SQL for Trino's memory connector. */

/** Type names with another spelling in Trino. */
const TYPES: readonly (readonly [RegExp, string])[] = [
  [/^TEXT$/i, 'VARCHAR'],
  [/^DOUBLE PRECISION$/i, 'DOUBLE'],
  [/^FLOAT$/i, 'REAL'],
  [/^(TIMESTAMP|DATETIME)$/i, 'TIMESTAMP(6)'],
  [/^(TIMESTAMPTZ|TIMESTAMP WITH TIME ZONE)$/i, 'TIMESTAMP(6) WITH TIME ZONE'],
  [/^TIME$/i, 'TIME(6)'],
  [/^NUMERIC(\(.*\))?$/i, 'DECIMAL$1'],
  [/^BLOB$/i, 'VARBINARY'],
];
/** Constraints that the connector does not support. */
const CONSTRAINT = /\s+(NOT NULL|NULL|PRIMARY KEY|UNIQUE|REFERENCES\s+\S+\s*(\([^)]*\))?)\s*$/i;
const TABLE_CONSTRAINT = /^(PRIMARY KEY|FOREIGN KEY|UNIQUE|CONSTRAINT|CHECK)\b/i;

const CREATE_TABLE = /^\s*CREATE TABLE ((?:"(?:[^"]|"")*"|[\w.])+)\s*\(([\s\S]*)\)\s*$/i;
const INSERT = /^\s*INSERT INTO ((?:"(?:[^"]|"")*"|[\w.])+)\s*(\([^)]*\))?\s*VALUES\s*([\s\S]*)$/i;

interface Column {
  readonly type: string;
  readonly isRequired: boolean;
}
/** Columns by their names as written. */
type Columns = ReadonlyMap<string, Column>;

/**
 * Converts statements for DuckDB to Trino, one by one in their order: without keys, with Trino's type names, and with a cast of each inserted value
 * to its column's type, which Trino requires.
 */
export function trinoSetUp(statements: readonly string[]): readonly string[] {
  const tables = new Map<string, Columns>();
  return statements.map((statement) => {
    const [, created = '', body = ''] = CREATE_TABLE.exec(statement) ?? [];
    if (created !== '') {
      const columns = columnsOf(body);
      tables.set(tableKey(created), columns);
      const shape = [...columns].map(
        ([name, { type, isRequired }]) => `${name} ${type}${isRequired ? ' NOT NULL' : ''}`,
      );
      return `CREATE TABLE ${created} (${shape.join(', ')})`;
    }
    const [, table = '', names, rows = ''] = INSERT.exec(statement) ?? [];
    const columns = tables.get(tableKey(table));
    if (columns === undefined) return statement;
    const listed = names === undefined ? [...columns.keys()] : splitAtCommas(names.slice(1, -1));
    const values = listed.map((name, index) => converted(`c${index}`, columnType(columns, name)));
    const aliases = listed.map((_, index) => `c${index}`).join(', ');
    return `INSERT INTO ${table} ${names ?? ''} SELECT ${values.join(', ')} FROM (VALUES ${rows}) AS v (${aliases})`;
  });
}

const tableKey = (name: string): string => name.replaceAll('"', '').toLowerCase();

function columnType(columns: Columns, name: string): string {
  const type = [...columns].find(([column]) => tableKey(column) === tableKey(name))?.[1].type;
  if (type === undefined) throw new Error(`The set-up inserts into ${name}, which its table does not have.`);
  return type;
}

function converted(value: string, type: string): string {
  if (/^JSON$/i.test(type)) return `json_parse(${value})`;
  return /^VARBINARY/i.test(type) ? value : `CAST(${value} AS ${type})`;
}

function columnsOf(body: string): Columns {
  const columns = splitAtCommas(body).filter((part) => !TABLE_CONSTRAINT.test(part));
  return new Map(
    columns.map((column) => {
      const [, name = '', declared = ''] = /^("(?:[^"]|"")*"|\S+)\s+([\s\S]*)$/.exec(column) ?? [];
      const type = trinoType(withoutConstraints(declared));
      return [name, { type, isRequired: /\b(NOT NULL|PRIMARY KEY)\b/i.test(declared) }];
    }),
  );
}

function withoutConstraints(declared: string): string {
  const shorter = declared.replace(CONSTRAINT, '');
  return shorter === declared ? declared.trim() : withoutConstraints(shorter);
}

function trinoType(type: string): string {
  const spelling = TYPES.find(([name]) => name.test(type));
  return spelling === undefined ? type : type.replace(spelling[0], spelling[1]);
}

/** Splits a list at its own commas, not at commas in parentheses or quotes. */
function splitAtCommas(list: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let quote = '';
  let part = '';
  for (const character of list) {
    if (quote !== '') {
      if (character === quote) quote = '';
    } else if (character === "'" || character === '"') quote = character;
    else if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    if (character === ',' && depth === 0 && quote === '') {
      parts.push(part.trim());
      part = '';
    } else part += character;
  }
  return part.trim() === '' ? parts : [...parts, part.trim()];
}
