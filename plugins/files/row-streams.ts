/** Writes the rows of an answer while they come, a few at a time. */
import type { AnswerRows, FileValue, RowChunk, RowColumn, RowsEnd } from '../../router/capabilities/answer-rows.ts';
import { cooperativeYield } from '../../router/cooperative-yield.ts';
import { type CsvNotation, csvLine, csvNotationOf } from '../../router/csv.ts';
import { ROW_FORMATS, type RowFormat } from '../../router/file-formats.ts';
import { StreamedAnswer } from '../../router/streamed-answer.ts';
import { isNumeric } from './cell.ts';
import { csvCell, csvHead } from './csv.ts';
import { fileName } from './file-name.ts';

export interface RowStreamOptions {
  readonly title: string;
  readonly format: RowFormat;
  /** BCP 47: the language of labels and, for CSV, its decimal sign. */
  readonly locale: string;
}

/** The trailers of a stream; HTTP sends them after its last byte. */
const TRAILERS = ['Service-Row-Count', 'Service-Truncated', 'Service-Suppressed-Rows'] as const;

/** Cells that are written as one piece at most: a few milliseconds of work. */
const CELLS_OF_A_PIECE = 8_000;

/** Makes an answer that is sent while its rows come. */
export function streamedRows(rows: AnswerRows, { title, format, locale }: RowStreamOptions): StreamedAnswer {
  let end: RowsEnd | undefined;
  const noted: AnswerRows = {
    columns: rows.columns,
    chunks: (async function* () {
      end = yield* small(rows);
      return end;
    })(),
  };
  const pieces = { ndjson: ndjsonPieces, csv: csvPieces, arrow: arrowPieces }[format](noted, locale);
  const { contentType, ending } = ROW_FORMATS[format];
  return new StreamedAnswer({
    contentType,
    name: fileName(title, ending),
    pieces,
    trailerNames: TRAILERS,
    trailers: () =>
      end === undefined
        ? {}
        : {
            'Service-Row-Count': String(end.rowCount),
            'Service-Truncated': String(end.truncated),
            'Service-Suppressed-Rows': String(end.suppressed?.count ?? 0),
          },
    ...(format === 'ndjson' ? { failurePiece: (body) => `${JSON.stringify({ $error: body })}\n` } : {}),
  });
}

/** Cuts chunks so that writing one of them holds the event loop for a few milliseconds, and lets others work in between. */
async function* small({ columns, chunks }: AnswerRows): AnswerRows['chunks'] {
  const rowsOfPiece = Math.max(1, Math.floor(CELLS_OF_A_PIECE / Math.max(columns.length, 1)));
  const yieldTurn = cooperativeYield();
  try {
    for (let next = await chunks.next(); ; next = await chunks.next()) {
      if (next.done === true) return next.value;
      const { rowCount, values } = next.value;
      for (let from = 0; from < rowCount; from += rowsOfPiece) {
        await yieldTurn();
        yield from === 0 && rowCount <= rowsOfPiece
          ? next.value
          : cut(values, from, Math.min(from + rowsOfPiece, rowCount));
      }
    }
  } finally {
    await chunks.return({ rowCount: 0, truncated: true });
  }
}

function cut(values: RowChunk['values'], from: number, to: number): RowChunk {
  return { rowCount: to - from, values: values.map((column) => column.slice(from, to)) };
}

/**
 * Writes the columns, then one object a row, then how the answer ended. Keys of columns have a dot or are names of metrics,
 * so that lines with `$` are no rows.
 */
async function* ndjsonPieces({ columns, chunks }: AnswerRows): StreamedAnswer['parts']['pieces'] {
  const shown = columns.map(({ key, label, type, dataType, grain }) => ({ key, label, type, dataType, grain }));
  yield `${JSON.stringify({ $columns: shown })}\n`;
  const names = columns.map(({ key }, place) => `${place === 0 ? '{' : ','}${JSON.stringify(key)}:`);
  const end = yield* written(chunks, ({ rowCount, values }) => {
    let text = '';
    for (let row = 0; row < rowCount; row += 1) {
      for (const [place, name] of names.entries()) text += name + jsonOf(values[place]?.[row] ?? null);
      text += '}\n';
    }
    return text;
  });
  const { rowCount, truncated, suppressed } = end;
  yield `${JSON.stringify({ $end: { rowCount, truncated, suppressed } })}\n`;
}

function jsonOf(value: FileValue): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}

async function* csvPieces({ columns, chunks }: AnswerRows, locale: string): StreamedAnswer['parts']['pieces'] {
  const notation = csvNotationOf(locale);
  yield csvHead(columns, notation);
  const cells = columns.map((column) => csvCellsOf(column, notation));
  yield* written(chunks, ({ rowCount, values }) => {
    let text = '';
    for (let row = 0; row < rowCount; row += 1)
      text += csvLine(
        cells.map((cellOf, place) => cellOf(values[place]?.[row] ?? null)),
        notation,
      );
    return text;
  });
}

/** The values of a column whose labels are remembered at most. */
const MAX_LABELS = 10_000;

function csvCellsOf(column: RowColumn, notation: CsvNotation): (value: FileValue) => string {
  const { labelOf, type } = column;
  if (labelOf === undefined) {
    const isQuantity = isNumeric({ ...column, labels: undefined });
    return (value) => csvCell(value, isQuantity, notation);
  }
  const labels = new Map<FileValue, string>();
  return (value) => {
    const known = labels.get(value);
    if (known !== undefined) return known;
    const cell = csvCell(value === null ? null : (labelOf(value) ?? value), type === 'metric', notation);
    if (labels.size < MAX_LABELS) labels.set(value, cell);
    return cell;
  };
}

/** The library is loaded for the first answer in its format. */
async function* arrowPieces(rows: AnswerRows): StreamedAnswer['parts']['pieces'] {
  const { arrowStream } = await import('./arrow.ts');
  yield* arrowStream(rows);
}

/** Writes each chunk as one piece. Returns the end of the rows. */
async function* written(
  chunks: AnswerRows['chunks'],
  write: (chunk: RowChunk) => string,
): AsyncGenerator<string, RowsEnd, undefined> {
  try {
    for (let next = await chunks.next(); ; next = await chunks.next()) {
      if (next.done === true) return next.value;
      yield write(next.value);
    }
  } finally {
    await chunks.return({ rowCount: 0, truncated: true });
  }
}
