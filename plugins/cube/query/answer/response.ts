/**
 * Shapes an answer in the requested format: records, a matrix, or the table of embeds. Yields the event loop in
 * between.
 */

import type {
  AnswerColumn,
  AnswerRecord,
  MetricCell,
  TabularAnswer,
} from '../../../../router/capabilities/query-source.ts';
import { cooperativeMap, cooperativeYield, itemCounter } from '../../../../router/cooperative-yield.ts';
import { recordOf } from '../../../../router/record-of.ts';
import type { CubeMatrixResponse, CubeQueryResponse, Format, Metadata, NumericCell } from '../../api/schemas.ts';
import { isExactText } from '../../engine/grid.ts';
import { NAME_OF_NULL } from '../../mdx/index.ts';
import type { Answer, AnswerCell } from './make-answer.ts';

type YieldTurn = () => Promise<void>;

/** Returns the answer to a query in the requested format. */
export async function toResponse(
  queryId: string,
  answer: Answer,
  format: Format,
): Promise<CubeQueryResponse | CubeMatrixResponse> {
  if (format !== 'matrix') return recordsResponse(queryId, answer);
  const yieldTurn = cooperativeYield();
  const keys = await columnKeys(answer, yieldTurn);
  const matrix = await eachRow(
    answer,
    yieldTurn,
    keys.map((_, index) => String(index)),
  );
  return { ...(await common(queryId, answer, keys, yieldTurn)), format, matrix };
}

/** Returns the answer to a query as records. */
export async function recordsResponse(queryId: string, answer: Answer): Promise<CubeQueryResponse> {
  const yieldTurn = cooperativeYield();
  const keys = await columnKeys(answer, yieldTurn);
  const data = await eachRow(answer, yieldTurn, keys);
  return { ...(await common(queryId, answer, keys, yieldTurn)), format: 'records', data };
}

async function common(queryId: string, answer: Answer, keys: readonly string[], yieldTurn: YieldTurn) {
  return {
    queryId,
    status: 'SUCCESS' as const,
    metadata: await metadataOf(answer, keys, yieldTurn),
    totalRows: answer.rows.length,
    runtimeMs: answer.runtimeMs,
  };
}

async function eachRow(
  { rows }: Answer,
  yieldTurn: YieldTurn,
  keys: readonly string[],
): Promise<Record<string, string | NumericCell>[]> {
  const records: Record<string, string | NumericCell>[] = [];
  const isDue = itemCounter();
  for (const { captions, cells } of rows) {
    if (isDue(captions.length + cells.length)) await yieldTurn();
    records.push(recordOf<string | NumericCell>(keys, captions, cells));
  }
  return records;
}

async function metadataOf(answer: Answer, keys: readonly string[], yieldTurn: YieldTurn): Promise<Metadata> {
  const { rowHeads, columns, measures, computedAtMillis, cached, suppressed } = answer;
  const dataColumns = await cooperativeMap(columns, yieldTurn, (tuple, column) =>
    measures.map((measure, at) => {
      const index = rowHeads.length + column * measures.length + at;
      return {
        index,
        key: keys[index] ?? '',
        measure: measure.name,
        ...(tuple.members.length === 0 ? {} : { members: tuple.members.map((member) => ({ ...member })) }),
      };
    }),
  );
  return {
    cubeId: answer.cubeId,
    generatedMdx: answer.mdx,
    freshness: { computedAtMillis, computedAt: new Date(computedAtMillis).toISOString(), cached },
    rows: rowHeads.map(({ caption, dimension, uniqueName }, index) => {
      return { key: keys[index] ?? caption, caption, dimension, uniqueName };
    }),
    columns: [...rowHeads.map((_, index) => ({ index, key: keys[index] ?? '' })), ...dataColumns.flat()],
    measures: measures.map((measure) => ({ ...measure })),
    truncated: answer.truncated,
    ...(suppressed === undefined ? {} : { suppressed }),
  };
}

/**
 * Returns the keys of the columns. A key is the captions of the column tuple, joined by ` / `. Columns with equal
 * captions also have their unique names in parentheses.
 */
async function columnKeys({ rowHeads, columns, measures }: Answer, yieldTurn: YieldTurn): Promise<readonly string[]> {
  const dataHeads = await cooperativeMap(columns, yieldTurn, ({ captions, members }) =>
    measures.map((measure) => ({
      caption: [...captions, measure.caption].join(' / '),
      uniqueName: [...members.map(({ uniqueName }) => uniqueName), measure.uniqueName].join(', '),
    })),
  );
  const heads = [...rowHeads, ...dataHeads.flat()];
  const times = new Map<string, number>();
  await cooperativeMap(heads, yieldTurn, ({ caption }) => times.set(caption, (times.get(caption) ?? 0) + 1));
  return cooperativeMap(heads, yieldTurn, ({ caption, uniqueName }) =>
    (times.get(caption) ?? 0) > 1 ? `${caption} (${uniqueName})` : caption,
  );
}

/** The member without a key or a name is shown as a missing value is; filters and steps name it. */
const LABEL_OF_NULL = { [NAME_OF_NULL]: '' };

/** Returns one record for each combination of rows and columns that has a value. */
export async function tabular(answer: Answer): Promise<TabularAnswer> {
  const { rowHeads, columnHeads, measures, columns, rows, suppressed, truncated, computedAtMillis, cached } = answer;
  const heads = [...rowHeads, ...columnHeads];
  const yieldTurn = cooperativeYield();
  const names = [...heads.map(({ key }) => key), ...measures.map(({ name }) => name)];
  const records: AnswerRecord[] = [];
  const isDue = itemCounter();
  for (const { captions, cells } of rows) {
    if (isDue(captions.length + cells.length)) await yieldTurn();
    for (const [column, tuple] of columns.entries()) {
      const columnCells = cells.slice(column * measures.length, (column + 1) * measures.length);
      if (columnHeads.length > 0 && columnCells.every(({ value, formatted }) => value === null && formatted === ''))
        continue;
      const shown = [...captions, ...tuple.captions];
      records.push(
        recordOf(names, [
          ...heads.map((_, index) => shown[index] ?? null),
          ...measures.map((_, index) => metricCell(columnCells[index])),
        ]),
      );
    }
  }
  const dataTypes = await dataTypesOf(answer, yieldTurn);
  const hasNull = heads.map(({ key }) => records.some((record) => record[key] === NAME_OF_NULL));
  return {
    columns: [
      ...heads.map(({ key, caption }, index): AnswerColumn => {
        const axis = index < rowHeads.length ? {} : { axis: 'columns' as const };
        const labels = hasNull[index] ? { labels: LABEL_OF_NULL } : {};
        return { key, label: caption, type: 'dimension', dataType: 'text', ...labels, ...axis };
      }),
      ...measures.map(({ name, caption, aggregationKind }, at): AnswerColumn => {
        return {
          key: name,
          label: caption,
          type: 'metric',
          dataType: dataTypes[at] ?? 'integer',
          aggregationKind,
        };
      }),
    ],
    records,
    meta: { rowCount: records.length, truncated, ...(suppressed === undefined ? {} : { suppressed }) },
    freshness: { computedAtMillis, cached },
  };
}

function metricCell(cell: AnswerCell | undefined): MetricCell {
  if (cell === undefined) return { value: null, formatted: null };
  const { value, formatted, suppressed, anomaly } = cell;
  if (suppressed === true) return { value: maskOf(value), formatted: value === null ? null : formatted, suppressed };
  return {
    value: typeof value === 'boolean' ? String(value) : value,
    formatted: formatted === '' ? null : formatted,
    ...(anomaly === undefined ? {} : { anomaly }),
  };
}

function maskOf(value: NumericCell['value']): MetricCell['value'] {
  return typeof value === 'boolean' ? String(value) : value;
}

/** Returns the data type of each measure: that of its first cell that is not a whole number, or else whole numbers. */
async function dataTypesOf(
  { rows, measures }: Answer,
  yieldTurn: YieldTurn,
): Promise<readonly AnswerColumn['dataType'][]> {
  const dataTypes = new Map<number, AnswerColumn['dataType']>();
  const isDue = itemCounter();
  for (const { cells } of rows) {
    if (dataTypes.size === measures.length) break;
    if (isDue(cells.length)) await yieldTurn();
    for (const [index, { value, suppressed }] of cells.entries()) {
      const at = index % measures.length;
      if (dataTypes.has(at) || value === null || suppressed === true) continue;
      if (isExactText(value)) {
        if (value.includes('.')) dataTypes.set(at, 'decimal');
      } else if (typeof value === 'string') dataTypes.set(at, 'text');
      else if (typeof value === 'boolean') dataTypes.set(at, 'boolean');
      else if (!Number.isInteger(value)) dataTypes.set(at, 'decimal');
    }
  }
  return measures.map((_, at) => dataTypes.get(at) ?? 'integer');
}
