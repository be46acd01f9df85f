import type { Answer, Cell } from '../api/parse-answer.ts';
import type { Formats } from '../formats.ts';
import type { Sort, TableState } from '../state/table-state.ts';

/** Sorts the current answer, and each refreshed answer after it. */
export function sortBy(table: TableState, sort: Sort | undefined, answer: Answer, formats: Formats): void {
  table.sort = sort;
  table.sortAnswer = sort && ((now) => (now.columns[sort.column] ? sortedPositions(now, sort, formats) : undefined));
  table.order = table.sortAnswer?.(answer);
}

/**
 * Returns the rows of an answer in the order of a column. Missing values come last in either direction; equal rows keep
 * their order. Each distinct text is ranked once, because a comparison by language rules is some fifty times as slow as
 * a comparison of numbers.
 */
function sortedPositions({ rows }: Answer, { column, descending }: Sort, { locale }: Formats): readonly number[] {
  const cells = rows.map((row) => row[column]);
  const numeric = cells.every((cell) => cell?.number !== undefined || cell?.text === undefined || cell.suppressed);
  const { compare } = new Intl.Collator(locale, { numeric: true });
  const distinct = numeric ? [] : [...new Set(cells.map((cell) => sortText(cell) ?? ''))].sort(compare);
  const ranks = new Map(distinct.map((text, rank) => [text, rank]));
  const keys = cells.map((cell) => {
    const text = sortText(cell);
    const key = numeric ? cell?.number : text === undefined ? undefined : ranks.get(text);
    return key === undefined ? Number.POSITIVE_INFINITY : descending ? -key : key;
  });
  return keys.map((_, index) => index).sort((a, b) => compareNumbers(keys[a] ?? 0, keys[b] ?? 0) || a - b);
}

/** Returns the value behind a cell's label: periods are sorted by time, `Feb 2025` before `Apr 2025`. */
function sortText(cell: Cell | undefined): string | undefined {
  return cell?.text === undefined ? undefined : (cell.exact ?? cell.text);
}

/** Compares two numbers without subtracting them: two infinities have no difference. */
function compareNumbers(a: number, b: number): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
