/** The part of a profile that the page shows. The whole profile goes back to the server unchanged. */
import { type JsonObject, readList, readObject, readText, readTextOrDefault } from '../api-client/json.ts';
import { parseReading, type TableReading } from './reading.ts';

export interface ProfileColumn {
  readonly name: string;
  readonly type: string;
  readonly distinct: number;
  /** Number of rows without a value. */
  readonly nulls: number;
  readonly samples: readonly string[];
  readonly notes: readonly string[];
  /** Whether the user can choose the type: the file has it as text. */
  readonly canChooseType: boolean;
}

export interface ProfileTable {
  readonly name: string;
  readonly rows: number;
  /** Columns that identify a row by themselves. */
  readonly keys: readonly string[];
  /** How the table was read from a file. */
  readonly reading: TableReading | undefined;
  readonly columns: readonly ProfileColumn[];
}

export interface Profile {
  readonly tables: readonly ProfileTable[];
  readonly raw: JsonObject;
}

/**
 * Parses a profile.
 * @throws UnexpectedAnswerError
 */
export function parseProfile(json: unknown): Profile {
  const raw = readObject(json, 'the profile');
  return {
    raw,
    tables: readList(raw.tables, 'tables', (each) => {
      const table = readObject(each, 'a table');
      return {
        name: readText(table, 'name'),
        rows: readCount(table.rowCount),
        keys: readList(table.keys ?? [], 'keys', (key) => readList(key, 'a key', String)).flatMap((key) =>
          key.length === 1 ? key : [],
        ),
        reading: table.reading === undefined ? undefined : parseReading(table.reading, readText(table, 'name')),
        columns: readList(table.columns, 'columns', parseColumn),
      };
    }),
  };
}

function parseColumn(json: unknown): ProfileColumn {
  const column = readObject(json, 'a column');
  return {
    name: readText(column, 'name'),
    type: readText(column, 'type'),
    canChooseType: column.readable === true,
    distinct: readCount(column.distinctApprox),
    nulls: readCount(column.nulls),
    samples: readList(column.sampleValues, 'sampleValues', (value) => (value === null ? 'null' : String(value))),
    notes: [
      ...readList(column.notes ?? [], 'notes', String),
      ...(column.unit === undefined ? [] : [`unit ${readTextOrDefault(column, 'unit', '')}`]),
    ],
  };
}

function readCount(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}
