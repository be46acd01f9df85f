/** Answers as text, for readers that see no picture. */
import type { Answer, Cell, Column } from '../src/api/parse-answer.ts';
import type { Formats } from '../src/formats.ts';
import { rowCountText } from '../src/render/result-status.ts';

/** Rows and characters of a table at most: a reader asks for further rows. */
const MAX_TEXT_ROWS = 50;
const MAX_TEXT_LENGTH = 12_000;
const MAX_CELL_LENGTH = 120;

/** Writes the first rows of an answer as a table in Markdown, and below it what is missing. */
export function textOf(answer: Answer, formats: Formats): string {
  const { columns, rows } = answer;
  if (rows.length === 0) return formats.say('No data');
  const lines = [lineOf(columns.map(({ label }) => label)), lineOf(columns.map(() => '---'))];
  let length = lines.join('\n').length;
  let shown = 0;
  for (const row of rows.slice(0, MAX_TEXT_ROWS)) {
    const line = lineOf(columns.map((column, index) => cellText(row[index], column, formats)));
    length += line.length + 1;
    if (length > MAX_TEXT_LENGTH && shown > 0) break;
    lines.push(line);
    shown++;
  }
  return [lines.join('\n'), ...notesOf(answer, shown, formats)].join('\n\n');
}

function notesOf({ rows, truncated, suppressed }: Answer, shown: number, formats: Formats): readonly string[] {
  const isCut = truncated || shown < rows.length;
  return [
    ...(isCut ? [formats.say('Only the first {0}', rowCountText(shown, formats))] : []),
    ...(suppressed === undefined
      ? []
      : [formats.say('{0} with hidden values', rowCountText(suppressed.count, formats))]),
  ];
}

function cellText(cell: Cell | undefined, column: Column, formats: Formats): string {
  return cell?.suppressed ? `(${formats.say('hidden')})` : formats.cell(cell, column);
}

function lineOf(cells: readonly string[]): string {
  const escaped = cells.map((text) => text.slice(0, MAX_CELL_LENGTH).replace(/[|\\]/g, '\\$&').replace(/\s+/g, ' '));
  return `| ${escaped.join(' | ')} |`;
}
