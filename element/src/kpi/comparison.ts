import { html, nothing, svg, type TemplateResult } from 'lit';
import { isTime } from '../api/columns.ts';
import type { Answer, Cell } from '../api/parse-answer.ts';
import { isOpenPeriod } from '../chart/open-period.ts';
import { locatePoints, parseTime } from '../chart/points.ts';
import { changeInPoints, pointsPerUnit } from '../chart/rates.ts';
import { writeLikeCells } from '../chart/write-like-cells.ts';
import type { Formats } from '../formats.ts';
import type { ChartSettings } from '../generated/chart-settings.ts';

/**
 * Renders what stands below a number: its period, its change and the line of all values. `row` and `position` locate the
 * number; `compare` is the key of the column to compare it with, `change` the notation of the change.
 */
export function comparison(
  answer: Answer,
  row: number,
  position: number,
  { compare, change }: { readonly compare: string | undefined; readonly change: ChartSettings['change'] },
  formats: Formats,
): TemplateResult {
  const { columns, rows } = answer;
  const key = columns[position]?.key ?? '';
  const other = columns.findIndex((column) =>
    compare === undefined ? isPreviousPeriod(column.key, key) : column.key === compare,
  );
  const time = columns.findIndex(isTime);
  const points = time < 0 ? undefined : locatePoints(answer, time, [], formats);
  const ordered = points?.times ? points.rows : [];
  const place = points?.rows.indexOf(row) ?? -1;
  const at = ordered.indexOf(row) - 1;
  const now = rows[row];
  const previous = other >= 0 ? now : rows[ordered[at] ?? -1];
  const than =
    other >= 0
      ? periodBeside(columns[other]?.label ?? '', columns[position]?.label ?? '', formats)
      : points?.labels[at];
  const line = sparkline(ordered.map((each) => rows[each]?.[position]?.number));
  const write = (value: number) => writeLikeCells(value, answer, position, formats);
  const before = previous?.[other >= 0 ? other : position];
  const name = points?.labels[place];
  const isOpen = isOpenPeriod(answer, parseTime(rows[row]?.[time]?.exact), columns[time]?.grain);
  const period = name !== undefined && isOpen ? formats.say('{0}, not complete', name) : name;
  return html`${period === undefined ? nothing : html`<p class="kpi-period" part="period">${period}</p>`}${change === 'none' ? nothing : delta(now?.[position], before, than ?? '', formats, change === 'difference' ? write : undefined)}${line}`;
}

/**
 * Returns whether `key` is the measure of an earlier period: `net_sales.base` (a comparison), `net_sales_previous`,
 * `net_sales_py`.
 */
function isPreviousPeriod(key: string, measure: string): boolean {
  return key.startsWith(measure) && /^(\.base$|[._ -](prev|prior|last|py$|ly$))/i.test(key.slice(measure.length));
}

/** Returns the distinguishing part of a label: `previous year` for `Net sales (previous year)` beside `Net sales`. */
function periodBeside(label: string, measure: string, formats: Formats): string {
  const name = label.startsWith(`${measure} (`) ? label.slice(measure.length + 2, -1) : label;
  if (name === 'previous year') return formats.say('previous year');
  return name === 'previous period' ? formats.say('previous period') : name;
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
  const scale = pointsPerUnit(now) ?? pointsPerUnit(previous);
  if (scale === undefined && previous.number === 0 && !writeDifference) return nothing;
  const options = { maximumFractionDigits: 1, signDisplay: 'exceptZero' } as const;
  const change = writeDifference
    ? `${difference > 0 ? '+' : ''}${writeDifference(difference)}`
    : scale === undefined
      ? formats.number(difference / Math.abs(previous.number), { ...options, style: 'percent' })
      : changeInPoints(difference * scale, formats);
  const way = difference > 0 ? '▲' : difference < 0 ? '▼' : '●';
  return html`<p class="delta" part="delta"><span aria-hidden="true">${way}</span> <b>${change}</b> ${formats.say('vs {0}', than)}</p>`;
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
