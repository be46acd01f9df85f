/** Reads files into a DuckDB database, in the process of `import-process.ts`. */

import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { z } from 'zod';
import type { ImportedTable, ReadingFinding, TableChoices } from '../../router/capabilities/file-import.ts';
import { isDiskFull } from '../../router/disk-full.ts';
import { MAX_NAME_LENGTH } from '../../router/limits.ts';
import { checkContent, RefusedFile, type TextEncoding } from './content-check.ts';
import { aboveHeader, describeColumns, isAboutRaggedLines, openCsv, type Source } from './csv-source.ts';
import { typeTextColumns } from './detect-column-types.ts';
import type { ImportReply, ImportTask } from './protocol.ts';
import { countRows, RowCount, readRows } from './read-rows.ts';
import { literal, quoteName } from './sql-text.ts';
import { duplicateFinding, keyFindings } from './table-findings.ts';
import { MAX_COLUMNS, tooManyColumns } from './table-limits.ts';
import { readSheets } from './workbook.ts';

/** Runs a task; a problem of a file is an answer and not an error. */
export async function importFiles(task: ImportTask): Promise<ImportReply> {
  try {
    return { kind: 'done', tables: await importAll(task) };
  } catch (error) {
    if (error instanceof RefusedFile) return { kind: 'refused', message: error.message };
    return { kind: 'failed', message: error instanceof Error ? error.message : String(error) };
  }
}

async function importAll(task: ImportTask): Promise<readonly ImportedTable[]> {
  const { files, target, scratch, memoryBytes, threads } = task;
  const instance = await DuckDBInstance.create(target, {
    memory_limit: `${Math.floor(memoryBytes / 1_000)}KB`,
    threads: String(threads),
    temp_directory: join(scratch, 'spill'),
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
  });
  const connection = await instance.connect();
  try {
    await connection.run("SET TimeZone = 'UTC'");
    const tables: ImportedTable[] = [];
    for (const [index, file] of files.entries()) {
      try {
        tables.push(...(await importOne({ connection, task }, file, join(scratch, `text-${index}`))));
      } catch (error) {
        throw refusal(error, files.length > 1 ? `${file.name}: ` : '');
      }
    }
    return await withKeyFindings(connection, tables);
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

async function withKeyFindings(
  connection: DuckDBConnection,
  tables: readonly ImportedTable[],
): Promise<readonly ImportedTable[]> {
  if (tables.length < 2) return tables;
  const keyed = await Promise.all(
    tables.map(async ({ table, rowCount }) => ({
      table,
      rowCount,
      columns: await describeColumns(connection, `SELECT * FROM ${quoteName(table)}`),
    })),
  );
  const findings = await keyFindings(connection, keyed);
  return tables.map((table) => ({ ...table, findings: [...table.findings, ...(findings.get(table.table) ?? [])] }));
}

type TaskFile = ImportTask['files'][number];

interface Importing {
  readonly connection: DuckDBConnection;
  readonly task: Pick<ImportTask, 'maxCells' | 'choices'>;
}

/** Imports a file as one table, or a workbook as a table for each sheet that has one. */
async function importOne(
  importing: Importing,
  { path, name: file, table, format }: TaskFile,
  scratch: string,
): Promise<readonly ImportedTable[]> {
  const encoding = await checkContent(path, format);
  switch (format) {
    case 'xlsx':
      return importSheets(importing, { path, file, table }, scratch);
    case 'csv': {
      const text = encoding === 'utf-8' ? path : await transcoded(path, encoding, `${scratch}.${format}`);
      return [{ ...(await importCsv(importing, text, table)), file }];
    }
    case 'json': {
      const text = encoding === 'utf-8' ? path : await transcoded(path, encoding, `${scratch}.${format}`);
      const from = `read_json(${literal(text)}, compression = 'uncompressed')`;
      return [{ ...(await importTable(importing, { from, hasSemicolons: false, findings: [] }, table, [])), file }];
    }
    case 'parquet': {
      const from = `read_parquet(${literal(path)})`;
      const columns = await describeColumns(importing.connection, `SELECT * FROM ${from}`);
      await refuseTooMany(importing.connection, path, columns.length, importing.task.maxCells);
      return [{ ...(await importTable(importing, { from, hasSemicolons: false, findings: [] }, table, [])), file }];
    }
  }
}

/** Imports a CSV file: strictly, else past the lines with too few or too many values. */
async function importCsv(importing: Importing, path: string, table: string): Promise<Omit<ImportedTable, 'file'>> {
  const { connection, task } = importing;
  const choices = task.choices[table] ?? {};
  const read = async (isRagged: boolean) => {
    const source = await openCsv(connection, path, choices, isRagged);
    const columns = await describeColumns(connection, `SELECT * FROM ${source.from}`);
    return importTable(
      importing,
      source,
      table,
      columns.map(({ name }) => name),
    );
  };
  try {
    return await read(false);
  } catch (error) {
    if (!isAboutRaggedLines(error)) throw error;
    return read(true);
  }
}

async function importSheets(
  importing: Importing,
  { path, file, table }: { readonly path: string; readonly file: string; readonly table: string },
  scratch: string,
): Promise<readonly ImportedTable[]> {
  const { task } = importing;
  // The name of a sheet's table depends on how many sheets have one, which a chosen header row does not change.
  const sheets = await readSheets(
    path,
    scratch,
    (sheet) => (task.choices[sheetTable(table, sheet)] ?? task.choices[table])?.headerRow,
  );
  const tables: ImportedTable[] = [];
  for (const { name: sheet, path: csv, headerRow, firstRows } of sheets) {
    const target = sheets.length === 1 ? table : sheetTable(table, sheet);
    const imported = await importCsv(withoutHeaderRow(importing, target), csv, target);
    const above = task.choices[target]?.headerRow === undefined && headerRow > 1 ? [aboveHeader(headerRow - 1)] : [];
    tables.push({ ...imported, file, sheet, headerRow, firstRows, findings: [...above, ...imported.findings] });
  }
  return tables;
}

/** Returns the choices with the header in the first line, where the CSV file of a sheet has it. */
function withoutHeaderRow({ connection, task }: Importing, table: string): Importing {
  const choices = { ...task.choices, [table]: { ...task.choices[table], headerRow: 1 } };
  return { connection, task: { ...task, choices } };
}

function sheetTable(table: string, sheet: string): string {
  const name = sheet
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '_')
    .replaceAll(/^_+|_+$/g, '');
  return `${table}_${name === '' ? 'sheet' : name}`.slice(0, MAX_TABLE_NAME);
}

const MAX_TABLE_NAME = 60;

/** Types the columns of a source and writes them into a table. */
async function importTable(
  { connection, task }: Importing,
  { from, hasSemicolons, headerRow, firstRows, findings }: Source,
  table: string,
  /** Columns of text, which are typed; Parquet and JSON type each value. */
  texts: readonly string[],
): Promise<Omit<ImportedTable, 'file'>> {
  const choices = task.choices[table] ?? {};
  const columns = await describeColumns(connection, `SELECT * FROM ${from}`);
  if (columns.length === 0) throw new RefusedFile('The file has no columns.');
  if (columns.length > MAX_COLUMNS) throw tooManyColumns();
  const long = columns.find(({ name }) => name.length > MAX_NAME_LENGTH);
  if (long !== undefined)
    throw new RefusedFile(`A column has a name of more than ${MAX_NAME_LENGTH} characters: ${long.name.slice(0, 50)}…`);
  const columnChoices = new Map((choices.columns ?? []).map((choice) => [choice.name, choice] as const));
  const typed = await typeTextColumns({ connection, from, columns: texts, hasSemicolons, choices: columnChoices });
  const byName = new Map(typed.map((column) => [column.description.name, column] as const));
  const selected = columns.flatMap(({ name, type }) => {
    const column = quoteName(name);
    const text = byName.get(name);
    // Nested values are kept as JSON text.
    const sql = text?.sql ?? (/\[\]|^(STRUCT|MAP|UNION)/.test(type) ? `to_json(${column})::VARCHAR` : column);
    const beside = text?.beside === undefined ? [] : [`${text.beside.sql} AS ${quoteName(text.beside.name)}`];
    return [`${sql} AS ${column}`, ...beside];
  });
  const target = quoteName(table);
  const rows = `SELECT ${selected.join(', ')} FROM ${from}`;
  await connection.run(`CREATE TABLE ${target} AS ${rows}`);
  const read = await countRows(connection, target);
  if (read === 0) throw new RefusedFile('The file has no rows.');
  const dropped = await dropDuplicates(connection, table, choices, read);
  const rowCount = read - dropped.reduce((sum, { count }) => sum + count, 0);
  return {
    table,
    rowCount,
    headerRow,
    firstRows,
    columns: columns.flatMap(({ name }) => {
      const text = byName.get(name);
      const column = { ...(text?.description ?? { name, notes: [] }), isText: text !== undefined };
      return text?.beside === undefined ? [column] : [column, { name: text.beside.name, notes: [], isText: false }];
    }),
    findings: [
      ...findings,
      ...typed.flatMap((column) => column.findings),
      ...dropped,
      ...(choices.duplicates === undefined
        ? await duplicateFinding(connection, table, { rowCount, columnCount: columns.length })
        : []),
    ],
  };
}

/** Drops the rows that somebody has chosen to drop. */
async function dropDuplicates(
  connection: DuckDBConnection,
  table: string,
  { duplicates, firstOfEach }: TableChoices,
  rowCount: number,
): Promise<readonly ReadingFinding[]> {
  const target = quoteName(table);
  const findings: ReadingFinding[] = [];
  let rows = rowCount;
  const replace = async (sql: string, message: (count: number) => string): Promise<void> => {
    await connection.run(`CREATE OR REPLACE TABLE ${target} AS ${sql}`);
    const left = await countRows(connection, target);
    const count = rows - left;
    if (count > 0) findings.push({ kind: 'duplicates_dropped', count, of: rows, message: message(count), repairs: [] });
    rows = left;
  };
  if (duplicates === 'drop')
    await replace(`SELECT DISTINCT * FROM ${target}`, (count) => `${count} repeated rows of ${table} are dropped.`);
  if (firstOfEach !== undefined) {
    const columns = await describeColumns(connection, `SELECT * FROM ${target}`);
    const column = columns.find(({ name }) => name === firstOfEach);
    if (column === undefined) throw new RefusedFile(`${table} has no column ${firstOfEach}.`);
    await replace(
      `SELECT * FROM ${target} QUALIFY ${quoteName(firstOfEach)} IS NULL OR row_number() OVER (PARTITION BY ${quoteName(firstOfEach)} ORDER BY rowid) = 1`,
      (count) => `${count} rows of ${table} are dropped: only the first row of each ${firstOfEach} is kept.`,
    );
  }
  return findings;
}

/** Refuses a file that decompresses to too many values: a small file may contain a value ten billion times. */
async function refuseTooMany(connection: DuckDBConnection, path: string, columns: number, maxCells: number) {
  const [counted] = await readRows(
    connection,
    `SELECT coalesce(sum(num_rows), 0) AS "rowCount" FROM parquet_file_metadata(${literal(path)})`,
    z.object({ rowCount: RowCount }),
  );
  const rows = counted?.rowCount ?? 0;
  if (rows * columns > maxCells)
    throw new RefusedFile(`The file unpacks to ${rows} rows of ${columns} columns, which is more than is taken here.`);
}

async function transcoded(path: string, encoding: Exclude<TextEncoding, 'utf-8'>, to: string): Promise<string> {
  const decoder = new TextDecoder(encoding);
  async function* decode() {
    for await (const chunk of createReadStream(path, { highWaterMark: 1_048_576 }))
      yield decoder.decode(chunk as Buffer, { stream: true });
    yield decoder.decode();
  }
  await pipeline(Readable.from(decode()), createWriteStream(to));
  return to;
}

/** Translates DuckDB's error about a file for its sender: the line and the problem; no path, no values. */
function refusal(error: unknown, prefix: string): Error {
  if (error instanceof RefusedFile) return new RefusedFile(prefix + error.message);
  if (!(error instanceof Error)) return new Error(String(error));
  // A server error and not the file's: reported with what the operator can do.
  if (isDiskFull(error)) return error;
  const { message } = error;
  const [, line] = /\bLine:\s*(\d+)/.exec(message) ?? [];
  const at = line === undefined ? '' : ` in line ${line}`;
  const [, expected, actual] = /Expected Number of Columns:\s*(\d+)\s+Found:\s*(\d+)/.exec(message) ?? [];
  if (expected !== undefined)
    return new RefusedFile(`${prefix}There are ${actual} values${at} where the header has ${expected}.`);
  if (/unterminated quote|quote should be followed|unquoted/i.test(message))
    return new RefusedFile(`${prefix}A quoted value${at} does not end, or continues after its closing quote.`);
  if (/sniffing file/i.test(message))
    return new RefusedFile(
      `${prefix}The columns of the file cannot be found: its lines differ in their number of values, or a quoted value does not end.`,
    );
  if (/Malformed JSON/i.test(message)) return new RefusedFile(`${prefix}The JSON is malformed${at}.`);
  if (/maximum_object_size/i.test(message)) return new RefusedFile(`${prefix}One JSON object is too large.`);
  if (/Out of Memory|max_temp_directory_size/i.test(message))
    return new RefusedFile(`${prefix}The file needs more memory than a file may take here.`);
  if (
    /^(Invalid Input|Invalid|CSV|Conversion|Binder|Parser|Serialization|IO|TProtocol|Not implemented) ?.*Error/i.test(
      message,
    )
  )
    return new RefusedFile(`${prefix}The file cannot be read${at}: it is broken or no table.`);
  return error;
}
