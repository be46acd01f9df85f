import type { Answer, Cell, Column } from '../api/parse-answer.ts';
import { DASH, type Formats } from '../formats.ts';
import { MAX_TOOLTIP_CHARACTERS } from '../limits.ts';

/**
 * Returns a formatter for the numbers of an axis: abbreviated by locale, and as percentages where the server formats
 * the column as percentages.
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

/** Returns a formatter for the numbers of a metric by the chart's settings. */
export function numberFormatter(
  {
    style = 'number',
    decimals,
    unit,
  }: {
    readonly style?: string | undefined;
    readonly decimals?: number | undefined;
    readonly unit?: string | undefined;
  },
  formats: Formats,
): (value: number) => string {
  const digits =
    decimals === undefined
      ? { maximumFractionDigits: 2 }
      : { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  const notation = { number: {}, percent: { style: 'percent' }, compact: { notation: 'compact' } } as const;
  const options = { ...(style === 'percent' || style === 'compact' ? notation[style] : notation.number), ...digits };
  return (value) => `${formats.number(value, options)}${unit ? `\u00a0${unit}` : ''}`;
}

/** Returns 1 where the server writes 0.12 as 12 %, 0.01 where it writes 12 as 12 %; undefined for other columns. */
function percentScale(answer: Answer, position: number): number | undefined {
  const written = answer.rows.flatMap((row) => {
    const cell = row[position];
    return cell?.text !== undefined && cell.number ? [{ text: cell.text, number: cell.number }] : [];
  });
  if (written.length === 0 || !written.every(({ text }) => /[%٪]\s*$/.test(text))) return undefined;
  // The largest number is the least rounded.
  const [largest] = [...written].sort((a, b) => Math.abs(b.number) - Math.abs(a.number));
  const digits = largest?.text
    .replace(/[^\d.,]/g, '')
    .replace(/[.,](?=\d{3}\b)/g, '')
    .replace(',', '.');
  return largest && Number(digits) / Math.abs(largest.number) > 10 ? 1 : 0.01;
}

/** Returns a cell's text for a tooltip: the server's own text, never formatted again. */
export function cellText(cell: Cell | undefined, column?: Column, formats?: Formats): string {
  return formats?.cell(cell, column) ?? cell?.text ?? DASH;
}

/**
 * Escapes a text for ECharts' rich-text tooltip. Rich text has its own markup, `{style|text}`; an invisible word joiner
 * after each brace keeps data from becoming markup. A long text is cut.
 */
export function escapeRichText(text: string): string {
  return (text.length > MAX_TOOLTIP_CHARACTERS ? `${text.slice(0, MAX_TOOLTIP_CHARACTERS)}…` : text).replaceAll(
    '{',
    '{\u2060',
  );
}
