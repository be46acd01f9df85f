/** The values behind the cells of an answer. */
import type { FileColumn } from '../../router/capabilities/answer-files.ts';
import type { FileValue } from '../../router/capabilities/answer-rows.ts';
import type { AnswerRecord } from '../../router/capabilities/query-source.ts';

const NUMERIC_TYPES: ReadonlySet<string> = new Set(['integer', 'decimal', 'float']);

/** Returns the value of a cell: the number of a metric, and the label of a period that has one; null for an empty label. */
export function fileValueOf(column: FileColumn, record: AnswerRecord): FileValue {
  const cell = Object.hasOwn(record, column.key) ? record[column.key] : null;
  if (cell === null || cell === undefined) return null;
  if (typeof cell === 'object') return cell.suppressed === true ? null : cell.value;
  const label = labelled(column, cell) ?? cell;
  return label === '' && cell !== '' ? null : label;
}

function labelled({ labels }: FileColumn, cell: string | number | boolean): string | undefined {
  return labels !== undefined && Object.hasOwn(labels, String(cell)) ? labels[String(cell)] : undefined;
}

/** Returns the number of a value that a double holds exactly enough to compute with; undefined for any other value. */
export function numberOf(column: FileColumn, value: FileValue): number | undefined {
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined;
  if (typeof value !== 'string' || !isNumeric(column)) return undefined;
  // Spreadsheets compute with 15 digits. A longer number stays text, with all of its digits.
  const digits = /^-?(\d+)(?:\.(\d+))?$/.exec(value);
  if (digits === null) return undefined;
  const significant = `${digits[1]}${digits[2] ?? ''}`.replace(/^0+/, '');
  return significant.length <= 15 ? Number(value) : undefined;
}

/** Returns whether a column contains quantities. A number that groups, such as a year, is none where it has labels. */
export function isNumeric({ type, dataType, labels }: FileColumn): boolean {
  return NUMERIC_TYPES.has(dataType) && (type === 'metric' || labels === undefined);
}
