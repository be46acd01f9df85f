/**
 * The notation of the viewer. With the attribute `locale` this part, and nothing else, replaces the server's texts of
 * numbers and periods; without it they stay to the letter. Every view, description and file shows `text` of a cell.
 */
import { isNumeric } from '../api/columns.ts';
import { isRecord } from '../api/json.ts';
import type { Answer, Cell, Column } from '../api/parse-answer.ts';
import type { Formats } from '../formats.ts';
import { rewriteHeading } from '../generated/column-headings.ts';
import { rewriteLabels } from '../generated/period-labels.ts';
import { hasSeparatorsOf, rewriteDecimal, rewriteNumber } from './rewrite.ts';

interface Rewritten extends Pick<Answer, 'columns' | 'rows'> {
  readonly formats: Formats;
  readonly from: readonly Column[];
}

const answers = new WeakMap<Answer, { readonly formats: Formats; readonly answer: Answer }>();
/** By the rows of the server: unchanged rows stay one object through refreshes, so that views do not paint them again. */
const parts = new WeakMap<Answer['rows'], Rewritten>();

/** Returns an answer with the texts of its numbers and periods in the notation of `formats`. Each call returns the same object. */
export function inNotation(answer: Answer, formats: Formats): Answer {
  const known = answers.get(answer);
  if (known?.formats === formats) return known.answer;
  const rewritten = { ...answer, ...rewrite(answer, formats), drill: rewriteSteps(answer.drill, formats) };
  answers.set(answer, { formats, answer: rewritten });
  return rewritten;
}

function rewrite(answer: Answer, formats: Formats): Pick<Answer, 'columns' | 'rows'> {
  const known = parts.get(answer.rows);
  if (known?.formats === formats && known.from === answer.columns) return { columns: known.columns, rows: known.rows };
  const columns = answer.columns.map((column) => ({
    ...column,
    label: rewriteHeading(column, formats),
    ...(column.labels ? { labels: rewriteLabels(column, formats) } : {}),
  }));
  const stays = columns.map((column, position) => column.type === 'metric' && isInNotation(answer, position, formats));
  const rows = answer.rows.map((row) =>
    row.map((cell, position) => (stays[position] ? cell : rewriteCell(cell, columns[position], formats))),
  );
  parts.set(answer.rows, { columns, rows, formats, from: answer.columns });
  return { columns, rows };
}

/** Returns what a visitor may do with a row, with the names of its steps down in the language of `formats`. */
function rewriteSteps(drill: unknown, formats: Formats): unknown {
  if (!isRecord(drill) || !Array.isArray(drill.down)) return drill;
  const down: readonly unknown[] = drill.down;
  return {
    ...drill,
    down: down.map((step) =>
      isRecord(step) && typeof step.field === 'string' && typeof step.label === 'string'
        ? { ...step, label: rewriteHeading({ label: step.label, grain: step.field.split('.').at(-1) }, formats) }
        : step,
    ),
  };
}

/**
 * Returns whether all texts of a column are in the notation already. They then stay to the letter: in English, `90 €` is as
 * its author wrote it.
 */
function isInNotation({ rows }: Answer, position: number, formats: Formats): boolean {
  if (formats.number(1234.5) !== '1,234.5') return false;
  return rows.every((row) => {
    const cell = row[position];
    return cell?.number === undefined || cell.suppressed || hasSeparatorsOf(cell, formats);
  });
}

function rewriteCell(cell: Cell, column: Column | undefined, formats: Formats): Cell {
  if (column === undefined || cell.text === undefined || cell.suppressed) return cell;
  if (column.labels) {
    const label = column.labels[cell.exact ?? ''];
    return label === undefined ? cell : { ...cell, text: String(label) };
  }
  if (cell.number === undefined || !isNumeric(column)) return cell;
  return {
    ...cell,
    text: column.type === 'metric' ? rewriteNumber(cell, column, formats) : rewriteDecimal(cell.text, formats),
  };
}
