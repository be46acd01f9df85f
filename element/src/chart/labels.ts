import type { Answer, Cell } from '../read/answer.ts';

/** What stands for a missing value, in charts as in tables. */
export const DASH = '–';

/** The category of each row as its axis or legend writes it. */
export function categoryLabels(answer: Answer, category: number | undefined): readonly string[] {
  if (category === undefined) return answer.rows.map((_, index) => String(index + 1));
  const texts = answer.rows.map((row) => row[category]?.text);
  const monthly = texts.every((text) => text === undefined || /^\d{4}-\d\d-01(T00:00(:00(\.0+)?)?Z?)?$/.test(text));
  const dated = monthly && answer.columns[category]?.dataType !== 'text' && texts.length > 1;
  return texts.map((text) => (text === undefined ? DASH : dated ? monthLabel(text) : text));
}

/** `2025-03-01` where every date is the first of a month stands for the month: `Mar 2025`. */
function monthLabel(iso: string): string {
  const date = new Date(`${iso.slice(0, 10)}T00:00:00Z`);
  return new Intl.DateTimeFormat(undefined, { month: 'short', year: 'numeric', timeZone: 'UTC' }).format(date);
}

/** Numbers of an axis. The cells themselves are written by the server; between them no server has been asked. */
export function axisNumber(value: number): string {
  return new Intl.NumberFormat(undefined, { notation: 'compact', maximumFractionDigits: 2 }).format(value);
}

/** A cell in a tooltip: the server's own writing, never formatted again. */
export function cellText(cell: Cell | undefined): string {
  return cell?.text ?? DASH;
}

/**
 * Text for ECharts' rich-text tooltip. Rich text has its own markup, `{style|text}`, which data must not reach: a
 * word joiner, which is not seen, after each brace keeps it plain.
 */
export function plain(text: string): string {
  return text.replaceAll('{', '{\u2060');
}
