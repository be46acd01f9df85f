/** Workbooks of answers: a sheet for each, with its title, its filters, and typed numbers and dates. */
import writeXlsxFile, { type CellObject, type Row, type Sheet as WrittenSheet } from 'write-excel-file/node';
import type { FileColumn, Notation, TitledAnswer, WorkbookTask } from '../../router/capabilities/answer-files.ts';
import type { FileValue } from '../../router/capabilities/answer-rows.ts';
import type { AnswerRecord } from '../../router/capabilities/query-source.ts';
import { fileValueOf, numberOf } from './cell.ts';
import { dateCellOf } from './dates.ts';
import { numberFormatOf } from './number-format.ts';
import { OBJECT_NAMES } from './object-names.ts';
import { sheetNames } from './sheet-names.ts';
import { wordsOf } from './words.ts';

/** Characters of a cell at most, by the format. */
const MAX_CELL_LENGTH = 32_767;
const MIN_WIDTH = 8;
const MAX_WIDTH = 60;
/** Rows that decide the width of a column. */
const MEASURED_ROWS = 200;

const TITLE = { fontWeight: 'bold', fontSize: 14 } as const;
const NOTE = { textColor: '#59636e' } as const;
const HEAD = {
  fontWeight: 'bold',
  backgroundColor: '#eef1f5',
  bottomBorderStyle: 'thin',
  bottomBorderColor: '#8b95a1',
  wrap: true,
  alignVertical: 'bottom',
} as const;

/** Writes the workbook. Texts are typed as texts, so that no text becomes a formula. */
export async function toXlsx({ sheets, filters, ...notation }: WorkbookTask): Promise<Uint8Array> {
  const names = sheetNames(sheets.map(({ title }) => title));
  const written = sheets.map(
    (sheet, index): WrittenSheet<Buffer> => ({
      sheet: names[index] ?? 'Sheet',
      ...('missing' in sheet
        ? { data: headOf(sheet, [wordsOf(notation.locale).missing]) }
        : answerSheet(sheet, filters, notation)),
    }),
  );
  return writeXlsxFile(written, { features: [OBJECT_NAMES] }).toBuffer();
}

function answerSheet(answer: TitledAnswer, filters: readonly string[], notation: Notation) {
  const { columns, records } = answer;
  const head = headOf(answer, notesOf(answer, filters, notation), asOfRow(answer, notation));
  const makers = columns.map((column) => cellMaker(column, records, notation));
  const rows = records.map((record): Row => makers.map((make) => make(record)));
  const labels = columns.map(({ label, type }) => ({
    ...text(label),
    ...HEAD,
    ...(type === 'metric' ? { align: 'right' as const } : {}),
  }));
  return {
    data: [...head, labels, ...rows],
    columns: columns.map((column, index) => ({ width: widthOf(column, records, makers[index]) })),
    stickyRowsCount: head.length + 1,
    ...(columns.length > 0 && columns[0]?.type === 'dimension' ? { stickyColumnsCount: 1 } : {}),
  };
}

function headOf(
  { title, description }: Pick<TitledAnswer, 'title' | 'description'>,
  notes: readonly string[],
  asOf?: Row,
): Row[] {
  return [
    [{ ...text(title), ...TITLE }],
    ...(description === undefined ? [] : [[text(description)]]),
    ...(asOf === undefined ? [] : [asOf]),
    ...notes.map((note): Row => [{ ...text(note), ...NOTE }]),
    [],
  ];
}

function asOfRow({ freshness }: TitledAnswer, { locale, timeZone }: Notation): Row {
  const at = new Date(freshness.computedAtMillis);
  const written = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone });
  // A text, because a narrow first column would show a date as signs.
  return [{ ...text(`${wordsOf(locale).asOf} ${written.format(at)} (${timeZone})`), ...NOTE }];
}

function notesOf(
  { meta, filters: own = [] }: TitledAnswer,
  filters: readonly string[],
  { locale }: Notation,
): readonly string[] {
  const words = wordsOf(locale);
  return [
    ...[...filters, ...own].map((filter) => `${words.filter}: ${filter}`),
    ...(meta.truncated ? [words.more] : []),
    ...(meta.suppressed === undefined ? [] : [`${words.hidden} (${meta.suppressed.count}).`]),
  ];
}

type CellMaker = (record: AnswerRecord) => CellObject | null;

/** Returns a function that writes the cells of a column. */
function cellMaker(column: FileColumn, records: readonly AnswerRecord[], { locale, timeZone }: Notation): CellMaker {
  const { points } = wordsOf(locale);
  const format = column.type === 'metric' ? numberFormatOf(column, records, points) : undefined;
  return (record) => {
    const value = fileValueOf(column, record);
    if (value === null) return null;
    const date = dateCellOf(column, rawOf(column, record), timeZone);
    if (date !== undefined) return { type: Date, value: date.date, format: date.format, align: 'left' };
    const number = numberOf(column, value);
    if (number !== undefined) return { type: Number, value: number, ...(format === undefined ? {} : { format }) };
    return typeof value === 'boolean' ? { type: Boolean, value } : text(String(value));
  };
}

/** Returns the value of a dimension without its label. */
function rawOf({ key }: FileColumn, record: AnswerRecord): unknown {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}

function text(value: string): CellObject {
  return { type: String, value: value.slice(0, MAX_CELL_LENGTH) };
}

/** Returns the width of a column in characters: the length of its longest text. */
function widthOf(column: FileColumn, records: readonly AnswerRecord[], make: CellMaker | undefined): number {
  const lengths = records.slice(0, MEASURED_ROWS).map((record) => {
    const cell = Object.hasOwn(record, column.key) ? record[column.key] : null;
    if (typeof cell === 'object' && cell !== null) return (cell.formatted ?? '').length;
    const written: FileValue = fileValueOf(column, record);
    return make?.(record)?.type === Date ? 'yyyy-mm-dd'.length : String(written ?? '').length;
  });
  const widest = Math.max(column.label.length, ...lengths) + 2;
  return Math.min(MAX_WIDTH, Math.max(MIN_WIDTH, widest));
}
