import { boolean, isRecord, list, number, optionalText, record, text } from './json.ts';

/**
 * A query answer as the views use it. The JSON of the server is checked here, once; behind this file nothing is
 * looked at twice. Cells stand by position, not by key, so that two columns of one name do not become one.
 */
export interface Answer {
  readonly title: string;
  readonly description: string | undefined;
  readonly columns: readonly Column[];
  /** Row by row, each as long as `columns`. */
  readonly rows: readonly (readonly Cell[])[];
  readonly truncated: boolean;
  /** What the privacy rule masked; undefined where it masked nothing. */
  readonly suppressed: { readonly count: number; readonly reason: string } | undefined;
  /** When the warehouse computed this answer; a cached one is older than its arrival. */
  readonly computedAt: Date;
}

export interface Column {
  readonly key: string;
  readonly label: string;
  readonly type: 'dimension' | 'metric';
  /** One of the server's scalar types; an unknown one is treated like `other`. */
  readonly dataType: string;
}

/** One value: how the server writes it, and the number behind it for drawing. */
export interface Cell {
  /** Undefined where there is no value; the views write a dash. */
  readonly text: string | undefined;
  /** Undefined where the value is no number, or hidden. May be rounded to a double; `text` is what is exact. */
  readonly number: number | undefined;
  readonly suppressed: boolean;
}

export function parseAnswer(json: unknown): Answer {
  const answer = record(json, 'answer');
  const meta = record(answer.meta, 'meta');
  const columns = list(answer.columns, 'columns').map(parseColumn);
  return {
    title: text(answer.title, 'title'),
    description: optionalText(answer.description, 'description'),
    columns,
    rows: list(answer.records, 'records').map((each) => {
      const cells = record(each, 'records[]');
      // Own keys only: a column may be called `constructor`.
      return columns.map(({ key }) => parseCell(Object.hasOwn(cells, key) ? cells[key] : undefined));
    }),
    truncated: boolean(meta.truncated, 'meta.truncated'),
    suppressed: parseSuppressed(meta.suppressed),
    computedAt: new Date(number(record(answer.freshness, 'freshness').computedAtMillis, 'freshness.computedAtMillis')),
  };
}

function parseColumn(json: unknown): Column {
  const column = record(json, 'columns[]');
  return {
    key: text(column.key, 'columns[].key'),
    label: text(column.label, 'columns[].label'),
    type: column.type === 'metric' ? 'metric' : 'dimension',
    dataType: text(column.dataType, 'columns[].dataType'),
  };
}

function parseCell(json: unknown): Cell {
  if (isRecord(json)) {
    const suppressed = json.suppressed === true;
    const written = json.formatted ?? json.value;
    return { text: scalarText(written), number: suppressed ? undefined : scalarNumber(json.value), suppressed };
  }
  return { text: scalarText(json), number: scalarNumber(json), suppressed: false };
}

function scalarText(value: unknown): string | undefined {
  if (value === null || value === undefined || value === '') return undefined;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function scalarNumber(value: unknown): number | undefined {
  // Exact numbers that no double holds arrive as text. A date or a word gives NaN here and is no number.
  const parsed = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof parsed === 'number' && Number.isFinite(parsed) ? parsed : undefined;
}

function parseSuppressed(json: unknown): Answer['suppressed'] {
  if (json === undefined || json === null) return undefined;
  const suppressed = record(json, 'meta.suppressed');
  return {
    count: number(suppressed.count, 'meta.suppressed.count'),
    reason: text(suppressed.reason, 'meta.suppressed.reason'),
  };
}
