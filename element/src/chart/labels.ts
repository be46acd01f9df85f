import type { Answer, Cell, Column } from '../api/parse-answer.ts';
import { readWrittenNumber, type WrittenNumber } from '../api/written-number.ts';
import { DASH, type Formats } from '../formats.ts';
import { MAX_TOOLTIP_CHARACTERS } from '../limits.ts';

/** A longer unit would be cut beside the name of the metric. */
const MAX_UNIT_CHARACTERS = 16;
const PERCENT = /[%٪]/;
const CURRENCY = /\p{Sc}/u;

/**
 * Returns a formatter for the numbers of an axis: abbreviated by locale, as percentages where the server formats the
 * columns as percentages, and with the sign of their currency.
 */
export function axisFormatter(
  answer: Answer,
  positions: readonly number[],
  formats: Formats,
): (value: number) => string {
  const { around = '', before = '', after = '', scale = 1 } = commonWriting(answer, positions) ?? {};
  if (PERCENT.test(around))
    return (value) => formats.number((value * scale) / 100, { style: 'percent', maximumFractionDigits: 1 });
  const write = (value: number) => formats.number(value, { notation: 'compact', maximumFractionDigits: 2 });
  return CURRENCY.test(around) ? (value) => `${value < 0 ? '-' : ''}${before}${write(Math.abs(value))}${after}` : write;
}

/** Returns the unit of an axis for its title, such as `kg` or `EUR`; undefined where its numbers have none, or have a sign. */
export function axisUnit(answer: Answer, positions: readonly number[]): string | undefined {
  const { around = '', before, after = '' } = commonWriting(answer, positions) ?? {};
  const isTitle =
    before === '' && after.length <= MAX_UNIT_CHARACTERS && !PERCENT.test(around) && !CURRENCY.test(around);
  return (isTitle && after.trim()) || undefined;
}

/** Returns how the largest number of each column is written; undefined where columns differ in it. */
function commonWriting(answer: Answer, positions: readonly number[]) {
  const [first, ...others] = positions.map((position) => {
    const written = readLargest(answer, position);
    if (written === undefined || written.scale < 1) return undefined;
    const { before, after, scale } = written;
    return { before, after, scale, around: PERCENT.test(before + after) ? '%' : before + after };
  });
  return others.every((each) => each?.around === first?.around && each?.scale === first?.scale) ? first : undefined;
}

/** Reads the text of the largest number of a column, which is the least rounded, without its sign. */
export function readLargest({ rows }: Answer, position: number): WrittenNumber | undefined {
  let largest: Cell | undefined;
  for (const { [position]: cell } of rows)
    if (cell?.text !== undefined && Math.abs(cell.number ?? 0) > Math.abs(largest?.number ?? 0)) largest = cell;
  const { text = '', number = 0 } = largest ?? {};
  const written = readWrittenNumber(text, number);
  return written && { ...written, before: written.before.replace(/[-−]/, '') };
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
