import { createHash } from 'node:crypto';
import type { DuckDBConnection } from '@duckdb/node-api';
import { LRUCache } from 'lru-cache';
import { toWarehouseError } from '../warehouse-errors.ts';

/**
 * Table functions that only return rows from their arguments or from the catalog. DuckDB has others that a plain SELECT may
 * call and that READ_ONLY, `enable_external_access=false` and `lock_configuration` together do not stop (checked on
 * 1.5.6): `enable_logging(storage = 'file')` makes every later statement of the database fail, `enable_profiling()`
 * prints each statement to the process's standard output, `arrow_scan` takes addresses in memory, and `query` runs an
 * unchecked text. Every function outside this list is therefore refused, except macros of the database's owner.
 */
const HARMLESS_TABLE_FUNCTIONS: ReadonlySet<string> = new Set([
  'unnest',
  'range',
  'generate_series',
  'repeat',
  'repeat_row',
  'json_each',
  'json_tree',
  'summary',
  'duckdb_columns',
  'duckdb_constraints',
  'duckdb_indexes',
  'duckdb_schemas',
  'duckdb_sequences',
  'duckdb_tables',
  'duckdb_types',
  'duckdb_views',
  'icu_calendar_names',
  'pg_timezone_names',
]);

const REMEMBERED_STATEMENTS = 2_000;

/**
 * A list of placeholders, which may be ten thousand: DuckDB's tree of them is megabytes of JSON. The list has no quote
 * and no comment, so the rest of the text parses the same with one placeholder in its place.
 */
const PLACEHOLDERS = /\(\$\d+(?:::\w+)?(?:, \$\d+(?:::\w+)?)+\)/g;

/** Accepts a statement when DuckDB's own parser finds in it one SELECT with harmless table functions only. */
export class StatementCheck {
  readonly #passed = new LRUCache<string, true>({ max: REMEMBERED_STATEMENTS });

  /**
   * Accepts a statement with harmless table functions only.
   *
   * @throws WarehouseError, or DuckDB's error when the text cannot be parsed
   */
  async pass(connection: DuckDBConnection, sql: string): Promise<void> {
    const shape = sql.replace(PLACEHOLDERS, '($1)');
    const key = createHash('sha256').update(shape).digest('base64');
    if (this.#passed.has(key)) return;
    for (const name of tableFunctionsIn(await parse(connection, shape))) {
      if (!HARMLESS_TABLE_FUNCTIONS.has(name) && !(await isMacro(connection, name)))
        throw toWarehouseError('forbidden');
    }
    this.#passed.set(key, true);
  }
}

async function parse(connection: DuckDBConnection, sql: string): Promise<unknown> {
  const reader = await connection.runAndReadAll('SELECT json_serialize_sql($1::VARCHAR)::VARCHAR', [sql]);
  const answer: unknown = JSON.parse(String(reader.getRows()[0]?.[0]));
  if (!isRecord(answer)) throw toWarehouseError('not-a-query');
  if (answer.error === true) {
    throw toWarehouseError(
      answer.error_type === 'not implemented' ? 'not-a-query' : 'syntax',
      new Error(String(answer.error_message)),
    );
  }
  if (!Array.isArray(answer.statements) || answer.statements.length !== 1) throw toWarehouseError('not-a-query');
  return answer.statements[0];
}

async function isMacro(connection: DuckDBConnection, name: string): Promise<boolean> {
  const reader = await connection.runAndReadAll(
    `SELECT 1 FROM duckdb_functions()
     WHERE function_type = 'table_macro' AND NOT internal AND lower(function_name) = $1::VARCHAR`,
    [name],
  );
  return reader.currentRowCount > 0;
}

/** Lists the table functions of the whole tree, in lower case, because DuckDB ignores letter case. */
function tableFunctionsIn(tree: unknown): ReadonlySet<string> {
  const names = new Set<string>();
  const nodes: unknown[] = [tree];
  for (let node = nodes.pop(); node !== undefined; node = nodes.pop()) {
    if (!isRecord(node)) continue;
    if (node.type === 'TABLE_FUNCTION') {
      if (!isRecord(node.function) || typeof node.function.function_name !== 'string')
        throw toWarehouseError('forbidden');
      names.add(node.function.function_name.toLowerCase());
    }
    // A list of values has one child per value: too many to be arguments of one call.
    for (const child of Object.values(node)) if (child !== undefined) nodes.push(child);
  }
  return names;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
