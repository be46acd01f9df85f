import { isRecord, readBoolean, readList, readNumber, readOptionalText, readRecord, readText } from './json.ts';

/**
 * Represents a query answer as the views use it. `parseAnswer` checks the server's JSON once, so no other file checks
 * it again. Cells are found by position and not by key, so that two columns of one name stay two columns.
 */
export interface Answer {
  readonly title: string;
  readonly description: string | undefined;
  readonly columns: readonly Column[];
  /** The rows, each as long as `columns`. */
  readonly rows: readonly (readonly Cell[])[];
  readonly truncated: boolean;
  /** Whether a part of the data could not be read. */
  readonly partial: boolean;
  /** The values that the privacy rule masked; undefined where it masked none. */
  readonly suppressed: { readonly count: number; readonly reason: string } | undefined;
  /** When the warehouse computed this answer; a cached one is older than its arrival. */
  readonly computedAt: Date;
  readonly cached: boolean;
  /** Forecasts by metric, unchecked; charts check them (`chart/read-analysis.ts`). */
  readonly forecast: unknown;
  /** The chart settings of the saved query, unchecked; charts check them (`chart/check-settings.ts`). */
  readonly chart: unknown;
  /** What a visitor may do with a row, unchecked; see `readDrilling`. */
  readonly drill?: unknown;
}

export interface Column {
  readonly key: string;
  readonly label: string;
  readonly type: 'dimension' | 'metric';
  /** One of the server's scalar types. The element treats an unknown one like `other`. */
  readonly dataType: string;
  /** Labels of periods and of parts of dates, by value. The cells' texts are these labels. */
  readonly labels?: Readonly<Record<string, unknown>> | undefined;
  /** How the server computes a metric, such as `sum`. */
  readonly aggregation?: unknown;
  /** The length of periods or the part of dates of a dimension, such as `month`. */
  readonly grain?: unknown;
  /** `{metric, part}` of a column that a comparison adds. */
  readonly compare?: unknown;
  /** `columns` where the request has the dimension there. */
  readonly axis?: unknown;
  /** `points` for a rate in per cent: its change is in percentage points. */
  readonly change?: unknown;
}

/** Represents one value: the server's text, and the number that charts draw. */
export interface Cell {
  /** Undefined where there is no value; the views show a dash. */
  readonly text: string | undefined;
  /** Undefined where the value is no number or is hidden. It may be rounded to a double; `text` is exact. */
  readonly number: number | undefined;
  readonly suppressed: boolean;
  /** The original value where it arrived as text (a number that no double represents) or has a label (a period). */
  readonly exact?: string | undefined;
  /** The server's note on an unusual value, unchecked; charts check it. */
  readonly anomaly?: unknown;
}

/**
 * Checks the JSON of an answer.
 * @throws UnexpectedAnswer where the JSON is no answer.
 */
export function parseAnswer(json: unknown): Answer {
  const answer = readRecord(json);
  const meta = readRecord(answer.meta);
  const freshness = readRecord(answer.freshness);
  const columns = readList(answer.columns).map(parseColumn);
  return {
    title: readText(answer.title),
    description: readOptionalText(answer.description),
    columns,
    rows: readList(answer.records).map((each) => {
      const cells = readRecord(each);
      // Own keys only: `constructor` is a legal column name.
      return columns.map(({ key, labels }) => parseCell(Object.hasOwn(cells, key) ? cells[key] : undefined, labels));
    }),
    truncated: readBoolean(meta.truncated),
    partial: meta.partial === true,
    suppressed: parseSuppressed(meta.suppressed),
    computedAt: new Date(readNumber(freshness.computedAtMillis)),
    cached: freshness.cached === true,
    forecast: answer.forecast,
    chart: answer.chart,
    drill: answer.drill,
  };
}

function parseColumn(json: unknown): Column {
  const column = readRecord(json);
  return {
    key: readText(column.key),
    label: readText(column.label),
    type: column.type === 'metric' ? 'metric' : 'dimension',
    dataType: readText(column.dataType),
    // Without a prototype: a member may be called `constructor`.
    labels: isRecord(column.labels) ? { __proto__: null, ...column.labels } : undefined,
    aggregation: column.aggregationKind,
    grain: column.grain,
    compare: column.compare,
    axis: column.axis,
    change: column.change,
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
    // An empty label shows a missing value, such as the member without a key of a cube; `exact` has its name.
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
  // A number that no double represents exactly arrives as text. A date or a word becomes NaN here and is no number.
  const parsed = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof parsed === 'number' && Number.isFinite(parsed) ? parsed : undefined;
}

function parseSuppressed(json: unknown): Answer['suppressed'] {
  if (json === undefined || json === null) return undefined;
  const suppressed = readRecord(json);
  return {
    count: readNumber(suppressed.count),
    reason: readText(suppressed.reason),
  };
}
