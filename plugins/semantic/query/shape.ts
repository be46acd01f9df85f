/** Columnar result -> labelled columns and records. */
import type { AnswerColumn, AnswerRecord, MetricCell } from '../../../router/capabilities/query-source.ts';
import type { ColumnarResult, Scalar } from '../../../router/capabilities/warehouse.ts';
import { type Formatter, formatterFor } from './format.ts';
import { type Mask, maskedCell, maskedRows, suppressionNote } from './mask.ts';
import type { Plan } from './plan.ts';
import { keyOf } from './resolve.ts';

export interface ShapedAnswer {
  readonly columns: readonly AnswerColumn[];
  readonly records: readonly AnswerRecord[];
  readonly meta: {
    readonly rowCount: number;
    readonly truncated: boolean;
    readonly suppressed?: { readonly count: number; readonly reason: string } | undefined;
  };
}

export interface ShapeSettings {
  readonly mask: Mask;
  /** The cut of a request that names no limit; `undefined` when it names one. */
  readonly cut: number | undefined;
}

export function shape(plan: Plan, result: ColumnarResult, { mask, cut }: ShapeSettings): ShapedAnswer {
  const rowCount = cut === undefined ? result.rowCount : Math.min(result.rowCount, cut);
  const kept: ColumnarResult = { ...result, rowCount };
  const masked = maskedRows(plan, kept).slice(0, rowCount);
  const columns = columnsOf(plan, result);
  const cells = columns.map((column, index) => {
    const values = result.values[index] ?? [];
    if (column.type === 'dimension') return { key: column.key, at: (row: number) => plain(values[row] ?? null) };
    const display = plan.metrics[index - plan.groups.length]?.metric.display ?? { hidden: false };
    const format = formatterFor(display, column.dataType);
    return {
      key: column.key,
      at: (row: number) => (masked[row] ? maskedCell(mask) : metricCell(values[row] ?? null, format)),
    };
  });
  const records = Array.from({ length: rowCount }, (_, row): AnswerRecord => {
    return Object.fromEntries(cells.map(({ key, at }) => [key, at(row)]));
  });
  const suppressed = suppressionNote(plan, masked);
  const truncated = cut !== undefined && (result.truncated || result.rowCount > cut);
  return { columns, records, meta: { rowCount, truncated, ...(suppressed === undefined ? {} : { suppressed }) } };
}

function columnsOf(plan: Plan, result: ColumnarResult): readonly AnswerColumn[] {
  const groups = plan.groups.map(
    (field, index): AnswerColumn => ({
      key: keyOf(field),
      label: field.label,
      type: 'dimension',
      dataType: result.columns[index]?.type ?? field.type,
    }),
  );
  const metrics = plan.metrics.map(
    ({ metric, aggregation }, index): AnswerColumn => ({
      key: metric.name,
      label: metric.label,
      type: 'metric',
      dataType: result.columns[plan.groups.length + index]?.type ?? 'other',
      aggregationKind: aggregation?.toLowerCase() ?? metric.aggregationKind,
    }),
  );
  return [...groups, ...metrics];
}

function metricCell(value: Scalar, format: Formatter): MetricCell {
  // JSON has no NaN and no infinities.
  if (value === null || (typeof value === 'number' && !Number.isFinite(value))) return { value: null, formatted: null };
  const shown = plain(value);
  return { value: typeof shown === 'boolean' ? String(shown) : shown, formatted: format(value) };
}

/** Whole numbers that no double holds leave as text. */
function plain(value: Scalar): Exclude<Scalar, bigint> {
  if (typeof value === 'number' && !Number.isFinite(value)) return null;
  if (typeof value !== 'bigint') return value;
  const isSafe = value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER);
  return isSafe ? Number(value) : String(value);
}
