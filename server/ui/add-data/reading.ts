/** How the files are read: what the user has chosen, table by table, and what the server reports. */
import {
  COLUMN_READINGS,
  type ColumnChoice,
  type ColumnReading,
  type FirstRow,
  READING_FINDINGS,
  type ReadingFindingKind,
  type TableChoices,
} from '../../../router/capabilities/file-import.ts';
import { isObject, type JsonObject, readList, readObject, readOption, readText } from '../api-client/json.ts';

export { COLUMN_READINGS, type ColumnReading, type TableChoices };

/** Returns what a column of a type is read as, by the names of the engines. */
export function readingOf(type: string): ColumnReading {
  if (/^(DECIMAL|NUMERIC|NUMBER|DOUBLE|FLOAT|REAL|U?(BIG|HUGE|SMALL|TINY|MEDIUM)?INT)/i.test(type)) return 'number';
  if (/^(DATE|TIME)/i.test(type)) return 'date';
  return /^BOOL/i.test(type) ? 'boolean' : 'text';
}

/** The choices by the name of the table. */
export type ReadingChoices = Readonly<Record<string, TableChoices>>;

export interface Repair {
  readonly label: string;
  readonly choices: TableChoices;
}

export interface Finding {
  readonly kind: ReadingFindingKind;
  readonly table: string;
  readonly message: string;
  readonly repairs: readonly Repair[];
}

/** How a table was read. */
export interface TableReading {
  readonly file: string;
  readonly sheet: string;
  /** The line with the names of the columns, from 1; 0 where there is none, -1 where the format has no lines. */
  readonly headerRow: number;
  readonly firstRows: readonly FirstRow[];
  readonly findings: readonly Finding[];
}

/** Whether values or rows are missing from the table, or were only understood in one of several ways. */
export const IS_LOSS: Readonly<Record<ReadingFindingKind, boolean>> = {
  lines_above_header: false,
  ragged_lines: true,
  other_values: true,
  values_made_empty: false,
  placeholders: false,
  some_units: false,
  several_units: true,
  short_years: false,
  duplicate_rows: false,
  duplicates_dropped: false,
  repeated_key: true,
  unmatched_rows: true,
};

/**
 * Parses how a table was read.
 * @throws UnexpectedAnswerError
 */
export function parseReading(json: unknown, table: string): TableReading {
  const raw = readObject(json, 'the reading');
  return {
    file: readText(raw, 'file'),
    sheet: typeof raw.sheet === 'string' ? raw.sheet : '',
    headerRow: typeof raw.headerRow === 'number' ? raw.headerRow : -1,
    firstRows: readList(raw.firstRows ?? [], 'firstRows', (each) => {
      const { row, values } = readObject(each, 'a row');
      return { row: Number(row), values: readList(values, 'values', String) };
    }),
    findings: readList(raw.findings, 'findings', (each) => parseFinding(readObject(each, 'a finding'), table)),
  };
}

function parseFinding(raw: JsonObject, table: string): Finding {
  return {
    kind: readOption(raw, 'kind', READING_FINDINGS),
    table,
    message: readText(raw, 'message'),
    repairs: readList(raw.repairs, 'repairs', (each) => {
      const repair = readObject(each, 'a repair');
      // The choices go back to the server as they came.
      return { label: readText(repair, 'label'), choices: isObject(repair.choices) ? repair.choices : {} };
    }),
  };
}

/** Adds choices for a table to the others. A choice for a column keeps what was chosen for it before. */
export function addChoices(all: ReadingChoices, table: string, added: TableChoices): ReadingChoices {
  const before = all[table] ?? {};
  const columns = new Map((before.columns ?? []).map((choice) => [choice.name, choice] as const));
  for (const choice of added.columns ?? []) columns.set(choice.name, mergeColumn(columns.get(choice.name), choice));
  return {
    ...all,
    [table]: { ...before, ...added, ...(columns.size === 0 ? {} : { columns: [...columns.values()] }) },
  };
}

/** Returns whether a user has made all the choices of a repair. */
export function isChosen(all: ReadingChoices, table: string, repair: TableChoices): boolean {
  return JSON.stringify(addChoices(all, table, repair)) === JSON.stringify(all);
}

/** Text is what the file has: a column that is kept as text has no other choice, before or after. */
function mergeColumn(before: ColumnChoice | undefined, added: ColumnChoice): ColumnChoice {
  return before === undefined || before.readAs === 'text' || added.readAs === 'text' ? added : { ...before, ...added };
}
