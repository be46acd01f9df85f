import type { Answer, Cell, Column } from '../api/answer.ts';
import { DASH, type Formats } from '../formats.ts';
import { MAX_TOOLTIP_CHARACTERS } from '../limits.ts';

/**
 * Returns a writer for the numbers of an axis: abbreviated by locale, and as percentages where the server writes the
 * column as such.
 */
export function axisFormatter(
  answer: Answer,
  positions: readonly number[],
  formats: Formats,
): (value: number) => string {
  const scales = positions.map((position) => percentScale(answer, position));
  const scale = scales.every((each) => each === scales[0]) ? scales[0] : undefined;
  if (scale !== undefined) {
    return (value) => formats.number(value * scale, { style: 'percent', maximumFractionDigits: 1 });
  }
  return (value) => formats.number(value, { notation: 'compact', maximumFractionDigits: 2 });
}

/** Returns 1 where 0.12 is written 12 %, 0.01 where 12 is; undefined where the column is not written in percent. */
function percentScale(answer: Answer, position: number): number | undefined {
  const written = answer.rows.flatMap((row) => {
    const cell = row[position];
    return cell?.text !== undefined && cell.number ? [{ text: cell.text, number: cell.number }] : [];
  });
  if (written.length === 0 || !written.every(({ text }) => /[%٪]\s*$/.test(text))) return undefined;
  // The largest is the least rounded.
  const [largest] = [...written].sort((a, b) => Math.abs(b.number) - Math.abs(a.number));
  const digits = largest?.text
    .replace(/[^\d.,]/g, '')
    .replace(/[.,](?=\d{3}\b)/g, '')
    .replace(',', '.');
  return largest && Number(digits) / Math.abs(largest.number) > 10 ? 1 : 0.01;
}

/** Returns a cell as a tooltip writes it: the server's own text, never formatted again. */
export function cellText(cell: Cell | undefined, column?: Column, formats?: Formats): string {
  return formats?.cell(cell, column) ?? cell?.text ?? DASH;
}

/**
 * Escapes a text for ECharts' rich-text tooltip. Rich text has its own markup, `{style|text}`, which data must not
 * reach: a word joiner, which is not seen, after each brace keeps it plain. One value is no place for an essay.
 */
export function escapeRichText(text: string): string {
  return (text.length > MAX_TOOLTIP_CHARACTERS ? `${text.slice(0, MAX_TOOLTIP_CHARACTERS)}…` : text).replaceAll(
    '{',
    '{\u2060',
  );
}
