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
  /** Whether a part of the data could not be read. */
  readonly partial: boolean;
  /** What the privacy rule masked; undefined where it masked nothing. */
  readonly suppressed: { readonly count: number; readonly reason: string } | undefined;
  /** When the warehouse computed this answer; a cached one is older than its arrival. */
  readonly computedAt: Date;
  readonly cached: boolean;
  /** Forecasts by metric, as they came; charts read them (`chart/forecast.ts`). */
  readonly forecast: unknown;
}

export interface Column {
  readonly key: string;
  readonly label: string;
  readonly type: 'dimension' | 'metric';
  /** One of the server's scalar types; an unknown one is treated like `other`. */
  readonly dataType: string;
  /** Of periods and parts of dates what each value is called; the text of its cells is that. */
  readonly labels?: Readonly<Record<string, unknown>> | undefined;
}

/** One value: how the server writes it, and the number behind it for drawing. */
export interface Cell {
  /** Undefined where there is no value; the views write a dash. */
  readonly text: string | undefined;
  /** Undefined where the value is no number, or hidden. May be rounded to a double; `text` is what is exact. */
  readonly number: number | undefined;
  readonly suppressed: boolean;
  /** The value as it came, where it came as text (a number that no double holds) or is called otherwise (a period). */
  readonly exact?: string | undefined;
  /** What the server says about an unusual value, as it came; charts read it. */
  readonly anomaly?: unknown;
}

/**
 * Checks the JSON of an answer.
 * @throws UnexpectedAnswer where it is none.
 */
export function parseAnswer(json: unknown): Answer {
  const answer = record(json);
  const meta = record(answer.meta);
  const freshness = record(answer.freshness);
  const columns = list(answer.columns).map(parseColumn);
  return {
    title: text(answer.title),
    description: optionalText(answer.description),
    columns,
    rows: list(answer.records).map((each) => {
      const cells = record(each);
      // Own keys only: a column may be called `constructor`.
      return columns.map(({ key, labels }) => parseCell(Object.hasOwn(cells, key) ? cells[key] : undefined, labels));
    }),
    truncated: boolean(meta.truncated),
    partial: meta.partial === true,
    suppressed: parseSuppressed(meta.suppressed),
    computedAt: new Date(number(freshness.computedAtMillis)),
    cached: freshness.cached === true,
    forecast: answer.forecast,
  };
}

function parseColumn(json: unknown): Column {
  const column = record(json);
  return {
    key: text(column.key),
    label: text(column.label),
    type: column.type === 'metric' ? 'metric' : 'dimension',
    dataType: text(column.dataType),
    labels: isRecord(column.labels) ? column.labels : undefined,
  };
}

function parseCell(json: unknown, labels: Column['labels']): Cell {
  if (isRecord(json)) {
    const suppressed = json.suppressed === true;
    const written = cellText(json.formatted ?? json.value);
    return {
      text: written,
      number: suppressed ? undefined : cellNumber(json.value),
      suppressed,
      exact: typeof json.value === 'string' ? json.value : undefined,
      anomaly: json.anomaly,
    };
  }
  return {
    text: cellText(labels?.[String(json)] ?? json),
    number: cellNumber(json),
    suppressed: false,
    exact: labels || typeof json === 'string' ? cellText(json) : undefined,
  };
}

function cellText(value: unknown): string | undefined {
  if ((value ?? '') === '') return undefined;
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

function cellNumber(value: unknown): number | undefined {
  // Exact numbers that no double holds arrive as text. A date or a word gives NaN here and is no number.
  const parsed = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof parsed === 'number' && Number.isFinite(parsed) ? parsed : undefined;
}

function parseSuppressed(json: unknown): Answer['suppressed'] {
  if (json === undefined || json === null) return undefined;
  const suppressed = record(json);
  return {
    count: number(suppressed.count),
    reason: text(suppressed.reason),
  };
}
