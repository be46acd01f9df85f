/** Writes computed tables into a copy of a DuckDB database, in the process of `writer-process.ts`. */
import { existsSync } from 'node:fs';
import { constants, copyFile } from 'node:fs/promises';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import type { ComputedTable, WrittenTable } from '../../router/capabilities/table-writer.ts';
import type { TableName } from '../../router/capabilities/warehouse.ts';
import { isDiskFull } from '../../router/disk-full.ts';
import { versionOfFile } from '../../router/file-version.ts';
import { literal, quoteName } from '../file-import/sql-text.ts';
import type { WriteReply, WriteTask } from './protocol.ts';

/** A reason that the caller can change. */
class Refusal extends Error {}

const IS_WRITTEN =
  'Another program has the file open for writing. Build again when it has finished, or have it write the roll-up itself.';
const NO_EXTENSIONS = { autoinstall_known_extensions: 'false', autoload_known_extensions: 'false' };
const CONFINED = { ...NO_EXTENSIONS, enable_external_access: 'false' };

/** Runs a task; a problem of the file is an answer and not an error. */
export async function writeTables(task: WriteTask): Promise<WriteReply> {
  try {
    return await write(task);
  } catch (error) {
    if (error instanceof Refusal) return { kind: 'refused', message: error.message };
    if (isDiskFull(error))
      return {
        kind: 'refused',
        message: 'The disk has no space for a copy of the database. Free space, then build again.',
      };
    return { kind: 'failed', message: error instanceof Error ? error.message : String(error) };
  }
}

async function write({ file, copy, spill, tables, memoryBytes, threads }: WriteTask): Promise<WriteReply> {
  const version = await versionOfFile(file);
  if (version === undefined) throw new Refusal('The database file does not exist.');
  // What a writer has not yet moved into the file is missing in a copy.
  if (existsSync(`${file}.wal`)) throw new Refusal(IS_WRITTEN);
  await copyFile(file, copy, constants.COPYFILE_FICLONE);
  // From here on the file stays locked: this process opens and closes it no more.
  await lock(file);
  if ((await versionOfFile(file)) !== version || existsSync(`${file}.wal`)) throw new Refusal(IS_WRITTEN);
  const instance = await DuckDBInstance.create(copy, {
    ...NO_EXTENSIONS,
    memory_limit: `${Math.floor(memoryBytes / 1_000)}KB`,
    threads: String(threads),
    temp_directory: spill,
  });
  const connection = await instance.connect();
  try {
    await connection.run("SET TimeZone = 'UTC'");
    // The folder of temporary files cannot be chosen without it.
    await connection.run('SET enable_external_access = false');
    const written: WrittenTable[] = [];
    const logged: string[] = [];
    for (const table of tables) written.push(await writeOne(connection, table, logged));
    await connection.run('CHECKPOINT');
    return { kind: 'written', tables: written, version, logged };
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

/** Keeps other programs from writing a file, until this process ends. */
async function lock(file: string): Promise<void> {
  try {
    const instance = await DuckDBInstance.create(file, { ...CONFINED, access_mode: 'READ_ONLY' });
    LOCKED.push(await instance.connect());
  } catch (error) {
    throw /lock/i.test(String(error)) ? new Refusal(IS_WRITTEN) : error;
  }
}

/** Connections that keep files open. */
const LOCKED: DuckDBConnection[] = [];

/** Writes one table under another name, compares it, and puts it into its place, in one transaction. */
async function writeOne(
  connection: DuckDBConnection,
  { table, select, differences }: ComputedTable,
  logged: string[],
): Promise<WrittenTable> {
  const next = { ...table, name: `${table.name}__next` };
  await connection.run('BEGIN TRANSACTION');
  try {
    await refuseView(connection, table);
    await connection.run(`CREATE OR REPLACE TABLE ${nameOf(next)} AS ${select}`);
    await fitNumbers(connection, next);
    await connection.run(`DROP TABLE IF EXISTS ${nameOf(table)}`);
    await connection.run(`ALTER TABLE ${nameOf(next)} RENAME TO ${quoteName(table.name)}`);
    for (const query of differences) {
      if ((await rowsOf(connection, query)).length > 0)
        throw new Refusal(
          'The written table differs from its dataset. A column that several parts of the roll-up name may have different values for them.',
        );
    }
    const [[rows] = []] = await rowsOf(connection, `SELECT COUNT(*) FROM ${nameOf(table)}`);
    await connection.run('COMMIT');
    return { kind: 'written', rows: Number(rows) };
  } catch (error) {
    await connection.run('ROLLBACK');
    if (isDiskFull(error)) throw error;
    if (error instanceof Refusal) return { kind: 'refused', reason: error.message };
    // The words of the engine have parts of the statement, which are for the log alone.
    logged.push(error instanceof Error ? error.message : String(error));
    return { kind: 'refused', reason: 'The database cannot compute the table. The log has the reason.' };
  }
}

async function refuseView(connection: DuckDBConnection, { schema, name }: TableName): Promise<void> {
  const views = await rowsOf(
    connection,
    `SELECT 1 FROM duckdb_views() WHERE NOT internal AND lower(view_name) = lower(${literal(name)}) AND lower(schema_name) = lower(${literal(schema ?? 'main')})`,
  );
  if (views.length > 0) throw new Refusal(`${name} is a view. Give the roll-up another table.`);
}

/** A decimal's digits, and those behind the point. */
const DECIMAL = /^DECIMAL\((\d+),\s*(\d+)\)$/;
/** Digits of the decimals that are added up fast. */
const FAST_DIGITS = 18;
const MAX_BIGINT = 9_223_372_036_854_775_807n;

/** Narrows the sums of a table where all values fit: DuckDB adds up decimals of 18 digits three times as fast as its sums of 38. */
async function fitNumbers(connection: DuckDBConnection, table: TableName): Promise<void> {
  for (const [name, type] of await rowsOf(connection, `DESCRIBE ${nameOf(table)}`)) {
    const column = quoteName(String(name));
    const narrow = narrowTypeOf(String(type));
    if (narrow === undefined) continue;
    const [[greatest] = []] = await rowsOf(
      connection,
      `SELECT CAST(GREATEST(MAX(${column}), -MIN(${column})) AS VARCHAR) FROM ${nameOf(table)}`,
    );
    const [whole = '0'] = String(greatest ?? 0).split('.');
    if (BigInt(whole) > narrow.greatest) continue;
    await connection.run(`ALTER TABLE ${nameOf(table)} ALTER COLUMN ${column} TYPE ${narrow.type}`);
  }
}

/** Returns the narrower type of a sum, and the greatest whole number that fits it for sure; `undefined` where it has none. */
function narrowTypeOf(type: string): { readonly type: string; readonly greatest: bigint } | undefined {
  if (type === 'HUGEINT') return { type: 'BIGINT', greatest: MAX_BIGINT };
  const [, digits, scale] = DECIMAL.exec(type) ?? [];
  if (scale === undefined || Number(digits) <= FAST_DIGITS || Number(scale) >= FAST_DIGITS) return undefined;
  return { type: `DECIMAL(${FAST_DIGITS}, ${scale})`, greatest: 10n ** BigInt(FAST_DIGITS - Number(scale)) - 1n };
}

function nameOf({ schema, name }: TableName): string {
  return [schema, name].flatMap((part) => (part === undefined ? [] : [quoteName(part)])).join('.');
}

async function rowsOf(connection: DuckDBConnection, query: string): Promise<readonly (readonly unknown[])[]> {
  return (await connection.runAndReadAll(query)).getRows();
}
