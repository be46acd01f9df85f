import type pg from 'pg';
import type { ResultChunk } from '../../../router/capabilities/warehouse.ts';
import type { Reader } from '../driver.ts';
import type { ColumnTypes, DescribedColumn } from './columns.ts';
import type { Transaction } from './transaction.ts';

const ROWS_IN_CHUNK = 2_000;

/** Returns values as the server's text; `values.ts` reads them. */
const AS_TEXT: pg.CustomTypesConfig = { getTypeParser: () => (text: string) => text };

type TextRow = readonly (string | null)[];

/** Reads the whole answer at once: the server may use parallel workers, which it does not for a cursor. */
export async function readAll(
  transaction: Transaction,
  sql: string,
  values: (string | null)[],
  types: ColumnTypes,
): Promise<Reader> {
  const { fields, rows } = await ask(transaction, sql, values);
  const described = await transaction.step(() => types.describe(transaction.client, fields));
  let left: readonly TextRow[] = rows;
  return {
    columns: described.map(({ column }) => column),
    async read() {
      const chunk = left.length === 0 ? undefined : chunkOf(left, described);
      left = [];
      return chunk;
    },
    close: () => transaction.end(),
  };
}

/** Reads the answer in chunks, which the server computes on demand. The cursor ends with its transaction. */
export async function readInChunks(
  transaction: Transaction,
  sql: string,
  values: (string | null)[],
  types: ColumnTypes,
): Promise<Reader> {
  await ask(transaction, `DECLARE answer NO SCROLL CURSOR FOR ${sql}`, values);
  const fetch = () => ask(transaction, `FETCH ${ROWS_IN_CHUNK} FROM answer`, []);
  const first = await fetch();
  const described = await transaction.step(() => types.describe(transaction.client, first.fields));
  let next: readonly TextRow[] | undefined = first.rows;
  return {
    columns: described.map(({ column }) => column),
    async read() {
      const rows = next ?? (await fetch()).rows;
      next = rows.length < ROWS_IN_CHUNK ? [] : undefined;
      return rows.length === 0 ? undefined : chunkOf(rows, described);
    },
    close: () => transaction.end(),
  };
}

function ask(transaction: Transaction, text: string, values: (string | null)[]) {
  // `extended` accepts one statement only, also without parameters; the library's types lack it.
  const query = { text, values, rowMode: 'array' as const, types: AS_TEXT, queryMode: 'extended' };
  return transaction.step(() => transaction.client.query<(string | null)[]>(query));
}

function chunkOf(rows: readonly TextRow[], described: readonly DescribedColumn[]): ResultChunk {
  const values = described.map(({ convert }, i) =>
    rows.map((row) => {
      const text = row[i];
      return text === null || text === undefined ? null : convert(text);
    }),
  );
  return { rowCount: rows.length, values };
}
