import type { Answer, Cell } from '../api/parse-answer.ts';

/**
 * Returns `now` with each unchanged column and row of `previous`. Views compare by identity, so unchanged parts are not
 * painted again.
 */
export function mergeAnswers(previous: Answer, now: Answer): Answer {
  const same = <T>(kept: T, read: T): T => (JSON.stringify(kept) === JSON.stringify(read) ? kept : read);
  const unchanged =
    previous.rows.length === now.rows.length &&
    previous.rows.every((row, index) => {
      const other = now.rows[index];
      return row.every((cell, position) => sameCell(cell, other?.[position]));
    });
  const columns = same(previous.columns, now.columns);
  const rows = unchanged && columns === previous.columns ? previous.rows : now.rows;
  return { ...now, columns, rows, forecast: same(previous.forecast, now.forecast) };
}

function sameCell(a: Cell, b: Cell | undefined): boolean {
  return (
    a.text === b?.text &&
    a.number === b?.number &&
    a.suppressed === b?.suppressed &&
    (a.anomaly === b?.anomaly || JSON.stringify(a.anomaly) === JSON.stringify(b?.anomaly))
  );
}
