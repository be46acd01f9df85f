/** Gives an answer as rows that come from the warehouse while they are read. */
import type { AnswerRows, FileValue, RowChunk, RowColumn } from '../../../../router/capabilities/answer-rows.ts';
import type { AnswerColumn, AnswerRecord } from '../../../../router/capabilities/query-source.ts';
import type { ResultColumn, ResultStream } from '../../../../router/capabilities/warehouse.ts';
import { cooperativeYield } from '../../../../router/cooperative-yield.ts';
import type { Plan } from '../nodes/plan.ts';
import { maskedRows, suppressionOf } from './apply-mask.ts';
import { labellerFor } from './grain-labels.ts';
import { columnsOf, groupValue, metricValueOf, type ShapedAnswer } from './shape.ts';

export interface RowsSource {
  readonly plan: Plan;
  readonly stream: ResultStream;
  /** Rows after which the answer is cut and marked as cut; `undefined` where the request's own limit ends it. */
  readonly rowCap: number | undefined;
}

/**
 * Returns the rows of a result. They have the values of the ordinary answer, and the same small groups are hidden. Waits for
 * the first rows, so that a statement that fails at once fails here.
 */
export async function rowsOf({ plan, stream, rowCap }: RowsSource): Promise<AnswerRows> {
  const columns = columnsOf(plan, stream).map((column, place) => rowColumn(column, stream.columns[place], plan, place));
  const source = stream.chunks[Symbol.asyncIterator]();
  const first = await source.next();
  const metrics = plan.metrics.map(metricValueOf);
  const yieldTurn = cooperativeYield();
  const chunks = async function* (): AnswerRows['chunks'] {
    let rowCount = 0;
    let hidden = 0;
    let truncated = false;
    try {
      for (let next = first; next.done !== true; next = await source.next()) {
        const { rowCount: all, values } = next.value;
        const rows = Math.min(all, (rowCap ?? Number.POSITIVE_INFINITY) - rowCount);
        truncated ||= rows < all;
        if (rows === 0) break;
        const result = { columns: stream.columns, rowCount: rows, values, truncated: false };
        const masked = await maskedRows(plan, result, yieldTurn);
        hidden += masked.filter(Boolean).length;
        rowCount += rows;
        const cells = columns.map((_, place): readonly FileValue[] => {
          const read = (values[place] ?? []).slice(0, rows);
          const metric = metrics[place - plan.groups.length];
          if (metric === undefined) return read.map((value) => groupValue(value, plan.groups[place]));
          return read.map((value, row) => (masked[row] === true ? null : metric(value)));
        });
        yield { rowCount: rows, values: cells };
      }
    } finally {
      await source.return?.();
    }
    const suppressed = suppressionOf(plan, hidden);
    return { rowCount, truncated, ...(suppressed === undefined ? {} : { suppressed }) };
  };
  return { columns, chunks: chunks() };
}

function rowColumn(
  { key, label, type, dataType, grain }: AnswerColumn,
  native: ResultColumn | undefined,
  { groups }: Plan,
  place: number,
): RowColumn {
  const labelOf = groups[place]?.grain === undefined ? undefined : labellerFor(groups[place].grain);
  const scale = /\(\s*\d+\s*,\s*(\d+)\s*\)/.exec(native?.nativeType ?? '')?.[1];
  return {
    key,
    label,
    type,
    dataType,
    ...(grain === undefined ? {} : { grain }),
    ...(labelOf === undefined ? {} : { labelOf }),
    ...(scale === undefined ? {} : { scale: Number(scale) }),
  };
}

/** Rows of a whole answer that are given at a time. */
const ROWS_OF_A_CHUNK = 1_000;

/** Returns the rows of a whole answer. */
export function rowsOfRecords({
  columns,
  records,
  meta,
}: Pick<ShapedAnswer, 'columns' | 'records' | 'meta'>): AnswerRows {
  const chunks = async function* (): AnswerRows['chunks'] {
    for (let from = 0; from < records.length; from += ROWS_OF_A_CHUNK) yield chunkOf(columns, records, from);
    return meta;
  };
  return {
    columns: columns.map(({ key, label, type, dataType, grain, labels }) => ({
      key,
      label,
      type,
      dataType,
      ...(grain === undefined ? {} : { grain }),
      ...(labels === undefined ? {} : { labelOf: (value: FileValue) => labels[String(value)] ?? null }),
    })),
    chunks: chunks(),
  };
}

function chunkOf(columns: readonly AnswerColumn[], records: readonly AnswerRecord[], from: number): RowChunk {
  const rows = records.slice(from, from + ROWS_OF_A_CHUNK);
  return { rowCount: rows.length, values: columns.map(({ key }) => rows.map((record) => fileValueOf(record[key]))) };
}

function fileValueOf(cell: AnswerRecord[string] | undefined): FileValue {
  if (typeof cell !== 'object' || cell === null) return cell ?? null;
  return cell.suppressed === true ? null : cell.value;
}
