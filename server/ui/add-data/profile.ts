/** What a profile tells, as far as it is shown. The profile itself goes back to the server as it came. */
import { type JsonObject, list, object, text, textOrDefault } from '../api-client/json.ts';

export interface ProfileColumn {
  readonly name: string;
  readonly type: string;
  readonly distinct: number;
  readonly samples: readonly string[];
  readonly notes: readonly string[];
}

export interface ProfileTable {
  readonly name: string;
  readonly rows: number;
  readonly columns: readonly ProfileColumn[];
}

export interface Profile {
  readonly tables: readonly ProfileTable[];
  readonly raw: JsonObject;
}

/** Reads a profile. @throws UnexpectedAnswerError */
export function parseProfile(json: unknown): Profile {
  const raw = object(json, 'the profile');
  return {
    raw,
    tables: list(raw.tables, 'tables', (each) => {
      const table = object(each, 'a table');
      return {
        name: text(table, 'name'),
        rows: number(table.rowCount),
        columns: list(table.columns, 'columns', parseColumn),
      };
    }),
  };
}

function parseColumn(json: unknown): ProfileColumn {
  const column = object(json, 'a column');
  return {
    name: text(column, 'name'),
    type: text(column, 'type'),
    distinct: number(column.distinctApprox),
    samples: list(column.sampleValues, 'sampleValues', (value) => (value === null ? 'null' : String(value))),
    notes: [
      ...list(column.notes ?? [], 'notes', String),
      ...(column.unit === undefined ? [] : [`unit ${textOrDefault(column, 'unit', '')}`]),
    ],
  };
}

function number(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}
