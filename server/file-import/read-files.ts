/** Reads files into a DuckDB database, in the process of `import-process.ts`. */

import { closeSync, createReadStream, createWriteStream, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { z } from 'zod';
import type { FileFormat, ImportedTable } from '../../router/capabilities/file-import.ts';
import { isDiskFull } from '../../router/disk-full.ts';
import { MAX_NAME_LENGTH } from '../../router/limits.ts';
import { checkContent, RefusedFile, type TextEncoding } from './content-check.ts';
import { detectDelimiter, mostValuesOfFirstRecord } from './delimiter.ts';
import { typeTextColumns } from './detect-column-types.ts';
import type { ImportReply, ImportTask } from './protocol.ts';
import { RowCount, readRows } from './read-rows.ts';

/** Runs a task; a problem of a file is an answer, not an error. */
export async function importFiles(task: ImportTask): Promise<ImportReply> {
  try {
    return { kind: 'done', tables: await importAll(task) };
  } catch (error) {
    if (error instanceof RefusedFile) return { kind: 'refused', message: error.message };
    return { kind: 'failed', message: error instanceof Error ? error.message : String(error) };
  }
}

async function importAll({ files, target, scratch, memoryBytes, threads, maxCells }: ImportTask) {
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
        tables.push(await importOne(connection, file, join(scratch, `text-${index}`), maxCells));
      } catch (error) {
        throw refusal(error, files.length > 1 ? `${file.name}: ` : '');
      }
    }
    return tables;
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

type TaskFile = ImportTask['files'][number];

async function importOne(
  connection: DuckDBConnection,
  { path, table, format }: TaskFile,
  scratch: string,
  maxCells: number,
): Promise<ImportedTable> {
  const encoding = await checkContent(path, format);
  const text = encoding === 'utf-8' ? path : await transcoded(path, encoding, `${scratch}.${format}`);
  const { from, hasSemicolons } = await openSource(connection, text, format);
  const columns = await describedColumns(connection, `SELECT * FROM ${from}`);
  if (columns.length === 0) throw new RefusedFile('The file has no columns.');
  if (columns.length > MAX_COLUMNS) throw tooManyColumns();
  const long = columns.find(({ name }) => name.length > MAX_NAME_LENGTH);
  if (long !== undefined)
    throw new RefusedFile(`A column has a name of more than ${MAX_NAME_LENGTH} characters: ${long.name.slice(0, 50)}…`);
  if (format === 'parquet') await refuseTooMany(connection, text, columns.length, maxCells);
  // Parquet and JSON type each value, so texts are known.
  const texts = format === 'csv' ? columns.map(({ name }) => name) : [];
  const typed = await typeTextColumns({ connection, from, columns: texts, hasSemicolons });
  const byName = new Map(typed.map((column) => [column.description.name, column] as const));
  const selected = columns.map(({ name, type }) => {
    const column = `"${name.replaceAll('"', '""')}"`;
    // Values inside values are kept as JSON text.
    const sql =
      byName.get(name)?.sql ?? (/\[\]|^(STRUCT|MAP|UNION)/.test(type) ? `to_json(${column})::VARCHAR` : column);
    return `${sql} AS ${column}`;
  });
  const target = `"${table.replaceAll('"', '""')}"`;
  await connection.run(`CREATE TABLE ${target} AS SELECT ${selected.join(', ')} FROM ${from}`);
  const [counted] = await readRows(
    connection,
    `SELECT count(*) AS "rowCount" FROM ${target}`,
    z.object({ rowCount: RowCount }),
  );
  const rowCount = counted?.rowCount ?? 0;
  if (rowCount === 0) throw new RefusedFile('The file has no rows.');
  return {
    table,
    rowCount,
    columns: columns.map(({ name }) => byName.get(name)?.description ?? { name, notes: [] }),
  };
}

const MAX_COLUMNS = 1_000;

function tooManyColumns(): RefusedFile {
  return new RefusedFile(`The file has more than ${MAX_COLUMNS} columns.`);
}

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`;

async function openSource(connection: DuckDBConnection, path: string, format: FileFormat) {
  switch (format) {
    case 'parquet':
      return { from: `read_parquet(${literal(path)})`, hasSemicolons: false };
    case 'json':
      return { from: `read_json(${literal(path)}, compression = 'uncompressed')`, hasSemicolons: false };
    case 'csv':
      return csvSource(connection, path);
  }
}

const SniffedCsv = z.object({
  Delimiter: z.string(),
  Quote: z.string().nullable(),
  Escape: z.string().nullable(),
  SkipRows: RowCount,
  HasHeader: z.boolean(),
});

const DescribedColumn = z
  .object({ column_name: z.string(), column_type: z.string() })
  .transform(({ column_name: name, column_type: type }) => ({ name, type }));

/** Returns the columns of a query with their types. */
function describedColumns(connection: DuckDBConnection, sql: string) {
  return readRows(connection, `DESCRIBE ${sql}`, DescribedColumn);
}

/**
 * Describes a CSV file as a source: the quotes and the header are DuckDB's finding; all values are read as text, and
 * typed afterwards.
 */
async function csvSource(connection: DuckDBConnection, path: string) {
  const delimiterOption = delimiterIn(path);
  const given = delimiterOption === undefined ? '' : `, delim = ${literal(delimiterOption)}`;
  const [sniffed] = await despiteRagged(
    (more) =>
      readRows(
        connection,
        `SELECT Delimiter, Quote, Escape, SkipRows, HasHeader FROM sniff_csv(${literal(path)}, sample_size = 20480${given}${more})`,
        SniffedCsv,
      ),
    delimiterOption !== undefined,
  );
  if (sniffed === undefined) throw new Error('sniff_csv has given no row.');
  const { Delimiter: delimiter, Quote: quote, Escape: escaping, SkipRows: skip, HasHeader: hasHeader } = sniffed;
  const options = [
    `delim = ${literal(delimiter)}`,
    `quote = ${literal(optional(quote) || '"')}`,
    `escape = ${literal(optional(escaping) || '"')}`,
    `skip = ${delimiterOption === undefined ? skip : 0}`,
    `header = ${hasHeader}`,
    'all_varchar = true',
    'auto_detect = false',
    "compression = 'none'",
  ];
  const read = (extra: readonly string[]) => `read_csv(${literal(path)}, ${[...options, ...extra].join(', ')})`;
  return { from: read([await columnsOption(connection, path, options)]), hasSemicolons: delimiter === ';' };
}

/**
 * Detects what rows of different lengths keep DuckDB from detecting, past those rows: reading them all, strictly, then reports the
 * line.
 */
async function despiteRagged<Found>(detect: (more: string) => Promise<Found>, isParted: boolean): Promise<Found> {
  try {
    return await detect('');
  } catch (error) {
    if (!isParted || !(error instanceof Error) || !error.message.includes('Error when sniffing file')) throw error;
    return await detect(', ignore_errors = true');
  }
}

const HEAD_BYTES = 262_144;

function delimiterIn(path: string): string | undefined {
  const file = openSync(path, 'r');
  try {
    const head = Buffer.alloc(HEAD_BYTES);
    const length = readSync(file, head, 0, HEAD_BYTES, 0);
    const text = head.toString('utf8', 0, length).replace(/^\uFEFF/, '');
    // Before the engine looks for delimiters and types, which takes it seconds of every core for a million columns.
    if (mostValuesOfFirstRecord(text) > MAX_COLUMNS) throw tooManyColumns();
    return detectDelimiter(text, length < HEAD_BYTES);
  } finally {
    closeSync(file);
  }
}

/**
 * Writes the option with the columns, which the reader needs without detection. A detection with everything else fixed
 * gives their names.
 */
async function columnsOption(connection: DuckDBConnection, path: string, options: readonly string[]): Promise<string> {
  const detecting = options.filter((each) => !each.startsWith('auto_detect'));
  const described = await despiteRagged(
    (more) => describedColumns(connection, `SELECT * FROM read_csv(${literal(path)}, ${detecting.join(', ')}${more})`),
    true,
  );
  const columns = described.map(({ name }) => `${literal(name.trim() || 'column')}: 'VARCHAR'`);
  return `columns = {${columns.join(', ')}}`;
}

/** Returns the character, empty where DuckDB writes `(empty)`. */
function optional(character: string | null): string {
  return character === '(empty)' ? '' : (character ?? '');
}

/** Refuses a file that unpacks to too many values: one of few bytes may hold a value ten billion times. */
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
  // An error of the server, not of the file: reported with what the operator can do.
  if (isDiskFull(error)) return error;
  const { message } = error;
  const [, line] = /\bLine:\s*(\d+)/.exec(message) ?? [];
  const at = line === undefined ? '' : ` in line ${line}`;
  const [, expected, actual] = /Expected Number of Columns:\s*(\d+)\s+Found:\s*(\d+)/.exec(message) ?? [];
  if (expected !== undefined)
    return new RefusedFile(`${prefix}There are ${actual} values${at} where the header has ${expected}.`);
  if (/unterminated quote|quote should be followed|unquoted/i.test(message))
    return new RefusedFile(`${prefix}A quoted value${at} does not end, or goes on behind its quote.`);
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
