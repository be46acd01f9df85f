/** Copies the tables of a model from a warehouse into files, which take the place of its data as uploaded files do. */
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Scalar, TableInfo, Warehouse } from '../../../router/capabilities/warehouse.ts';
import { ConflictError } from '../../../router/errors.ts';
import { nearestFirst } from '../../../router/nearest-names.ts';
import { sizeText } from '../../../router/quantity-text.ts';
import { tableSql } from '../../inference/index.ts';
import { COPY_TIMEOUT_MS, MAX_COPIED_ROWS, MAX_FOLDER_BYTES, MAX_NAMED_TABLES } from '../limits.ts';
import type { NewFile } from '../replace/replacement.ts';

export interface CopyRequest {
  readonly warehouse: Warehouse;
  /** The schema of the tables; without one, that of the connection. */
  readonly schema: string | undefined;
  /** The tables of the model. */
  readonly tables: readonly string[];
  readonly signal: AbortSignal | undefined;
}

/**
 * Finds the tables of a model in a warehouse, in any letter case where only one fits.
 *
 * @throws ConflictError with the names that are missing, and the nearest that exist
 */
export async function findTables({ warehouse, schema, tables, signal }: CopyRequest): Promise<readonly TableInfo[]> {
  const all = await warehouse.tables({ ...(schema === undefined ? {} : { schema }), ...(signal && { signal }) });
  const found = tables.map((name) => {
    const exact = all.filter((table) => table.name === name);
    const similar = all.filter((table) => table.name.toLowerCase() === name.toLowerCase());
    return { name, table: exact[0] ?? (similar.length === 1 ? similar[0] : undefined) };
  });
  const missing = found.filter(({ table }) => table === undefined).map(({ name }) => name);
  if (missing.length > 0) {
    const nearest = nearestFirst(
      missing[0] ?? '',
      all.map(({ name }) => name),
    ).slice(0, MAX_NAMED_TABLES);
    throw new ConflictError(
      `The connection has no table ${missing.join(', ')}, which the model needs.${nearest.length === 0 ? '' : ` It has: ${nearest.join(', ')}.`}`,
      { code: 'DATA_DOES_NOT_FIT' },
    );
  }
  return found.flatMap(({ table }) => table ?? []);
}

/**
 * Copies the tables of a model into CSV files of a folder, one each, named after the tables of the model.
 *
 * @returns the files, and a text that identifies their contents
 * @throws ConflictError where a table is missing, or where they have more bytes than a refresh may read
 */
export async function copyTables(
  request: CopyRequest,
  folder: string,
): Promise<{ readonly files: readonly NewFile[]; readonly signature: string }> {
  const { warehouse, tables, signal } = request;
  const sources = await findTables(request);
  const hash = createHash('sha256');
  const files: NewFile[] = [];
  let bytes = 0;
  for (const [at, source] of sources.entries()) {
    const name = `${tables[at] ?? source.name}.csv`;
    // The name of a table may be no name of a file.
    const path = join(folder, `table-${at}.csv`);
    const { columns, chunks } = await warehouse.stream(
      { sql: `SELECT * FROM ${tableSql(warehouse.dialect, source)}`, parameters: [] },
      { maxRows: MAX_COPIED_ROWS, timeoutMs: COPY_TIMEOUT_MS, signal },
    );
    async function* lines(): AsyncGenerator<string> {
      yield `${columns.map((column) => quoted(column.name)).join(',')}\n`;
      for await (const { rowCount, values } of chunks) {
        let text = '';
        for (let row = 0; row < rowCount; row++)
          text += `${values.map((column) => cellText(column[row] ?? null)).join(',')}\n`;
        bytes += Buffer.byteLength(text);
        if (bytes > MAX_FOLDER_BYTES)
          throw new ConflictError(`The tables have more than ${sizeText(MAX_FOLDER_BYTES)}.`, {
            code: 'DATA_DOES_NOT_FIT',
          });
        hash.update(text);
        yield text;
      }
    }
    hash.update(name);
    await pipeline(Readable.from(lines()), createWriteStream(path, { mode: 0o600 }), { signal });
    files.push({ path, name });
  }
  return { files, signature: hash.digest('hex') };
}

/** Writes a cell: a text in quotes, so that an empty text is no missing value. */
function cellText(value: Scalar): string {
  if (value === null) return '';
  return typeof value === 'string' ? quoted(value) : String(value);
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`;
}
