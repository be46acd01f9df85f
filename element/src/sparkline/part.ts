import { html, nothing, svg, type TemplateResult } from 'lit';
import { isTime } from '../api/columns.ts';
import type { Cell } from '../api/parse-answer.ts';
import { locatePoints } from '../chart/points.ts';
import { writeLikeCells } from '../chart/write-like-cells.ts';
import type { Formats } from '../formats.ts';
import type { SparklinePart } from '../types.ts';
import { styles } from './styles.ts';

export const view: SparklinePart['view'] = (answer, row, position, { compare, change }, formats) => {
  const { columns, rows } = answer;
  const key = columns[position]?.key ?? '';
  const other = columns.findIndex((column) =>
    compare === undefined ? isPreviousPeriod(column.key, key) : column.key === compare,
  );
  const time = columns.findIndex(isTime);
  const points = time < 0 ? undefined : locatePoints(answer, time, [], formats);
  const ordered = points?.times ? points.rows : [];
  const at = ordered.indexOf(row) - 1;
  const now = rows[row];
  const previous = other >= 0 ? now : rows[ordered[at] ?? -1];
  const than =
    other >= 0 ? nameBeside(columns[other]?.label ?? '', columns[position]?.label ?? '') : points?.labels[at];
  const line = sparkline(ordered.map((each) => rows[each]?.[position]?.number));
  const write = (value: number) => writeLikeCells(value, answer, position, formats);
  const before = previous?.[other >= 0 ? other : position];
  return html`${change === 'none' ? nothing : delta(now?.[position], before, than ?? '', formats, change === 'difference' ? write : undefined)}${line}`;
};

/**
 * Returns whether `key` is the measure of an earlier period: `net_sales.base` (a comparison), `net_sales_previous`,
 * `net_sales_py`.
 */
function isPreviousPeriod(key: string, measure: string): boolean {
  return key.startsWith(measure) && /^(\.base$|[._ -](prev|prior|last|py$|ly$))/i.test(key.slice(measure.length));
}

/** Returns the distinguishing part of a label: `previous year` for `Net sales (previous year)` beside `Net sales`. */
function nameBeside(label: string, measure: string): string {
  return label.startsWith(`${measure} (`) ? label.slice(measure.length + 2, -1) : label;
}

/** Renders the change of a number. It has no colour: only the author knows whether more is better. */
function delta(
  now: Cell | undefined,
  previous: Cell | undefined,
  than: string,
  formats: Formats,
  writeDifference: ((value: number) => string) | undefined,
): TemplateResult | typeof nothing {
  if (now?.number === undefined || previous?.number === undefined) return nothing;
  const difference = now.number - previous.number;
  const scale = pointScale(now) ?? pointScale(previous);
  if (scale === undefined && previous.number === 0 && !writeDifference) return nothing;
  const options = { maximumFractionDigits: 1, signDisplay: 'exceptZero' } as const;
  const change = writeDifference
    ? `${difference > 0 ? '+' : ''}${writeDifference(difference)}`
    : scale === undefined
      ? formats.number(difference / Math.abs(previous.number), { ...options, style: 'percent' })
      : formats.say('{0} points', formats.number(difference * scale, options));
  const way = difference > 0 ? '▲' : difference < 0 ? '▼' : '●';
  return html`<p class="delta" part="delta"><span aria-hidden="true">${way}</span> <b>${change}</b> ${formats.say('vs {0}', than)}</p>`;
}

/**
 * Returns the number of percentage points in one unit of a number that the server writes in percent: 100 for a share
 * (0.463 is written 46.3%), 1 for a number with that unit (46.3 is written 46.3 %). The change of such a rate is shown
 * in points: 46.3% after 47.0% is -0.7 points. As -1.5% it would read as if it were points.
 */
function pointScale({ number = 0, text = '' }: Cell): number | undefined {
  if (!text.includes('%') || number === 0) return undefined;
  const written = Number(text.replace(/[^\d.-]/g, ''));
  return Math.abs(written - number) < Math.abs(written - number * 100) ? 1 : 100;
}

function sparkline(values: readonly (number | undefined)[]): TemplateResult | typeof nothing {
  const points = values.flatMap((value, index) => (value === undefined ? [] : [[index, value] as const]));
  if (points.length < 2) return nothing;
  const numbers = points.map(([, value]) => value);
  const low = numbers.reduce((a, b) => Math.min(a, b));
  const span = numbers.reduce((a, b) => Math.max(a, b)) - low || 1;
  const path = points.map(
    ([index, value]) =>
      `${((index / (values.length - 1)) * 100).toFixed(2)},${(29 - ((value - low) / span) * 28).toFixed(2)}`,
  );
  // The words beside the line contain its meaning.
  return html`<svg class="sparkline" part="sparkline" viewBox="0 0 100 30" preserveAspectRatio="none" aria-hidden="true">${svg`<polyline points=${path.join(' ')} />`}</svg>`;
}

export { styles };
