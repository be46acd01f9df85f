/** An answer as a caller asked for it: records, a matrix, or the table that embeds show. */
import type {
  AnswerColumn,
  AnswerRecord,
  MetricCell,
  TabularAnswer,
} from '../../../router/capabilities/query-source.ts';
import type { CubeMatrixResponse, CubeQueryResponse, Format, Metadata, NumericCell } from '../schemas.ts';
import type { Answer, AnswerCell, AnswerRow } from './answer.ts';

export function toResponse(queryId: string, answer: Answer, format: Format): CubeQueryResponse | CubeMatrixResponse {
  if (format !== 'matrix') return recordsResponse(queryId, answer);
  const matrix = answer.rows.map((row) => rowBy(row, (index) => String(index)));
  return { ...common(queryId, answer, columnKeys(answer)), format, matrix };
}

export function recordsResponse(queryId: string, answer: Answer): CubeQueryResponse {
  const keys = columnKeys(answer);
  const data = answer.rows.map((row) => rowBy(row, (index) => keys[index] ?? ''));
  return { ...common(queryId, answer, keys), format: 'records', data };
}

function common(queryId: string, answer: Answer, keys: readonly string[]) {
  return {
    queryId,
    status: 'SUCCESS' as const,
    metadata: metadataOf(answer, keys),
    totalRows: answer.rows.length,
    runtimeMs: answer.runtimeMs,
  };
}

function rowBy({ captions, cells }: AnswerRow, keyOf: (index: number) => string): Record<string, string | NumericCell> {
  return Object.fromEntries([...captions, ...cells].map((cell, index) => [keyOf(index), cell]));
}

function metadataOf(answer: Answer, keys: readonly string[]): Metadata {
  const { rowHeads, columns, measures, computedAtMillis, cached, suppressed } = answer;
  const data = columns.flatMap((tuple) => measures.map((measure) => ({ tuple, measure })));
  return {
    cubeId: answer.cubeId,
    generatedMdx: answer.mdx,
    freshness: { computedAtMillis, computedAt: new Date(computedAtMillis).toISOString(), cached },
    rows: rowHeads.map(({ caption, dimension, uniqueName }, index) => {
      return { key: keys[index] ?? caption, caption, dimension, uniqueName };
    }),
    columns: [
      ...rowHeads.map((_, index) => ({ index, key: keys[index] ?? '' })),
      ...data.map(({ tuple, measure }, at) => {
        const index = rowHeads.length + at;
        return {
          index,
          key: keys[index] ?? '',
          measure: measure.name,
          ...(tuple.members.length === 0 ? {} : { members: tuple.members.map((member) => ({ ...member })) }),
        };
      }),
    ],
    measures: measures.map((measure) => ({ ...measure })),
    truncated: answer.truncated,
    ...(suppressed === undefined ? {} : { suppressed }),
  };
}

/**
 * Keys of the columns: their captions, of a column tuple with ` / ` between. Columns of one caption have their unique
 * names in parentheses behind it.
 */
function columnKeys({ rowHeads, columns, measures }: Answer): readonly string[] {
  const heads = [
    ...rowHeads.map(({ caption, uniqueName }) => ({ caption, uniqueName })),
    ...columns.flatMap(({ captions, members }) =>
      measures.map((measure) => ({
        caption: [...captions, measure.caption].join(' / '),
        uniqueName: [...members.map(({ uniqueName }) => uniqueName), measure.uniqueName].join(', '),
      })),
    ),
  ];
  const times = new Map<string, number>();
  for (const { caption } of heads) times.set(caption, (times.get(caption) ?? 0) + 1);
  return heads.map(({ caption, uniqueName }) =>
    (times.get(caption) ?? 0) > 1 ? `${caption} (${uniqueName})` : caption,
  );
}

/** One record for each combination of rows and columns that has a value. */
export function tabular(answer: Answer): TabularAnswer {
  const { rowHeads, columnHeads, measures, columns, rows, suppressed, truncated, computedAtMillis, cached } = answer;
  const heads = [...rowHeads, ...columnHeads];
  const records = rows.flatMap(({ captions, cells }) =>
    columns.flatMap((tuple, column): readonly AnswerRecord[] => {
      const own = cells.slice(column * measures.length, (column + 1) * measures.length);
      if (columnHeads.length > 0 && own.every(({ value, formatted }) => value === null && formatted === '')) return [];
      const names = [...captions, ...tuple.captions];
      return [
        Object.fromEntries([
          ...heads.map(({ key }, index) => [key, names[index] ?? null] as const),
          ...measures.map(({ name }, index) => [name, metricCell(own[index])] as const),
        ]),
      ];
    }),
  );
  return {
    columns: [
      ...heads.map(({ key, caption }): AnswerColumn => ({ key, label: caption, type: 'dimension', dataType: 'text' })),
      ...measures.map(({ name, caption, aggregationKind }, at): AnswerColumn => {
        return {
          key: name,
          label: caption,
          type: 'metric',
          dataType: dataType(rows, at, measures.length),
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

function dataType(rows: readonly AnswerRow[], at: number, stride: number): AnswerColumn['dataType'] {
  for (const { cells } of rows) {
    for (const [index, { value, suppressed }] of cells.entries()) {
      if (index % stride !== at || value === null || suppressed === true) continue;
      if (typeof value === 'string') return 'text';
      if (typeof value === 'boolean') return 'boolean';
      if (!Number.isInteger(value)) return 'decimal';
    }
  }
  return 'integer';
}
